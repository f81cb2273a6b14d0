"""Adding messages: without a model, each is kept word for word, and the facts that are certain.

A fact has one place for its ids and its subject: stated again, it replaces what was there.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ricordo.errors import InvalidInput, shorten
from ricordo.model import Json
from ricordo.surfaces.http.mem0.memories import EXPIRES, OWN, expiry_of, read_ids, time_of

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

MOST = 1_000  # messages of one call
_UNHEARD = ("system", "developer")  # instructions are not memories


@dataclass(frozen=True, slots=True)
class AddRequest:
    """What a client wants kept."""

    texts: list[tuple[str, str]]  # role and text of each message
    ids: Mapping[str, str]
    metadata: Json
    expiration_date: str | None
    at: Any  # a datetime, or None
    infers: bool


def read_request(given: Mapping[str, Any]) -> AddRequest:
    """A checked request, or InvalidInput."""
    messages = given["messages"]
    if not messages or len(messages) > MOST:
        raise InvalidInput(f"messages has {len(messages):,} items; give 1 to {MOST:,}")
    texts = [(str(each.get("role", "user")), read_text(each)) for each in messages]
    return AddRequest(
        [(role, text) for role, text in texts if text and role not in _UNHEARD],
        read_ids(given, given.get("filters") or {}),
        given.get("metadata"),
        given.get(EXPIRES),
        time_of(given.get("timestamp")),
        given.get("infer", True) is not False,
    )


def read_text(message: Mapping[str, Json]) -> str:
    """The text of a message; of several parts, those that are text."""
    content = message.get("content")
    if content is None:
        return ""
    if isinstance(content, str):
        return content.strip()
    parts = [content] if isinstance(content, dict) else content
    if not isinstance(parts, list):
        raise InvalidInput(f"the content of a message is {shorten(content)}; give a text")
    texts = [each.get("text") for each in parts if isinstance(each, dict)]
    return "\n".join(each for each in texts if isinstance(each, str)).strip()


def add(space: "Space", asked: AddRequest) -> dict[str, Json]:
    """Keep messages and facts in one transaction; says what became of each."""
    wishes = [_message_wish(asked, role, text) for role, text in asked.texts]
    stated = list(_fact_wishes(asked)) if asked.infers else []
    before = {wish["name"]: space.get(wish["name"], exact=True) for wish in stated}
    changed = [
        wish
        for wish in stated
        if (known := before[wish["name"]]) is None or known.content != wish["content"]
    ]
    kept = space.remember_many([*wishes, *changed]) if wishes or changed else []
    results: list[dict[str, Json]] = []
    for entry in kept:
        is_new = before.get(entry.name) is None
        event = "ADD" if is_new else "UPDATE"
        results.append({"id": entry.uid, "memory": entry.content, "event": event})
    return {"results": results, "message": _tell(len(wishes), len(changed), asked)}


def _tell(messages: int, facts: int, asked: AddRequest) -> str:
    told = f"kept word for word: {messages} of the messages"
    if not asked.infers:
        return told
    return f"{told}; no model read them, facts that are certain: {facts}"


def _message_wish(asked: AddRequest, role: str, text: str) -> dict[str, Any]:
    origin = "user" if role == "user" else "tool" if role in ("tool", "function") else "agent"
    return {"content": text, "origin": origin, **_common(asked, {"role": role})}


def _fact_wishes(asked: AddRequest) -> Iterable[dict[str, Any]]:
    """What people state of themselves in so many words; the last word of a subject counts."""
    from ricordo.core.conversation.extract_facts import read_text as read_facts

    found: dict[str, dict[str, Any]] = {}
    for role, text in asked.texts:
        if role != "user":
            continue
        for fact in read_facts(text):
            is_said = set(fact.value.lower().split()) <= set(fact.key.lower().split())
            content = fact.key if is_said else f"{fact.key}: {fact.value}"
            name = _name_fact(asked.ids, fact.category, fact.key)
            common = _common(asked, {"categories": [fact.category]})
            found[name] = {"content": content, "name": name, "origin": "user", **common}
    return found.values()


def _name_fact(ids: Mapping[str, str], category: str, key: str) -> str:
    """One name for a subject of these ids; other ids have another one."""
    said = json.dumps([sorted(ids.items()), category, key.lower()])
    return f"mem0-{hashlib.sha256(said.encode()).hexdigest()[:32]}"


def _common(asked: AddRequest, more: Mapping[str, Json]) -> dict[str, Any]:
    metadata: dict[str, Json] = {**asked.ids, **more}
    if asked.metadata:
        metadata[OWN] = asked.metadata
    if asked.expiration_date is not None:
        metadata[EXPIRES] = asked.expiration_date
    return {
        "metadata": metadata,
        "expires_at": expiry_of(asked.expiration_date),
        "at": asked.at,
        "source": "mem0",
        "embed_name": False,
    }
