"""Repeats: what is planned already is not planned twice.

A program that makes its schedules at each start, or a client that sends a call again because the
answer was lost, asks for the same thing. It gets what is there, as it is.
"""

from ricordo.store.database import Tx
from ricordo.store.tables.reminders import ReminderRow
from ricordo.store.tables.schedules import ScheduleRow

_PLAN = (
    "name", "goal", "kind", "cadence", "phrase", "notify", "source", "trusted", "missed", "keep",
    "channel", "channel_context",
)  # fmt: skip
_TOLD = ("text", "at", "cue", "recipient", "channel", "session")


def find_schedule(tx: Tx, space: int, row: ScheduleRow) -> ScheduleRow | None:
    """The oldest schedule that says the same and is not completed."""
    for id in tx.schedules.list_named(space, row.name):
        known = tx.schedules.get(space, id)
        if known is not None and known.status != "completed" and _is_same(known, row, _PLAN):
            return known
    return None


def find_reminder(tx: Tx, space: int, row: ReminderRow, now: int) -> ReminderRow | None:
    """A reminder that says the same, is not delivered, and that nobody holds."""
    waiting = (
        tx.reminders.list_cued(space, now)
        if row.at is None
        else tx.reminders.list_at(space, row.at)
    )
    return next((known for known in waiting if _is_same(known, row, _TOLD)), None)


def _is_same(
    one: ScheduleRow | ReminderRow, other: ScheduleRow | ReminderRow, fields: tuple[str, ...]
) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in fields)
