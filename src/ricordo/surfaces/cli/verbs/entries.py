"""Verbs about entries: remember, fact, get, list, write, rename, alias, forget, history."""

from datetime import datetime
from typing import Any

import click

from ricordo.errors import NotFound
from ricordo.model import KINDS, ORIGINS, Entry
from ricordo.surfaces.cli import preview
from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.cli.param_types import ahead, json, text, time
from ricordo.surfaces.output import flat


@verb(
    "remember",
    'ricordo remember "Prefers window seats" --name seat --tag travel',
    "cat notes.md | ricordo remember - --name notes",
)
@click.argument("content", metavar="TEXT", type=text)
@click.option("--name", help="Its name; a known one gets a new revision. Made up unless given.")
@click.option("--kind", type=click.Choice(KINDS), default="note", show_default=True)
@click.option("--category", help='One drawer, "core" unless given.')
@click.option("--tag", "tags", multiple=True, help="A label; may be given several times.")
@click.option("--alias", "aliases", multiple=True, help="Another name; may be given several times.")
@click.option("--origin", type=click.Choice(ORIGINS), help="Who it came from; agent unless given.")
@click.option("--source", help="Where it came from, in your words.")
@click.option("--importance", type=float, help="From 0 to 1; 0.5 unless given.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
@click.option("--expires-at", type=ahead, help="From when on it is not found any more.")
@click.option("--replace/--no-replace", default=True, help="May a known name be written again?")
def remember(call: Call, content: str, tags: tuple[str, ...], **given: Any) -> None:
    """Keep TEXT as an entry and print its name.

    TEXT may be - to read standard input. The entry is durable when this returns and found by name
    and words at once; the next recall or flush makes its vector.
    """
    with call.memory(writes=True) as memory:
        entry = call.space(memory).remember(content, tags=tags or None, **given)
    call.out.line(entry, entry.name)


@verb("fact", "ricordo fact user dog_name Rex", "ricordo fact user dog_name")
@click.argument("category")
@click.argument("key")
@click.argument("value", required=False, type=text)
@click.option("--origin", type=click.Choice(ORIGINS), help="Who it came from; agent unless given.")
@click.option("--source", help="Where it came from, in your words.")
@click.option("--tag", "tags", multiple=True, help="A label; may be given several times.")
@click.option("--metadata", type=json, help="A JSON object to keep with it.")
def fact(
    call: Call, category: str, key: str, value: str | None, tags: tuple[str, ...], **given: Any
) -> None:
    """State that KEY of CATEGORY is VALUE, or print what holds.

    The last statement is the one that holds; earlier ones stay in the history.
    """
    with call.memory(writes=value is not None) as memory:
        entry = call.space(memory).fact(category, key, value, tags=tags or None, **given)
    if entry is None:
        raise NotFound(f"there is no fact {key!r} in category {category!r}")
    call.out.line(entry, entry.content if value is None else entry.name)


@verb("get", "ricordo get seat", "ricordo get seat --as-of 2026-03-01")
@click.argument("name")
@click.option("--as-of", type=time, help="As it stood then.")
def get(call: Call, name: str, as_of: datetime | None) -> None:
    """Print what the entry behind NAME says.

    NAME is a name, an alias, an id or a uid. The text is printed as it was stored.
    """
    with call.memory() as memory:
        space = call.space(memory)
        entry = space.get(name, as_of=as_of)
    if entry is None:
        then = "" if as_of is None else f" as of {flat(as_of)} UTC"
        raise NotFound(f"there is no entry {name!r} in space {space.name!r}{then}")
    call.out.line(entry, entry.content)


@verb("list", "ricordo list --tag travel", "ricordo list --kind fact --prefix user/ --json")
@click.option("--kind", type=click.Choice(KINDS))
@click.option("--category")
@click.option("--tag", "tags", multiple=True, help="With all of these; may be given several times.")
@click.option("--prefix", help="Only names that begin so.")
@click.option("--limit", type=int, default=100, show_default=True)
@click.option("--after", metavar="NAME", help="The last name of the page before.")
def list_entries(call: Call, tags: tuple[str, ...], **given: Any) -> None:
    """Print the entries of the space, most recently written first.

    A line holds name, kind, category, time of writing (UTC) and text.
    """
    with call.memory() as memory:
        entries = call.space(memory).entries(tags=tags or None, **given)
    titles = ("name", "kind", "category", "written", "text")
    rows = [(e.name, e.kind, e.category, e.updated_at, e.content) for e in entries]
    call.out.table(entries, titles, rows)


@verb("write", 'ricordo write seat "Prefers aisle seats now"')
@click.argument("name")
@click.argument("content", metavar="TEXT", type=text)
def write(call: Call, name: str, content: str) -> None:
    """Let the entry NAME say TEXT from now on.

    What it said before stays in its history. TEXT may be - to read standard input.
    """
    with call.known_memory() as memory:
        entry = call.space(memory).write(name, content)
    call.out.line(entry, entry.name)


@verb("rename", "ricordo rename seat seating --keep")
@click.argument("name")
@click.argument("new")
@click.option("--keep", is_flag=True, help="The old name goes on leading to it, as an alias.")
def rename(call: Call, name: str, new: str, keep: bool) -> None:
    """Give the entry NAME the name NEW."""
    with call.known_memory() as memory:
        entry = call.space(memory).rename(name, new, keep=keep)
    call.out.line(entry, entry.name)


@verb("alias", "ricordo alias seat chair")
@click.argument("name")
@click.argument("alias")
@click.option("--rebind", is_flag=True, help="Take the alias away from another entry.")
def alias(call: Call, name: str, alias: str, rebind: bool) -> None:
    """Let ALIAS lead to the entry NAME too."""
    with call.known_memory() as memory:
        entry = call.space(memory).alias(name, alias, rebind=rebind)
    call.out.line(entry, entry.name)


@verb("forget", "ricordo forget seat --dry-run", "ricordo forget seat --yes")
@click.argument("name")
@click.option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(call: Call, name: str, dry_run: bool, yes: bool) -> None:
    """Remove the entry NAME and print the receipt.

    Its names, revisions, index rows, vectors and signals go with it, and it cannot
    be undone. Without a terminal to ask on, --yes is needed.
    """
    with call.known_memory() as memory:
        space = call.space(memory)
        if dry_run:
            preview.show(call, space.forget(name, dry_run=True))
            return
        if not yes:
            _confirm(space.get(name), name)
        receipt = space.forget(name)
    rows = [("forgotten", receipt.target), *receipt.removed.items(), ("at", receipt.at)]
    call.out.table(receipt, ("what", "removed"), rows)


def _confirm(entry: Entry | None, name: str) -> None:
    """Let the user see what would go, and say no."""
    if entry is None:
        raise NotFound(f"there is no entry {name!r}")
    question = f"Forget {entry.name!r} ({flat(entry.content)[:60]!r})?"
    confirm(question, f"forgetting {entry.name!r}")


@verb("history", "ricordo history seat")
@click.argument("name")
def history(call: Call, name: str) -> None:
    """Print what the entry NAME said before, oldest first.

    A line holds the number, since when and until when it held (UTC), and the text.
    """
    with call.memory() as memory:
        revisions = call.space(memory).history(name)
    rows = [(r.number, r.since, r.until, r.content) for r in revisions]
    call.out.table(revisions, ("number", "since", "until", "text"), rows)


VERBS = (remember, get, list_entries, write, rename, alias, forget, history, fact)
