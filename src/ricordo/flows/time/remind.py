"""Remind: texts delivered once, at a time or when the conversation touches a cue."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ricordo.core.integrity import ids
from ricordo.core.text import content
from ricordo.core.time import cues, phrases
from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.flows.engine import Engine, check_name, whole
from ricordo.flows.time.claims import MOST, list_due_spaces, seconds
from ricordo.flows.time.clocks import planning_time
from ricordo.flows.time.repeats import find_reminder
from ricordo.flows.time.replan import free_reminders, replan_if_due
from ricordo.model import Receipt, Reminder
from ricordo.store.codec import micros, moment
from ricordo.store.database import Tx
from ricordo.store.tables.due import REMINDER, LeaseTerms
from ricordo.store.tables.reminders import ReminderRow

DUE_NOW = "Reminder due now:"
LONGEST_TEXT = 100_000  # characters
_PAIR = ("recipient", "channel")
CONTEXT = "context"  # who holds a reminder while it is put into a context


@dataclass(frozen=True, slots=True)
class ReminderWish:
    """What a caller wants to be reminded of, when and where."""

    text: str
    at: str | datetime | timedelta | None = None
    cue: str | None = None
    tz: str = "UTC"
    recipient: str | None = None
    channel: str | None = None
    session: str | None = None


def remind(engine: Engine, space: str, wish: ReminderWish) -> Reminder:
    """Keep a reminder, of several that say the same one. A time that has passed is due at once."""
    now = planning_time(engine)
    row = _row(wish, now)

    def work(tx: Tx) -> Reminder:
        number = engine.ensure_space(tx, space)
        if (known := find_reminder(tx, number, row, now)) is not None:
            return to_reminder(space, known)
        tx.reminders.insert(number, row)
        return to_reminder(space, row)

    return engine.store.write(work)


def list_reminders(
    engine: Engine, space: str, *, pending: bool, recipient: str | None, limit: int
) -> list[Reminder]:
    """Pending reminders, soonest first and cues last; or all of them, newest first."""
    most = whole(limit, "limit", 0, 2**31)
    whom = None if recipient is None else check_name(recipient, "recipient")
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        rows = tx.reminders.page(number, pending=bool(pending), recipient=whom, limit=most)
        return [to_reminder(space, row) for row in rows]


def get(engine: Engine, space: str, id: str) -> Reminder | None:
    """The reminder of an id, delivered or not."""
    id = content.clean(id, "reminder")
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.reminders.get(number, id)
        return None if row is None else to_reminder(space, row)


def claim(
    engine: Engine, space: str | None, limit: int, worker: str, lease: float | timedelta
) -> list[Reminder]:
    """Claim due reminders of one space, or of all, for a worker; oldest first in each."""
    most = whole(limit, "limit", 1, MOST)
    worker, span = check_name(worker, "worker"), seconds(lease)
    if space is None:
        now = replan_if_due(engine)
    else:
        free_reminders(engine, space)
        now = planning_time(engine)
    with engine.store.read() as tx:
        is_any, _ = tx.due.look(REMINDER, now)
    if not is_any:
        return []
    lease_of = LeaseTerms(worker, engine.watch.steady(), engine.watch.lease_end(span))

    def work(tx: Tx) -> list[Reminder]:
        claimed: list[Reminder] = []
        for waiting in list_due_spaces(tx, REMINDER, space, now, most):
            if len(claimed) == most:
                break
            left = most - len(claimed)
            rows = tx.reminders.claim(waiting.space, lease_of, now, left)
            claimed += [to_reminder(waiting.name, row) for row in rows]
        return claimed

    return engine.store.write(work)


def deliver(engine: Engine, space: str, reminder: Reminder) -> bool:
    """Note that a claimed reminder reached its reader; False if it was not ours to deliver."""
    reminder = _check_reminder(reminder)
    now = engine.now()

    def work(tx: Tx) -> bool:
        number = tx.spaces.number(space)
        return number is not None and tx.reminders.deliver(
            number, reminder.id, reminder.worker or "", reminder.fence, now
        )

    return engine.store.write(work)


def release(engine: Engine, space: str, reminder: Reminder) -> bool:
    """Give a claimed reminder back; False if it was no longer ours."""
    reminder = _check_reminder(reminder)

    def work(tx: Tx) -> bool:
        number = tx.spaces.number(space)
        return number is not None and tx.reminders.release(
            number, reminder.id, reminder.worker or "", reminder.fence
        )

    return engine.store.write(work)


def _check_reminder(reminder: object) -> Reminder:
    if not isinstance(reminder, Reminder):
        raise InvalidInput(f"{shorten(reminder)} is not a reminder; give one that was claimed")
    return reminder


def delete(engine: Engine, space: str, id: str) -> Receipt:
    """Delete a reminder, delivered or not."""
    id = content.clean(id, "reminder")
    now = engine.now()

    def work(tx: Tx) -> Receipt:
        number = tx.spaces.number(space)
        if number is None or not tx.reminders.delete(number, id):
            raise NotFound(f"there is no reminder {id!r} in space {space!r}")
        return Receipt(space, id, {"reminders": 1}, moment(now))

    return engine.store.write(work)


def due_reminders(
    engine: Engine, space: str, said: str, *, limit: int = 32, deliver: bool = True
) -> list[Reminder]:
    """Reminders for a context in which `said` was said: due by time, or on a cue that it touches.

    With `deliver` each is delivered once; without it they stay as they are. Those addressed to a
    recipient are delivered elsewhere, and appear here only on their cue.
    """
    most = whole(limit, "limit", 1, MOST)
    said = content.clean(said, "text")
    now, steady = planning_time(engine), engine.watch.steady()
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        in_time, cued = tx.reminders.ripe(number, now, most), tx.reminders.list_cued(number, steady)
    rows = {row.id: row for row in (*in_time, *_list_touched(cued, said))}
    shown = [to_reminder(space, row) for row in list(rows.values())[:most]]
    return give_out(engine, space, shown) if shown and deliver else shown


def give_out(engine: Engine, space: str, shown: Sequence[Reminder]) -> list[Reminder]:
    """Deliver exactly these reminders, without those that somebody else claimed meanwhile."""
    now, steady = engine.now(), engine.watch.steady()

    def work(tx: Tx) -> list[Reminder]:
        number = tx.spaces.number(space)
        if number is None:
            return []
        given = [_give(tx, number, reminder.id, now, steady) for reminder in shown]
        return [to_reminder(space, row) for row in given if row is not None]

    return engine.store.write(work)


def put_back(engine: Engine, space: str, given: Sequence[Reminder]) -> int:
    """Make delivered reminders due again, because nobody read them; how many were."""
    rows = [(each.id, each.fence, micros(each.delivered_at)) for each in given if each.delivered_at]

    def work(tx: Tx) -> int:
        number = tx.spaces.number(space)
        return 0 if number is None else sum(tx.reminders.put_back(number, *row) for row in rows)

    return engine.store.write(work) if rows else 0


def to_reminder(space: str, row: ReminderRow) -> Reminder:
    """The reminder as callers see it."""
    return Reminder(
        space=space,
        id=row.id,
        text=row.text,
        at=None if row.at is None else moment(row.at),
        cue=row.cue,
        recipient=row.recipient,
        channel=row.channel,
        session=row.session,
        created_at=moment(row.created_at),
        delivered_at=None if row.delivered_at is None else moment(row.delivered_at),
        worker=row.worker,
        until=None if row.until is None else moment(row.until),
        fence=row.fence,
    )


def _list_touched(cued: list[ReminderRow], said: str) -> list[ReminderRow]:
    """Those whose cue was said; a text is read only if something waits for a cue."""
    heard = cues.hear(said) if cued else cues.Heard(frozenset())
    return [row for row in cued if cues.touches(row.cue or "", heard)]


def _give(tx: Tx, space: int, id: str, now: int, steady: int) -> ReminderRow | None:
    """Hold and deliver at once: both or neither."""
    row = tx.reminders.hold(space, id, CONTEXT, steady, steady)
    if row is None or not tx.reminders.deliver(space, id, CONTEXT, row.fence, now):
        return None
    return tx.reminders.get(space, id)


def _row(wish: ReminderWish, now: int) -> ReminderRow:
    said = content.clean(wish.text, "text", limit=LONGEST_TEXT)
    if not said.strip():
        raise InvalidInput("text is blank; say what to remind of")
    if wish.at is None and wish.cue is None:
        raise InvalidInput("a reminder needs a time or a cue; give one of them")
    if (wish.recipient is None) != (wish.channel is None):
        given, missing = ("channel", "recipient") if wish.recipient is None else _PAIR
        raise InvalidInput(
            f"{given} {getattr(wish, given)!r} has no {missing}, and the two belong together; "
            "give both, or neither to deliver into the context"
        )
    at = None if wish.at is None else _instant(wish.at, now, wish.tz)
    return ReminderRow(
        id=ids.uuid7(now, os.urandom(ids.RANDOM_BYTES)),
        text=said,
        at=at,
        cue=None if wish.cue is None else cues.check(check_name(wish.cue, "cue")),
        recipient=None if wish.recipient is None else check_name(wish.recipient, "recipient"),
        channel=None if wish.channel is None else check_name(wish.channel, "channel"),
        session=None if wish.session is None else check_name(wish.session, "session"),
        created_at=now,
        due_at=at,
    )


def _instant(at: str | datetime | timedelta, now: int, tz: str) -> int:
    if isinstance(at, datetime):
        return micros(at)
    if isinstance(at, timedelta):
        try:
            return micros(moment(now) + at)
        except OverflowError as error:
            raise InvalidInput(f"{at!r} from now is out of reach; give a nearer time") from error
    return micros(phrases.instant(at, moment(now), tz))
