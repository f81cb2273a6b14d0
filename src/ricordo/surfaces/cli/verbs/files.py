"""Verbs about the files of a space: sync, files, checkpoint, checkpoints."""

import dataclasses

import click

from ricordo.errors import NotFound
from ricordo.model import Refusal, Sync
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import text
from ricordo.surfaces.progress import Progress

_UNSYNCED = "run it again for the rest"


@verb(
    "sync",
    "ricordo sync --folder vault",
    "ricordo sync --folder vault --delete",
)
@click.option(
    "--folder", type=click.Path(file_okay=False), help="The folder; default: that of the workspace."
)
@click.option("--delete", is_flag=True, help="Forget the entries whose files were deleted.")
def sync(call: Call, folder: str | None, delete: bool) -> None:
    """Synchronize notes and their Markdown files, both ways.

    Each line holds what was done and to which file or entry; nothing is printed if nothing changed.
    """
    with call.memory(writes=True) as memory, Progress("syncing", call.out, _UNSYNCED):
        done = call.space(memory).files.sync(folder, delete=delete)
    call.out.table(done, ("done", "to"), _rows(done))
    for refusal in done.refused:
        call.out.note(f"{refusal.path} was skipped: {refusal.reason}")


def _rows(done: Sync) -> list[tuple[str, str]]:
    """What was done, a row each, without the refusals."""
    rows = []
    for field in dataclasses.fields(done):
        value = getattr(done, field.name)
        if isinstance(value, tuple):
            rows += [(field.name, each) for each in value if not isinstance(each, Refusal)]
    return rows


@verb("files", "ricordo files", 'ricordo files plan.md --write "Go to Oslo"')
@click.argument("path", required=False)
@click.option("--write", "body", type=text, help="Write this to the file; - reads standard input.")
def files(call: Call, path: str | None, body: str | None) -> None:
    """List the files of the workspace, print the one at PATH, or write it."""
    with call.memory() as memory:
        space = call.space(memory)
        if path is None:
            if body is not None:
                raise click.UsageError("--write needs a PATH")
            found = space.files.list()
            _tell_workspace(call)
            call.out.table(found, ("path",), [(each,) for each in found])
            return
        if body is not None:
            space.files.write(path, body)
            call.out.line({"path": path}, path)
            return
        held = space.files.read(path)
    if held is None:
        raise NotFound(f"there is no file {path!r} in the workspace; list them without PATH")
    call.out.line({"path": path, "text": held}, held)


def _tell_workspace(call: Call) -> None:
    """Say so when there is no workspace: an empty list would mislead."""
    if not call.settings().workspace:
        call.out.note("there is no workspace; set RICORDO_WORKSPACE to a folder")


@verb("checkpoint", "ricordo checkpoint", 'ricordo checkpoint "before the trip"')
@click.argument("note", default="manual")
def checkpoint(call: Call, note: str) -> None:
    """Commit the files of the workspace with NOTE and print the id, unless nothing changed."""
    with call.memory() as memory:
        made = call.space(memory).files.checkpoint(note)
    if made is None:
        call.out.note("nothing has changed since the last checkpoint")
    if made is not None or call.out.as_json:
        call.out.line(made, "" if made is None else f"{made.id}\t{made.subject}")


@verb("checkpoints", "ricordo checkpoints", "ricordo checkpoints --limit 3 --diff")
@click.option(
    "--limit", type=click.IntRange(1, 100), default=10, help="Maximum number; default: 10."
)
@click.option("--diff", is_flag=True, help="Also print what changed since the oldest of them.")
def checkpoints(call: Call, limit: int, diff: bool) -> None:
    """Print the newest checkpoints first: id, time (UTC), author, subject."""
    with call.memory() as memory:
        found = call.space(memory).files.checkpoints(limit, diff=diff)
    _tell_workspace(call)
    rows = [(each.id, each.at, each.author, each.subject) for each in found]
    call.out.table(found, ("id", "time", "author", "subject"), rows)
    if found and found[0].diff and not call.out.as_json:
        call.out.write(found[0].diff.rstrip("\n"))


VERBS = (sync, files, checkpoint, checkpoints)
