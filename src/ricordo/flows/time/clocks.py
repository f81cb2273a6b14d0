"""Clocks: watch the wall clock, and put right what was planned or claimed in a wrong time.

Whoever asks for the time also has the wall clock compared with a monotonic one. Plans follow the
wall clock; leases follow the time that has passed, which no jump moves.
"""

import logging
import sys
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import NamedTuple

from ricordo.core.time import clocks
from ricordo.flows.engine import Engine
from ricordo.store.codec import micros, moment
from ricordo.store.tables.clocks import Clocks

log = logging.getLogger("ricordo.clock")

LOOK_EVERY = 600.0  # seconds between two looks for plans that another process made wrongly
BELIEVED_AFTER = 3_600.0  # seconds for which leases do not follow a clock that jumped
_SECOND = 1_000_000
WAY_OUT = "set the clock right, or confirm that it is: ricordo maintain --confirm-clock"


class Look(NamedTuple):
    """A look at the clock: is it time to search for wrong plans, and has it just come right?"""

    now: int
    is_due: bool
    came_back: bool


class Watch:
    """Looks at the clock of a memory, and notices whether the time it tells can be right.

    A clock that the caller gives may have a method `monotonic`, in seconds. Without one its own
    steps forward are ordinary time, and it is wrong only before the time of opening.
    """

    def __init__(self, clock: Callable[[], datetime] | None = None) -> None:
        self.is_real = clock is None
        self.wall = clock or _now
        given = getattr(clock, "monotonic", None)
        self._monotonic: Callable[[], float] | None = _read_monotonic if clock is None else given
        self._anchor = self._pair()
        self.departure = 0  # microseconds by which the wall clock is ahead of steady time
        self.is_anchored_by_server = False
        self._was_ahead = False
        self._came_back = False
        self._departed_at = self._anchor[1]  # when the departure last changed
        self._looked_at: float | None = None
        self._latest = self._anchor[0]

    def now(self) -> int:
        """The time on the wall, in microseconds."""
        return self._look()[0]

    def steady(self) -> int:
        """The time by which it is decided whether a lease is over."""
        return self._lease_times()[0]

    def lease_end(self, span: int) -> int:
        """When a lease ends that is taken now."""
        return self._lease_times()[1] + span

    def estimate_now(self) -> int:
        """The time at which the clock was last trusted, and what has passed since then."""
        return self._estimate_now(*self._pair())

    def _lease_times(self) -> tuple[int, int]:
        now, elapsed = self._look()
        is_fresh = abs(elapsed - self._departed_at) < BELIEVED_AFTER
        is_doubted = is_fresh or self.is_anchored_by_server
        return clocks.find_lease_times(now, self._estimate_now(now, elapsed), is_doubted=is_doubted)

    @property
    def is_suspicious(self) -> bool:
        """Whether the wall clock is off by more than an hour."""
        return clocks.is_suspicious(self.departure)

    def trust(self, now: int | None = None) -> None:
        """Take a time for right from here on, as a rule that of the wall clock."""
        wall, elapsed = self._pair()
        self._anchor = (wall if now is None else now), elapsed
        self.is_anchored_by_server = now is not None
        self._compare(wall, elapsed)

    def take_look(self) -> Look:
        """Tell the time, and whether to look for wrong plans now.

        That is so at first, after every step back, and every ten minutes.
        """
        now, elapsed = self._look()
        stepped_back = now < self._latest - clocks.MINUTE
        self._latest = now if stepped_back else max(self._latest, now)
        came_back, self._came_back = self._came_back, False
        is_due = self._looked_at is None or not 0 <= elapsed - self._looked_at < LOOK_EVERY
        if is_due or came_back or stepped_back:
            self._looked_at = elapsed
            return Look(now, True, came_back)
        return Look(now, False, False)

    def _look(self) -> tuple[int, float]:
        """Read both clocks, and compare them."""
        now, elapsed = self._pair()
        self._compare(now, elapsed)
        return now, elapsed

    def _pair(self) -> tuple[int, float]:
        if self.is_real:  # each append asks
            return _read_wall(), _read_monotonic()
        now = micros(self.wall())
        return now, now / _SECOND if self._monotonic is None else self._monotonic()

    def _estimate_now(self, now: int, elapsed: float) -> int:
        anchor, since = self._anchor
        if self._monotonic is None:
            return max(anchor, now)
        return anchor + int((elapsed - since) * _SECOND)

    def _compare(self, now: int, elapsed: float) -> None:
        was, self.departure = self.departure, now - self._estimate_now(now, elapsed)
        if abs(self.departure - was) > clocks.MINUTE:
            self._departed_at = elapsed
        elif abs(self.departure) <= clocks.MINUTE and not self._was_ahead:
            return  # the clock is right, as it was
        if self.departure > clocks.MINUTE:
            self._was_ahead = True
        elif self._was_ahead and self.departure >= -clocks.MINUTE:
            self._was_ahead, self._came_back = False, True
        if self.is_suspicious and not clocks.is_suspicious(was):
            log.warning("%s; %s", self.describe(), WAY_OUT)
        elif clocks.is_suspicious(was) and not self.is_suspicious:
            log.warning("the clock agrees again with the time that has passed")

    def describe(self) -> str:
        """What is wrong with the wall clock, in words."""
        whose = "the server's" if self.is_anchored_by_server else "the time that has passed"
        return f"the clock is {clocks.describe_departure(self.departure)} {whose}"


