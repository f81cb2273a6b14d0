"""A pool: a few connections of one process, made when they are needed and used again.

No thread looks after them. A connection whose user was interrupted before it gave it back is
closed as soon as somebody needs its place.
"""

import time
from collections import deque
from collections.abc import Callable
from types import FrameType
from typing import Generic, TypeVar

from ricordo.errors import Busy
from ricordo.locks import Hold, Places

PATIENCE_SECONDS = 60.0  # how long to wait for a connection before giving up

Connection = TypeVar("Connection")


class Pool(Generic[Connection]):
    """The last one given back is the first to be taken: it is warm."""

    def __init__(
        self,
        most: int,
        connect: Callable[[], Connection],
        close: Callable[[Connection], object],
        is_usable: Callable[[Connection], bool] = lambda _: True,
    ) -> None:
        self._most = most
        self._connect = connect
        self._close = close
        self._is_usable = is_usable
        self.idle: deque[Connection] = deque()
        self._places = Places(most, self._lose)
        self._is_closed = False

    def take(self, frame: FrameType | None, *, is_new: bool = False) -> Hold:
        """A connection for as long as `frame` runs; `kept` of the hold is the connection."""
        hold = self._places.take(frame, PATIENCE_SECONDS)
        if hold is None:
            raise Busy(f"all {self._most} connections of this process are in use; try again")
        try:
            hold.kept = (None if is_new else self._warm()) or self._connect()
        except BaseException:
            self._places.give(hold)
            raise
        return hold

    def give(self, hold: Hold, *, is_good: bool = True) -> None:
        """Put a connection back, or close it if it is not good."""
        connection: Connection = hold.kept
        hold.kept = None
        if is_good and not self._is_closed:
            self.idle.append(connection)
        else:
            self._close(connection)
        self._places.give(hold)
        if self._is_closed:
            self.close()  # somebody closed the pool meanwhile

    def close(self) -> None:
        """Close what is not in use; what is in use is closed when it is given back."""
        self._is_closed = True
        self.close_idle()

    def close_idle(self) -> None:
        while self.idle:
            self._close(self.idle.pop())

    def in_use(self) -> list[Connection]:
        return [hold.kept for hold in self._places.holds() if hold.kept is not None]

    def shut(self, seconds: float) -> list[Hold] | None:
        """Take every place, so that nobody uses a connection; None if others keep theirs."""
        deadline = time.monotonic() + seconds
        holds: list[Hold] = []
        for _ in range(self._most):
            is_mine = any(hold.is_mine() for hold in self._places.holds() if hold not in holds)
            left = 0.0 if is_mine else max(0.0, deadline - time.monotonic())
            hold = self._places.take(None, left)
            if hold is None:
                self.reopen(holds)
                return None
            holds.append(hold)
        self.close_idle()
        return holds

    def reopen(self, holds: list[Hold]) -> None:
        for hold in holds:
            self._places.give(hold)

    def forget(self) -> list[Connection]:
        """Begin again without any connection; those there were. For the child of a fork."""
        there = [*self.idle, *self.in_use()]
        self.idle = deque()
        self._places = Places(self._most, self._lose)
        return there

    def _warm(self) -> Connection | None:
        while self.idle:
            connection = self.idle.pop()
            if self._is_usable(connection):
                return connection
            self._close(connection)
        return None

    def _lose(self, hold: Hold) -> None:
        """Its user is gone: nobody else has it, and its state is unknown."""
        if hold.kept is not None:
            self._close(hold.kept)
