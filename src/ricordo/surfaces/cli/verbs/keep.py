"""The verb keep: do the background work of a memory, once or for as long as it runs."""

import signal
import threading
from typing import TYPE_CHECKING

import click

from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import seconds
from ricordo.surfaces.cli.verbs.recall import embed_waiting, waiting_chunks
from ricordo.surfaces.progress import Progress
from ricordo.surfaces.run_command import CommandRunner

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.model import Job

LOOK_SECONDS = 10.0  # between two looks at what was done
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
        if once:
            embed_waiting(call, memory)
            with Progress("keeping", call.out, "what is due stays due"):
                done = memory.keeper.run_due()
                if runner is not None:
                    memory.keeper.run_schedules(runner.run)
            print_jobs(call, done)
            if not done:
                call.out.note("no job is due; ricordo keep --status says when")
            return
        memory.flush(0)
        memory.keeper.start(None if runner is None else runner.run)
        call.out.note("keeping; end with Ctrl-C")
        _watch_until_signal(call, memory)


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


def _watch_until_signal(call: Call, memory: "Memory") -> None:
    """Wait for the end, and say which jobs are done and how much waits to be embedded."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    known = _read_state(memory)
    while not ended.wait(LOOK_SECONDS):
        found = _read_state(memory)
        for name, told in found.items():
            if known.get(name) != told:
                call.out.note(f"{name}: {told[1]}")
        known = found


def _read_state(memory: "Memory") -> dict[str, tuple[object, str]]:
    """When each job ran last and how it went, and what the embedding thread has to do."""
    state = {job.name: (job.last_at, describe(job)) for job in memory.keeper.status()}
    waiting = waiting_chunks(memory)
    told = f"{waiting:,} chunks wait for their vectors" if waiting else "every chunk has its vector"
    return {**state, "embedding": (None, told)}


VERBS = (keep,)
