"""The consolidator: a thread that consolidates every space now and then."""

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from types import TracebackType

from recollect.errors import InvalidInput
from recollect.memory import Memory
from recollect.model import Consolidation, Event

EVERY = timedelta(hours=6)
_log = logging.getLogger("recollect")


class Consolidator:
    """Runs `consolidate` on every space of a memory, the first time after one interval.

    Use it as `with recollect.Consolidator(memory): …`, or with `start` and `stop`.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        every: timedelta = EVERY,
        model: Callable[[str, Sequence[Event]], str] | str | None = None,
    ) -> None:
        if not isinstance(every, timedelta) or every <= timedelta(0):
            raise InvalidInput(f"every is {every!r}; give a timedelta above zero")
        self._memory = memory
        self._every = every.total_seconds()
        self._model = model
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def run(self) -> dict[str, Consolidation]:
        """One pass over every space, now."""
        spaces = self._memory.spaces()
        return {name: self._memory.space(name).consolidate(self._model) for name in spaces}

    def start(self) -> None:
        """Begin; starting twice is fine."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._turn, name="recollect-consolidator")
            self._thread.daemon = True
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
                _log.exception("a consolidation failed; the next one tries again")

    def __enter__(self) -> "Consolidator":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
