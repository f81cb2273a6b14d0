"""Findings: what a look at a memory and its process found, for `doctor` and for the HTTP API."""

import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import distributions, version
from importlib.util import find_spec
from typing import TYPE_CHECKING

import ricordo

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.model import Job

_LATE = timedelta(hours=1)  # how long a job may be due before somebody has to hear of it
_TWO_DRIVERS = (
    "the package apsw shares files with apsw-sqlite3mc; if encrypted memories do not open, run: "
    "pip install --force-reinstall --no-deps apsw-sqlite3mc"
)
_EXTRAS = {
    "adk": "google.adk",
    "anthropic": "anthropic",
    "claude-agent": "claude_agent_sdk",
    "openai-agents": "agents",
    "langchain": "langchain_core",
    "documents": "markitdown",
    "keyring": "keyring",
    "langgraph": "langgraph.store",
    "langgraph-checkpoints": "langgraph.checkpoint",
    "mcp": "mcp",
    "otel": "opentelemetry",
    "postgres": "psycopg",
    "pydantic-ai": "pydantic_ai",
    "strands": "strands",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: "ok", "note" or "wrong"."""

    what: str
    state: str
    detail: str


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # what it is a part of is missing
        return False


def look_at_versions() -> Iterator[Finding]:
    """What is installed."""
    system = f"{platform.system()} {platform.machine()}"
    yield Finding("version", "ok", f"ricordo {ricordo.__version__}")
    yield Finding("python", "ok", f"{platform.python_version()} on {system}")
    yield Finding("sqlite", "ok", f"apsw-sqlite3mc {version('apsw-sqlite3mc')}")
    if list(distributions(name="apsw")):
        yield Finding("sqlite", "note", _TWO_DRIVERS)
    extras = [name for name, module in _EXTRAS.items() if _is_there(module)]
    yield Finding("extras", "ok", ", ".join(extras) or "none installed")


def look_at_clock(memory: "Memory") -> Iterator[Finding]:
    """Whether the present time agrees with what is stored, and with the server's."""
    doubts = memory._clock_doubts()
    for doubt in doubts:
        way_out = "set the clock right, or run: ricordo maintain --confirm-clock"
        yield Finding("clock", "wrong", f"{doubt}; {way_out}")
    if not doubts:
        yield Finding("clock", "ok", "agrees with the stored times")


def look_at_keeper(memory: "Memory") -> Iterator[Finding]:
    """Whether the background work is done, and what failed."""
    now = datetime.now(UTC)
    jobs = [job for job in memory.keeper.status() if job.every_seconds]
    planned = [job for job in jobs if job.next_at is not None]
    if not jobs:
        yield Finding("keeper", "ok", "the settings turn all jobs off")
        return
    for job in planned:
        if job.error:
            yield Finding("keeper", "wrong", f"{job.name} failed {job.failures} times: {job.error}")
    late = [job.name for job in planned if job.next_at and now - job.next_at > _LATE]
    if not planned or late:
        what = f"{', '.join(late)} overdue;" if late else _tell_plans(jobs)
        yield Finding("keeper", "note", f"{what} run: ricordo keep, or ricordo keep --once")
        return
    following = min(planned, key=lambda job: job.next_at or now)
    is_new = all(job.last_at is None for job in planned)
    what = "new, no job has run yet; first" if is_new else "next"
    yield Finding("keeper", "ok", f"{what}: {following.name} at {following.next_at:%Y-%m-%d %H:%M}")


def _tell_plans(jobs: "Iterable[Job]") -> str:
    """When jobs run that are not planned: the memory is new, or nothing keeps it open."""
    first = min(jobs, key=lambda job: (not job.can_run, job.every_seconds))
    return (
        "no job is planned yet: whatever keeps this memory open plans them within a minute of the "
        f"first write, and {first.name} runs {first.every_seconds / 60:,.0f} minutes later; if "
        "nothing does,"
    )


def look_at_embedding(memory: "Memory") -> Iterator[Finding]:
    """Whether every chunk has its vector."""
    stats = memory.stats()
    if stats.model is None:
        yield Finding("embedding", "note", "no model is known here: recall is by words only")
        return
    waiting = stats.chunks - stats.embedded - stats.failed
    if stats.failed:
        told = f"{stats.failed} chunks have no vector because the model failed"
        yield Finding("embedding", "wrong", f"{told}; see ricordo stats")
    elif waiting > 0:
        chunks = "1 chunk waits" if waiting == 1 else f"{waiting:,} chunks wait"
        yield Finding("embedding", "note", f"{chunks} for a vector; run: ricordo flush")
    else:
        yield Finding("embedding", "ok", f"all {stats.chunks} chunks have their vector")


def look_at_backup(memory: "Memory") -> Iterator[Finding]:
    """How old the newest backup of the keeper is."""
    jobs: list[Job] = [job for job in memory.keeper.status() if job.name == "backup"]
    done = next((job.last_at for job in jobs if job.last_at is not None and not job.error), None)
    if done is None:
        told = "the keeper makes none; set `backup_folder`, or run: ricordo backup copy.db"
        yield Finding("backup", "note", told)
    else:
        days = (datetime.now(UTC) - done).days
        state = "ok" if days < 8 else "note"
        yield Finding("backup", state, f"{days} days old, of {done:%Y-%m-%d}")
