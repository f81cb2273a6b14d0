"""Verbs about time: schedule and remind, each with verbs of its own."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ricordo.errors import NotFound
from ricordo.model import CADENCES, POLICIES, STATUSES, Schedule
from ricordo.surfaces.cli.complete import complete_schedules
from ricordo.surfaces.cli.context import Call, verb, verbs
from ricordo.surfaces.cli.param_types import file as existing
from ricordo.surfaces.cli.param_types import text
from ricordo.surfaces.output import flat

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

_PLAN = (
    click.option("--tz", help="IANA time zone; default: UTC."),
    click.option("--name", help="Its name; default: the beginning of the goal."),
    click.option("--notify", type=click.Choice(POLICIES), help="When to notify the user."),
    click.option(
        "--trusted/--untrusted", default=None, help="Whether its runs may act without asking."
    ),
    click.option(
        "--missed",
        type=click.Choice(("once", "skip")),
        help="Make up for missed runs once, or skip them.",
    ),
    click.option(
        "--keep/--no-keep", default=None, help="Whether a one-shot schedule stays after its run."
    ),
    click.option("--channel", help="The channel that it was requested in."),
    click.option("--channel-context", help="The place in that channel."),
)


def _add_plan_options(function: Any) -> Any:
    """Add the options that `add` and `update` share."""
    for option in reversed(_PLAN):
        function = option(function)
    return function


def _drop_missing(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def local(at: datetime) -> str:
    """A time in its own zone."""
    return at.strftime("%a %Y-%m-%d %H:%M:%S %Z")


def _next(schedule: Schedule, space: "Space") -> str:
    """The next run in the schedule's own zone."""
    upcoming = space.schedules.upcoming(schedule, 1)
    return local(upcoming[0]) if upcoming else ""


@verb(
    "add",
    'ricordo schedule add "Send the report" "every weekday at 8:30" --tz Europe/Berlin',
    'ricordo schedule add "Check the oven" "in 20 minutes" --name oven',
)
@click.argument("goal", type=text)
@click.argument("cadence")
@_add_plan_options
@click.option("--once", is_flag=True, help="Run once, at the first time of the cadence.")
def add(call: Call, goal: str, cadence: str, once: bool, **options: Any) -> None:
    """Schedule GOAL at CADENCE and print its id and next run.

    CADENCE is a phrase such as "daily at 9", "in 2 hours" or "on March 5th at 3pm", or five cron
    fields. GOAL may be - to read standard input.
    """
    with call.memory(writes=True) as memory:
        space = call.space(memory)
        made = space.schedule(goal, cadence, once=once, **_drop_missing(options))
        shown = f"{made.id}\t{_next(made, space)}\t{made.description}"
    call.out.line(made, shown)
    if made.warning:
        call.out.note(made.warning)


@verb("update", 'ricordo schedule update report --cadence "daily at 9" --tz Asia/Tokyo')
@click.argument("schedule", shell_complete=complete_schedules)
@_add_plan_options
@click.option("--goal", type=text, help="What to do.")
@click.option("--cadence", help="When to do it.")
def update(call: Call, schedule: str, **options: Any) -> None:
    """Change the given options of SCHEDULE, an id or a name."""
    with call.known_memory() as memory:
        space = call.space(memory)
        made = space.schedules.update(schedule, **_drop_missing(options))
        shown = f"{made.id}\t{_next(made, space)}\t{made.description}"
    call.out.line(made, shown)


@verb("list", "ricordo schedule list", "ricordo schedule list --status active --name report")
@click.option("--name", help="Any part of the name.")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--cadence", type=click.Choice(CADENCES), help="Only these.")
@click.option("--notify", type=click.Choice(POLICIES), help="Only these.")
@click.option("--limit", type=int, default=20, help="Maximum number, up to 50; default: 20.")
@click.option("--offset", type=int, default=0, help="Skip this many.")
def list_schedules(call: Call, **options: Any) -> None:
    """Print schedules, newest first: id, name, status, next run, cadence, goal.

    The next run is shown in the schedule's own time zone.
    """
    with call.memory() as memory:
        space = call.space(memory)
        found = space.schedules.list(**_drop_missing(options))
        rows = [(s.id, s.name, s.status, _next(s, space), s.description, s.goal) for s in found]
        rest = {name: value for name, value in options.items() if name not in ("limit", "offset")}
        left = space.schedules.count(**rest) - options["offset"] - len(found)
    call.out.table(found, ("id", "name", "status", "next run", "cadence", "goal"), rows)
    if left > 0:
        call.out.note(f"{left} more; use --offset {options['offset'] + len(found)}")


