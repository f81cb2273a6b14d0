"""Verbs about entries: remember, fact, get, list, write, rename, alias, forget, history."""

from datetime import datetime
from json import loads
from typing import Any

import click

from ricordo.core.text.graphemes import cut_text
from ricordo.errors import InvalidInput, NotFound
from ricordo.model import KINDS, ORIGINS, Entry
from ricordo.surfaces.cli import preview
from ricordo.surfaces.cli.complete import complete_entries
from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.cli.param_types import age, expiry, json, text, time, where_option
from ricordo.surfaces.output import flat

_if_revision = click.option(
    "--if-revision", type=int, help="Write only if it still has this revision; 0 for none."
)


@verb(
    "remember",
    'ricordo remember "Prefers window seats" --name seat --tag travel',
    "cat notes.md | ricordo remember - --name notes",
    "cat notes.jsonl | ricordo remember - --lines --tag imported",
)
@click.argument("content", metavar="TEXT", type=text)
@click.option("--name", help="Entry name; reusing one adds a revision. Generated if omitted.")
@click.option("--kind", type=click.Choice(KINDS), default="note", show_default=True)
@click.option("--category", help="One category; default: core.")
@click.option("--tag", "tags", multiple=True, help="A label; may be given several times.")
@click.option("--alias", "aliases", multiple=True, help="Another name; may be given several times.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Where it came from; default: agent.")
@click.option("--source", help="Its source, in your words.")
@click.option("--importance", type=float, help="From 0 to 1; default: 0.5.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
@click.option(
    "--expires-at", type=expiry, metavar="TIME", help="Hide the entry from this time on, or never."
)
@click.option("--ttl", type=age, help="Hide it after this long, such as 7d.")
@click.option("--at", type=time, help="When it was learnt; default: now.")
@_if_revision
@click.option("--pin/--no-pin", default=None, help="Show it in every context.")
@click.option("--mute/--no-mute", default=None, help="Keep it, and never recall it.")
@click.option(
    "--embed-name/--no-embed-name", default=None, help="Whether its name counts for its meaning."
)
@click.option(
    "--replace/--no-replace", default=True, help="Whether an existing entry may be replaced."
)
@click.option(
    "--lines", is_flag=True, help="Each line is an entry: a text, or a JSON object with content."
)
def remember(call: Call, content: str, tags: tuple[str, ...], lines: bool, **given: Any) -> None:
    """Store TEXT as an entry and print its name.

    TEXT may be - to read standard input. When this returns, the entry is durable and can be found
    by name and by words; the next recall or flush makes its vector. With --lines all entries are
    stored or none; the other options hold for each of them unless its object has its own.
    """
    options = {name: value for name, value in given.items() if value is not None}
    if tags:
        options["tags"] = tags
    with call.memory(writes=True) as memory:
        space = call.space(memory)
        if not lines:
            entries = [space.remember(content, **options)]
        else:
            entries = space.remember_many([{**options, **each} for each in _read_lines(content)])
    if call.out.as_json:
        call.out.document(entries if lines else entries[0])
    for entry in [] if call.out.as_json else entries:
        call.out.write(entry.name)


def _read_lines(content: str) -> list[dict[str, Any]]:
    """The entries of a text with one a line."""
    found = []
    for number, line in enumerate(content.splitlines(), start=1):
        if line.lstrip().startswith("{"):
            try:
                found.append(dict(loads(line)))
            except ValueError as error:
                raise InvalidInput(f"line {number} is not a JSON object: {error}") from error
        elif line.strip():
            found.append({"content": line})
    return found


@verb("fact", "ricordo fact user dog_name Rex", "ricordo fact user dog_name")
@click.argument("category")
@click.argument("key")
@click.argument("value", required=False, type=text)
@click.option("--origin", type=click.Choice(ORIGINS), help="Where it came from; default: agent.")
@click.option("--source", help="Its source, in your words.")
@click.option("--tag", "tags", multiple=True, help="A label; may be given several times.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
def fact(
    call: Call, category: str, key: str, value: str | None, tags: tuple[str, ...], **given: Any
) -> None:
    """Set the fact KEY of CATEGORY to VALUE, or print its value.

    The last value holds; earlier ones stay in the history.
    """
    with call.memory(writes=value is not None) as memory:
        entry = call.space(memory).fact(category, key, value, tags=tags or None, **given)
    if entry is None:
        raise NotFound(f"there is no fact {key!r} in category {category!r}")
    call.out.line(entry, entry.content if value is None else entry.name)


@verb("get", "ricordo get seat", "ricordo get seat --as-of 2026-03-01")
@click.argument("name", shell_complete=complete_entries)
@click.option("--as-of", type=time, help="Its text at this time.")
@click.option("--exact", is_flag=True, help="NAME is a name or an alias only.")
def get(call: Call, name: str, as_of: datetime | None, exact: bool) -> None:
    """Print the text of the entry NAME.

    NAME is a name, an alias, an id or a uid. The text is printed as it was stored.
    """
    with call.memory() as memory:
        space = call.space(memory)
        entry = space.get(name, as_of=as_of, exact=exact)
    if entry is None:
        then = "" if as_of is None else f" as of {flat(as_of)} UTC"
        raise NotFound(f"there is no entry {name!r} in space {space.name!r}{then}")
    call.out.line(entry, entry.content)


@verb("list", "ricordo list --tag travel", "ricordo list --kind fact --prefix user/ --json")
@click.option("--kind", type=click.Choice(KINDS))
@click.option("--category")
@click.option(
    "--tag", "tags", multiple=True, help="Only with all of these; may be given several times."
)
@click.option("--prefix", help="Only names with this prefix.", shell_complete=complete_entries)
@where_option
@click.option("--limit", type=int, default=100, show_default=True)
@click.option(
    "--after",
    metavar="NAME",
    help="The last name of the previous page.",
    shell_complete=complete_entries,
)
@click.option("--exclude", multiple=True, metavar="NAME", help="Leave out an entry.")
@click.option("--offset", type=int, default=0, help="Skip this many entries.")
def list_entries(call: Call, tags: tuple[str, ...], **given: Any) -> None:
    """Print the entries of the space, most recently written first.

    Each line holds name, kind, category, time of writing (UTC) and text.
    """
    with call.memory() as memory:
        entries = call.space(memory).entries(tags=tags or None, **given)
        if not entries:
            call.note_missing_space(memory)
    titles = ("name", "kind", "category", "written", "text")
    rows = [(e.name, e.kind, e.category, e.updated_at, e.content) for e in entries]
    call.out.table(entries, titles, rows, snippet="text")


@verb("write", 'ricordo write seat "Prefers aisle seats now"')
@click.argument("name", shell_complete=complete_entries)
@click.argument("content", metavar="TEXT", type=text)
@_if_revision
def write(call: Call, name: str, content: str, if_revision: int | None) -> None:
    """Replace the text of the entry NAME with TEXT.

    The old text stays in the history. TEXT may be - to read standard input.
    """
    with call.known_memory() as memory:
        entry = call.space(memory).write(name, content, if_revision=if_revision)
    call.out.line(entry, entry.name)


@verb("rename", "ricordo rename seat seating --keep")
@click.argument("name", shell_complete=complete_entries)
@click.argument("new")
@click.option("--keep", is_flag=True, help="Keep the old name as an alias.")
def rename(call: Call, name: str, new: str, keep: bool) -> None:
    """Rename the entry NAME to NEW."""
    with call.known_memory() as memory:
        entry = call.space(memory).rename(name, new, keep=keep)
    call.out.line(entry, entry.name)


@verb("alias", "ricordo alias seat chair")
@click.argument("name", shell_complete=complete_entries)
@click.argument("alias")
@click.option("--rebind", is_flag=True, help="Move the alias from another entry.")
def alias(call: Call, name: str, alias: str, rebind: bool) -> None:
    """Add ALIAS as another name of the entry NAME."""
    with call.known_memory() as memory:
        entry = call.space(memory).alias(name, alias, rebind=rebind)
    call.out.line(entry, entry.name)


@verb(
    "forget",
    "ricordo forget seat --dry-run",
    "ricordo forget seat --yes",
    "ricordo forget --tag draft --where year<2020 --dry-run",
)
@click.argument("name", required=False, shell_complete=complete_entries)
@click.option("--kind", type=click.Choice(KINDS))
@click.option("--category")
@click.option("--tag", "tags", multiple=True, help="All with these tags.")
@click.option("--prefix", help="All whose name begins so.")
@where_option
@click.option("--dry-run", is_flag=True, help="Change nothing; print what would be deleted.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def forget(
    call: Call, name: str | None, tags: tuple[str, ...], dry_run: bool, yes: bool, **given: Any
) -> None:
    """Remove the entry NAME, or all that the filters choose, and print the receipt.

    Their names, revisions, index rows, vectors and signals are also deleted. This cannot be undone.
    Without a terminal to ask on, --yes is required.
    """
    chosen = {"tags": tags or None, **given}
    with call.known_memory() as memory:
        space = call.space(memory)
        if dry_run:
            preview.show(call, space.forget(name, dry_run=True, **chosen))
            return
        if not yes:
            planned = space.forget(name, dry_run=True, **chosen)
            if name is None:
                confirm(f"Forget {planned.target}?", f"forgetting {planned.target}")
            else:
                _confirm(space.get(name), name)
        receipt = space.forget(name, **chosen)
    gone = [("entry", each) for each in receipt.entries]
    rows = [("forgotten", receipt.target), *gone, *receipt.removed.items(), ("at", receipt.at)]
    call.out.table(receipt, ("what", "removed"), rows)


def _confirm(entry: Entry | None, name: str) -> None:
    """Show the user what would be deleted, and ask."""
    if entry is None:
        raise NotFound(f"there is no entry {name!r}")
    question = f"Forget {entry.name!r} ({cut_text(flat(entry.content), 60)!r})?"
    confirm(question, f"forgetting {entry.name!r}")


@verb("history", "ricordo history seat")
@click.argument("name", shell_complete=complete_entries)
def history(call: Call, name: str) -> None:
    """Print earlier texts of the entry NAME, oldest first.

    Each line holds the number, the times since and until which it held (UTC), and the text.
    """
    with call.memory() as memory:
        revisions = call.space(memory).history(name)
    rows = [(r.number, r.since, r.until, r.content) for r in revisions]
    call.out.table(revisions, ("number", "since", "until", "text"), rows)


VERBS = (remember, get, list_entries, write, rename, alias, forget, history, fact)
