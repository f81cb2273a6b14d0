"""The connections of one process to one PostgreSQL server."""

import contextlib
import os
import select
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterator

import psycopg

from ricordo.locks import Hold
from ricordo.store.pool import Pool
from ricordo.store.postgres.connection import PostgresConnection
from ricordo.store.postgres.link import Raw

MOST = 10


class Connections(Pool[PostgresConnection]):
    """Whoever takes one sees whether the server has closed it meanwhile."""

    def __init__(self, connect: Callable[[], PostgresConnection]) -> None:
        super().__init__(MOST, connect, PostgresConnection.close, _is_usable)
        # A memory that nobody closed leaves the server when it is forgotten.
        self._finish = weakref.finalize(self, _close, self.idle, os.getpid())

    @contextlib.contextmanager
    def plain(self) -> Iterator[Raw]:
        """A connection for work outside our transactions."""
        hold = self.take(sys._getframe())
        connection: PostgresConnection = hold.kept
        try:
            connection.abandon()
            yield connection.raw
        finally:
            connection.abandon()
            self.give(hold)

    def give(self, hold: Hold, *, is_good: bool = True) -> None:
        super().give(hold, is_good=is_good and not hold.kept.raw.closed)

    def abandon(self) -> None:
        """In the child of a fork: close our ends, without the farewell that ends the parent's."""
        self._finish.detach()
        for connection in self.forget():
            with contextlib.suppress(OSError):
                os.close(connection.raw.fileno())


def _is_usable(connection: PostgresConnection) -> bool:
    """Whether the server is still there: what it has said since is read until it is silent."""
    raw = connection.raw
    try:
        while not raw.closed and _has_news(raw.fileno()):
            raw.pgconn.consume_input()  # raises after goodbye
    except psycopg.Error:
        return False
    return not raw.closed


def _has_news(descriptor: int) -> bool:
    """Whether there is something to read, without waiting for it."""
    if not hasattr(select, "poll"):
        return bool(select.select([descriptor], [], [], 0)[0])
    waiting = select.poll()  # select knows descriptors up to 1023 only
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(0))


def _close(free: deque[PostgresConnection], process: int) -> None:
    if os.getpid() != process:
        return  # what was opened before a fork is the parent's to close
    while free:
        free.pop().close()