@verb("show", "ricordo schedule show report", "ricordo schedule show report --json")
@click.argument("schedule", shell_complete=complete_schedules)
def show(call: Call, schedule: str) -> None:
    """Print everything about SCHEDULE, an id or a name."""
    with call.memory() as memory:
        space = call.space(memory)
        found = space.schedules.get(schedule)
        if found is None:
            raise NotFound(f"there is no schedule {schedule!r} in space {space.name!r}")
        rows = [
            (field, getattr(found, field))
            for field in (
                "id",
                "name",
                "goal",
                "description",
                "phrase",
                "status",
                "notify",
                "source",
            )
        ]
        rows += [("next run", _next(found, space)), ("last run", found.last_run_at)]
        rows += [
            (field, getattr(found, field))
            for field in ("last_run_status", "failures", "trusted", "missed", "channel", "session")
        ]
    call.out.table(found, ("what", "value"), rows)


@verb("pause", "ricordo schedule pause report")
@click.argument("schedule", shell_complete=complete_schedules)
def pause(call: Call, schedule: str) -> None:
    """Pause SCHEDULE until it is resumed."""
    with call.known_memory() as memory:
        made = call.space(memory).schedules.pause(schedule)
    call.out.line(made, f"{made.id}\t{made.status}")


@verb("resume", "ricordo schedule resume report")
@click.argument("schedule", shell_complete=complete_schedules)
def resume(call: Call, schedule: str) -> None:
    """Resume SCHEDULE and print its next run."""
    with call.known_memory() as memory:
        space = call.space(memory)
        made = space.schedules.resume(schedule)
        shown = f"{made.id}\t{_next(made, space)}"
    call.out.line(made, shown)


@verb("remove", "ricordo schedule remove report")
@click.argument("schedule", shell_complete=complete_schedules)
def remove(call: Call, schedule: str) -> None:
    """Remove SCHEDULE and its runs."""
    with call.known_memory() as memory:
        receipt = call.space(memory).schedules.delete(schedule)
    call.out.line(receipt, f"removed {receipt.target} and {receipt.removed['runs']} runs")


@verb("runs", "ricordo schedule runs report", "ricordo schedule runs report --limit 1 --json")
@click.argument("schedule", shell_complete=complete_schedules)
@click.option("--limit", type=int, default=5, show_default=True, help="Maximum number.")
def runs(call: Call, schedule: str, limit: int) -> None:
    """Print the runs of SCHEDULE, newest first: id, start (UTC), seconds, status, summary.

    With --json, each run includes its whole output.
    """
    with call.memory() as memory:
        found = call.space(memory).schedules.runs(schedule, limit)
    rows = []
    for run in found:
        assert run.started_at is not None
        assert run.finished_at is not None
        took = (run.finished_at - run.started_at).total_seconds()
        rows.append((run.id, run.started_at, f"{took:.1f}", run.status, run.summary))
    call.out.table(found, ("id", "begun", "seconds", "status", "summary"), rows)


@verb("run", "ricordo schedule run 0192f3c4-5d6e-7f80-8a9b-0c1d2e3f4a5b")
@click.argument("run")
def one_run(call: Call, run: str) -> None:
    """Print the whole output of one run, by the id that `schedule runs` prints."""
    with call.memory() as memory:
        space = call.space(memory)
        found = space.schedules.get_run(run)
    if found is None:
        raise NotFound(f"there is no run {run!r} in space {space.name!r}; it may be too old")
    call.out.line(found, found.output)


@verb("next", "ricordo schedule next", "ricordo schedule next report --limit 10")
@click.argument("schedule", required=False, shell_complete=complete_schedules)
@click.option("--limit", type=int, default=5, show_default=True, help="Runs of each schedule.")
def print_upcoming(call: Call, schedule: str | None, limit: int) -> None:
    """Print upcoming runs, soonest first, of SCHEDULE or of all active schedules.

    Each line holds the time in the schedule's own zone, its name and its goal.
    """
    with call.memory() as memory:
        space = call.space(memory)
        names = (
            [schedule]
            if schedule
            else [s.id for s in space.schedules.list(status="active", limit=50)]
        )
        found: list[tuple[datetime, Schedule]] = []
        for name in names:
            known = space.schedules.get(name)
            if known is None:
                raise NotFound(f"there is no schedule {name!r} in space {space.name!r}")
            found += [(at, known) for at in space.schedules.upcoming(known, limit)]
    found.sort(key=lambda item: item[0])
    told = [
        {"at": at, "local": local(at), "id": s.id, "name": s.name, "goal": s.goal}
        for at, s in found
    ]
    call.out.table(told, ("when", "name", "goal"), [(local(at), s.name, s.goal) for at, s in found])


