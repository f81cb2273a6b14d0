"""The verb about dreaming: sweep, try a sweep, undo one, list them."""

import click

from recollect.model import Sweep
from recollect.surfaces.calling import Call, verb


@verb(
    "dream",
    "recollect dream --dry-run",
    "recollect dream",
    "recollect dream --list",
    "recollect dream --undo 3",
)
@click.option("--dry-run", is_flag=True, help="Print the diff of MEMORY.md and change nothing.")
@click.option("--undo", metavar="ID", type=int, help="Take the promotions of a sweep back.")
@click.option("--list", "lists", is_flag=True, help="Print the sweeps there were, newest first.")
def dream(call: Call, dry_run: bool, undo: int | None, lists: bool) -> None:
    """Promote what is recalled again and again, and list it in MEMORY.md.

    The workspace is the folder of the setting RECOLLECT_WORKSPACE; without one
    only the ledger is written. Near-duplicates and contradictions are told on stderr.
    """
    if dry_run + lists + (undo is not None) > 1:
        raise click.UsageError("give one of --dry-run, --undo and --list")
    with call.memory(writes=not dry_run and not lists) as memory:
        space = call.space(memory)
        if lists:
            _table(call, space.sweeps())
            return
        sweep = space.dream(dry_run) if undo is None else space.undo(undo)
    if call.out.as_json:
        call.out.document(sweep)
        return
    _tell(call, sweep)


def _tell(call: Call, sweep: Sweep) -> None:
    """The diff is the result; everything else is for people."""
    for line in sweep.diff.splitlines():
        call.out.write(line)
    for pair in sweep.duplicates:
        call.out.note(f"{pair.first} and {pair.second} share {pair.likeness:.0%} of their words")
    for clash in sweep.contradictions:
        call.out.note(f"{clash.older} against {clash.newer}: {clash.reason}")
    done = "would be promoted" if sweep.dry_run else "promoted"
    done = done if sweep.undone_at is None else "taken back"
    named = "" if sweep.id is None else f"sweep {sweep.id}: "
    figures = f"{sweep.candidates} candidates, {sweep.skipped} promoted before"
    call.out.note(f"{named}{len(sweep.promoted)} {done}, {figures}")


def _table(call: Call, sweeps: list[Sweep]) -> None:
    rows = [
        (s.id, s.at, s.candidates, len(s.promoted), s.skipped, "undone" if s.undone_at else "")
        for s in sweeps
    ]
    call.out.table(sweeps, ("id", "at", "candidates", "promoted", "skipped", "state"), rows)


VERBS = (dream,)
