"""Schedule: make, find, change, pause and remove schedules, and read their runs."""

import os
from dataclasses import dataclass
from datetime import datetime, timedelta

from ricordo.core.integrity import ids
from ricordo.core.text import content
from ricordo.core.text.graphemes import cut_text
from ricordo.core.time import cadence as cadences
from ricordo.core.time import phrases, zones
from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.time.clocks import planning_time
from ricordo.flows.time.repeats import find_schedule
from ricordo.model import CADENCES, MISSED, POLICIES, STATUSES, Cadence, Receipt, Run, Schedule
from ricordo.store.codec import dumps, loads, micros, moment
from ricordo.store.database import Tx
from ricordo.store.tables.schedules import Filter, RunRow, ScheduleRow

SOURCES = ("tool", "config")
MOST_LISTED = 50
LONGEST_GOAL = 100_000  # characters
_NAME_CHARACTERS = 60  # of the goal, where no name is given


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """What a caller wants of a schedule. None leaves it as it is, or takes the default."""

    goal: str | None = None
    cadence: str | timedelta | datetime | Cadence | None = None
    tz: str | None = None
    name: str | None = None
    notify: str | None = None
    trusted: bool | None = None
    missed: str | None = None
    keep: bool | None = None
    channel: str | None = None
    channel_context: str | None = None
    once: bool = False
    source: str = "tool"


def create(engine: Engine, space: str, plan: SchedulePlan) -> Schedule:
    """A new schedule, active from now on; one that says the same stays the only one."""
    now = planning_time(engine)
    row = new_row(engine, plan, now)

    def work(tx: Tx) -> Schedule:
        number = engine.ensure_space(tx, space)
        if (known := find_schedule(tx, number, row)) is not None:
            return to_schedule(space, known)
        _check_room(engine, tx, number, space)
        tx.schedules.insert(number, row)
        return to_schedule(space, row)

    return engine.store.write(work)


def new_row(engine: Engine, plan: SchedulePlan, now: int) -> ScheduleRow:
    """The row of a new schedule, checked."""
    goal = _goal(plan.goal)
    cadence = read_cadence(engine, plan.cadence, plan.tz or "UTC", now)
    at = first_run(cadence, now)
    if plan.once and cadence.kind != "once":
        cadence = Cadence("once", at=moment(at), tz=cadence.tz)
    return ScheduleRow(
        id=ids.uuid7(now, os.urandom(ids.RANDOM_BYTES)),
        name=check_name(plan.name or cut_text(goal, _NAME_CHARACTERS), "name"),
        goal=goal,
        kind=cadence.kind,
        cadence=dumps(cadences.to_json(cadence), "cadence"),
        phrase=_phrase(plan.cadence),
        notify=one_of(plan.notify or "always", "notify", POLICIES),
        status="active",
        source=one_of(plan.source, "source", SOURCES),
        trusted=int(bool(plan.trusted)),
        missed=one_of(plan.missed or "once", "missed", MISSED),
        keep=int(plan.keep is not False),
        channel=_label(plan.channel, "channel"),
        channel_context=_label(plan.channel_context, "channel_context"),
        created_at=now,
        updated_at=now,
        next_run_at=at,
        due_at=at,
    )


def get(engine: Engine, space: str, schedule: str) -> Schedule | None:
    """The schedule of an id or of a name that only one has; None if there is none."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else resolve(tx, number, schedule)
        return None if row is None else to_schedule(space, row)


def check_filter(
    name: str | None, status: str | None, cadence: str | None, notify: str | None
) -> Filter:
    """Which schedules to list, checked."""
    return Filter(
        name=None if name is None else content.clean(name, "name"),
        status=None if status is None else one_of(status, "status", STATUSES),
        kind=None if cadence is None else one_of(cadence, "cadence", CADENCES),
        notify=None if notify is None else one_of(notify, "notify", POLICIES),
    )


def list_schedules(
    engine: Engine, space: str, wanted: Filter, limit: int = 20, offset: int = 0
) -> list[Schedule]:
    """Schedules, newest first."""
    most = whole(limit, "limit", 0, MOST_LISTED)
    skip = whole(offset, "offset", 0, 2**31)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        return [to_schedule(space, row) for row in tx.schedules.page(number, wanted, most, skip)]


def count(engine: Engine, space: str, wanted: Filter) -> int:
    """How many schedules there are."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return 0 if number is None else tx.schedules.count(number, wanted)


def due(engine: Engine, space: str, limit: int) -> list[Schedule]:
    """Active schedules whose time has come, oldest first, claimed or not."""
    most = whole(limit, "limit", 0, 2**31)
    now = planning_time(engine)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        return [to_schedule(space, row) for row in tx.schedules.due(number, now, most)]


