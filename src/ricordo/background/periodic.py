"""Periodic work: a thread that does one thing now and then, and goes on when it fails."""

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from datetime import timedelta
from types import TracebackType
from typing import Self, TypeVar

from ricordo.errors import InvalidInput

_log = logging.getLogger("ricordo")
Result = TypeVar("Result")


def for_each(spaces: Iterable[str], work: Callable[[str], Result]) -> dict[str, Result]:
    """Work on every space; one that fails keeps none waiting, and is raised when all are done."""
    done: dict[str, Result] = {}
    failures: list[Exception] = []
    for space in spaces:
        try:
            done[space] = work(space)
        except Exception as error:  # noqa: BLE001 - the first is raised below
            error.add_note(f"in space {space!r}")
            failures.append(error)
    if failures:
        raise failures[0]
    return done


class Regular(ABC):
    """Does `run` again and again, the first time after one interval.

    Use it with `with`, or with `start` and `stop`.
    """

    def __init__(self, every: timedelta) -> None:
        if not isinstance(every, timedelta) or every <= timedelta(0):
            raise InvalidInput(f"every is {every!r}; give a timedelta above zero")
        self._every = every.total_seconds()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def run(self) -> object:
        """One pass, now."""

    def start(self) -> None:
        """Begin; starting twice is fine."""
        if self._thread is None:
            self._stop.clear()
            name = f"ricordo-{type(self).__name__.lower()}"
            self._thread = threading.Thread(target=self._turn, name=name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End after the pass under way."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _turn(self) -> None:
        while not self._stop.wait(self._every):
            try:
                self.run()
            except Exception:  # noqa: BLE001 - a thread has no caller; the next pass tries again
                _log.exception("a pass of %s failed; the next one tries again", type(self).__name__)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
