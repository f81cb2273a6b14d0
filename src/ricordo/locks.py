"""Locks that an interrupt cannot leave locked.

Python raises KeyboardInterrupt, or what a signal handler or another thread raises, between any two
steps of a thread: inside `finally` and `__exit__` as well. A lock of `threading` then stays locked
for ever. Here a place is taken in one step that cannot be interrupted, together with the frame
that takes it. Whoever waits looks whether that frame still runs; if not, the place is free.
"""

import sys
import threading
import time
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from queue import Empty, SimpleQueue
from types import FrameType, TracebackType
from typing import Any

_LOOK_SECONDS = 0.02  # how often a waiter looks whether a holder is gone
_SUSPENDABLE = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


class Hold:
    """A place that is taken: by which thread and frame, and what is kept with it.

    A hold without a frame lasts until it is given back. A frame that can be suspended counts as
    running while its thread lives: clearing it would end what only waits.
    """

    __slots__ = ("frame", "kept", "place", "thread")

    def __init__(self, frame: FrameType | None) -> None:
        self.frame = frame
        self.thread = threading.get_ident()
        self.place = -1
        self.kept: Any = None  # whatever belongs to the holder, such as a connection

    def is_mine(self) -> bool:
        return self.thread == threading.get_ident() and not self.is_over()

    def is_over(self) -> bool:
        """Whether the frame that took the place has ended, however it ended.

        A running frame refuses to be cleared; one that has ended has no further use for its
        variables. The stack of another thread is not walked: CPython 3.11 may collect garbage, and
        so change threads, while it makes a frame on that stack visible.
        """
        if self.frame is None:
            return False
        if self.thread not in sys._current_frames():
            return True
        if self.frame.f_code.co_flags & _SUSPENDABLE:
            return False
        try:
            self.frame.clear()
        except RuntimeError:
            return False
        return True


class Places:
    """A number of places that callers hold for a while."""

    def __init__(self, number: int, lose: Callable[[Hold], object] | None = None) -> None:
        """`lose` is called with a hold whose frame has ended without giving it back."""
        self._number = number
        self._lose = lose
        self._held: dict[int, Hold] = {}
        self._freed: SimpleQueue[None] = SimpleQueue()

    def take(self, frame: FrameType | None, timeout: float | None = None) -> Hold | None:
        """Take a place for as long as `frame` runs; None if none is free in time."""
        hold = Hold(frame)
        if self._try(hold):
            return hold
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            self.reclaim()
            if self._try(hold):
                return self._pass_on(hold)
            left = _LOOK_SECONDS if deadline is None else deadline - time.monotonic()
            if left <= 0:
                return None
            try:
                self._freed.get(timeout=min(left, _LOOK_SECONDS))
            except Empty:
                continue

    def give(self, hold: Hold) -> None:
        """Give a place back; one that is not held any more stays as it is."""
        if self._held.get(hold.place) is hold:
            del self._held[hold.place]
        if self._freed.empty():
            self._freed.put(None)

    @property
    def first(self) -> Hold | None:
        """Who holds the first place, gone or not."""
        return self._held.get(0)

    def try_first(self, hold: Hold) -> bool:
        """Take the first place if it is free."""
        hold.place = 0
        return self._held.setdefault(0, hold) is hold  # one step: taken and noted

    def holds(self) -> list[Hold]:
        """Who holds a place now, gone or not."""
        return list(self._held.values())

    def reclaim(self) -> None:
        """Free the places of those who are gone."""
        for hold in self.holds():
            if hold.is_over() and self._held.get(hold.place) is hold:
                if self._lose is not None:
                    self._lose(hold)
                self.give(hold)

    def _try(self, hold: Hold) -> bool:
        held = self._held
        for place in range(self._number):
            if place not in held:
                hold.place = place
                if held.setdefault(place, hold) is hold:  # one step: taken and noted
                    return True
        return False

    def _pass_on(self, hold: Hold) -> Hold:
        """Wake the next one who waits if there is room for more."""
        if len(self._held) < self._number and self._freed.empty():
            self._freed.put(None)
        return hold


class Lock:
    """A lock for `with`. It is not held twice by one thread: `is_mine` tells beforehand."""

    __slots__ = ("_places",)

    def __init__(self) -> None:
        self._places = Places(1)

    def take(self, frame: FrameType | None, timeout: float | None = None) -> Hold | None:
        return self._places.take(frame, timeout)

    def give(self, hold: Hold) -> None:
        self._places.give(hold)

    def is_mine(self) -> bool:
        """Whether this thread holds it already, for instance below a signal handler."""
        return any(hold.is_mine() for hold in self._places.holds())

    def __enter__(self) -> None:
        hold = Hold(sys._getframe(1))
        if not self._places.try_first(hold):
            self._places.take(hold.frame)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        hold = self._places.first
        if hold is not None and hold.thread == threading.get_ident():
            self._places.give(hold)


class PausableLock(Lock):
    """A lock that is also taken for the time of a fork, so that nobody is at work then."""

    __slots__ = ("_pause",)

    def __init__(self) -> None:
        super().__init__()
        self._pause: Hold | None = None

    def pause(self, seconds: float) -> None:
        """Wait until nobody holds it, for a while, and keep it so until `go_on`."""
        if not self.is_mine():
            self._pause = self.take(None, seconds)

    def go_on(self) -> None:
        """Give it back, if it was taken."""
        pause, self._pause = self._pause, None
        if pause is not None:
            self.give(pause)
