"""Verbs about learning in the background: dream, undo a sweep, consolidate events."""

from datetime import timedelta

import click

from ricordo.model import Promotion, Sweep
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import age
from ricordo.surfaces.progress import Progress


@verb(
    "dream",
    "ricordo dream --dry-run",
    "ricordo dream",
    "ricordo dream --list",
    "ricordo dream --promotions",
    "ricordo dream --undo 3",
)
@click.option("--dry-run", is_flag=True, help="Print the diff of MEMORY.md and change nothing.")
@click.option("--undo", metavar="ID", type=int, help="Undo the promotions of a sweep.")
@click.option("--list", "lists", is_flag=True, help="Print past sweeps, newest first.")
@click.option("--promotions", is_flag=True, help="Print the promotions, newest first.")
def dream(call: Call, dry_run: bool, undo: int | None, lists: bool, promotions: bool) -> None:
    """Promote entries that are recalled again and again, and list them in MEMORY.md.

    MEMORY.md is in the workspace, the folder named by RICORDO_WORKSPACE; without one, only the
    ledger is written. Near-duplicates and contradictions are reported on stderr.
    """
    if dry_run + lists + promotions + (undo is not None) > 1:
        raise click.UsageError("give one of --dry-run, --undo, --list and --promotions")
    with call.memory(writes=not dry_run and not lists and not promotions) as memory:
        space = call.space(memory)
        if promotions:
            _ledger(call, space.dreams.promotions())
            return
        if lists:
            _table(call, space.dreams.list())
            return
        with Progress("dreaming", call.out):
            sweep = space.dream(dry_run) if undo is None else space.dreams.undo(undo)
    if call.out.as_json:
        call.out.document(sweep)
        return
    _tell(call, sweep)


def _tell(call: Call, sweep: Sweep) -> None:
    """Print the diff as the result, and the rest as notes."""
    for line in sweep.diff.splitlines():
        call.out.write(line)
    for pair in sweep.duplicates:
        call.out.note(f"{pair.first} and {pair.second} share {pair.likeness:.0%} of their words")
    for clash in sweep.contradictions:
        call.out.note(f"{clash.older} against {clash.newer}: {clash.reason}")
    done = "would be promoted" if sweep.dry_run else "promoted"
    done = done if sweep.undone_at is None else "undone"
    named = "" if sweep.id is None else f"sweep {sweep.id}: "
    figures = f"{sweep.candidates} candidates, {sweep.skipped} promoted before"
    call.out.note(f"{named}{len(sweep.promoted)} {done}, {figures}")


def _table(call: Call, sweeps: list[Sweep]) -> None:
    rows = [
        (s.id, s.at, s.candidates, len(s.promoted), s.skipped, "undone" if s.undone_at else "")
        for s in sweeps
    ]
    call.out.table(sweeps, ("id", "at", "candidates", "promoted", "skipped", "state"), rows)


def _ledger(call: Call, found: list[Promotion]) -> None:
    rows = [(p.at, p.entry, f"{p.score:.3f}", p.hits, p.queries, p.sweep) for p in found]
    call.out.table(found, ("at", "entry", "score", "recalls", "queries", "sweep"), rows)


@verb("undo", "ricordo undo 3")
@click.argument("sweep", type=int)
def undo(call: Call, sweep: int) -> None:
    """Undo the promotions of SWEEP; the same as `ricordo dream --undo`."""
    with call.known_memory() as memory:
        undone = call.space(memory).dreams.undo(sweep)
    if call.out.as_json:
        call.out.document(undone)
        return
    _tell(call, undone)


_UNREAD = "run it again for the events that are left"


@verb(
    "consolidate",
    "ricordo consolidate",
    "ricordo consolidate --min-importance 0.8 --older-than 1d",
)
@click.option("--model", help="The URL of a chat model, https://host/v1#model; default: none.")
@click.option("--min-importance", type=float, default=0.0, help="From 0 to 1; default: 0.")
@click.option("--older-than", type=age, default="1h", help="Minimum age of events; default: 1h.")
@click.option("--limit", type=int, default=300, show_default=True, help="Maximum events.")
def consolidate(
    call: Call, model: str | None, min_importance: float, older_than: timedelta, limit: int
) -> None:
    """Turn old events into notes and facts, each event once, the important ones first.

    Each line holds what was made (summary or fact) and its name. Failures are reported on stderr.
    """
    with call.memory(writes=True) as memory, Progress("consolidating", call.out, _UNREAD):
        done = call.space(memory).dreams.consolidate(
            model, min_importance=min_importance, older_than=older_than, limit=limit
        )
    rows = [("summary", name) for name in done.summaries] + [("fact", n) for n in done.facts]
    call.out.table(done, ("made", "name"), rows)
    for session, reason in done.failed.items():
        call.out.note(f"{session} failed and is retried next time: {reason}")
    call.out.note(f"{done.events} events consolidated")


VERBS = (dream, undo, consolidate)
