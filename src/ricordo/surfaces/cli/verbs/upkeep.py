"""Verbs for the upkeep of a memory: maintain, erase, rename and drop spaces, export, import."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ricordo.errors import RicordoError
from ricordo.model import ORIGINS, Export, Origin, Receipt
from ricordo.surfaces.cli import preview
from ricordo.surfaces.cli.complete import complete_entries, complete_sessions
from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.progress import Progress
from ricordo.surfaces.server.tokens import Tokens, home

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory, Space

STDIO = "-"
_AGAIN = "run it again for the rest"
_UNIMPORTED = "{done} of {total} records are in; import the file again for the rest"


@verb("maintain", "ricordo maintain", "ricordo maintain --dry-run --json")
@click.option("--dry-run", is_flag=True, help="Change nothing; count what would be deleted.")
@click.option("--deep", is_flag=True, help="Rewrite the whole file, as small as possible.")
@click.option("--confirm-clock", is_flag=True, help="Trust the present time, despite any doubt.")
def maintain(call: Call, dry_run: bool, deep: bool, confirm_clock: bool) -> None:
    """Delete expired data and reclaim disk space.

    This deletes expired entries, and old signals, revisions and consolidated events as the settings
    say. It tidies the index and the file, and finishes pending erasures. It is safe to run while
    other processes use the memory. While the clock may be wrong, nothing is deleted by age, and a
    note says why.
    """
    with call.memory(writes=True) as memory, Progress("maintaining", call.out, _AGAIN) as progress:
        done = memory.maintain(
            dry_run=dry_run, deep=deep, confirm_clock=confirm_clock, progress=progress
        )
    figures = ["orphans", "indexed", "recut", "resealed", "erased", "pending"]
    figures += ["bytes_before", "bytes_after"]
    rows = [*done.removed.items(), *((name, getattr(done, name)) for name in figures)]
    call.out.table(done, ("what", "count"), rows)
    for doubt in done.doubts:
        call.out.note(f"nothing was deleted by age: {doubt}")
    if done.doubts:
        call.out.note("set the clock right, or run: ricordo maintain --confirm-clock")


@verb(
    "erase",
    "ricordo erase seat --dry-run",
    "ricordo erase seat --yes",
    "ricordo erase --session trip --yes",
    "ricordo erase --everything --space ana --yes",
)
@click.argument("name", required=False, shell_complete=complete_entries)
@click.option(
    "--session",
    help="Erase this session instead of an entry.",
    shell_complete=complete_sessions,
)
@click.option("--everything", is_flag=True, help="Erase everything in the space.")
@click.option("--dry-run", is_flag=True, help="Change nothing; print what would be erased.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def erase(
    context: click.Context,
    call: Call,
    name: str | None,
    session: str | None,
    everything: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Erase the entry NAME and leave no byte of it in the files.

    The files are scanned afterwards. The receipt lists what was found, and what ricordo may not
    delete. The exit code is 1 if something is left. An import does not bring it back.
    """
    if sum((name is not None, session is not None, everything)) != 1:
        raise click.UsageError("Give a NAME, --session or --everything.")
    with call.known_memory() as memory:
        space = call.space(memory)
        if dry_run:
            preview.show(call, _erase(memory, space, name, session, dry_run=True))
            return
        if not yes:
            what = f"everything in {space.name}" if everything else name or session or ""
            confirm(f"Erase {what!r}, so that nothing of it is left?", f"erasing {what!r}")
        with Progress("erasing", call.out, "run ricordo maintain to finish what was begun"):
            receipt = _erase(memory, space, name, session, dry_run=False)
        _tokens().audit.erase(space.name, name or session)
    _print(call, receipt)
    if receipt.pending or receipt.remnants:
        context.exit(1)


def _erase(
    memory: "Memory", space: "Space", name: str | None, session: str | None, *, dry_run: bool
) -> Receipt:
    if session is not None:
        return space.session(session).erase(dry_run=dry_run)
    if name is not None:
        return space.forget(name, dry_run=dry_run, erase=True)
    return memory.erase(space.name, dry_run=dry_run)


def _print(call: Call, receipt: Receipt) -> None:
    rows: list[tuple[object, object]] = [("erased", receipt.target), *receipt.removed.items()]
    rows += [("file", path) for path in receipt.files]
    rows += [("remains", told) for told in receipt.remains]
    rows += [("remnants", receipt.remnants), ("pending", "yes" if receipt.pending else "no")]
    call.out.table(receipt, ("what", "removed"), rows)
    if receipt.pending:
        call.out.note("a reader still holds the old state; run ricordo maintain later")


