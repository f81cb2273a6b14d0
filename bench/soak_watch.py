"""What a process takes over time, read from /proc, its files and its metrics, and whether it grows.

The RSS of a server follows what it holds: chunks (its views and vectors) and MCP sessions. So these
stand beside it, and the last column is what they leave over.
"""

import statistics
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Sample(NamedTuple):
    """One look at a process and its memory. Sizes are MB of 1,000,000 bytes."""

    minute: float
    rss: float
    fds: float
    threads: float
    log: float
    wal: float
    file: float
    chunks: float | None  # None where nobody can be asked
    sessions: float | None

    @property
    def rest(self) -> float | None:
        """RSS without what follows from data and from open sessions."""
        if self.chunks is None or self.sessions is None:
            return None
        return self.rss - CHUNK_MB * self.chunks - SESSION_MB * self.sessions


class Measure(NamedTuple):
    """A column of the table, and how much of it may come and go without being growth."""

    name: str
    title: str
    places: int
    absolute: float
    relative: float  # of the mean over the last half


MEASURES = (
    Measure("rss", "RSS MB", 1, 3.0, 0.02),
    Measure("fds", "fds", 0, 4, 0.1),
    Measure("threads", "threads", 0, 3, 0.1),
    Measure("log", "log MB", 3, 0.01, 0),
    Measure("wal", "WAL MB", 2, 2.0, 0.25),
    Measure("file", "file MB", 2, 0.5, 0.05),
    Measure("chunks", "chunks", 0, 20, 0.02),
    Measure("sessions", "MCP sessions", 0, 20, 0.1),
    Measure("rest", "RSS MB without both", 1, 3.0, 0.02),
)
CHUNK_MB, SESSION_MB = 0.0023, 0.055  # a chunk in a view, an abandoned session: measured apart
_CHUNKS, _SESSIONS = 'ricordo_kept{kind="chunks"}', "ricordo_mcp_sessions"  # in the metrics


class Watched(NamedTuple):
    """A process, the memory it works on, and where its complaints go.

    `metrics` asks a server how it stands.
    """

    name: str
    pid: int
    path: Path
    log: Path
    metrics: urllib.request.Request | None = None

    def look(self, minute: float) -> Sample | None:
        """One sample; None if the process is gone."""
        proc = Path(f"/proc/{self.pid}")
        try:
            told = dict(
                line.split(":", 1) for line in (proc / "status").read_text().splitlines() if line
            )
            if "VmRSS" not in told:
                return None  # a zombie: it has ended and was not waited for yet
            fds = sum(1 for _ in (proc / "fd").iterdir())
        except FileNotFoundError:
            return None
        shown = self._read_metrics()
        return Sample(
            minute,
            rss=int(told["VmRSS"].split()[0]) * 1024 / 1e6,
            fds=fds,
            threads=int(told["Threads"]),
            log=_megabytes(self.log),
            wal=_megabytes(self.path.with_name(self.path.name + "-wal")),
            file=_megabytes(self.path),
            chunks=shown.get(_CHUNKS),
            sessions=shown.get(_SESSIONS),
        )

    def _read_metrics(self) -> dict[str, float]:
        if self.metrics is None:
            return {}
        with urllib.request.urlopen(self.metrics, timeout=60) as reply:
            lines = reply.read().decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


def _megabytes(path: Path) -> float:
    try:
        return path.stat().st_size / 1e6
    except FileNotFoundError:
        return 0.0


def header() -> str:
    titles = ["minute", "process", *(each.title for each in MEASURES)]
    return f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}"


def row(name: str, sample: Sample) -> str:
    values = [(getattr(sample, each.name), each.places) for each in MEASURES]
    shown = ["-" if value is None else f"{value:.{places}f}" for value, places in values]
    return f"| {sample.minute:.1f} | {name} | {' | '.join(shown)} |"


def verdicts(name: str, samples: Sequence[Sample]) -> list[str]:
    """A line per measure: its slope over the last half of the run, and what that means."""
    half = samples[len(samples) // 2 :]
    if len(half) < 3:
        return [f"| {name} | all | - | - | too few samples |"]
    known = [each for each in MEASURES if getattr(half[0], each.name) is not None]
    return [_verdict(name, each, half) for each in known]


def _verdict(name: str, measure: Measure, half: Sequence[Sample]) -> str:
    minutes = [each.minute for each in half]
    values = [float(getattr(each, measure.name)) for each in half]
    slope = statistics.linear_regression(minutes, values).slope
    growth = slope * (minutes[-1] - minutes[0])
    allowed = max(measure.absolute, measure.relative * statistics.fmean(values))
    verdict = "level" if abs(growth) <= allowed else "grows" if growth > 0 else "shrinks"
    ends = " to ".join(f"{value:.{measure.places}f}" for value in (values[0], values[-1]))
    hourly = f"{60 * slope:+.{measure.places + 1}f} an hour"
    return f"| {name} | {measure.title} | {ends} | {hourly} | {verdict} |"
