"""The routes of mem0's API that its clients call to keep, find and delete memories.

The space is that of the token, or the server's own: no request names one. What is beside memories
(exports, summaries, feedback, projects, webhooks) is not answered.
"""

from typing import Any

from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.model import Entry, Json
from ricordo.surfaces.http.mem0 import adding, memories
from ricordo.surfaces.http.mem0.filters import IDS
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import MOST, RequestContext, Route, rest_of, route

_TRIES = 8  # of a change that others make at the same time


def ping(asked: RequestContext) -> dict[str, Json]:
    """Whether the key is valid; a client asks this first."""
    return {
        "status": "ok",
        "org_id": "ricordo",
        "project_id": asked.space.name,
        "user_email": None,
    }


def add_memories(asked: RequestContext) -> dict[str, Json]:
    """Keep messages word for word and, with `infer`, the facts in them that are certain."""
    return adding.add(asked.space, adding.read_request(asked.given))


def list_memories(asked: RequestContext) -> dict[str, Json]:
    """The memories that filters let through, the latest first."""
    given = rest_of(asked)
    found = memories.list_memories(asked.space, given.get("filters"))
    page, size = given.get("page", 1), given.get("page_size", 100)
    start = (page - 1) * size
    return {
        "count": len(found),
        "next": _name_page(page + 1, size) if start + size < len(found) else None,
        "previous": _name_page(page - 1, size) if page > 1 else None,
        "results": found[start : start + size],
    }


def _name_page(page: int, size: int) -> str:
    return f"/v3/memories/?page={page}&page_size={size}"


def search_memories(asked: RequestContext) -> dict[str, Json]:
    """The memories nearest to a query, each with a score from 0 to 1."""
    given = rest_of(asked)
    limit, least = given.get("top_k", 10), given.get("threshold", 0.0)
    found = memories.recall_memories(
        asked.space, given["query"], given.get("filters"), limit, least
    )
    return {"results": found}


def get_memory(asked: RequestContext) -> dict[str, Json]:
    """One memory."""
    return memories.show(memories.find(asked.space, asked.path["memory"]))


def update_memory(asked: RequestContext) -> dict[str, Json]:
    """Change the text, metadata, time or expiration date of a memory; null ends its expiration."""
    return memories.show(_update(asked, [{**asked.body, "memory_id": asked.path["memory"]}])[0])


def update_many(asked: RequestContext) -> dict[str, Json]:
    """Change several memories in one transaction: all of them, or none."""
    changed = _update(asked, _read_batch(asked))
    return {"message": f"Successfully updated {len(changed)} memories"}


def delete_memory(asked: RequestContext) -> dict[str, Json]:
    """Delete a memory and everything derived from it."""
    asked.space.forget(memories.find(asked.space, asked.path["memory"]))
    return {"message": "Memory deleted successfully!"}


def delete_many(asked: RequestContext) -> dict[str, Json]:
    """Delete several memories; none of them if one does not exist."""
    found = [memories.find(asked.space, each["memory_id"]) for each in _read_batch(asked)]
    for entry in found:
        asked.space.forget(entry)
    return {"message": f"Successfully deleted {len(found)} memories"}


def delete_memories(asked: RequestContext) -> dict[str, Json]:
    """Delete the memories of a user, an agent, an app or a run; * stands for any."""
    given = rest_of(asked)
    if not given:
        raise InvalidInput(f"at least one of {', '.join(IDS)} is needed; * stands for any")
    where = {name: {"$exists": True} if each == "*" else each for name, each in given.items()}
    asked.space.forget(where=where)
    return {"message": "Memories deleted successfully!"}


def memory_history(asked: RequestContext) -> list[dict[str, Json]]:
    """What a memory said before, the first first."""
    entry = memories.find(asked.space, asked.path["memory"])
    return memories.show_history(entry, asked.space.history(entry))


def list_entities(asked: RequestContext) -> dict[str, Json]:
    """The users, agents, apps and runs that have memories, and how many."""
    found: dict[tuple[str, str], dict[str, Json]] = {}
    for memory in memories.list_memories(asked.space, None):
        for kind in IDS:
            name = memory[kind]
            if name is None:
                continue
            row = found.setdefault((kind, name), _show_entity(kind, name, memory))
            row["total_memories"] += 1
            row["created_at"] = min(row["created_at"], memory["created_at"])
    rows = [found[key] for key in sorted(found)]
    return {"count": len(rows), "next": None, "previous": None, "results": rows}


def _show_entity(kind: str, name: str, memory: dict[str, Json]) -> dict[str, Json]:
    return {
        "id": name,
        "name": name,
        "type": kind.removesuffix("_id"),
        "total_memories": 0,
        "created_at": memory["created_at"],
        "updated_at": memory["updated_at"],
    }


def delete_entity(asked: RequestContext) -> dict[str, Json]:
    """Delete a user, agent, app or run: all of its memories."""
    kind, name = f"{asked.path['type']}_id", asked.path["entity"]
    if kind not in IDS:
        raise NotFound(f"there are no entities of type {asked.path['type']!r:.80}")
    if not asked.space.forget(where={kind: name}).removed.get("entries"):
        raise NotFound(f"there is no {asked.path['type']!r:.80} {name!r:.80}")
    return {"message": "Entity deleted successfully!"}


