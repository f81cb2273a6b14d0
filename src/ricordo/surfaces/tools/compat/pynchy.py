"""Toolset `keyed`: save_memory, recall_memories, forget_memory and list_memories.

The group that the document speaks of is the space of the call. Every answer is {"result": …} or
{"error": …}; nothing is raised.
"""

from typing import Annotated, NotRequired, TypedDict

from ricordo.errors import NotFound
from ricordo.model import Json
from ricordo.surfaces.tools.format import Filled, find_by_key, recall_entries, require_text, when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import (
    READS,
    REMOVES,
    REPLACES,
    Bound,
    Tool,
    ToolFailure,
    Toolset,
)

MOST_LISTED = 1_000


def word_failure(failure: ToolFailure, tool: Tool) -> ToolFailure:  # noqa: ARG001
    """The failure as it is answered."""
    return ToolFailure(failure.message, failure.kind, {"error": failure.message})


KEYED = Toolset(
    "keyed", "memories under your own keys, by category", word_failure, answers_failures=True
)

Key = Annotated[str, About("short and lasting, such as user-timezone", shortest=1)]
Most = Annotated[int, About("0 for none, below 0 for all")]
Category = Annotated[str, About("core stays, daily is for today, conversation for this talk")]


class Status(TypedDict):
    key: str
    status: str


class Save(TypedDict):
    result: NotRequired[Status]
    error: NotRequired[str]


class MemoryMatch(TypedDict):
    key: str
    content: str
    category: str
    metadata: dict[str, Json]
    updated_at: str


class RecalledAll(TypedDict):
    memories: list[MemoryMatch]
    count: int


class Recall(TypedDict):
    result: NotRequired[RecalledAll]
    error: NotRequired[str]


class Removal(TypedDict):
    removed: bool


class Forget(TypedDict):
    result: NotRequired[Removal]
    error: NotRequired[str]


class KeyItem(TypedDict):
    key: str
    category: str
    updated_at: str


class ListedAll(TypedDict):
    memories: list[KeyItem]
    count: int


class List(TypedDict):
    result: NotRequired[ListedAll]
    error: NotRequired[str]


@KEYED.tool(
    {"key": "user-timezone", "content": "Europe/Berlin"},
    {"key": "todo", "content": "Buy milk", "category": "daily", "metadata": {"by": "Ana"}},
    hints=REPLACES,
    errors=("key or content is missing or empty", "the key belongs to an archive or a fact"),
)
def save_memory(
    bound: Bound,
    key: Key,
    content: Filled,
    category: Category = "core",
    metadata: dict[str, Json] | None = None,
) -> Save:
    """Save a memory under a key; a known key is replaced."""
    require_text(key, "key")
    require_text(content, "content")
    is_known = find_by_key(bound.space, key) is not None
    bound.space.remember(
        content, key, category=category, metadata=metadata, origin="agent", source="save_memory"
    )
    return {"result": {"key": key, "status": "updated" if is_known else "created"}}


@KEYED.tool({"query": "time zone"}, hints=READS, errors=("query is missing or empty",))
def recall_memories(
    bound: Bound, query: Filled, category: str | None = None, limit: Most = 5
) -> Recall:
    """Search keys and contents by words; if none is there, by any part of the text."""
    entries = recall_entries(
        bound.space, require_text(query, "query"), limit, profile="two_tier", category=category
    )
    memories: list[MemoryMatch] = [
        {
            "key": entry.name,
            "content": entry.content,
            "category": entry.category,
            "metadata": dict(entry.metadata),
            "updated_at": when(entry.updated_at),
        }
        for entry in entries
    ]
    return {"result": {"memories": memories, "count": len(memories)}}


@KEYED.tool({"key": "todo"}, hints=REMOVES, errors=("key is missing or empty",))
def forget_memory(bound: Bound, key: Key) -> Forget:
    """Forget the memory under a key."""
    entry = find_by_key(bound.space, require_text(key, "key"))
    try:
        if entry is not None:
            bound.space.forget(entry.uid)
    except NotFound:  # somebody else was faster
        entry = None
    return {"result": {"removed": entry is not None}}


@KEYED.tool({}, {"category": "daily"}, hints=READS)
def list_memories(bound: Bound, category: str | None = None) -> List:
    """List the keys of all memories, newest first."""
    entries = bound.space.entries(category=category, limit=MOST_LISTED)
    memories: list[KeyItem] = [
        {"key": e.name, "category": e.category, "updated_at": when(e.updated_at)} for e in entries
    ]
    return {"result": {"memories": memories, "count": len(memories)}}
