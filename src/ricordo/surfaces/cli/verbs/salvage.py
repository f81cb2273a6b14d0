"""The verb that saves what is still readable in a damaged file."""

import click

from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.progress import Progress


@verb("salvage", "ricordo salvage broken.db saved.db")
@click.argument("damaged")
@click.argument("new")
def salvage(call: Call, damaged: str, new: str) -> None:
    """Save every intact row of the file DAMAGED to the new memory NEW.

    DAMAGED is only read, together with its WAL if there is one. Prints how many rows were saved,
    and a line for each known loss. The exit code is 0 in both cases; a file without any readable
    part of a memory is refused.
    """
    import ricordo

    with Progress("salvaging", call.out, "the new memory is not complete"):
        done = ricordo.salvage(damaged, new)
    rows = [*done.saved.items(), *(("missing", line) for line in done.lost)]
    call.out.table(done, ("what", "rows"), rows)
    call.out.note(f"saved to {new}" + ("" if done.lost else "; nothing is missing"))


VERBS = (salvage,)
