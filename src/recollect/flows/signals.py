"""Signals: leave the trace of a recall, and let old traces go, a few with every new few hundred."""

from collections.abc import Sequence

from recollect.flows.engine import Engine
from recollect.store.codec import DAY
from recollect.store.database import Tx
from recollect.store.signals import SignalRow

EVERY = 256  # signals between two looks for old ones; a look takes more away than came meanwhile


def record(engine: Engine, space: int, rows: Sequence[SignalRow]) -> None:
    """Leave signals. Nobody waits for it: they ride on the next commit."""
    before = oldest(engine)
    engine.store.submit(lambda tx: _keep(tx, space, rows, before))


def oldest(engine: Engine) -> int | None:
    """Signals from before this time are let go; None if none are, or while the clock is off."""
    days, now = engine.settings.signal_days, engine.now()
    return None if not days or engine.watch.is_suspicious else now - days * DAY


def prune(engine: Engine, space: int) -> int:
    """Delete every signal of a space past its time, in short transactions; how many went."""
    before = oldest(engine)
    removed = 0
    if before is None:
        return removed
    while count := engine.store.write(lambda tx: tx.signals.prune(space, before)):
        removed += count
    return removed


def _keep(tx: Tx, space: int, rows: Sequence[SignalRow], before: int | None) -> None:
    first = tx.signals.insert(space, rows)
    if first is None or before is None:
        return
    if first // EVERY != (first + len(rows)) // EVERY:
        tx.signals.prune(space, before)
