"""Replan: schedules that were planned, and leases that were taken, in a time that has not come.

A poll looks for them when it is the first of its process, when the clock was set back, and every
ten minutes, because another process may have been wrong; `maintain` always looks.
"""

import logging
from functools import partial
from typing import NamedTuple

from ricordo.core.time import cadence as cadences
from ricordo.core.time import clocks
from ricordo.flows.engine import Engine
from ricordo.flows.time.clocks import ask_server, planning_time
from ricordo.flows.time.schedule import kept_cadence, plan_next_run
from ricordo.store.codec import micros, moment
from ricordo.store.database import Tx
from ricordo.store.tables.due import DueSpace
from ricordo.store.tables.schedules import ScheduleRow

log = logging.getLogger("ricordo.clock")


class Times(NamedTuple):
    """The time from which runs are planned, the one by which leases count, and how strict to be."""

    now: int
    steady: int
    exact: bool


def replan_if_due(engine: Engine) -> int:
    """Look for wrong plans if it is time to; the time from which to plan."""
    look = engine.watch.take_look()
    if not look.is_due:
        return planning_time(engine, look.now)
    ask_server(engine)
    replan(engine, exact=look.came_back)
    return planning_time(engine)


def replan(engine: Engine, space: str | None = None, *, exact: bool = False) -> int:
    """Plan again what lies too far ahead and free impossible leases; how many rows that were.

    With a space nobody else's rows are looked at.
    """
    times = Times(planning_time(engine), engine.watch.steady(), exact)
    if engine.store.read_only or not clocks.is_trusted_for_planning(engine.watch.departure):
        return 0
    with engine.store.read() as tx:
        planned = tx.due.spaces() if space is None else _find_space(tx, space)
        wrong = [each for each in planned if _count_wrong(tx, each.space, times)]
    mended = 0
    for each in wrong:
        mended += engine.store.write(partial(_mend, space=each, times=times))
    return mended


def _find_space(tx: Tx, name: str) -> list[DueSpace]:
    number = tx.spaces.number(name)
    return [] if number is None else [DueSpace(number, name)]


def free_reminders(engine: Engine, space: str) -> None:
    """Free reminders of one space whose lease is impossible; nobody else's rows are looked at."""
    latest = engine.watch.steady() + clocks.LONGEST_LEASE
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        held = [] if number is None else tx.reminders.held_after(number, latest)
    if held and number is not None and not engine.store.read_only:
        engine.store.write(lambda tx: tx.reminders.free_after(number, latest))


def _count_wrong(tx: Tx, space: int, times: Times) -> int:
    rows = tx.schedules.ahead(space, times.now)
    wrong = [row for row in rows if put_right(row, times) != row]
    return len(wrong) + len(tx.reminders.held_after(space, times.steady + clocks.LONGEST_LEASE))


def _mend(tx: Tx, space: DueSpace, times: Times) -> int:
    mended = 0
    for row in tx.schedules.ahead(space.space, times.now):
        right = put_right(row, times)
        if right != row:
            tx.schedules.update(space.space, right)
            mended += 1
    if mended:
        log.warning(
            "%d schedules of space %r were planned or claimed in a time that has not come, "
            "and are planned again", mended, space.name,
        )  # fmt: skip
    return mended + tx.reminders.free_after(space.space, times.steady + clocks.LONGEST_LEASE)


def put_right(row: ScheduleRow, times: Times) -> ScheduleRow:
    """The row as it would stand had the clock been right; itself if there is nothing to change."""
    right = row
    if row.until is not None and clocks.is_lease_impossible(
        row.claimed_at, row.until, times.steady, clocks.LONGEST_LEASE
    ):
        right = row._replace(worker=None, claimed_at=None, until=None)
    at, cadence, now = right.next_run_at, kept_cadence(row), moment(times.now)
    if at is None:
        return right
    if cadences.is_planned_too_far(cadence, moment(at), now, exact=times.exact):
        again = cadences.plan_again(cadence, now)
        at = at if again is None else micros(again)
    return (
        right if (right, at) == (row, row.next_run_at) else plan_next_run(right, at, times.steady)
    )
