"""Passes: one run of a job over the spaces of a memory. It can stop between two spaces."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ricordo.core.time.jobs import JobState
from ricordo.errors import RicordoError
from ricordo.flows.engine import Engine

_MOST_SEEN = 200_000  # spaces whose state is remembered between two passes


class BrokenOff(RicordoError):
    """The process ends, or somebody else has taken over the job."""


@dataclass(slots=True)
class JobPass:
    """What a job works with. `seen` belongs to the job and lasts between passes."""

    engine: Engine
    state: JobState
    check: Callable[[], None]  # raises BrokenOff when it is time to stop
    seen: dict[int, int] = field(default_factory=dict)  # by space: its last chunk

    def list_changed(self) -> Iterator[str]:
        """Spaces with new texts since the last pass; a space is marked as seen once it is done."""
        with self.engine.store.read() as tx:
            spaces = tx.spaces.numbers()
        if len(self.seen) > _MOST_SEEN:
            self.seen.clear()
        for space in spaces:
            if self.seen.get(space.space) == space.last_chunk:
                continue
            self.check()
            yield space.name
            self.seen[space.space] = space.last_chunk

    def report_progress(self, *_: int) -> None:
        """A callback that lets long work stop in between."""
        self.check()


class Failures:
    """Errors of single spaces. The other spaces continue, and the job reports the first error."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def note(self, space: str, error: Exception) -> None:
        self._found.append(f"space {space!r}: {type(error).__name__}: {error}")

    def report(self) -> None:
        """Raise an error if there were any."""
        if self._found:
            more = f" (and {len(self._found) - 1} more)" if len(self._found) > 1 else ""
            raise RicordoError(self._found[0] + more)
