"""Toolset `chatgpt`: search and fetch, whose names and shapes ChatGPT's connectors fix."""

from typing import Annotated, TypedDict
from urllib.parse import quote

from ricordo.errors import NotFound
from ricordo.model import Hit
from ricordo.surfaces.tools.format import cite, when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import READS, Bound, Toolset

CHATGPT = Toolset("chatgpt", "search and fetch, as ChatGPT's connectors expect them")
_HITS = 10
_TITLE = 80  # characters


class Result(TypedDict):
    id: str
    title: str
    url: str


class Results(TypedDict):
    results: list[Result]


class Fetched(TypedDict):
    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


@CHATGPT.tool({"query": "where does she like to sit?"}, hints=READS)
def search(
    bound: Bound, query: Annotated[str, About("what to look for, in plain words", shortest=1)]
) -> Results:
    """Search memory; fetch reads a result in full."""
    found: dict[str, Result] = {}
    for hit in bound.space.recall(query, _HITS):
        result = _result(hit)
        found.setdefault(result["id"], result)
    return {"results": list(found.values())}


@CHATGPT.tool({"id": "seat"}, hints=READS, errors=("an unknown id",))
def fetch(bound: Bound, id: Annotated[str, About("an id from search", shortest=1)]) -> Fetched:
    """Read a result of search in full."""
    entry = bound.space.get(id)
    if entry is None:
        raise NotFound(f"there is nothing with the id {id!r:.60}; use an id from search")
    return {
        "id": id,
        "title": _title(entry.name, entry.content),
        "text": entry.content,
        "url": _address(entry.kind, entry.name),
        "metadata": {
            "kind": entry.kind,
            "category": entry.category,
            "origin": entry.origin,
            "tags": ", ".join(entry.tags),
            "updated_at": when(entry.updated_at),
        },
    }


def _result(hit: Hit) -> Result:
    entry = hit.entry
    id = cite(hit) if entry is None else entry.uid
    kind, name = (hit.source.kind, "") if entry is None else (entry.kind, entry.name)
    return {"id": id, "title": _title(name, hit.text), "url": _address(kind, name or id)}


def _address(kind: str, name: str) -> str:
    """The URI of a file, or the address of any other resource."""
    return name if kind == "file" else f"ricordo://entries/{quote(name, safe='')}"


def _title(name: str, text: str) -> str:
    """A meaningful name, or the beginning of the text."""
    said = " ".join(text.split()) if not name or name.startswith("note-") else name
    return said if len(said) <= _TITLE else f"{said[: _TITLE - 1]}…"