def update(engine: Engine, space: str, schedule: str, plan: SchedulePlan) -> Schedule:
    """Change what is given. A new cadence or zone also plans a new next run."""
    now = planning_time(engine)

    def work(tx: Tx) -> Schedule:
        number, old = locate(tx, space, schedule)
        row = patch_row(engine, old, plan, now)
        tx.schedules.change(number, row)
        return to_schedule(space, row)

    return engine.store.write(work)


def patch_row(engine: Engine, old: ScheduleRow, plan: SchedulePlan, now: int) -> ScheduleRow:
    """The row with a plan laid over it."""
    row = old._replace(
        goal=old.goal if plan.goal is None else _goal(plan.goal),
        name=old.name if plan.name is None else check_name(plan.name, "name"),
        notify=old.notify if plan.notify is None else one_of(plan.notify, "notify", POLICIES),
        trusted=old.trusted if plan.trusted is None else int(bool(plan.trusted)),
        missed=old.missed if plan.missed is None else one_of(plan.missed, "missed", MISSED),
        keep=old.keep if plan.keep is None else int(bool(plan.keep)),
        channel=old.channel if plan.channel is None else _label(plan.channel, "channel"),
        updated_at=now,
    )
    if plan.channel_context is not None:
        row = row._replace(channel_context=_label(plan.channel_context, "channel_context"))
    if plan.cadence is None and plan.tz is None:
        return row
    known = kept_cadence(old)
    if plan.cadence is not None:
        cadence = read_cadence(engine, plan.cadence, plan.tz or known.tz, now)
        row = row._replace(phrase=_phrase(plan.cadence))
    else:
        cadence = Cadence(known.kind, known.at, known.seconds, known.expression, plan.tz or "UTC")
        cadences.check_reach(cadence)
        if known.kind == "cron":
            cadences.validate(cadence, moment(now), engine.settings.min_interval_seconds)
    row = row._replace(kind=cadence.kind, cadence=dumps(cadences.to_json(cadence), "cadence"))
    if row.status == "completed":
        row = row._replace(status="active")  # a new future time wakes it
    if row.status != "active" or (plan.cadence is None and known.kind != "cron"):
        return row
    return plan_next_run(row, first_run(cadence, now), now)


def pause(engine: Engine, space: str, schedule: str) -> Schedule:
    """Let it not fire until it is resumed."""
    now = engine.now()

    def work(tx: Tx) -> Schedule:
        number, row = locate(tx, space, schedule)
        if row.status == "completed":
            raise Conflict(f"schedule {row.name!r} is completed; there is nothing left to pause")
        row = row._replace(status="paused", updated_at=now, next_run_at=None, due_at=None)
        tx.schedules.update(number, row)
        return to_schedule(space, row)

    return engine.store.write(work)


def resume(engine: Engine, space: str, schedule: str) -> Schedule:
    """Plan its next run from now on; a disabled schedule starts without failures."""
    now = planning_time(engine)

    def work(tx: Tx) -> Schedule:
        number, row = locate(tx, space, schedule)
        if row.status == "completed":
            raise Conflict(f"schedule {row.name!r} is completed; give it a new cadence instead")
        if row.status == "active":
            return to_schedule(space, row)
        failures = 0 if row.status == "disabled" else row.failures
        row = row._replace(status="active", failures=failures, updated_at=now)
        cadence = kept_cadence(row)
        # A one-shot whose time went by while it was stopped fires once, late.
        at = micros(cadence.at) if cadence.at is not None else first_run(cadence, now)
        row = plan_next_run(row, at, now)
        tx.schedules.change(number, row)
        return to_schedule(space, row)

    return engine.store.write(work)


def delete(engine: Engine, space: str, schedule: str) -> Receipt:
    """Remove a schedule with its runs."""
    now = engine.now()

    def work(tx: Tx) -> Receipt:
        number, row = locate(tx, space, schedule)
        return Receipt(space, row.name, tx.schedules.delete(number, row.id), moment(now))

    return engine.store.write(work)


def runs(engine: Engine, space: str, schedule: str, limit: int) -> list[Run]:
    """The newest runs of a schedule, newest first."""
    most = whole(limit, "limit", 0, 2**31)
    with engine.store.read() as tx:
        number, row = locate(tx, space, schedule)
        return [to_run(space, run) for run in tx.schedules.runs(number, row.id, most)]


def run(engine: Engine, space: str, id: str) -> Run | None:
    """One run by its id, with its whole output."""
    id = content.clean(id, "run")
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.schedules.run(number, id)
        return None if row is None else to_run(space, row)


def list_next_runs(engine: Engine, space: str, schedule: str, limit: int) -> list[datetime]:
    """The next runs, in the schedule's own zone; none unless it is active."""
    most = whole(limit, "limit", 0, 1_000)
    with engine.store.read() as tx:
        _, row = locate(tx, space, schedule)
    if row.next_run_at is None or most == 0:
        return []
    cadence, first = kept_cadence(row), moment(row.next_run_at)
    place = zones.zone(cadence.tz)
    rest = [] if cadence.kind == "once" else cadences.list_next_runs(cadence, first, most - 1)
    return [first.astimezone(place), *rest]


