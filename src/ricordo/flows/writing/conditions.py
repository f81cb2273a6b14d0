"""Conditions: what a `where` on metadata finds among entries and among chunks."""

from ricordo.core.recall.where import Selection, Where, select
from ricordo.store.database import Tx


def find_entries(tx: Tx, space: int, where: Where) -> Selection[int]:
    """The entries and documents that meet the conditions."""
    return select(where, lambda condition: tx.metadata.find_entries(space, *condition))


def filter_chunks(tx: Tx, space: int, where: Where, allowed: list[int] | None) -> list[int]:
    """Those of the allowed chunks, or of all, whose entry, document or message meets them."""
    entries = find_entries(tx, space, where)
    events = select(where, lambda condition: tx.metadata.find_events(space, *condition))
    found = tx.chunks.of_entries(space, entries.items)
    found |= tx.chunks.of_events(space, events.items, whole=events.is_complement)
    if entries.is_complement:  # the conditions alone decide this, so it holds for both
        every = tx.chunks.ids(space) if allowed is None else allowed
        return [chunk for chunk in every if chunk not in found]
    return sorted(found) if allowed is None else [chunk for chunk in allowed if chunk in found]
