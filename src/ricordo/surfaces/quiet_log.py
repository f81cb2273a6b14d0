"""Quiet logs: a repeated record is written once a minute, with a count of the others.

A server lives for months; what goes wrong in it may go wrong a thousand times a second.
"""

import logging
import threading
import time
from collections.abc import Callable

PAUSE_SECONDS = 60.0
_MOST_KEYS = 256  # to remember; the oldest are dropped first


class Gate:
    """Lets each key through once a minute, from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last: dict[str, float] = {}
        self._held_back: dict[str, int] = {}

    def admit(self, key: str) -> int | None:
        """How many were held back since the last one passed; None to hold this one back."""
        now = self._clock()
        with self._lock:
            if key in self._last and now - self._last[key] < PAUSE_SECONDS:
                self._held_back[key] = self._held_back.get(key, 0) + 1
                return None
            self._last.pop(key, None)
            self._last[key] = now
            if len(self._last) > _MOST_KEYS:
                self._held_back.pop(oldest := next(iter(self._last)), None)
                del self._last[oldest]
            return self._held_back.pop(key, 0)


class Sparing(logging.Filter):
    """Lets a warning or error of a library through once a minute, in one line.

    What a client does wrong (no HTTP) can be repeated at will. asyncio reports that it cannot
    accept with a traceback for each place of the backlog, several thousand times a second.
    """

    def __init__(self, gate: Gate | None = None) -> None:
        super().__init__()
        self._gate = gate or Gate()

    def filter(self, record: logging.LogRecord) -> bool:
        said = str(record.msg).partition("\n")[0]
        is_of_the_system = said.startswith(_OUT_OF_FILES)
        if record.levelno != logging.WARNING and not is_of_the_system:
            return True
        held_back = self._gate.admit(said)
        if held_back is None:
            return False
        if is_of_the_system:
            record.msg, record.args = f"{said}: the limit of open files (ulimit -n)?", ()
            record.exc_info, record.exc_text = None, None
        if held_back:
            record.msg = f"{record.msg} ({held_back} more since the last report)"
        return True


_OUT_OF_FILES = "socket.accept() out of system resource"
