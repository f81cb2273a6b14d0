"""Profile `minmax`, in the shape of oxydra: two scaled legs, summed by weight."""

from ricordo.core.recall import fusion
from ricordo.core.recall.fusion import Leg
from ricordo.flows.engine import Engine
from ricordo.flows.recall.compat.candidates import find_nearest, order_candidates
from ricordo.flows.recall.keyword_candidates import find_by_words
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.store.database import Tx

MINMAX = {"vector": 0.7, "text": 0.3}


def by_minmax(engine: Engine, tx: Tx, sight: SearchInput) -> list[Candidate]:
    """Profile `minmax`: both legs scaled to 0..1 and summed by weight, ties to the later seq."""
    weights = {**MINMAX, **sight.profile.weights}
    scores = {
        "vector": find_nearest(engine, tx, sight, 4 * sight.limit),
        "text": find_by_words(tx, sight, 4 * sight.limit),
    }
    fused = fusion.sum_weighted({name: Leg(weights[name], scores[name]) for name in scores})
    rows = tx.chunks.hydrate(sight.space, fused)
    return order_candidates(fused, rows, lambda row: row.seq_end or row.entry or 0)
