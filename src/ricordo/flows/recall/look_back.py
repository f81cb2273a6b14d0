"""Look back: a recall as of a time finds what could have been found then.

Chunks hold what is said now. What was written later is left out, and an entry that said something
else then is cut into chunks again and, as far as it matters, embedded again.
"""

import logging
from collections.abc import Iterator
from heapq import nlargest

from ricordo.core.recall.growable import Array
from ricordo.core.recall.past_entry import PastEntry, PastFilter, meets, passes
from ricordo.core.text import chunking, tokens
from ricordo.embed import built_in
from ricordo.errors import StoreError, Unavailable
from ricordo.flows.engine import Engine
from ricordo.flows.recall.past import PastChunk, PastChunks, Vectors
from ricordo.flows.recall.query_vector import QueryVector
from ricordo.flows.recall.request import RecallPlan
from ricordo.flows.recall.scope import narrow
from ricordo.flows.recall.search_input import SearchInput
from ricordo.flows.writing.chunk_rows import Subject, embedded_text, spans
from ricordo.flows.writing.remember import title
from ricordo.store.codec import loads
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import ChunkRow
from ricordo.store.tables.entries import PastEntryRow
from ricordo.store.tables.metadata import list_values, pack_value

_MOST = 256  # texts that one recall embeds; those that share most words with the question
_log = logging.getLogger("ricordo")


def embed_past(engine: Engine, plan: RecallPlan, meaning: QueryVector | None) -> Vectors:
    """Vectors of what entries said at the time of a plan, if it has one.

    Called without a transaction: it opens a short one to see what there is. They are kept in RAM.
    """
    if plan.as_of is None or meaning is None:
        return {}
    with engine.store.read() as tx:
        rows = _list_past(tx, meaning.space, plan)
    texts = dict.fromkeys(text for row in rows for text in _list_embedded(row))
    kept = engine.views.past_vectors
    known = kept.find(meaning.model.model, texts)
    missing = [text for text in texts if text not in known]
    if missing:
        made = _embed(engine, plan, meaning, _choose(missing, plan.query))
        kept.keep(meaning.model.model, made)
        known |= made
    return known


def _list_embedded(row: PastEntryRow) -> list[str]:
    """What is embedded of an entry as it stood."""
    author = title([row.name]) if row.embed_name else ""
    return [embedded_text(author, piece.text) for piece in chunking.chunks(row.content)]


def _choose(texts: list[str], query: str) -> list[str]:
    """The texts to embed; of too many those that share most words with the question."""
    if len(texts) <= _MOST:
        return texts
    asked = set(tokens.stems(query))
    return nlargest(_MOST, texts, key=lambda text: len(asked.intersection(tokens.stems(text))))


def _embed(
    engine: Engine, plan: RecallPlan, meaning: QueryVector, texts: list[str]
) -> dict[str, Array]:
    """The texts under the model of the question; none if it fails, as words still find them."""
    name = meaning.model.fingerprint
    own = (each for each in engine.embedders if each.fingerprint == name)
    embedder = next(own, None) or built_in(name)
    try:
        if embedder is None:
            raise Unavailable(f"there is no embedder {name!r}")
        with engine.steps.begin("embed", model=embedder.name, purpose="texts", records=len(texts)):
            return dict(zip(texts, embedder.embed(texts), strict=True))
    except StoreError:
        raise
    except Exception as error:
        if plan.mode == "vector":
            raise Unavailable(
                f"what entries said before cannot be embedded ({error}); recall in mode 'keyword'"
            ) from error
        _log.warning("what entries said before is found by words only: %r", error)
        return {}


def look_back(tx: Tx, seen: SearchInput, plan: RecallPlan, vectors: Vectors) -> SearchInput:
    """The sight as of the time of a plan: what was written later counts as if it were not there."""
    at = plan.as_of
    assert at is not None
    later = tx.chunks.list_later(seen.space, at)
    past = PastChunks(tuple(_read_past(tx, seen.space, plan)), vectors)
    if not later and not past.chunks:
        return seen
    every = tx.chunks.ids(seen.space) if seen.allowed is None else seen.allowed
    gone = set(later)
    return seen._replace(
        allowed=[*(c for c in every if c not in gone), *(each.chunk for each in past.chunks)],
        shown=[*(seen.shown or ()), *later],
        past=past if past.chunks else None,
    )


def _read_past(tx: Tx, space: int, plan: RecallPlan) -> Iterator[PastChunk]:
    """The chunks of what changed entries said at the time of a plan, as far as they pass."""
    number = tx.spaces.state(space).last_chunk + 1
    for row in _list_past(tx, space, plan):
        texts = _list_embedded(row)
        for place, piece in enumerate(_cut(row)):
            yield PastChunk(number + place, number, piece, texts[place])
        number += len(texts)


def _list_past(tx: Tx, space: int, plan: RecallPlan) -> list[PastEntryRow]:
    """What changed entries said at the time of a plan, as far as they pass its filters."""
    assert plan.as_of is not None
    filters, scope = plan.filters, plan.scope
    if filters.session is not None or scope.uri is not None:
        return []
    given = PastFilter(
        plan.as_of,
        kinds=filters.kinds,
        category=filters.category,
        tags=filters.tags,
        since=filters.since,
        until=filters.until,
        origins=filters.origins,
        prefix=scope.prefix,
        without=narrow(tx, space, filters, scope).without,
    )
    return [row for row in tx.entries.list_then(space, plan.as_of) if _passes(row, given, plan)]


def _passes(row: PastEntryRow, given: PastFilter, plan: RecallPlan) -> bool:
    values = frozenset(list_values(loads(row.metadata)))
    entry = PastEntry(
        row.entry, row.name, row.kind, row.category, frozenset(loads(row.tags)), row.origin,
        row.since, row.expires_at, values,
    )  # fmt: skip
    where = plan.scope.where
    return passes(entry, given) and (where is None or meets(values, where, pack_value))


def _cut(row: PastEntryRow) -> list[ChunkRow]:
    """The chunks that an entry had when it said that."""
    subject = Subject(
        kind=row.kind,
        session=None,
        entry=row.entry,
        role="",
        author=title([row.name]),
        origin=row.origin,
        at=row.since,
        expires_at=row.expires_at,
        tags=(*loads(row.tags), *loads(row.concept_tags)),
    )
    return spans(subject, row.content)