def find_doubts(engine: Engine) -> list[str]:
    """Why the present time may be wrong; deletions wait while there is a reason."""
    ask_server(engine)
    now = engine.now()
    doubts = [engine.watch.describe()] if engine.watch.is_suspicious else []
    after = now + clocks.HOUR
    with engine.store.read() as tx:
        store = Clocks(tx)
        after = max(after, store.read_confirmed())
        for space in tx.spaces.numbers():
            for found in store.ahead(space.space, after):
                latest = moment(found.latest).isoformat(timespec="seconds")
                doubts.append(
                    f"{found.rows} {found.table} of space {space.name!r} have a time in the "
                    f"future, up to {latest}"
                )
    return doubts


def confirm(engine: Engine) -> None:
    """The present time is right: go by it, whatever was stored in a wrong one."""
    engine.watch.trust()
    now = engine.now()
    with engine.store.read() as tx:
        found = [
            each.latest
            for space in tx.spaces.numbers()
            for each in Clocks(tx).ahead(space.space, now)
        ]
    if found:
        engine.store.write(lambda tx: Clocks(tx).confirm(max(found)))


def planning_time(engine: Engine, now: int | None = None) -> int:
    """The time from which runs are planned and polls ask: the server's if ours departs from it.

    Whoever has just looked at the clock gives the time that it told.
    """
    if not engine.watch.is_anchored_by_server:
        ask_server(engine)
    now = engine.now() if now is None else now
    is_led = engine.watch.is_anchored_by_server and engine.watch.is_suspicious
    return engine.watch.estimate_now() if is_led else now


def ask_server(engine: Engine) -> None:
    """On a server, go by its clock: those of its clients may each be wrong in their own way.

    A clock that was given to the memory is not compared: it is meant to tell another time.
    """
    if engine.watch.is_real and "://" in engine.store.url:
        with engine.store.read() as tx:
            engine.watch.trust(Clocks(tx).server_now())


def _now() -> datetime:
    return moment(_read_wall())


def _read_wall() -> int:
    """The time of the system, in microseconds."""
    return time.time_ns() // 1_000


# Seconds that go on while the machine sleeps, which those of `time.monotonic` may not do.
_read_monotonic: Callable[[], float] = time.monotonic
if sys.platform == "linux":
    _read_monotonic = partial(time.clock_gettime, time.CLOCK_BOOTTIME)
elif sys.platform == "darwin":
    _read_monotonic = partial(time.clock_gettime, time.CLOCK_MONOTONIC)
