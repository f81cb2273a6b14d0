"""Recall: from a query to hits that explain themselves.

query → terms, names stripped → embedding (no transaction open)
      → [filters · candidates · features · hydrate: ONE read transaction] → signals → hits
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from recollect.core import text
from recollect.errors import InvalidInput
from recollect.flows import legs
from recollect.flows.engine import Engine, named, one_of, whole
from recollect.flows.legs import Found, Sight
from recollect.model import ASKERS, MODES, ORIGINS, Hit, Profile, Source
from recollect.store.chunks import HitRow
from recollect.store.codec import micros, moment
from recollect.store.database import Tx
from recollect.store.search import Filters
from recollect.store.signals import SignalRow

KINDS = ("message", "note", "fact", "archive", "file")


@dataclass(frozen=True, slots=True)
class Ask:
    """A recall as the caller put it."""

    query: str
    limit: int = 5
    mode: str = "hybrid"
    kinds: Iterable[str] | None = None
    category: str | None = None
    tags: Iterable[str] | None = None
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    origins: Iterable[str] | None = None
    profile: str | Profile = "default"
    asker: str | None = "agent"


class Way(NamedTuple):
    """How a profile finds and orders candidates, and whether it embeds the query."""

    find: Callable[[Engine, Tx, Sight], list[Found]]
    uses_vector: bool
    refuses_blank: bool = False
    weights: frozenset[str] = frozenset()  # what a caller may set


WAYS = {
    "default": Way(legs.by_features, uses_vector=True, weights=frozenset(legs.FEATURES)),
    "minmax": Way(
        legs.by_minmax, uses_vector=True, refuses_blank=True, weights=frozenset(legs.MINMAX)
    ),
    "rrf": Way(legs.by_rank, uses_vector=True),
    "two_tier": Way(legs.by_two_tiers, uses_vector=False),
    "bm25": Way(legs.by_entries, uses_vector=False),
}


def recall(engine: Engine, space: str, ask: Ask) -> list[Hit]:
    """The best hits of a space, each with its source, score and parts."""
    profile = _profile(ask.profile)
    way = WAYS[profile.name]
    mode = one_of(ask.mode, "mode", MODES)
    asker = None if ask.asker is None else one_of(ask.asker, "asker", ASKERS)
    limit = whole(ask.limit, "limit", 0, engine.settings.max_limit)
    query = text.clean(ask.query, "query", limit=engine.settings.max_text)
    query = query[: engine.settings.max_query]
    filters = _filters(ask)
    if way.refuses_blank and (limit == 0 or not query.strip()):
        raise InvalidInput(f"profile {profile.name!r} needs a query and a limit of 1 or more")
    if limit == 0 or not query.strip():
        return []
    wanted = mode if way.uses_vector else "keyword"
    meaning = legs.embed_query(engine, space, query, wanted)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        allowed = _permitted(tx, number, filters, engine.now())
        sight = Sight(number, query, limit, wanted, meaning, allowed, profile)
        found = way.find(engine, tx, sight)
        hits, signals = _hydrate(tx, number, space, found, limit)
    if asker is not None and signals and not engine.store.read_only:
        _record(engine, number, query, signals, asker)
    return hits


def _profile(given: str | Profile) -> Profile:
    """The profile with a known name and with weights that can be multiplied."""
    profile = given if isinstance(given, Profile) else Profile(given)
    one_of(profile.name, "profile", tuple(WAYS))
    if not isinstance(profile.weights, Mapping):
        raise InvalidInput(f"weights {profile.weights!r} are unusable; give names with numbers")
    known = WAYS[profile.name].weights
    for name, weight in profile.weights.items():
        if name not in known:
            accepted = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            raise InvalidInput(f"profile {profile.name!r} has no weight {name!r}; {accepted}")
        if not isinstance(weight, int | float) or not math.isfinite(weight):
            raise InvalidInput(f"weight {name!r} is {weight!r}; give a finite number")
    return profile


def _filters(ask: Ask) -> Filters:
    return Filters(
        kinds=_words(ask.kinds, "kinds", KINDS),
        category=None if ask.category is None else named(ask.category, "category"),
        tags=legs.query_tags(ask.tags),
        session=None if ask.session is None else named(ask.session, "session"),
        since=None if ask.since is None else micros(ask.since),
        until=None if ask.until is None else micros(ask.until),
        origins=_words(ask.origins, "origins", ORIGINS),
    )


def _words(
    given: Iterable[str] | None, what: str, accepted: tuple[str, ...]
) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, Iterable):
        raise InvalidInput(f"{what} is {given!r}, not a list; use some of {', '.join(accepted)}")
    listed = (given,) if isinstance(given, str) else tuple(given)
    return tuple(one_of(word, what, accepted) for word in listed)


def _permitted(tx: Tx, space: int, filters: Filters, now: int) -> list[int] | None:
    """Chunks that pass the filters and are not past their time; None means all of them."""
    allowed = tx.search.allowed(space, filters)
    expired = set(tx.chunks.expired(space, now))
    if not expired:
        return allowed
    every = tx.chunks.ids(space) if allowed is None else allowed
    return [chunk for chunk in every if chunk not in expired]


def _hydrate(
    tx: Tx, space: int, name: str, found: list[Found], limit: int
) -> tuple[list[Hit], list[tuple[int, float]]]:
    """Texts, sources and entries of what was found; one hit per message or entry."""
    rows = tx.chunks.hydrate(space, [item.chunk for item in found])
    hits: list[Hit] = []
    signals: list[tuple[int, float]] = []
    seen = set()
    for item in found:
        row = rows.get(item.chunk)
        unit = None if row is None else (row.session, row.seq_start, row.entry)
        if row is None or unit in seen or len(hits) == limit:
            continue
        seen.add(unit)
        hits.append(_hit(tx, space, name, item, row))
        if row.entry is not None:
            signals.append((row.entry, 1 / len(hits)))
    return hits, signals


def _hit(tx: Tx, space: int, name: str, item: Found, row: HitRow) -> Hit:
    entry = None if row.entry is None else tx.entries.get(space, name, row.entry)
    if entry is not None:
        source = Source("entry", name=entry.name)
    else:
        source = Source("event", row.session, row.seq_start, row.seq_end)
    return Hit(
        text=row.text,
        score=item.score,
        source=source,
        at=moment(row.at),
        parts=item.parts,
        entry=entry,
        role=row.role or None,
        author=row.author or None if entry is None else None,
        origin=row.origin,
    )


def _record(
    engine: Engine, space: int, query: str, signals: list[tuple[int, float]], asker: str
) -> None:
    """Leave a signal per entry. Nobody waits for it: it rides on the next commit."""
    now = engine.now()
    rows = [SignalRow(entry, query, score, asker, now) for entry, score in signals]
    engine.store.submit(lambda tx: tx.signals.insert(space, rows))
