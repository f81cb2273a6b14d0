"""View loading: a view filled from blocks, with rows for what is in none of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.block_plan import Uncovered, find_gaps
from ricordo.core.recall.blocks import decode_block
from ricordo.core.recall.growable import Array, among
from ricordo.core.recall.nearest import EXACT_ROWS
from ricordo.core.recall.sealed_rows import NumberedBlock
from ricordo.core.recall.space_index import Row, View
from ricordo.store.database import ByteFile, Tx
from ricordo.store.tables.blocks import BlockRow
from ricordo.store.tables.chunks import PAGE, ViewRow

ChunkVectors = Iterable[tuple[int, bytes]]
_AT_ONCE = 256  # vectors that are taken in together: what holds them is used again for the next


class StoreSource:
    """What a view with blocks reads while it is used."""

    __slots__ = ("_model", "_space", "_tx")

    def __init__(self, tx: Tx, space: int, model: int | None) -> None:
        self._tx, self._space, self._model = tx, space, model

    def read_words(self, places: Sequence[tuple[int, int]]) -> list[bytes | None]:
        return self._tx.blocks.find_words(self._space, places)

    def read_vectors(self, chunks: Array, into: Array) -> None:
        assert self._model is not None
        asked = chunks.tolist()
        place_of = {chunk: place for place, chunk in enumerate(asked)}
        into[:] = 0  # where a damaged file has lost one
        flat, width = _bytes_of(into)
        for chunk, vector in self._tx.blocks.vectors(self._space, self._model, sorted(asked)):
            start = place_of[chunk] * width
            flat[start : start + width] = vector

    def open_signs(self, blocks: Sequence[int]) -> Iterator[ByteFile | None]:
        assert self._model is not None
        return self._tx.blocks.open_signs(self._space, self._model, blocks)

    def read_stems(self, chunks: Array) -> list[bytes]:
        asked = chunks.tolist()
        found = self._tx.blocks.stems(self._space, asked)
        return [found.get(chunk, b"") for chunk in asked]


class LoadedView(NamedTuple):
    """A view that was filled from blocks."""

    view: View
    blocks: frozenset[int]  # the numbers of its blocks
    last_vector: int  # the last chunk up to which it has all vectors


def load_view(tx: Tx, space: int, model: int | None) -> LoadedView | None:
    """The view of a space as of this transaction; None if it has no blocks."""
    ranges = tx.blocks.ranges(space)
    if not ranges:
        return None
    held: list[BlockRow] = []
    view = View()
    view.load(_read_blocks(tx, space, ranges, held), room=sum(row.size for row in ranges))
    gaps = [*find_gaps(held)]
    view.add(map(make_row, chain.from_iterable(_read_gap(tx, space, gap) for gap in gaps)))
    last = 0 if model is None else _take_vectors(tx, (space, model), view, held, gaps)
    return LoadedView(view, frozenset(row.block for row in held), last)


def _read_blocks(
    tx: Tx, space: int, ranges: Sequence[BlockRow], held: list[BlockRow]
) -> Iterator[NumberedBlock]:
    """Blocks one after the other; `held` gets those that this version can read."""
    for row, data in zip(ranges, tx.blocks.read(space), strict=True):
        if (block := decode_block(data)) is not None:
            held.append(row._replace(size=block.size))
            yield row.block, row.buckets, block


def _read_gap(tx: Tx, space: int, gap: Uncovered) -> Iterator[ViewRow]:
    after = gap.after
    while rows := tx.blocks.rows_between(space, after, gap.last, PAGE):
        yield from rows
        after = rows[-1].chunk


def _take_vectors(
    tx: Tx,
    of: tuple[int, int],
    view: View,
    held: Sequence[BlockRow],
    gaps: Sequence[Uncovered],
) -> int:
    """Give the view its vectors, or for big spaces their signs; up to which chunk it has all."""
    if len(view) <= EXACT_ROWS:
        return put_vectors(view, tx.embeddings.between(*of, 0))
    signed = tx.blocks.list_signed(*of) & {row.block for row in held}
    if signed:
        view.expect_signs(signed, tx.embeddings.dimensions(of[1]))
    for row in held:
        if row.block not in signed:
            put_vectors(view, tx.embeddings.between(*of, row.first - 1, row.last))
    last = max((row.last for row in held), default=0)
    for gap in gaps:
        pages = tx.embeddings.between(*of, gap.after, gap.last)
        last = max(last, put_vectors(view, pages))
    return last


def put_vectors(view: View, vectors: ChunkVectors) -> int:
    """Set vectors, which come by rising chunk; the last chunk that has one."""
    last = 0
    for chunks, matrix in _unpack(vectors):
        view.put_vectors(chunks, matrix)
        last = int(chunks[-1])
    return last


def hold_vectors(tx: Tx, space: int, model: int, view: View, count: int) -> None:
    """Read vectors of which a view has the signs, many at once, because it is used again."""
    if view.vectors.is_here:
        return
    chunks = np.sort(view.chunks[np.flatnonzero(view.vectors.away)[:count]])
    if not len(chunks):
        return
    listed = tx.embeddings.between(space, model, int(chunks[0]) - 1, int(chunks[-1]))
    for found, matrix in _unpack(listed):
        wanted = among(found, chunks)
        view.vectors.hold(view.find_rows(found[wanted]), matrix[wanted])


def _unpack(vectors: ChunkVectors) -> Iterator[tuple[Array, Array]]:
    """Some chunks after the others with their vectors, each time in the same memory."""
    listed = iter(vectors)
    if (first := next(listed, None)) is None:
        return
    matrix = np.empty((_AT_ONCE, len(first[1]) // 2), "<f2")
    flat, width = _bytes_of(matrix)
    listed = chain([first], listed)
    while part := [*_copy(islice(listed, _AT_ONCE), flat, width)]:
        yield np.array(part, np.int64), matrix[: len(part)]


def _copy(vectors: ChunkVectors, flat: memoryview, width: int) -> Iterator[int]:
    """Copy vectors one after the other; their chunks."""
    start = 0
    for chunk, vector in vectors:
        flat[start : start + width] = vector
        start += width
        yield chunk


def _bytes_of(matrix: Array) -> tuple[memoryview, int]:
    """The bytes of a matrix, and how many a row has."""
    return matrix.data.cast("B"), matrix.shape[1] * matrix.itemsize


def make_row(row: ViewRow) -> Row:
    """Only a message has an author; one without a name speaks as its role."""
    chunk, kind, session, seq, entry, part, role, author, length, at, marks, calls, *stems = row
    speaker = (author or role) if session is not None else ""
    is_named = session is not None and bool(author)
    if kind == "file" and seq is None:  # from before documents had passages: each is its own
        seq = -chunk
    return Row(
        chunk, kind, session, seq or 0, entry, part, speaker, is_named, length, at, marks, calls,
        *stems,
    )  # fmt: skip
