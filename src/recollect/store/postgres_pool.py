"""A few connections of one process to one server, made when they are needed and used again.

No thread looks after them: whoever takes one sees whether the server has closed it meanwhile.
"""

import contextlib
import os
import select
import threading
import weakref
from collections.abc import Callable, Iterator

from recollect.errors import Busy
from recollect.store.postgres_connection import Connection
from recollect.store.postgres_link import PATIENCE_SECONDS, Raw

MOST = 10  # connections


class Pool:
    """The last one given back is the first to be taken: it is warm."""

    def __init__(self, connect: Callable[[], Raw]) -> None:
        self._connect = connect
        self._free: list[Connection] = []
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(MOST)
        self._is_closed = False
        # A memory that nobody closed leaves the server when it is forgotten.
        self._finish = weakref.finalize(self, _close, self._free, os.getpid())

    def take(self) -> Connection:
        if not self._slots.acquire(timeout=PATIENCE_SECONDS):
            raise Busy(f"all {MOST} connections of this process are in use; try again")
        try:
            return self._idle() or Connection(self._connect())
        except BaseException:
            self._slots.release()
            raise

    def give(self, connection: Connection) -> None:
        with self._lock:
            is_kept = not (self._is_closed or connection.raw.closed)
            if is_kept:
                self._free.append(connection)
        if not is_kept:
            connection.close()
        self._slots.release()

    @contextlib.contextmanager
    def plain(self) -> Iterator[Raw]:
        """A connection for what is no transaction of ours."""
        connection = self.take()
        try:
            connection.abandon()
            yield connection.raw
        finally:
            connection.abandon()
            self.give(connection)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
        self._finish()

    def _idle(self) -> Connection | None:
        """One that waits to be used and has not been closed by the server."""
        while True:
            with self._lock:
                if not self._free:
                    return None
                connection = self._free.pop()
            # The server says nothing to an idle connection but goodbye.
            if not _has_news(connection.raw.fileno()):
                return connection
            connection.close()


def _has_news(descriptor: int) -> bool:
    """Whether there is something to read, without waiting for it."""
    if not hasattr(select, "poll"):
        return bool(select.select([descriptor], [], [], 0)[0])
    waiting = select.poll()  # select knows descriptors up to 1023 only
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(0))


def _close(free: list[Connection], process: int) -> None:
    if os.getpid() != process:
        return  # what was opened before a fork is the parent's to close
    for connection in free:
        connection.close()
    free.clear()
