"""Faults: what a client learns of an error. One table for HTTP, MCP and the tools.

An error about the request is reported in its own words: it names the value and the way out. One of
the server is reported in ours: its own names files and other servers, and belongs in the log.
"""

import errno
import logging
from dataclasses import dataclass

from ricordo.errors import (
    Busy,
    Conflict,
    DiskFull,
    InvalidInput,
    NotFound,
    StoreError,
    Unavailable,
)
from ricordo.surfaces.quiet_log import Gate

FAILED = "failed"  # the kind of a failure that a tool describes itself
_LATER = "the memory cannot do this now; try again later, or continue without it"


@dataclass(frozen=True, slots=True)
class Fault:
    """One row: an error with its kind for tools, its HTTP status and its message."""

    error: type[Exception]
    kind: str
    status: int
    words: str | None = None  # for a fault of the server; other errors have their own message
    retry_seconds: int | None = None  # when to retry; None if somebody has to act first

    @property
    def is_of_the_server(self) -> bool:
        return self.words is not None

    def tell(self, error: Exception) -> str:
        """What a client may know of an error."""
        return str(error) if self.words is None else self.words


# The first matching row counts: a subclass comes before its parent.
FAULTS = (
    Fault(InvalidInput, "invalid_arguments", 400),
    Fault(NotFound, "not_found", 404),
    Fault(Conflict, "conflict", 409),
    Fault(
        DiskFull,
        "disk_full",
        507,
        "the disk of the memory is full and nothing was stored; free some space on the server, or "
        "continue without it",
    ),
    Fault(Busy, "busy", 503, "the memory is locked by another process; try again", retry_seconds=2),
    Fault(
        StoreError,
        "unavailable",
        503,
        f"{_LATER}; see the server's log",
    ),
    Fault(
        Unavailable,
        "unavailable",
        503,
        "a part of the memory is not installed or cannot be reached; see the server's log",
    ),
    Fault(OSError, "unavailable", 503, _LATER),
)
KINDS = (*dict.fromkeys(fault.kind for fault in FAULTS), FAILED)
STATUSES = {**{fault.kind: fault.status for fault in FAULTS}, FAILED: 422}
RETRIES = {fault.kind: fault.retry_seconds for fault in FAULTS if fault.retry_seconds is not None}
WORDS = {fault.kind: fault.words for fault in reversed(FAULTS) if fault.words is not None}
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def find_fault(error: Exception) -> Fault:
    """The row of an error of the library or the system."""
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return next(fault for fault in FAULTS if fault.error is DiskFull)
    return next(fault for fault in FAULTS if isinstance(error, fault.error))


class Reports:
    """Logs faults of the server: each reason once a minute, with a count of the others."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._gate = Gate()

    def add(self, doing: str, error: Exception) -> None:
        """Log an error, unless the request caused it."""
        if not find_fault(error).is_of_the_server:
            return
        held_back = self._gate.admit(f"{type(error).__name__} {error}")
        if held_back is not None:
            more = f" (and {held_back} more since the last report)" if held_back else ""
            self._log.warning("%s: %s%s", doing, error, more)
