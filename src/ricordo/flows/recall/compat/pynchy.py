"""Profile `two_tier`, in the shape of pynchy: words first, then a substring."""

from ricordo.core.recall.fusion import Fused
from ricordo.flows.engine import Engine
from ricordo.flows.recall.compat.candidates import order_candidates
from ricordo.flows.recall.keyword_candidates import read_phrase, score_words
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.store.database import Tx


def by_two_tiers(_: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `two_tier`: BM25 over literal words; only if that finds nothing, a substring."""
    phrases = [read_phrase(word) for word in sight.query.split()]
    scores = score_words(tx, sight, [phrase for phrase in phrases if phrase], tags=False)
    if scores:
        fused = {chunk: Fused(score, {"bm25": score}) for chunk, score in scores.items()}
        return order_candidates(fused, tx.chunks.hydrate(sight.space, fused), lambda row: row.at)
    found = tx.search.substring(sight.space, sight.query.strip(), sight.allowed, sight.limit)
    return [Candidate(chunk, 0.0, {}) for chunk in found]
