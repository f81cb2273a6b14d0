"""Signals: leave the trace of a recall, and keep traces few, by number and by age.

Nobody has to ask for it: every few hundred signals the commit that brings them takes others away.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from ricordo.config import Settings
from ricordo.core.learning.signals import Trace, abridge, find_surplus
from ricordo.flows.engine import Engine
from ricordo.store.codec import DAY
from ricordo.store.database import Tx
from ricordo.store.tables.signals import SignalRow

EVERY = 256  # signals between two looks; a look takes more away than came meanwhile
LEAST = 20  # signals of an entry that a sweep has to see: five days, ten queries
_AT_ONCE = 500  # the rest waits for the next look


_SILENT: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def leave_no_signals() -> Iterator[None]:
    """Recall inside it leaves no trace: it is for somebody who may only read."""
    token = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(token)


class SignalBounds(NamedTuple):
    """Which signals stay; None means no bound."""

    before: int | None  # older ones go
    most: int | None  # of one entry


def record(engine: Engine, space: int, rows: Sequence[SignalRow]) -> None:
    """Leave signals. Nobody waits for it: they ride on the next commit."""
    if _SILENT.get():
        return
    bounds = find_bounds(engine)
    kept = [row._replace(query=abridge(row.query)) for row in rows]
    engine.store.submit(lambda tx: keep(tx, space, kept, bounds))


def find_bounds(engine: Engine) -> SignalBounds:
    return SignalBounds(oldest(engine), find_most(engine.settings))


def oldest(engine: Engine) -> int | None:
    """Signals from before this time are let go; None if none are, or while the clock is off."""
    days, now = engine.settings.signal_days, engine.now()
    return None if not days or engine.watch.is_suspicious else now - days * DAY


def find_most(settings: Settings) -> int | None:
    """How many signals of an entry stay: never so few that a gate could not be passed."""
    if not settings.max_signals:
        return None
    asked = (settings.dream_min_recalls, 2 * settings.dream_min_queries)
    return max(settings.max_signals, LEAST, *asked)


def prune(engine: Engine, space: int) -> int:
    """Delete every expired signal of a space, in short transactions, and return the number."""
    before = oldest(engine)
    removed = 0
    if before is None:
        return removed
    while count := engine.store.write(lambda tx: tx.signals.prune(space, before)):
        removed += count
    return removed


def keep(tx: Tx, space: int, rows: Sequence[SignalRow], bounds: SignalBounds) -> None:
    """Write signals; now and then others go, so that they stay few."""
    first = tx.signals.insert(space, rows)
    if first is None or first // EVERY == (first + len(rows)) // EVERY:
        return
    if bounds.before is not None:
        tx.signals.prune(space, bounds.before)
    if bounds.most is not None:
        _thin(tx, space, first // EVERY * EVERY, bounds.most)


def _thin(tx: Tx, space: int, since: int, most: int) -> None:
    """Drop the surplus of entries recalled since the last look. There is room for half as many
    again, so that an entry that is recalled all the time is not thinned at every look."""
    removed = 0
    for entry in tx.signals.list_crowded(space, since, most + most // 2):
        surplus = find_surplus((Trace(*row) for row in tx.signals.of_entry(space, entry)), most)
        tx.upkeep.drop_signals(space, surplus)
        removed += len(surplus)
        if removed >= _AT_ONCE:
            return
