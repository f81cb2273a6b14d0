"""Profile `rrf`, in the shape of nexo: reciprocal ranks of two legs."""

from ricordo.core.learning import concepts
from ricordo.core.recall import fusion
from ricordo.flows.engine import Engine
from ricordo.flows.recall.compat.candidates import find_nearest, order_candidates
from ricordo.flows.recall.keyword_candidates import find_by_words, sort_by_score
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.store.database import Tx


def by_rank(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `rrf`: reciprocal ranks of both legs, ties to the newer."""
    expanded = " ".join([sight.query, *concepts.concepts(sight.query, 3)])
    scores = {
        "vector": find_nearest(engine, tx, sight, 2 * sight.limit),
        "text": find_by_words(tx, sight, 2 * sight.limit, expanded, tags=True),
    }
    fused = fusion.rrf({name: sort_by_score(leg) for name, leg in scores.items()})
    rows = tx.chunks.hydrate(sight.space, fused)
    return order_candidates(fused, rows, lambda row: row.at)
