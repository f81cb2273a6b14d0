"""Stored times that no calendar has, in a salvage: the row stays behind, or takes another time.

A row stays behind if its seal covers the time or its key holds it: then the row is damaged, and
nothing hangs on it. Other times are replaced, see `core/time/times.py`. Events and sessions are not
done here: an event is verified with its log, and a session takes the times of its events.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ricordo.core.time.times import replace_times
from ricordo.store.check import Checks, Timeless
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.salvage_writes import SalvageWrites
from ricordo.store.seals import Seals, covers
from ricordo.store.tables.spaces import Numbered

KEPT = frozenset({"spaces", "entries"})  # names, revisions and whole spaces would go with them
_APART = frozenset({"events", "sessions"})


class TimeFinding(NamedTuple):
    """What became of a row, in words."""

    table: str
    is_dropped: bool
    words: str


def mend_times(tx: Tx, space: Numbered, now: int) -> Iterator[TimeFinding]:
    """Put the times of a space right, row by row."""
    for row in list(Checks(tx).timeless(space.space)):
        if row.table not in _APART:
            yield _mend(tx, space, row, now)


def _mend(tx: Tx, space: Numbered, row: Timeless, now: int) -> TimeFinding:
    where = f"{space.name}: {' '.join([row.table, *map(str, row.key.values())])}"
    mending = SalvageWrites(tx, space.space)
    if _is_left_behind(row):
        mending.drop_row(row.table, row.key)
        reason = f"{', '.join(row.wrong)} is not a valid time"
        return TimeFinding(row.table, True, f"{where} does not verify: {reason}")
    times = replace_times(row.times, row.wrong, now)
    mending.retime(row.table, row.key, times)
    Seals(tx).renew_row(space.space, row.table, row.key)
    told = ", ".join(f"{name} is {_show(times[name])} now" for name in row.wrong)
    return TimeFinding(row.table, False, f"{where} had a time that is not valid; {told}")


def _is_left_behind(row: Timeless) -> bool:
    return row.table not in KEPT and any(
        name in row.key or covers(row.table, name) for name in row.wrong
    )


def _show(time: int | None) -> str:
    return "empty" if time is None else moment(time).isoformat()
