"""Sight: what of a space a recall looks at, after its filters."""

from ricordo.flows.engine import Engine
from ricordo.flows.recall.query_vector import QueryVector
from ricordo.flows.recall.request import RecallPlan, Scope
from ricordo.flows.recall.search_input import SearchInput
from ricordo.flows.recall.shown import find_shown
from ricordo.flows.writing.conditions import filter_chunks
from ricordo.flows.writing.exclusion import find_documents, find_excluded
from ricordo.store.database import Tx
from ricordo.store.tables.search import Filters


def sight(
    engine: Engine, tx: Tx, space: int, plan: RecallPlan, meaning: QueryVector | None
) -> SearchInput:
    """What a way is given to look at. Near-duplicates need others to take their places."""
    filters = _narrow(tx, space, plan.filters, plan.scope)
    allowed = _filter_chunks(tx, space, filters, engine.now())
    if plan.scope.where is not None:
        allowed = filter_chunks(tx, space, plan.scope.where, allowed)
    limit = 2 * plan.depth if plan.is_varied else plan.depth
    shown = find_shown(tx, space, plan.scope.shown)
    return SearchInput(space, plan.query, limit, plan.mode, meaning, allowed, plan.profile, shown)


def _narrow(tx: Tx, space: int, filters: Filters, scope: Scope) -> Filters:
    """The filters with the numbers of what is named; names that lead nowhere exclude nothing."""
    among = []
    if scope.uri is not None:
        among.append(find_documents(tx, space, scope.uri))
    if scope.prefix is not None:
        among.append(tx.entries.find_by_prefix(space, scope.prefix))
    if among:
        filters = filters._replace(entries=tuple(set.intersection(*among)))
    if scope.exclude:
        sessions, entries = find_excluded(tx, space, scope.exclude)
        filters = filters._replace(without=entries, without_sessions=sessions)
    return filters


def _filter_chunks(tx: Tx, space: int, filters: Filters, now: int) -> list[int] | None:
    """Chunks that pass the filters and have not expired; None means all of them."""
    allowed = tx.search.filter_chunks(space, filters)
    expired = set(tx.chunks.list_expired(space, now))
    if not expired:
        return allowed
    every = tx.chunks.ids(space) if allowed is None else allowed
    return [chunk for chunk in every if chunk not in expired]
