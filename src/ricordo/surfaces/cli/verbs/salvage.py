"""The verb that gets out of a damaged file what is still in it."""

import click

from ricordo.surfaces.cli.context import Call, verb


@verb("salvage", "ricordo salvage broken.db saved.db")
@click.argument("damaged")
@click.argument("new")
def salvage(call: Call, damaged: str, new: str) -> None:
    """Save every intact row of the file DAMAGED to the new memory NEW.

    DAMAGED is only read, with its WAL if there is one. Prints how many rows were saved;
    what is known to be missing is told line by line. The exit code is 0 either way; a file in
    which nothing of a memory can be read is refused.
    """
    import ricordo

    done = ricordo.salvage(damaged, new)
    rows = [*done.saved.items(), *(("missing", line) for line in done.lost)]
    call.out.table(done, ("what", "rows"), rows)
    call.out.note(f"saved to {new}" + ("" if done.lost else "; nothing is missing"))


VERBS = (salvage,)