@verb("rename-space", "ricordo rename-space anna --space ana")
@click.argument("new")
def rename_space(call: Call, new: str) -> None:
    """Give the space the name NEW; its folder in the workspace follows.

    Tokens, hooks and configuration files know a space by its name: change them as well.
    """
    with call.known_memory() as memory:
        old = call.space(memory).name
        done = memory.rename(old, new)
    call.out.table({"space": done.name}, ("space",), [(done.name,)])
    if bound := _tokens().list_bound(old):
        call.out.note(f"tokens still bound to {old!r}: {', '.join(bound)}; remove and make them")


@verb("drop", "ricordo drop --space ana --dry-run", "ricordo drop --space ana --yes")
@click.option("--dry-run", is_flag=True, help="Change nothing; print what would be erased.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def drop(context: click.Context, call: Call, dry_run: bool, yes: bool) -> None:
    """Erase everything in the space, and its name.

    It works as `erase --everything`, and also deletes the name and the record of what was erased
    before. An import can bring the contents back.
    """
    with call.known_memory() as memory:
        space = call.space(memory).name
        if dry_run:
            preview.show(call, memory.drop(space, dry_run=True))
            return
        if not yes:
            confirm(f"Drop the space {space!r} with everything in it?", f"dropping {space!r}")
        with Progress("dropping", call.out, "run it again to finish what was begun"):
            receipt = memory.drop(space)
        _tokens().audit.erase(space)
    _print(call, receipt)
    if receipt.pending or receipt.remnants:
        context.exit(1)


def _tokens() -> Tokens:
    return Tokens(os.environ.get("RICORDO_TOKENS") or home())


@verb(
    "export",
    "ricordo export ana.jsonl --space ana",
    "ricordo export - --space ana | gzip > ana.jsonl.gz",
)
@click.argument("path")
def export(call: Call, path: str) -> None:
    """Export the space to the new file PATH, as JSON Lines; - is standard output.

    The file holds sessions, entries with their history, documents and reminders.
    """
    with call.known_memory() as memory:
        if path == STDIO:
            done = _pour(call.space(memory))
            call.out.note(f"{sum(done.records.values())} records, {done.bytes} bytes")
            return
        with Progress("exporting", call.out, "run it again"):
            done = call.space(memory).exchange.export(path)
    rows = [*done.records.items(), ("bytes", done.bytes)]
    call.out.table(done, ("record", "count"), rows)


def _pour(space: "Space") -> Export:
    """Export to standard output, through a complete file: a truncated export is useless."""
    with TemporaryDirectory(prefix="ricordo-") as folder:
        made = Path(folder) / "export.jsonl"
        done = space.exchange.export(made)
        with made.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
    return done


@contextmanager
def _spool(path: str) -> Iterator[str]:
    """The file at a path, or a temporary file with what standard input holds."""
    if path != STDIO:
        yield path
        return
    with TemporaryDirectory(prefix="ricordo-") as folder:
        made = Path(folder) / "stdin"
        with made.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        try:
            yield str(made)
        except RicordoError as error:
            raise type(error)(_without_path(str(error), str(made))) from error


def _without_path(told: str, path: str) -> str:
    """The message without the path of our temporary file."""
    return told.replace(repr(path), "standard input").replace(path, "standard input")


@verb(
    "import",
    "ricordo import ana.jsonl --space ana",
    "ricordo import old-agent.db --owner main",
    "zcat ana.jsonl.gz | ricordo import - --space ana",
)
@click.argument("path")
@click.option(
    "--origin",
    type=click.Choice(ORIGINS),
    default="import",
    show_default=True,
    help="The origin to record.",
)
@click.option("--keep-origins", is_flag=True, help="Keep the origins in the file.")
@click.option("--owner", help="The agent or group to import, if the file holds several.")
def import_file(
    call: Call, path: str, origin: Origin, keep_origins: bool, owner: str | None
) -> None:
    """Import the file PATH: an export, or the SQLite file of another memory; - is standard input.

    A second import of the same file adds nothing. What was erased here is not imported.
    """
    with (
        _spool(path) as file,
        call.memory(writes=True) as memory,
        Progress("importing", call.out, _UNIMPORTED) as progress,
    ):
        done = call.space(memory).exchange.import_file(
            file, origin=None if keep_origins else origin, owner=owner, progress=progress
        )
    done = replace(done, path=path)
    rows: list[tuple[object, object]] = [("format", done.format)]
    rows += [(f"{name} added", count) for name, count in done.added.items()]
    rows += [(f"{name} known", count) for name, count in done.known.items()]
    rows += [("erased before", done.erased)] if done.erased else []
    rows += [("renamed", f"{old} to {new}") for old, new in done.renamed.items()]
    rows += [("note", told) for told in done.notes]
    call.out.table(done, ("what", "count"), rows)


VERBS = (maintain, erase, rename_space, drop, export, import_file)