@verb("sync", "ricordo schedule sync ricordo.toml")
@click.argument("file", type=existing)
def sync(call: Call, file: Path) -> None:
    """Synchronize schedules with the tables [[schedules]] of a TOML FILE.

    Unchanged schedules keep their next run; those no longer declared are removed.
    """
    with call.memory(writes=True) as memory:
        space = call.space(memory)
        found = space.schedules.sync(file)
        rows = [(s.id, s.name, s.status, _next(s, space)) for s in found]
    call.out.table(found, ("id", "name", "status", "next run"), rows)


schedule = verbs(
    "schedule",
    "Goals that run at a cadence: add, list, show, update, pause, resume, remove.",
    (add, list_schedules, show, update, pause, resume, remove, runs, one_run, print_upcoming, sync),
    'ricordo schedule add "Send the report" "every weekday at 8:30" --tz Europe/Berlin',
    'ricordo schedule "Check the oven" "in 20 minutes"',
    "ricordo schedule next",
    plain="add",
)


@verb(
    "add",
    'ricordo remind add "Call the bank" --at "tomorrow 9am" --tz Europe/Berlin',
    'ricordo remind add "Ask for the invoice" --cue "project Atlas"',
)
@click.argument("content", metavar="TEXT", type=text)
@click.option("--at", help="A time, a duration from now, or words such as tomorrow 9am.")
@click.option("--cue", help="Words to listen for in the conversation.")
@click.option("--tz", default="UTC", show_default=True, help="IANA time zone of the time.")
@click.option("--recipient", help="Who gets it; needs --channel.")
@click.option("--channel", help="Where they get it; needs --recipient.")
@click.option("--session", help="The session that it belongs to.")
def remind_add(call: Call, content: str, **options: Any) -> None:
    """Add a reminder with TEXT, due at a time or on a cue, and print its id.

    TEXT may be - to read standard input. A reminder in the past is due at once.
    """
    with call.memory(writes=True) as memory:
        made = call.space(memory).remind(content, **options)
    when = made.at if made.at is not None else f"cue: {made.cue}"
    call.out.line(made, f"{made.id}\t{flat(when)}")
    if made.at is not None and (local := made.at.astimezone()).utcoffset():
        shown = f"{local:%Y-%m-%d %H:%M} on the clock of this machine"
        call.out.note(f"that is {shown}; --tz says in which zone a time is meant")


@verb("list", "ricordo remind list", "ricordo remind list --all")
@click.option("--all", "with_delivered", is_flag=True, help="Include delivered ones; newest first.")
@click.option("--recipient", help="Only those for this recipient.")
@click.option("--limit", type=int, default=100, show_default=True, help="Maximum number.")
def remind_list(call: Call, with_delivered: bool, recipient: str | None, limit: int) -> None:
    """Print pending reminders, soonest first, those on a cue last.

    Each line holds id, time (UTC), cue, recipient, time of delivery and text.
    """
    with call.memory() as memory:
        found = call.space(memory).reminders.list(
            pending=not with_delivered, recipient=recipient, limit=limit
        )
    rows = [(r.id, r.at, r.cue, r.recipient, r.delivered_at, r.text) for r in found]
    call.out.table(found, ("id", "time", "cue", "recipient", "delivered", "text"), rows)


@verb("due", "ricordo remind due", 'ricordo remind due "How is project Atlas?" --keep')
@click.argument("said", metavar="[TEXT]", type=text, default="")
@click.option("--limit", type=int, default=32, show_default=True, help="Maximum number.")
@click.option("--keep", is_flag=True, help="Leave them due; otherwise they count as delivered.")
def remind_due(call: Call, said: str, limit: int, keep: bool) -> None:
    """Print and deliver the reminders that are due now, or whose cue is in TEXT.

    Each line holds id, time (UTC), cue and text.
    """
    with call.memory(writes=not keep) as memory:
        found = call.space(memory).reminders.due(said, limit=limit, deliver=not keep)
    rows = [(r.id, r.at, r.cue, r.text) for r in found]
    call.out.table(found, ("id", "time", "cue", "text"), rows)


@verb("remove", "ricordo remind remove 0192f3c4-5d6e-7f80-8a9b-0c1d2e3f4a5b")
@click.argument("reminder")
def remind_remove(call: Call, reminder: str) -> None:
    """Delete REMINDER, by its id."""
    with call.known_memory() as memory:
        receipt = call.space(memory).reminders.delete(reminder)
    call.out.line(receipt, receipt.target)


remind = verbs(
    "remind",
    "Texts that are delivered at a time or on a cue: add, list, due, remove.",
    (remind_add, remind_list, remind_due, remind_remove),
    'ricordo remind add "Call the bank" --at "tomorrow 9am"',
    'ricordo remind "Ask for the invoice" --cue "project Atlas"',
    plain="add",
)
