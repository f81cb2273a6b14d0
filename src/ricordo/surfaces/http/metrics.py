"""Metrics in Prometheus' text format: requests by route, their duration, what is stored."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ricordo.model import Job, Stats

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_KEPT = ("spaces", "sessions", "events", "entries", "chunks", "embedded", "failed", "signals")


class Metrics:
    """Counters of one server. `count_sessions` says how many MCP sessions are open."""

    def __init__(self, count_sessions: Callable[[], int]) -> None:
        self._count_sessions = count_sessions
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: Counter[tuple[str, float]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()

    def note(self, route: str, method: str, status: int, seconds: float) -> None:
        """One answered request. `route` is a pattern, never a path: names stay private."""
        with self._lock:
            self._requests[route, method, status] += 1
            self._counts[route] += 1
            self._seconds[route] += seconds  # type: ignore[assignment]
            for bound in BOUNDS:
                if seconds <= bound:
                    self._buckets[route, bound] += 1

    def text(
        self, stats: Stats | None, jobs: Sequence[Job] = (), *, is_writable: bool = True
    ) -> str:
        """Everything, as Prometheus reads it."""
        with self._lock:
            lines = [*self._request_lines(), *self._latency_lines()]
        lines += ["# HELP ricordo_writable Whether writes are kept: 1 or 0."]
        lines += ["# TYPE ricordo_writable gauge", f"ricordo_writable {int(is_writable)}"]
        lines += ["# HELP ricordo_mcp_sessions Open sessions of the older MCP protocol."]
        lines += ["# TYPE ricordo_mcp_sessions gauge"]
        lines += [f"ricordo_mcp_sessions {self._count_sessions()}"]
        lines += _job_lines(jobs)
        return "\n".join(lines) + "\n" + render_stats(stats)

    def _request_lines(self) -> Iterator[str]:
        yield "# HELP ricordo_http_requests_total Requests by route, method and status."
        yield "# TYPE ricordo_http_requests_total counter"
        for (route, method, status), count in sorted(self._requests.items()):
            labels = f'route="{_escape(route)}",method="{_escape(method)}",status="{status}"'
            yield f"ricordo_http_requests_total{{{labels}}} {count}"

    def _latency_lines(self) -> Iterator[str]:
        name = "ricordo_http_request_seconds"
        yield f"# HELP {name} How long requests took."
        yield f"# TYPE {name} histogram"
        for route, count in sorted(self._counts.items()):
            label = f'route="{_escape(route)}"'
            for bound in BOUNDS:
                yield f'{name}_bucket{{{label},le="{bound}"}} {self._buckets[route, bound]}'
            yield f'{name}_bucket{{{label},le="+Inf"}} {count}'
            yield f"{name}_sum{{{label}}} {float(self._seconds[route]):.6f}"
            yield f"{name}_count{{{label}}} {count}"


def _job_lines(jobs: Sequence[Job]) -> Iterator[str]:
    yield "# HELP ricordo_job_failures Failures of a job of the keeper, in a row."
    yield "# TYPE ricordo_job_failures gauge"
    yield from (f'ricordo_job_failures{{job="{job.name}"}} {job.failures}' for job in jobs)
    for name, told in (("last", "ended last"), ("next", "is due next")):
        metric = f"ricordo_job_{name}_timestamp_seconds"
        yield f"# HELP {metric} When a job of the keeper {told}, in seconds since 1970."
        yield f"# TYPE {metric} gauge"
        for job in jobs:
            at = getattr(job, f"{name}_at")
            if at is not None:
                yield f'{metric}{{job="{job.name}"}} {at.timestamp():.0f}'


def render_stats(stats: Stats | None) -> str:
    """The metrics of what is stored, without those of requests."""
    return "".join(f"{line}\n" for line in _kept_lines(stats))


def _kept_lines(stats: Stats | None) -> Iterator[str]:
    if stats is None:
        return
    yield "# HELP ricordo_kept What the memory holds, by kind."
    yield "# TYPE ricordo_kept gauge"
    for kind in _KEPT:
        yield f'ricordo_kept{{kind="{kind}"}} {getattr(stats, kind)}'
    yield "# HELP ricordo_bytes Size of the memory."
    yield "# TYPE ricordo_bytes gauge"
    yield f"ricordo_bytes {stats.bytes}"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
