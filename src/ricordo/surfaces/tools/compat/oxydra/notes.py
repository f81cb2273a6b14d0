"""Toolset `notes`: memory_search, memory_save, memory_update, memory_delete and the scratchpad.

Errors are InvalidArguments or ExecutionFailed with the tool's name and a message. Scores are part
of the documented shape of memory_search, and only of that.
"""

import re
from typing import Annotated, Literal, TypedDict

from ricordo.errors import NotFound, RicordoError
from ricordo.model import Entry, Hit, RecallKind
from ricordo.surfaces.tools.format import Query, Tags, find_by_key, maybe, require_text, when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import (
    ADDS,
    READS,
    REMOVES,
    REPLACES,
    Bound,
    Tool,
    ToolFailure,
    Toolset,
)

MOST_HITS = 20
_NOTE_ID = re.compile(r"note-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
Content = Annotated[str, About("the whole text of the note", shortest=1)]
NoteId = Annotated[str, About("as memory_save or memory_search gave it", shortest=1)]


def word_failure(failure: ToolFailure, tool: Tool) -> ToolFailure:
    """The failure as InvalidArguments or ExecutionFailed."""
    is_invalid = failure.kind == "invalid_arguments"
    shape = {
        "error": "InvalidArguments" if is_invalid else "ExecutionFailed",
        "tool": tool.name,
        "message": failure.message,
    }
    return ToolFailure(failure.message, failure.kind, shape)


_SCHEMA_VERSION = 1

NOTES = Toolset("notes", "notes of a user and a scratchpad per session", word_failure)


class NoteResult(TypedDict):
    note_id: str
    text: str
    score: float
    source: Literal["user_memory", "conversation"]
    tags: list[str]
    created_at: str
    updated_at: str
    schema_version: int  # of this shape


class Saved(TypedDict):
    note_id: str
    message: str


class Scratchpad(TypedDict):
    session_id: str
    items: list[str]
    updated_at: str | None
    item_count: int


class Written(TypedDict):
    updated: bool
    item_count: int
    message: str


class ClearResult(TypedDict):
    cleared: bool
    message: str


@NOTES.tool({"query": "seat preference", "top_k": 3}, hints=READS, errors=("a blank query",))
def memory_search(
    bound: Bound,
    query: Query,
    top_k: Annotated[int, About(f"how many, at most {MOST_HITS}", minimum=1)] = 5,
    include_conversation: Annotated[bool, About("search past messages too")] = False,
    tags: Annotated[Tags | None, About("only notes that have all of them")] = None,
) -> list[NoteResult]:
    """Search the user's notes, and on wish past conversations, by words and meaning."""
    require_text(query, "query")
    limit = min(top_k, MOST_HITS)
    kinds: list[RecallKind] = ["note", "message"] if include_conversation else ["note"]
    try:  # both in one recall: scores that were scaled apart say nothing about each other
        hits = bound.space.recall(query, limit, kinds=kinds, tags=tags, profile="minmax")
    except RicordoError:
        if not include_conversation:
            raise
        # The notes are worth more than a failure of both.
        hits = bound.space.recall(query, limit, kinds=["note"], tags=tags, profile="minmax")
    return [_note(hit) for hit in hits]


@NOTES.tool(
    {"content": "Prefers window seats", "tags": ["travel"]}, hints=ADDS, errors=("blank content",)
)
def memory_save(bound: Bound, content: Content, tags: Tags | None = None) -> Saved:
    """Save a note about the user for later sessions."""
    entry = bound.space.remember(
        require_text(content, "content"),
        tags=tags,
        origin="agent",
        source="memory_save",
        replace=False,  # in this document each call makes a note of its own
    )
    return {"note_id": entry.name, "message": f"Saved note {entry.name}."}


@NOTES.tool(
    {"note_id": "note-0198c0de-0000-7000-8000-000000000000", "content": "Prefers aisle seats"},
    hints=REPLACES,
    errors=("an unknown note", "blank content"),
)
def memory_update(
    bound: Bound, note_id: NoteId, content: Content, tags: Tags | None = None
) -> Saved:
    """Replace the text of a note. Tags stay if none are given."""
    require_text(content, "content")
    name = _find_note(bound, note_id)
    bound.space.remember(content, name, tags=tags, origin="agent", source="memory_update")
    return {"note_id": note_id, "message": f"Updated note {note_id}."}


@NOTES.tool(
    {"note_id": "note-0198c0de-0000-7000-8000-000000000000"},
    hints=REMOVES,
    errors=("an unknown note",),
)
def memory_delete(bound: Bound, note_id: NoteId) -> Saved:
    """Delete a note for good."""
    bound.space.forget(_find_note(bound, note_id))
    return {"note_id": note_id, "message": f"Deleted note {note_id}."}


@NOTES.tool({}, hints=READS, errors=("no session is bound",), needs_session=True)
def scratchpad_read(bound: Bound) -> Scratchpad:
    """Read the working list of this session."""
    items = bound.session.scratchpad()
    return {
        "session_id": bound.session.name,
        "items": items,
        "updated_at": maybe(bound.session.scratchpad_at()),
        "item_count": len(items),
    }


@NOTES.tool(
    {"items": ["book the flight", "ask about the seat"]},
    hints=REPLACES,
    errors=("no session is bound", "no item is left", "an item is too long"),
    needs_session=True,
)
def scratchpad_write(
    bound: Bound,
    items: Annotated[
        list[Annotated[str, About(longest=240)]],
        About("the whole list, it replaces the old one", shortest=1, longest=32),
    ],
) -> Written:
    """Replace the working list of this session."""
    written = bound.session.write_scratchpad(items)
    told = "Scratchpad written." if written.updated else "The scratchpad says that already."
    return {"updated": written.updated, "item_count": written.item_count, "message": told}


@NOTES.tool({}, hints=REMOVES, errors=("no session is bound",), needs_session=True)
def scratchpad_clear(bound: Bound) -> ClearResult:
    """Empty the working list of this session."""
    cleared = bound.session.clear_scratchpad()
    told = "Scratchpad cleared." if cleared else "The scratchpad was empty."
    return {"cleared": cleared, "message": told}


def _find_note(bound: Bound, note_id: str) -> str:
    """The name of a note by its id. A name that somebody chose is not an id."""
    given = _NOTE_ID.fullmatch(note_id)
    entry = (
        None if given is None else find_by_key(bound.space, note_id) or bound.space.get(given[1])
    )
    if entry is None or entry.kind != "note" or _note_id(entry) != note_id:
        raise NotFound(f"there is no note {note_id!r:.60}; use an id from memory_search")
    return entry.name


def _note_id(entry: Entry) -> str:
    """What a note was saved under; a note with a name of its own goes by its uid."""
    return entry.name if _NOTE_ID.fullmatch(entry.name) else f"note-{entry.uid}"


def _note(hit: Hit) -> NoteResult:
    entry = hit.entry
    return {
        "note_id": "" if entry is None else _note_id(entry),
        "text": hit.text,
        "score": hit.score,
        "source": "conversation" if entry is None else "user_memory",
        "tags": [] if entry is None else list(entry.tags),
        "created_at": when(hit.at if entry is None else entry.created_at),
        "updated_at": when(hit.at if entry is None else entry.updated_at),
        "schema_version": _SCHEMA_VERSION,
    }
