"""Toolset `schedules`: schedule_create, _search, _edit, _delete, _runs and _run_output.

Errors have the shape of the toolset `notes`, from the same document.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from ricordo.core.time import cadence as cadences
from ricordo.errors import InvalidInput, NotFound
from ricordo.model import Cadence, Json, Run, Schedule
from ricordo.surfaces.tools.compat.oxydra.notes import word_failure
from ricordo.surfaces.tools.format import maybe, require_text, when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import ADDS, READS, REMOVES, REPLACES, Bound, Toolset

SCHEDULES = Toolset(
    "schedules", "goals that are carried out by a cadence, and their runs", word_failure
)

Kind = Literal["cron", "once", "interval"]
Policy = Literal["always", "conditional", "never"]
Id = Annotated[str, About("as schedule_create or schedule_search gave it", shortest=1)]
Value = Annotated[
    str, About("five cron fields, a time (ISO 8601), or seconds between runs", shortest=1)
]
Zone = Annotated[str, About("IANA name, for cron and for times without an offset")]


class ScheduleResult(TypedDict):
    schedule_id: str
    name: str
    goal: str
    cadence: dict[str, Json]
    notification_policy: str
    status: str
    created_at: str
    updated_at: str
    next_run_at: str | None
    next_run_local: str | None
    last_run_at: str | None
    last_run_status: str | None
    consecutive_failures: int


class SchedulePage(TypedDict):
    schedules: list[ScheduleResult]
    total: int
    offset: int
    limit: int
    remaining: int
    hint: NotRequired[str]


class Deleted(TypedDict):
    schedule_id: str
    message: str


class ShownRun(TypedDict):
    run_id: str
    started_at: str | None
    finished_at: str | None
    status: str
    output_summary: str
    turn_count: int
    cost: float
    notified: bool


class Runs(TypedDict):
    schedule_id: str
    runs: list[ShownRun]
    count: int


class Output(TypedDict):
    run_id: str
    offset: NotRequired[int]
    max_chars: NotRequired[int]
    chunk: NotRequired[str]
    remaining: NotRequired[int]
    total_length: NotRequired[int]
    message: NotRequired[str]


@SCHEDULES.tool(
    {"goal": "Send the report", "cadence_type": "cron", "cadence_value": "30 8 * * 1-5"},
    {"goal": "Look for mail", "cadence_type": "interval", "cadence_value": "3600"},
    hints=ADDS,
    errors=("an invalid cadence, time zone or policy", "the limit of schedules is reached"),
)
def schedule_create(
    bound: Bound,
    goal: Annotated[str, About("what to do, as an instruction", shortest=1)],
    cadence_type: Kind,
    cadence_value: Value,
    name: str | None = None,
    timezone: Zone = "UTC",
    notification: Policy = "always",
) -> ScheduleResult:
    """Schedule a goal once, at an interval or by cron."""
    cadence = cadences.parse(cadence_type, cadence_value, timezone)
    made = bound.space.schedule(
        require_text(goal, "goal"),
        cadence,
        name=name,
        tz=timezone,
        notify=notification,
        channel=bound.channel,
    )
    return _schedule_to_dict(made)


@SCHEDULES.tool({"status": "active"}, hints=READS, errors=("an unknown status or policy",))
def schedule_search(
    bound: Bound,
    name: Annotated[str | None, About("any part of it")] = None,
    status: Literal["active", "paused", "completed", "disabled"] | None = None,
    cadence_type: Kind | None = None,
    notification: Policy | None = None,
    limit: Annotated[int, About(minimum=1, maximum=50)] = 20,
    offset: Annotated[int, About(minimum=0, maximum=1_000_000)] = 0,
) -> SchedulePage:
    """List schedules, newest first."""
    kind = "every" if cadence_type == "interval" else cadence_type
    total = bound.space.schedules.count(name=name, status=status, cadence=kind, notify=notification)
    found = bound.space.schedules.list(
        name=name, status=status, cadence=kind, notify=notification, limit=limit, offset=offset
    )
    remaining = max(0, total - offset - len(found))
    page: SchedulePage = {
        "schedules": [_schedule_to_dict(each) for each in found],
        "total": total,
        "offset": offset,
        "limit": limit,
        "remaining": remaining,
    }
    if remaining:
        page["hint"] = f"There are {remaining} more; ask with offset {offset + len(found)}."
    return page


@SCHEDULES.tool(
    {"schedule_id": "0198c0de-0000-7000-8000-000000000000", "status": "paused"},
    hints=REPLACES,
    errors=("only one of cadence_type and cadence_value", "an unknown schedule"),
)
def schedule_edit(
    bound: Bound,
    schedule_id: Id,
    name: str | None = None,
    goal: str | None = None,
    cadence_type: Kind | None = None,
    cadence_value: Value | None = None,
    timezone: Zone | None = None,
    notification: Policy | None = None,
    status: Literal["active", "paused"] | None = None,
) -> ScheduleResult:
    """Change, pause or resume a schedule; what is left out stays."""
    known = _find_schedule(bound, schedule_id)
    cadence = _new_cadence(known, cadence_type, cadence_value, timezone)
    if any(value is not None for value in (name, goal, cadence, timezone, notification)):
        known = bound.space.schedules.update(
            known, name=name, goal=goal, cadence=cadence, tz=timezone, notify=notification
        )
    if status == "paused" and known.status != "paused":
        known = bound.space.schedules.pause(known)
    elif status == "active":
        known = bound.space.schedules.resume(known)
    return _schedule_to_dict(known)


@SCHEDULES.tool(
    {"schedule_id": "0198c0de-0000-7000-8000-000000000000"},
    hints=REMOVES,
    errors=("an unknown schedule",),
)
def schedule_delete(bound: Bound, schedule_id: Id) -> Deleted:
    """Delete a schedule with its runs."""
    known = _find_schedule(bound, schedule_id)
    bound.space.schedules.delete(known)
    return {"schedule_id": known.id, "message": f"Deleted schedule {known.name!r}."}


@SCHEDULES.tool(
    {"schedule_id": "0198c0de-0000-7000-8000-000000000000", "limit": 3},
    hints=READS,
    errors=("an unknown schedule",),
)
def schedule_runs(
    bound: Bound, schedule_id: Id, limit: Annotated[int, About(minimum=1, maximum=20)] = 5
) -> Runs:
    """List the runs of a schedule, newest first."""
    known = _find_schedule(bound, schedule_id)
    runs = [_run(each) for each in bound.space.schedules.runs(known, limit)]
    return {"schedule_id": known.id, "runs": runs, "count": len(runs)}


@SCHEDULES.tool(
    {"run_id": "0198c0de-0000-7000-8000-000000000000", "max_chars": 2000},
    hints=READS,
    errors=("an unknown run",),
)
def schedule_run_output(
    bound: Bound,
    run_id: Annotated[str, About("as schedule_runs gave it", shortest=1)],
    offset: Annotated[int, About("characters to skip", minimum=0)] = 0,
    max_chars: Annotated[int, About(minimum=200, maximum=8_000)] = 4_000,
) -> Output:
    """Read the output of a run, a page of characters at a time."""
    run = bound.space.schedules.get_run(run_id)
    if run is None:
        raise NotFound(f"there is no run {run_id!r:.60}; use an id from schedule_runs")
    if not run.output:
        return {"run_id": run.id, "message": "This run left no output."}
    chunk = run.output[offset : offset + max_chars]
    return {
        "run_id": run.id,
        "offset": offset,
        "max_chars": max_chars,
        "chunk": chunk,
        "remaining": max(0, len(run.output) - offset - len(chunk)),
        "total_length": len(run.output),
    }


def _find_schedule(bound: Bound, schedule_id: str) -> Schedule:
    schedule = bound.space.schedules.get(schedule_id)
    if schedule is None:
        raise NotFound(f"there is no schedule {schedule_id!r:.60}; use an id from schedule_search")
    return schedule


def _new_cadence(
    known: Schedule, kind: str | None, value: str | None, timezone: str | None
) -> Cadence | None:
    if kind is None and value is None:
        return None
    if kind is None or value is None:
        missing = "cadence_type" if kind is None else "cadence_value"
        raise InvalidInput(f"{missing} is missing; cadence_type and cadence_value change together")
    return cadences.parse(kind, value, timezone or known.cadence.tz)


def _cadence(cadence: Cadence) -> dict[str, Json]:
    """The cadence as the document writes it: only a cron has a zone."""
    written = cadences.to_json(cadence)
    if cadence.kind != "cron":
        del written["timezone"]
    return written


def _schedule_to_dict(schedule: Schedule) -> ScheduleResult:
    return {
        "schedule_id": schedule.id,
        "name": schedule.name,
        "goal": schedule.goal,
        "cadence": _cadence(schedule.cadence),
        "notification_policy": schedule.notify,
        "status": schedule.status,
        "created_at": when(schedule.created_at),
        "updated_at": when(schedule.updated_at),
        "next_run_at": maybe(schedule.next_run_at),
        # Of all cadences here, cron alone has a zone.
        "next_run_local": schedule.next_run_local if schedule.cadence.kind == "cron" else None,
        "last_run_at": maybe(schedule.last_run_at),
        "last_run_status": schedule.last_run_status,
        "consecutive_failures": schedule.failures,
    }


def _run(run: Run) -> ShownRun:
    return {
        "run_id": run.id,
        "started_at": maybe(run.started_at),
        "finished_at": maybe(run.finished_at),
        "status": run.status,
        "output_summary": run.summary,
        "turn_count": run.turns,
        "cost": run.cost,
        "notified": run.notified,
    }
