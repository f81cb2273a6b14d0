"""Scope: filters by name and by metadata, which are looked up where the space is read."""

from typing import NamedTuple

from ricordo.core.recall.where import Where
from ricordo.flows.recall.shown import Shown
from ricordo.flows.writing.exclusion import Excluded, find_documents, find_excluded
from ricordo.store.database import Tx
from ricordo.store.tables.search import Filters


class Scope(NamedTuple):
    """What a recall is about, by names."""

    exclude: Excluded | None = None
    uri: str | None = None
    prefix: str | None = None
    shown: Shown | None = None
    where: Where | None = None


def narrow(tx: Tx, space: int, filters: Filters, scope: Scope) -> Filters:
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
