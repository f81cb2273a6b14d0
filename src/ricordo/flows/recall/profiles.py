"""The profiles of others: one function each, from a question to candidates in order.

The default profile has a module of its own, `default_profile`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from ricordo.core.learning import concepts
from ricordo.core.recall import bm25, fusion
from ricordo.core.recall.fusion import Fused, Leg
from ricordo.core.recall.nearest import unit_vector
from ricordo.core.text import tags, tokens
from ricordo.flows.engine import Engine
from ricordo.flows.recall.keyword_candidates import (
    count_candidates,
    find_by_words,
    read_phrase,
    score_words,
    sort_by_score,
)
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.flows.recall.views import mask_of
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow

MINMAX = {"vector": 0.7, "text": 0.3}


def query_tags(given: Iterable[str] | None) -> tuple[str, ...] | None:
    """The tags of a query, normalised as stored ones are."""
    return None if given is None else tags.normalise(given)


def by_minmax(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `minmax`: both legs scaled to 0..1 and summed by weight, ties to the later seq."""
    weights = {**MINMAX, **sight.profile.weights}
    scores = {
        "vector": _nearest(engine, tx, sight, 4 * sight.limit),
        "text": find_by_words(tx, sight, 4 * sight.limit),
    }
    fused = fusion.sum_weighted({name: Leg(weights[name], scores[name]) for name in scores})
    rows = tx.chunks.hydrate(sight.space, fused)
    return _order(fused, rows, lambda row: row.seq_end or row.entry or 0)


def by_rank(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `rrf`: reciprocal ranks of both legs, ties to the newer."""
    expanded = " ".join([sight.query, *concepts.concepts(sight.query, 3)])
    scores = {
        "vector": _nearest(engine, tx, sight, 2 * sight.limit),
        "text": find_by_words(tx, sight, 2 * sight.limit, expanded, tags=True),
    }
    fused = fusion.rrf({name: sort_by_score(leg) for name, leg in scores.items()})
    rows = tx.chunks.hydrate(sight.space, fused)
    return _order(fused, rows, lambda row: row.at)


def by_two_tiers(_: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `two_tier`: BM25 over literal words; only if that finds nothing, a substring."""
    phrases = [read_phrase(word) for word in sight.query.split()]
    scores = score_words(tx, sight, [phrase for phrase in phrases if phrase], tags=False)
    if scores:
        fused = {chunk: Fused(score, {"bm25": score}) for chunk, score in scores.items()}
        return _order(fused, tx.chunks.hydrate(sight.space, fused), lambda row: row.at)
    found = tx.search.substring(sight.space, sight.query.strip(), sight.allowed, sight.limit)
    return [Candidate(chunk, 0.0, {}) for chunk in found]


def by_entries(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `bm25`: plain BM25 over names and contents of entries, ties to the smaller id."""
    query = tokens.entry_terms(sight.query)
    documents = engine.views.entry_terms.read(tx, sight.space) if query else {}
    stats = _statistics(documents)
    allowed = None if sight.allowed is None else set(sight.allowed)
    found = []
    for entry, (chunk, terms) in sorted(documents.items()):
        score = bm25.score(stats, query, terms, form="entries")
        if score > 0 and (allowed is None or chunk in allowed):
            found.append((-score, entry, Candidate(chunk, score, {"bm25": score})))
    return [item for _, _, item in sorted(found)[: sight.limit]]


def _statistics(documents: Mapping[int, tuple[int, list[str]]]) -> bm25.Statistics:
    filled = [terms for _, terms in documents.values() if terms]
    frequency = Counter(term for terms in filled for term in set(terms))
    total = sum(map(len, filled))
    return bm25.Statistics(len(filled), total / len(filled) if filled else 0.0, frequency)


def _nearest(engine: Engine, tx: Tx, sight: SearchInput, limit: int) -> dict[int, float]:
    """The vector leg: chunks by cosine, inside the space and the filters."""
    if sight.meaning is None:
        return {}
    with engine.views.fresh(tx, sight.space, sight.meaning.model.model) as view:
        direction = unit_vector(sight.meaning.vector)
        if direction is None:
            return {}
        mask, most = mask_of(view, sight.allowed), limit
        while True:
            near = view.vectors.nearest(direction, most, mask)
            units = view.unit_of[near.rows].tolist()
            if len(set(units)) >= limit or len(near.rows) < most:
                break
            most *= 4  # long texts take several of the nearest rows each
        chunks = view.chunks[near.rows].tolist()
        kept = count_candidates(units, limit)
        return dict(zip(chunks[:kept], near.cosines.tolist()[:kept], strict=True))


def _order(
    fused: Mapping[int, Fused], rows: Mapping[int, HitRow], later: Callable[[HitRow], int]
) -> list[Candidate]:
    """Score first, then what is later, then the smaller number: a total order."""
    known = [chunk for chunk in fused if chunk in rows]
    known.sort(key=lambda chunk: (-round(fused[chunk].score, 12), -later(rows[chunk]), chunk))
    return [Candidate(chunk, *fused[chunk]) for chunk in known]
