"""Profile `bm25`, in the shape of crabtalk: plain BM25 over entries."""

from collections import Counter
from collections.abc import Mapping

from ricordo.core.recall import bm25
from ricordo.core.text import tokens
from ricordo.flows.engine import Engine
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.store.database import Tx


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
