"""The verb keep: do the background work of a memory, once or for as long as it runs."""

import signal
import threading
from typing import TYPE_CHECKING

import click

from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import seconds
from ricordo.surfaces.run_command import CommandRunner

if TYPE_CHECKING:
    from ricordo.model import Job

TITLES = ("job", "last", "next", "result")


@verb(
    "keep",
    "ricordo keep",
    "ricordo keep --once",
    "ricordo keep --status",
    "ricordo keep --run 'my-agent \"$RICORDO_GOAL\"' --timeout 600",
)
@click.option("--once", is_flag=True, help="Do what is due now, and end.")
@click.option("--status", is_flag=True, help="Print the jobs, and change nothing.")
@click.option("--run", "command", metavar="COMMAND", help="A shell command for each due goal.")
@click.option("--timeout", type=seconds, help="Seconds after which a run has failed.")
def keep(call: Call, once: bool, status: bool, command: str | None, timeout: float | None) -> None:
    """Do the work that a memory needs in the background.

    Texts are embedded, long sessions summarised, old ones consolidated; spaces are swept, files
    synced, expired data deleted and backups written, each when it is due. With --run due schedules
    are carried out: the goal is on the command's stdin and in RICORDO_GOAL. A line holds a job,
    when it ran last, when it runs next, and how the last pass went.
    """
    if status:
        with call.memory(read_only=call.is_there) as memory:
            print_jobs(call, memory.keeper.status())
        return
    runner = None if command is None else CommandRunner(call.path, command, timeout)
    with call.memory(writes=True, embeds=True) as memory:
        memory.flush(None if once else 0)
        if once:
            done = memory.keeper.run_due()
            if runner is not None:
                memory.keeper.run_schedules(runner.run)
            print_jobs(call, done)
            return
        memory.keeper.start(None if runner is None else runner.run)
        call.out.note("keeping; end with Ctrl-C")
        _wait_for_signal()


def print_jobs(call: Call, jobs: "list[Job]") -> None:
    """A table of jobs."""
    rows = [
        (job.name, _show_time(job.last_at), _show_time(job.next_at), describe(job)) for job in jobs
    ]
    call.out.table(jobs, TITLES, rows)


def describe(job: "Job") -> str:
    """How a job went, in a few words."""
    if job.error:
        return f"failed {job.failures} times: {job.error}"
    if job.result:
        return job.result
    return "not yet" if job.can_run else "off"


def _show_time(at: object) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _wait_for_signal() -> None:
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    while not ended.wait(3600):  # a wait without end cannot be interrupted everywhere
        continue


VERBS = (keep,)
