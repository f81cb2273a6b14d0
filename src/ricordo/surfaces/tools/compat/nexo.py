"""Toolset `memory`: the one tool `memory` with the actions remember, recall and forget.

An id that leads nowhere is answered {ok: false}; bad arguments are raised. Scores are never shown.
"""

import uuid
from typing import Annotated, Literal, NotRequired, TypedDict

from ricordo.errors import InvalidInput, NotFound, Unavailable
from ricordo.surfaces.tools.format import Tags, UpTo, filled, found
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import Annotations, Bound, ToolFailure, Toolset

MEMORY = Toolset("memory", "long-term memory in one tool with three actions")


class Memory(TypedDict):
    id: str
    content: str
    tags: list[str]


class Answer(TypedDict):
    ok: bool
    id: NotRequired[str]
    results: NotRequired[list[Memory]]


@MEMORY.tool(
    {"action": "remember", "content": "Prefers window seats", "tags": ["travel"]},
    {"action": "recall", "query": "seat", "limit": 3, "mode": "keyword"},
    {"action": "forget", "id": "0198c0de-0000-7000-8000-000000000000"},
    hints=Annotations(destructive=True),
    errors=("content, query or id is missing", "the id is no UUID", "an unknown mode or action"),
)
def memory(
    bound: Bound,
    action: Literal["remember", "recall", "forget"],
    content: Annotated[str | None, About("remember: what to keep")] = None,
    tags: Annotated[Tags | None, About("remember: labels")] = None,
    context: Annotated[str | None, About("remember: why, or on what occasion")] = None,
    query: Annotated[str | None, About("recall: what to look for")] = None,
    limit: UpTo = 5,
    mode: Literal["keyword", "vector", "hybrid"] = "keyword",
    id: Annotated[str | None, About("forget: the id that recall gave")] = None,
) -> Answer:
    """Long-term memory: remember a text, recall by a query, forget by id."""
    if action == "remember":
        return _remember(bound, content, tags, context)
    if action == "recall":
        return _recall(bound, query, limit, mode)
    return _forget(bound, id)


def _remember(
    bound: Bound, content: str | None, tags: list[str] | None, context: str | None
) -> Answer:
    metadata = None if context is None else {"context": context}
    entry = bound.space.remember(
        filled(content, "content"), tags=tags, metadata=metadata, origin="agent", source="memory"
    )
    return {"ok": True, "id": entry.uid}


def _recall(bound: Bound, query: str | None, limit: int, mode: str) -> Answer:
    if query is None:
        raise InvalidInput("query is missing; say what to look for")
    try:
        entries = list(found(bound.space, query, limit, profile="rrf", mode=mode))
    except Unavailable:  # its words may name a server or a file
        raise ToolFailure("nothing here makes vectors now; use the mode keyword") from None
    results: list[Memory] = [
        {"id": entry.uid, "content": entry.content, "tags": list(entry.tags)} for entry in entries
    ]
    return {"ok": True, "results": results}


def _forget(bound: Bound, id: str | None) -> Answer:
    wanted = filled(id, "id")
    try:
        uid = str(uuid.UUID(wanted))
    except ValueError:
        raise InvalidInput(f"id {wanted!r:.60} is no UUID; give one that recall showed") from None
    try:
        bound.space.forget(uid)
    except NotFound:
        return {"ok": False}
    return {"ok": True}
