"""Metrics in Prometheus' text format: requests, what the memory does, what is stored and waits."""

import platform
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ricordo import __version__
from ricordo.model import Job, Stats
from ricordo.surfaces.http.families import CounterFamily, HistogramFamily, render
from ricordo.surfaces.http.step_metrics import StepMetrics

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_KEPT = ("spaces", "sessions", "events", "entries", "chunks", "embedded", "failed", "signals")


@dataclass(frozen=True, slots=True)
class MemoryState:
    """A memory at the moment of a scrape; no `stats` before its first write."""

    stats: Stats | None = None
    jobs: Sequence[Job] = ()
    is_writable: bool = True
    writes_waiting: int = 0


class Metrics:
    """CounterFamily of one server. `count_sessions` says how many MCP sessions are open."""

    def __init__(self, count_sessions: Callable[[], int]) -> None:
        self._count_sessions = count_sessions
        self.steps = StepMetrics()
        self._lock = threading.Lock()
        self._requests = CounterFamily(
            "ricordo_http_requests_total",
            "Requests by route, method and status.",
            ("route", "method", "status"),
        )
        self._durations = HistogramFamily(
            "ricordo_http_request_duration_seconds", "How long requests took.", ("route",)
        )

    def note(self, route: str, method: str, status: int, seconds: float) -> None:
        """One answered request. `route` is a pattern, never a path: names stay private."""
        with self._lock:
            self._requests.add((route, method, str(status)))
            self._durations.add((route,), seconds)

    def text(self, state: MemoryState) -> str:
        """Everything, as Prometheus reads it."""
        with self._lock:
            lines = [*self._requests.lines(), *self._durations.lines()]
        lines += self._gauge_lines(state)
        lines += _job_lines(state.jobs)
        lines += self.steps.lines()
        return "\n".join(lines) + "\n" + render_stats(state.stats)

    def _gauge_lines(self, state: MemoryState) -> Iterator[str]:
        build = {"version": __version__, "python": platform.python_version()}
        yield from render(
            "ricordo_build_info", "Version of the server; always 1.", "gauge", [(build, 1)]
        )
        told = "Whether writes are kept: 1 or 0."
        yield from render("ricordo_writable", told, "gauge", [({}, int(state.is_writable))])
        told = "Open sessions of the older MCP protocol."
        yield from render("ricordo_mcp_sessions", told, "gauge", [({}, self._count_sessions())])
        told = "Writes of this server that wait for a commit."
        yield from render("ricordo_writes_waiting", told, "gauge", [({}, state.writes_waiting)])


def _job_lines(jobs: Sequence[Job]) -> Iterator[str]:
    yield from render(
        "ricordo_job_failures",
        "Failures of a job of the keeper, in a row.",
        "gauge",
        [({"job": job.name}, job.failures) for job in jobs],
    )
    for name, told in (("last", "ended last"), ("next", "is due next")):
        times = [(job.name, getattr(job, f"{name}_at")) for job in jobs]
        yield from render(
            f"ricordo_job_{name}_timestamp_seconds",
            f"When a job of the keeper {told}, in seconds since 1970.",
            "gauge",
            [({"job": job}, round(at.timestamp())) for job, at in times if at is not None],
        )


def render_stats(stats: Stats | None) -> str:
    """The metrics of what is stored, without those of requests."""
    return "".join(f"{line}\n" for line in _kept_lines(stats))


def _kept_lines(stats: Stats | None) -> Iterator[str]:
    if stats is None:
        return
    kept = [({"kind": kind}, getattr(stats, kind)) for kind in _KEPT]
    yield from render("ricordo_kept", "What the memory holds, by kind.", "gauge", kept)
    yield from render("ricordo_bytes", "Size of the memory.", "gauge", [({}, stats.bytes)])
    waiting = max(0, stats.chunks - stats.embedded - stats.failed) if stats.model else 0
    told = "Chunks that wait for their vector."
    yield from render("ricordo_embedding_backlog", told, "gauge", [({}, waiting)])
