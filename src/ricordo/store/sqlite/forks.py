"""SQLite and forks: what a child may trust.

SQLite notes in the memory of the process which locks of a file it holds; the system grants them to
the process that asked. A child inherits the notes without the locks: its connections believe that
they are protected, and whoever closes the file last elsewhere takes the log away under them.
So every connection of ours is closed before a fork, when no thread is inside SQLite, and made
again on both sides when it is needed. Where that is not possible in time, the child is refused.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ricordo.errors import StoreError
from ricordo.forks import PATIENCE_SECONDS, leak

if TYPE_CHECKING:
    from ricordo.locks import Hold, Lock
    from ricordo.store.pool import Pool

_distrusted: set[tuple[int, int]] = set()  # files that this process must not touch


class Pause:
    """The time around a fork, in which nobody uses the connections of one memory."""

    def __init__(self) -> None:
        self.is_quiet = False
        self._ways_back: list[Callable[[], object]] = []

    def begin(self, section: "Lock", pool: "Pool[Any]", close: Callable[[], object]) -> None:
        """Wait until nobody uses a connection, and close them; without success nothing is done."""
        self.is_quiet = False
        hold: Hold | None = None if section.is_mine() else section.take(None, PATIENCE_SECONDS)
        if hold is None:
            return
        self._ways_back.append(lambda: section.give(hold))
        holds = pool.shut(PATIENCE_SECONDS)
        if holds is None:
            return
        self._ways_back.append(lambda: pool.reopen(holds))
        close()
        self.is_quiet = True

    def end(self) -> None:
        """Let everybody go on."""
        while self._ways_back:
            self._ways_back.pop()()
        self.is_quiet = False


def check(path: str) -> None:
    """Refuse a file that was in use by threads when this process was forked."""
    if _distrusted and _key(path) in _distrusted:
        raise StoreError(refusal(path))


def distrust(path: str, connections: Iterable[object]) -> None:
    """In a child: never touch this file. Its connections are kept for ever: closing them harms."""
    key = _key(path)
    if key is not None:
        _distrusted.add(key)
    for connection in connections:
        leak(connection)


def refusal(path: str) -> str:
    return (
        f"this process was forked while {path} was in use, so it cannot use it safely; fork when "
        "no thread reads or writes, or start processes with 'spawn' or 'forkserver'"
    )


def _key(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