# shared with the flows around a claim


def resolve(tx: Tx, space: int, schedule: str) -> ScheduleRow | None:
    """The row behind an id, or behind a name that only one schedule has."""
    wanted = content.clean(schedule, "schedule")
    row = tx.schedules.get(space, wanted)
    if row is not None:
        return row
    ids_of = tx.schedules.list_named(space, wanted)
    if len(ids_of) > 1:
        raise Conflict(f"{len(ids_of)} schedules are named {wanted!r}; use one of {ids_of}")
    return tx.schedules.get(space, ids_of[0]) if ids_of else None


def locate(tx: Tx, space: str, schedule: str) -> tuple[int, ScheduleRow]:
    number = tx.spaces.number(space)
    row = None if number is None else resolve(tx, number, schedule)
    if number is None or row is None:
        raise NotFound(f"there is no schedule {schedule!r} in space {space!r}")
    return number, row


def plan_next_run(row: ScheduleRow, at: int | None, now: int) -> ScheduleRow:
    """The row with its next run at `at`; while somebody holds a claim it cannot be due before."""
    is_held = row.worker is not None and row.until is not None and row.until > now
    if at is None or row.status != "active":
        return row._replace(next_run_at=None, due_at=None)
    held_until = row.until if is_held and row.until is not None else at
    return row._replace(next_run_at=at, due_at=max(at, held_until))


def kept_cadence(row: ScheduleRow) -> Cadence:
    return cadences.from_json(loads(row.cadence))


def first_run(cadence: Cadence, now: int) -> int:
    at = cadences.next_run(cadence, moment(now))
    if at is None:
        raise InvalidInput(f"{cadences.describe(cadence)} has no future run; give another cadence")
    return micros(at)


def read_cadence(engine: Engine, given: object, tz: str, now: int) -> Cadence:
    """A cadence from a phrase, a span, one time, or a Cadence; checked against the clock."""
    if isinstance(given, Cadence):
        cadence = given
    elif isinstance(given, timedelta):
        cadence = cadences.parse("every", given, tz)
    elif isinstance(given, datetime):
        cadence = cadences.parse("once", given, tz)
    else:
        cadence = phrases.cadence(given, moment(now), tz)
    cadences.validate(cadence, moment(now), engine.settings.min_interval_seconds)
    return cadence


def to_schedule(space: str, row: ScheduleRow) -> Schedule:
    """The schedule as callers see it."""
    cadence = kept_cadence(row)
    # Who said "weekdays" did not number them; only written fields can be read in two ways.
    is_written = row.phrase.upper() in ("", (cadence.expression or "").upper())
    next_run = None if row.next_run_at is None else moment(row.next_run_at)
    return Schedule(
        space=space,
        id=row.id,
        name=row.name,
        goal=row.goal,
        cadence=cadence,
        phrase=row.phrase,
        description=cadences.describe(cadence),
        warning=cadences.warn_of_numbering(cadence) if is_written else None,
        notify=row.notify,
        status=row.status,
        source=row.source,
        trusted=bool(row.trusted),
        missed=row.missed,
        keep=bool(row.keep),
        channel=row.channel,
        channel_context=row.channel_context,
        session=f"scheduled:{row.id}",
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        next_run_at=next_run,
        next_run_local=None if next_run is None else cadences.format_in_timezone(next_run, cadence),
        last_run_at=None if row.last_run_at is None else moment(row.last_run_at),
        last_run_status=row.last_run_status,
        failures=row.failures,
    )


def to_run(space: str, row: RunRow, notice: str | None = None) -> Run:
    """The run as callers see it."""
    return Run(
        status=row.status,
        output=row.output,
        turns=row.turns,
        cost=row.cost,
        started_at=moment(row.started_at),
        finished_at=moment(row.finished_at),
        planned_at=moment(row.planned_at),
        id=row.id,
        space=space,
        schedule=row.schedule,
        summary=row.summary,
        notified=bool(row.notified),
        notice=notice,
    )


def _check_room(engine: Engine, tx: Tx, number: int, space: str) -> None:
    most, there = engine.settings.max_schedules, tx.schedules.count(number, Filter())
    if there >= most:
        raise Conflict(
            f"space {space!r} has {there} schedules of at most {most}; remove one first, "
            "or raise the setting max_schedules"
        )


def _goal(goal: object) -> str:
    goal = content.clean(goal, "goal", limit=LONGEST_GOAL)
    if not goal.strip():
        raise InvalidInput("goal is blank; say what to do")
    return goal


def _label(value: str | None, what: str) -> str | None:
    return None if value is None else check_name(value, what)


def _phrase(given: object) -> str:
    if isinstance(given, str):
        return given
    return "" if isinstance(given, Cadence) else f"every {given}"
