"""The past: chunks of what entries said at a time, beside those that are there, in one view.

They are in no table: they live for one recall, numbered after those of the space.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, cast

import numpy as np

from ricordo.core.recall.growable import Array
from ricordo.core.recall.space_index import Row, View
from ricordo.flows.engine import Engine
from ricordo.flows.recall.search_input import SearchInput
from ricordo.flows.recall.views import load_own_view
from ricordo.model import Origin
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import ChunkRow, HitRow

Vectors = Mapping[str, Array]  # by what was embedded


class PastChunk(NamedTuple):
    """A chunk of what an entry said, the first one of that entry, and what is embedded of it."""

    chunk: int
    first: int
    row: ChunkRow
    text: str


class PastChunks(NamedTuple):
    """What entries said that say something else now, with the vectors that are known."""

    chunks: tuple[PastChunk, ...]
    vectors: Vectors

    def hit_rows(self) -> dict[int, HitRow]:
        return {each.chunk: _hit_row(each) for each in self.chunks}

    def of_entry(self, entry: int) -> set[int]:
        return {each.chunk for each in self.chunks if each.row.entry == entry}


def open_view(
    engine: Engine, tx: Tx, seen: SearchInput, model: int | None
) -> AbstractContextManager[View]:
    """The view to rank in: that of the space, or one with what entries said at the time."""
    if seen.past is None:
        return engine.views.fresh(tx, seen.space, model)
    view = load_own_view(tx, seen.space, model)
    view.add(_view_row(each) for each in seen.past.chunks)
    held = [(each.chunk, seen.past.vectors.get(each.text)) for each in seen.past.chunks]
    known = [(chunk, vector) for chunk, vector in held if vector is not None]
    if known and model is not None:
        chunks = np.array([chunk for chunk, _ in known], np.int64)
        view.put_vectors(chunks, np.stack([vector for _, vector in known]))
    return nullcontext(view)


def _view_row(each: PastChunk) -> Row:
    """A chunk as a view takes it: of a unit of its own, apart from what the entry says now."""
    row = each.row
    return Row(
        each.chunk, row.kind, None, 0, -each.first, row.part, "", False, row.length, row.at,
        row.marks, row.calls, row.terms, row.extra,
    )  # fmt: skip


def _hit_row(each: PastChunk) -> HitRow:
    row = each.row
    return HitRow(
        each.chunk, row.kind, None, None, None, row.entry, row.part, row.role, row.author,
        cast(Origin, row.origin), row.at, row.text, row.words,
    )  # fmt: skip
