"""Sight: what of a space a recall looks at, after its filters."""

from ricordo.flows.engine import Engine
from ricordo.flows.recall.look_back import look_back
from ricordo.flows.recall.past import Vectors
from ricordo.flows.recall.query_vector import QueryVector
from ricordo.flows.recall.request import RecallPlan
from ricordo.flows.recall.scope import narrow
from ricordo.flows.recall.search_input import SearchInput
from ricordo.flows.recall.shown import find_shown
from ricordo.flows.writing.conditions import filter_chunks
from ricordo.store.database import Tx
from ricordo.store.tables.search import Filters


def sight(
    engine: Engine,
    tx: Tx,
    space: int,
    plan: RecallPlan,
    meaning: QueryVector | None,
    past: Vectors | None = None,
) -> SearchInput:
    """What a way is given to look at. Near-duplicates need others to take their places.

    `past` are vectors of what entries said at the time of the recall, if it has one.
    """
    filters = narrow(tx, space, plan.filters, plan.scope)
    now = engine.now() if plan.as_of is None else plan.as_of
    allowed = _filter_chunks(tx, space, filters, now)
    if plan.scope.where is not None:
        allowed = filter_chunks(tx, space, plan.scope.where, allowed)
    limit = 2 * plan.depth if plan.is_varied else plan.depth
    shown = find_shown(tx, space, plan.scope.shown)
    seen = SearchInput(space, plan.query, limit, plan.mode, meaning, allowed, plan.profile, shown)
    return seen if plan.as_of is None else look_back(tx, seen, plan, past or {})


def _filter_chunks(tx: Tx, space: int, filters: Filters, now: int) -> list[int] | None:
    """Chunks that pass the filters and have not expired; None means all of them."""
    allowed = tx.search.filter_chunks(space, filters)
    expired = set(tx.chunks.list_expired(space, now))
    if not expired:
        return allowed
    every = tx.chunks.ids(space) if allowed is None else allowed
    return [chunk for chunk in every if chunk not in expired]
