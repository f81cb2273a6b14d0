"""What these profiles share: the vector leg, and the order of candidates."""

from collections.abc import Callable, Mapping

from ricordo.core.recall.fusion import Fused
from ricordo.core.recall.nearest import unit_vector
from ricordo.flows.engine import Engine
from ricordo.flows.recall.keyword_candidates import count_candidates
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.flows.recall.views import mask_of
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import HitRow


def find_nearest(engine: Engine, tx: Tx, sight: SearchInput, limit: int) -> dict[int, float]:
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


def order_candidates(
    fused: Mapping[int, Fused], rows: Mapping[int, HitRow], later: Callable[[HitRow], int]
) -> list[Candidate]:
    """Score first, then what is later, then the smaller number: a total order."""
    known = [chunk for chunk in fused if chunk in rows]
    known.sort(key=lambda chunk: (-round(fused[chunk].score, 12), -later(rows[chunk]), chunk))
    return [Candidate(chunk, *fused[chunk]) for chunk in known]
