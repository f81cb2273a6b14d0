"""What an entry looks like to a client of mem0, and what a space holds for one."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import md5
from typing import TYPE_CHECKING, Any

from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.model import Entry, Json, RecallKind, Revision
from ricordo.surfaces.http.mem0.filters import IDS, check_filters, passes, translate

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

OWN = "metadata"  # where the client's own metadata stands in that of an entry
EXPIRES = "expiration_date"
_KINDS: tuple[RecallKind, ...] = ("note", "fact")
_PAGE = 500  # hits that are read at a time


def show(entry: Entry) -> dict[str, Json]:
    """An entry as mem0 shows a memory."""
    kept = entry.metadata
    return {
        "id": entry.uid,
        "memory": entry.content,
        **{name: kept.get(name) for name in IDS},
        "hash": md5(entry.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": kept.get(OWN),
        "categories": kept.get("categories") or [],
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        EXPIRES: kept.get(EXPIRES),
    }


def find(space: "Space", uid: str) -> Entry:
    """The entry behind the id of a memory."""
    found = space.get(uid)
    if found is None or found.uid != uid or found.kind not in _KINDS:
        raise NotFound(f"there is no memory {uid!r:.80}; it may have been deleted or have expired")
    return found


def list_memories(space: "Space", filters: Mapping[str, Json] | None) -> list[dict[str, Json]]:
    """The memories that filters let through, the latest first."""
    check_filters(filters or {})
    where, _ = translate(filters)
    found = (show(each) for each in space.entries(where=where, limit=None) if each.kind in _KINDS)
    return [each for each in found if passes(each, filters)]


def recall_memories(
    space: "Space", query: str, filters: Mapping[str, Json] | None, limit: int, least: float
) -> list[dict[str, Json]]:
    """The memories nearest to a query among those that filters let through, with their scores."""
    check_filters(filters or {})
    found: list[dict[str, Json]] = []
    for memory in _list_hits(space, query, filters, limit):
        if len(found) == limit:
            break
        if passes(memory, filters) and memory["score"] >= least:
            found.append(memory)
    return found


def _list_hits(
    space: "Space", query: str, filters: Mapping[str, Json] | None, limit: int
) -> Iterator[dict[str, Json]]:
    """Hits, the best first; page by page where some of them may be left out."""
    where, is_whole = translate(filters)
    size, offset = (limit if is_whole else max(limit, _PAGE)), 0
    while True:
        hits = space.recall(query, size, kinds=_KINDS, where=where, offset=offset)
        for hit in hits:
            if hit.entry is not None:
                yield {**show(hit.entry), "score": score_of(hit.confidence, hit.score)}
        offset += size
        if is_whole or len(hits) < size:
            return


def score_of(confidence: float | None, score: float) -> float:
    """How likely a hit answers, from 0 to 1."""
    return round(min(1.0, max(0.0, score if confidence is None else confidence)), 4)


def show_history(entry: Entry, revisions: list[Revision]) -> list[dict[str, Json]]:
    """What a memory said, the first first, as mem0 shows it."""
    said = [each.content for each in revisions] + [entry.content]
    times = [each.since for each in revisions] + [revisions[-1].until if revisions else None]
    rows: list[dict[str, Json]] = []
    for number, (text, since) in enumerate(zip(said, times, strict=True)):
        if number and text == said[number - 1]:
            continue  # its text stayed; something else was written
        at = (since or entry.created_at).isoformat()
        rows.append(
            {
                "id": f"{entry.uid}-{number + 1}",
                "memory_id": entry.uid,
                "old_memory": said[number - 1] if number else None,
                "new_memory": text,
                "event": "UPDATE" if number else "ADD",
                "metadata": entry.metadata.get(OWN),
                "user_id": entry.metadata.get("user_id"),
                "created_at": entry.created_at.isoformat(),
                "updated_at": at,
            }
        )
    return rows


def expiry_of(day: object) -> datetime | None:
    """When a memory expires: at the end of its day, in UTC."""
    if day is None:
        return None
    try:
        if not isinstance(day, str):
            raise ValueError
        return datetime.fromisoformat(day[:10]).replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{EXPIRES} is {shorten(day)}; give a day such as 2027-01-31") from error


def time_of(stamp: object) -> datetime | None:
    """A Unix time as a moment."""
    if stamp is None:
        return None
    try:
        return datetime.fromtimestamp(float(str(stamp)), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"timestamp is {shorten(stamp)}; give seconds since 1970") from error


def read_ids(*given: Mapping[str, Any]) -> dict[str, str]:
    """The ids that a memory belongs to; at least one is needed."""
    found: dict[str, str] = {}
    for name in IDS:
        value = next((each[name] for each in given if each.get(name) is not None), None)
        if value is None:
            continue
        if not isinstance(value, str) or not 0 < len(value.strip()) <= 256:
            raise InvalidInput(f"{name} is {shorten(value)}; give a text of 1 to 256 characters")
        found[name] = value.strip()
    if not found:
        raise InvalidInput(f"at least one of {', '.join(IDS)} is needed")
    return found
