"""Toolsets `entries` (remember, recall, forget by name) and `operations` (the five writes of an
entry: add, rename, alias, write, remove). Both answer in plain text."""

from typing import Annotated, Literal

from ricordo.core.text.quotation import one_line, quote_lines
from ricordo.errors import NotFound
from ricordo.model import Entry
from ricordo.surfaces.tools.format import (
    MOST_ALIASES,
    Filled,
    UpTo,
    find_by_key,
    recall_entries,
    require_text,
)
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import (
    ADDS,
    READS,
    REMOVES,
    REPLACES,
    SETS,
    Bound,
    Tool,
    ToolFailure,
    Toolset,
)

_MARKS = ("## ", "---", ">")  # of an answer with several entries
Name = Annotated[str, About("the name of an entry, or one of its aliases", shortest=1)]
NewName = Annotated[str, About("a name that no entry has yet", shortest=1)]


def word_failure(failure: ToolFailure, tool: Tool) -> ToolFailure:  # noqa: ARG001
    """The failure as plain text; bad arguments say so first."""
    prefix = "invalid arguments: " if failure.kind == "invalid_arguments" else ""
    text = prefix + failure.message
    return ToolFailure(text, failure.kind, text)


ENTRY_TOOLS = Toolset("entries", "named entries with aliases, as plain text", word_failure)
OPERATIONS = Toolset("operations", "the five writes of an entry", word_failure)


@ENTRY_TOOLS.tool(
    {"name": "home", "content": "Lisbon", "aliases": ["city"]},
    hints=REPLACES,
    errors=("an archive has the name", "an alias belongs to another entry"),
)
def remember(
    bound: Bound,
    name: Annotated[str, About("a known name is replaced", shortest=1)],
    content: Filled,
    aliases: Annotated[
        list[str] | None, About("all other names; replaces those there", longest=MOST_ALIASES)
    ] = None,
) -> str:
    """Remember something under a name."""
    entry = bound.space.remember(
        content, name, aliases=aliases or (), origin="agent", source="remember"
    )
    if aliases is not None:
        _drop_aliases(bound, entry, [*aliases, name])
    return f"remembered: {one_line(name)}"


@ENTRY_TOOLS.tool({"query": "where is home?"}, hints=READS)
def recall(bound: Bound, query: Annotated[str, About("words to look for")], limit: UpTo = 5) -> str:
    """Search names and contents of entries by words."""
    entries = recall_entries(bound.space, query, limit, profile="bm25")
    return "\n---\n".join(map(_show_entry, entries)) or "no memories found"


@ENTRY_TOOLS.tool({"name": "home"}, hints=REMOVES)
def forget(bound: Bound, name: Name) -> str:
    """Forget an entry with all its aliases."""
    entry = find_by_key(bound.space, name)
    try:
        if entry is not None:
            bound.space.forget(entry.uid)
            return f"forgot: {one_line(name)}"
    except NotFound:  # somebody else was faster
        pass
    return f"no entry named: {one_line(name)}"


@OPERATIONS.tool(
    {"name": "flat", "content": "Third floor"},
    {"name": "trip-2026", "content": "Ana flew to Oslo", "kind": "archive"},
    hints=ADDS,
    errors=("the name already exists",),
)
def add(
    bound: Bound,
    name: NewName,
    content: Filled,
    kind: Annotated[
        Literal["note", "archive"], About("archive: the summary of a conversation")
    ] = "note",
) -> str:
    """Add a new entry."""
    if find_by_key(bound.space, name) is not None:
        raise ToolFailure(f"{name!r} already exists; use write to change it", "conflict")
    entry = bound.space.remember(
        content, name, kind=kind, origin="agent", source="add", replace=False
    )
    return f"added: {one_line(name)} (id {entry.id})"


@OPERATIONS.tool(
    {"name": "home", "new": "residence"},
    hints=SETS,
    errors=("no such entry", "another entry has the new name"),
)
def rename(bound: Bound, name: Name, new: NewName) -> str:
    """Give an entry another name; the old one stops leading to it."""
    entry = bound.space.rename(_find_entry(bound, name).uid, new)
    return f"renamed: {one_line(name)} -> {one_line(entry.name)}"


@OPERATIONS.tool(
    {"name": "home", "alias": "city"},
    {"name": "flat", "alias": "city", "rebind": True},
    hints=SETS,
    errors=("no such entry", "the alias belongs to another entry, and rebind is not set"),
)
def alias(
    bound: Bound,
    name: Name,
    alias: Annotated[str, About("the other name", shortest=1)],
    rebind: Annotated[bool, About("take the alias from another entry that has it")] = False,
) -> str:
    """Let one more name lead to an entry."""
    bound.space.alias(_find_entry(bound, name).uid, alias, rebind=rebind)
    return f"aliased: {one_line(alias)} -> {one_line(name)}"


@OPERATIONS.tool({"name": "home", "content": "Porto"}, hints=REPLACES, errors=("no such entry",))
def write(bound: Bound, name: Name, content: Filled) -> str:
    """Replace the content of an entry; what it said before stays in its history."""
    bound.space.write(_find_entry(bound, name).uid, content)
    return f"wrote: {one_line(name)}"


@OPERATIONS.tool({"name": "home"}, hints=REMOVES, errors=("no such entry",))
def remove(bound: Bound, name: Name) -> str:
    """Remove an entry with all its aliases."""
    bound.space.forget(_find_entry(bound, name).uid)
    return f"removed: {one_line(name)}"


def _show_entry(entry: Entry) -> str:
    """An entry below its name; a text that could pass for the next entry is quoted."""
    is_plain = not any(line.startswith(_MARKS) for line in entry.content.splitlines())
    text = entry.content if is_plain else quote_lines(entry.content)
    return f"## {one_line(entry.name)}\n{text}"


def _find_entry(bound: Bound, name: str) -> Entry:
    entry = find_by_key(bound.space, require_text(name, "name"))
    if entry is None:
        raise NotFound(f"{name!r} was not found; use a name from recall")
    return entry


def _drop_aliases(bound: Bound, entry: Entry, kept: list[str]) -> None:
    """Remove the aliases that are no longer wanted."""
    for alias in entry.aliases:
        if alias not in kept:
            # Rename to the alias and back: the alias then no longer leads here.
            bound.space.rename(entry.uid, alias)
            bound.space.rename(entry.uid, entry.name)