def _read_batch(asked: RequestContext) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = rest_of(asked)["memories"]
    if len(listed) > MOST:
        raise InvalidInput(f"memories has {len(listed):,} items; give at most {MOST:,}")
    if wrong := [each for each in listed if not isinstance(each.get("memory_id"), str)]:
        raise InvalidInput(f"a memory has no memory_id: {str(wrong[0])[:80]}")
    return listed


def _update(asked: RequestContext, changes: list[dict[str, Any]]) -> list[Entry]:
    """Write changes in one transaction, each to the revision that was read."""
    for left in reversed(range(_TRIES)):
        try:
            return asked.space.remember_many([_read_change(asked, each) for each in changes])
        except Conflict:  # somebody else wrote in between: read again
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


def _read_change(asked: RequestContext, change: dict[str, Any]) -> dict[str, Any]:
    """A change of a memory as what `remember` takes."""
    entry = memories.find(asked.space, change["memory_id"])
    text, own = change.get("text"), change.get("metadata")
    if text is not None and not isinstance(text, str):
        raise InvalidInput(f"text is {text!r:.80}; give a text")
    if own is not None and not isinstance(own, dict):
        raise InvalidInput(f"metadata is {own!r:.80}; give an object")
    kept = {**entry.metadata} | ({} if own is None else {memories.OWN: own})
    wish: dict[str, Any] = {
        "content": entry.content if text is None else text,
        "name": entry.name,
        "kind": entry.kind,
        "if_revision": entry.revision,
        "at": memories.time_of(change.get("timestamp")),
    }
    if memories.EXPIRES in change:
        day = change[memories.EXPIRES]
        kept[memories.EXPIRES] = day
        wish["expires_at"] = memories.expiry_of(day) or "never"
    return {**wish, "metadata": kept}


def _foreign(method: str, path: str, run: Any, *parameters: Parameter, **rest: Any) -> Route:
    return route(
        path,
        run,
        rest.pop("gives", dict[str, Any]),
        *parameters,
        method=method,
        is_foreign=True,
        name=f"mem0_{run.__name__}",
        **rest,
    )


_FILTERS = Parameter("filters", "object", "Which memories: ids, metadata, AND, OR, NOT.")
_METADATA = Parameter("metadata", "object", "Metadata of the memory.")
_EXPIRES = Parameter(memories.EXPIRES, "string", "The last day of the memory, as 2027-01-31.")
_TIMESTAMP = Parameter("timestamp", "integer", "When it was said, in seconds since 1970.")
_BELONGS = tuple(Parameter(name, "string", f"The {name[:-3]} it belongs to.") for name in IDS)
_BATCH = Parameter(
    "memories", "object", "Memories, each with its memory_id.", required=True, many=True
)
_BODY = {"takes": "body"}
_WRITES = {"takes": "body", "writes": True}

ROUTES: tuple[Route, ...] = (
    _foreign("GET", "/v1/ping/", ping),
    _foreign(
        "POST",
        "/v3/memories/add/",
        add_memories,
        Parameter("messages", "object", "Messages: role and content.", required=True, many=True),
        *_BELONGS,
        _FILTERS,
        _METADATA,
        _EXPIRES,
        _TIMESTAMP,
        Parameter("infer", "boolean", "False to keep the messages alone."),
        **_WRITES,
    ),
    _foreign(
        "POST",
        "/v3/memories/",
        list_memories,
        _FILTERS,
        Parameter("page", "integer", "Which page; default: 1.", least=1, most=MOST),
        Parameter("page_size", "integer", "Memories of a page; default: 100.", least=1, most=MOST),
        **_BODY,
    ),
    _foreign(
        "POST",
        "/v3/memories/search/",
        search_memories,
        Parameter("query", "string", "What to look for.", required=True),
        _FILTERS,
        Parameter("top_k", "integer", "How many; default: 10.", least=1, most=MOST),
        Parameter("threshold", "number", "The least score.", least=0, most=1),
        **_BODY,
    ),
    _foreign("GET", "/v1/memories/{memory}/", get_memory),
    _foreign(
        "PUT",
        "/v1/memories/{memory}/",
        update_memory,
        Parameter("text", "string", "The new text."),
        _METADATA,
        _EXPIRES,
        Parameter("timestamp", "number", "When it was said, in seconds since 1970."),
        **_WRITES,
    ),
    _foreign("DELETE", "/v1/memories/{memory}/", delete_memory, writes=True),
    _foreign("GET", "/v1/memories/{memory}/history/", memory_history, gives=list[dict[str, Any]]),
    _foreign("DELETE", "/v1/memories/", delete_memories, *_BELONGS, writes=True, is_sweeping=True),
    _foreign("PUT", "/v1/batch/", update_many, _BATCH, **_WRITES),
    _foreign("DELETE", "/v1/batch/", delete_many, _BATCH, **_WRITES),
    _foreign("GET", "/v1/entities/", list_entities),
    _foreign(
        "DELETE", "/v2/entities/{type}/{entity}/", delete_entity, writes=True, is_sweeping=True
    ),
)
