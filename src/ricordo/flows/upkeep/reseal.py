"""Reseal: rows whose seals cover an older list of columns get a seal of the newest list.

It goes in small transactions, each of them whole. A row that differs from the seal it has keeps
that seal, so that `check()` goes on reporting it. Tables with one list cost nothing.
"""

from functools import partial
from typing import Any, NamedTuple

from ricordo.flows.engine import Engine
from ricordo.store.database import Tx
from ricordo.store.schema import Table
from ricordo.store.seals import Older, Seals, find_relisted

STEP = 500  # rows that are sealed in one transaction


class ResealStep(NamedTuple):
    """What one transaction did: how many rows, and the last key that it looked at."""

    renewed: int
    after: tuple[Any, ...] | None  # None: there was nothing more


def reseal(engine: Engine, space: int, *, dry_run: bool = False) -> int:
    """Renew the older seals of a space; how many."""
    return sum(_reseal(engine, space, table, dry_run) for table in find_relisted())


def _reseal(engine: Engine, space: int, table: Table, dry_run: bool) -> int:
    count, after = 0, None
    while True:
        step = _take_step(engine, space, table, after, dry_run)
        count += step.renewed
        if not step.after:  # nothing more, or a table with one row for each space
            return count
        after = step.after


def _take_step(
    engine: Engine, space: int, table: Table, after: tuple[Any, ...] | None, dry_run: bool
) -> ResealStep:
    with engine.store.read() as tx:
        rows = Seals(tx).older(space, table, after, STEP)
    if dry_run or not rows:  # the usual case takes no lock
        return _summarise(rows)
    return engine.store.write(partial(_renew, space=space, table=table, after=after))


def _renew(tx: Tx, space: int, table: Table, after: tuple[Any, ...] | None) -> ResealStep:
    """Read once more: somebody may have written these rows since."""
    seals = Seals(tx)
    rows = seals.older(space, table, after, STEP)
    seals.renew_older(space, table, rows)
    return _summarise(rows)


def _summarise(rows: list[Older]) -> ResealStep:
    renewed = sum(1 for row in rows if row.seal is not None)
    return ResealStep(renewed, rows[-1].key if rows else None)
