"""The verb run-due: run what is due with a shell command, or print it for another program."""

from typing import TYPE_CHECKING

import click

from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import seconds
from ricordo.surfaces.output import dumps
from ricordo.surfaces.run_command import CommandRunner

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.model import Claim, Reminder, Run


@verb(
    "run-due",
    "ricordo run-due",
    "ricordo run-due --dry-run",
    "ricordo run-due --command 'my-agent \"$RICORDO_GOAL\"' --timeout 600",
)
@click.option("--command", help="A shell command to run for each goal, with the goal on stdin.")
@click.option("--concurrency", type=int, default=2, show_default=True, help="Parallel runs.")
@click.option("--timeout", type=seconds, help="Seconds until a run counts as failed.")
@click.option("--lease", type=float, default=300.0, help="Seconds of a claim; default: 300.")
@click.option("--reminders", is_flag=True, help="Also print and deliver due reminders.")
@click.option("--dry-run", is_flag=True, help="Print what is due and leave it due.")
def run_due(
    call: Call,
    command: str | None,
    concurrency: int,
    timeout: float | None,
    lease: float,
    reminders: bool,
    dry_run: bool,
) -> None:
    """Run every schedule that is due, in all spaces, and plan the next runs.

    Each due goal is printed as one JSON line. With --command, each goal is run: the command finds
    it on stdin and in RICORDO_GOAL, its output is the output of the run, and an exit code other
    than 0 is a failure. Without --command, the reader of the lines does the work. Call this verb
    from cron, for example every minute. Lines are printed as they are ready, with or without
    --json.
    """
    with call.memory(writes=not dry_run) as memory:
        if dry_run:
            _print_due(memory)
            return
        runner = None if command is None else CommandRunner(call.path, command, timeout)
        memory.keeper.run_schedules(
            _print_for_others if runner is None else runner.run,
            deliver=_print_reminder if reminders else None,
            notify=None if runner is None else _print_run,
            concurrency=concurrency,
            lease=lease,
        )


def _print_for_others(claim: "Claim") -> str:
    _print_claim(claim)
    return "printed for another program"


def _print_run(claim: "Claim", run: "Run") -> None:
    _print_claim(claim, status=run.status, notice=run.notice)


def _print_claim(claim: "Claim", **more: object) -> None:
    schedule = claim.schedule
    told: dict[str, object] = {
        "space": schedule.space,
        "id": schedule.id,
        "name": schedule.name,
        "goal": schedule.goal,
        "planned_at": claim.planned_at,
        "trusted": schedule.trusted,
        "session": schedule.session,
        "channel": schedule.channel,
        "channel_context": schedule.channel_context,
        "fence": claim.fence,
    }
    click.echo(dumps(told | more))


def _print_due(memory: "Memory") -> None:
    for name in memory.spaces():
        for schedule in memory.space(name).schedules.due():
            told = {
                "space": name,
                "id": schedule.id,
                "name": schedule.name,
                "goal": schedule.goal,
                "planned_at": schedule.next_run_at,
            }
            click.echo(dumps(told))


def _print_reminder(reminder: "Reminder") -> None:
    click.echo(dumps({"kind": "reminder", **_reminder_to_dict(reminder)}))


def _reminder_to_dict(reminder: "Reminder") -> dict[str, object]:
    names = ("space", "id", "text", "at", "recipient", "channel", "session")
    return {name: getattr(reminder, name) for name in names}


VERBS = (run_due,)
