"""Make blocks: pack the chunks of a space, in steps that others can write between.

Each step reads in one transaction and writes in another. The second one keeps nothing if a chunk
was changed meanwhile: every change of one raises `pruned`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.block_plan import SIZES, Sizes, Uncovered, choose_joins, cut_gap, find_gaps
from ricordo.core.recall.block_words import count_buckets, decode_words, encode_words
from ricordo.core.recall.blocks import (
    PackedBlock,
    decode_block,
    decode_signs,
    encode_block,
    encode_signs,
    join_blocks,
    join_signs,
    make_block,
)
from ricordo.core.recall.postings import Segment
from ricordo.flows.recall.view_loading import make_row
from ricordo.store.database import Database, Tx
from ricordo.store.tables.blocks import BlockRow, NewBlock
from ricordo.store.tables.chunks import ViewRow
from ricordo.store.tables.embeddings import Coverage
from ricordo.store.tables.pending import BLOCKS


class BlockStep(NamedTuple):
    """What to write, and what must not have changed since it was read."""

    space: int
    pruned: int
    rests_on: tuple[BlockRow, ...]  # blocks that have to be there still
    write: Callable[[Tx], None]


def make_blocks(store: Database, space: int, sizes: Sizes = SIZES) -> bool:
    """Pack what can be packed; False if others changed the space all the time."""
    while (step := _read_step(store, space, sizes)) is not None:
        if not store.write(partial(_take, step=step)):
            return False
    return store.write(partial(_finish, space=space, sizes=sizes))


def make_one(store: Database, space: int, later: int) -> None:
    """One step of it, for whoever works in the background; `later` is when to try again."""
    step = _read_step(store, space, SIZES)
    if step is None:
        store.write(partial(_finish, space=space, sizes=SIZES))
    elif not store.write(partial(_take, step=step)):
        store.write(lambda tx: tx.pending.set(space, BLOCKS, later))


def _take(tx: Tx, step: BlockStep) -> bool:
    """Write a step; False if the space has changed since it was read."""
    is_as_read = tx.spaces.state(step.space).pruned == step.pruned
    if not is_as_read or not set(step.rests_on) <= set(tx.blocks.ranges(step.space)):
        return False
    step.write(tx)
    return True


def _finish(tx: Tx, space: int, sizes: Sizes) -> bool:
    """Remove the mark of a space, if nothing has come up meanwhile."""
    if _plan(tx, space, sizes) is not None:
        return False
    tx.pending.set(space, BLOCKS, None)
    return True


def _read_step(store: Database, space: int, sizes: Sizes) -> BlockStep | None:
    with store.read() as tx:
        make = _plan(tx, space, sizes)
        return None if make is None else make(tx)


def _plan(tx: Tx, space: int, sizes: Sizes) -> Callable[[Tx], BlockStep] | None:
    """What to do next, found by looking at little."""
    blocks = tx.blocks.ranges(space)
    for gap in find_gaps(blocks):
        if _holds_enough(tx, space, gap, sizes):
            return partial(_pack, space=space, blocks=blocks, gap=gap, sizes=sizes)
    signed = tx.blocks.list_signs(space)
    for standing in tx.embeddings.list_serving(space):
        for row in blocks:
            if row.last <= standing.upto and (row.block, standing.model.model) not in signed:
                return partial(_sign, space=space, standing=standing, row=row)
    if joined := choose_joins(blocks, sizes):
        return partial(_join, space=space, rows=joined)
    return None


def _holds_enough(tx: Tx, space: int, gap: Uncovered, sizes: Sizes) -> bool:
    wanted = sizes.small if gap.is_open else 1
    return tx.blocks.count_between(space, gap.after, gap.last, wanted) == wanted


# --- steps -----------------------------------------------------------------------------------


def _pack(
    tx: Tx, space: int, blocks: Sequence[BlockRow], gap: Uncovered, sizes: Sizes
) -> BlockStep:
    """A block of the first chunks of a gap."""
    there = tx.blocks.count_between(space, gap.after, gap.last, sizes.large)
    most = sizes.large if there == sizes.large else sizes.small
    rows = tx.blocks.rows_between(space, gap.after, gap.last, most)
    size, last = cut_gap(gap, [row.chunk for row in rows], sizes) or (0, gap.after)
    made = make_block([*map(make_row, rows[:size])])
    before = {row.first for row in blocks}

    def write(tx: Tx) -> None:
        if all(row.first in before for row in tx.blocks.ranges(space)):  # nobody was faster
            tx.blocks.insert(space, _describe((gap.after + 1, last), made, {}))

    return BlockStep(space, tx.spaces.state(space).pruned, (), write)


def _sign(tx: Tx, space: int, standing: Coverage, row: BlockRow) -> BlockStep:
    """The signs of the vectors of a block under one model."""
    block = decode_block(tx.blocks.read_one(space, row))
    model = standing.model
    data = None if block is None else _read_signs(tx, space, model.model, row, block, model.dim)

    def write(tx: Tx) -> None:
        if data is None:
            tx.blocks.delete(space, row)  # another version made it
        elif (row.block, model.model) not in tx.blocks.list_signs(space):
            tx.blocks.put_signs(space, row.block, model.model, data)

    return BlockStep(space, tx.spaces.state(space).pruned, (row,), write)


def _read_signs(
    tx: Tx, space: int, model: int, row: BlockRow, block: PackedBlock, dimensions: int
) -> bytes:
    found = dict(tx.embeddings.between(space, model, row.first - 1, row.last))
    vectors = np.frombuffer(b"".join(found.values()), "<f2").reshape(-1, dimensions)
    places = np.searchsorted(block.columns["chunk"], np.array([*found], np.int64))
    return encode_signs(block.size, places, vectors)


def _join(tx: Tx, space: int, rows: Sequence[BlockRow]) -> BlockStep:
    """One large block of small ones."""
    blocks = [decode_block(tx.blocks.read_one(space, row)) for row in rows]
    words = [decode_words(tx.blocks.words(space, row.block).values()) for row in rows]
    whole = [block for block in blocks if block is not None]
    new = None
    if len(whole) == len(rows):
        signs = _join_signs(tx, space, rows)
        new = _describe((rows[0].first, rows[-1].last), join_blocks(whole, words), signs)

    def write(tx: Tx) -> None:
        for row in rows:
            tx.blocks.delete(space, row)
        if new is not None:
            tx.blocks.insert(space, new)

    return BlockStep(space, tx.spaces.state(space).pruned, tuple(rows), write)


def _join_signs(tx: Tx, space: int, rows: Sequence[BlockRow]) -> dict[int, bytes]:
    """The signs of models that have some for every one of the blocks."""
    joined = {}
    for model in sorted({model for _, model in tx.blocks.list_signs(space)}):
        found = tx.blocks.signs(space, model, [row.block for row in rows])
        signs = [None if data is None else decode_signs(data) for data in found]
        whole = [each for each in signs if each is not None]
        if len(whole) == len(rows):
            joined[model] = join_signs(whole)
    return joined


def _describe(
    span: tuple[int, int], made: tuple[PackedBlock, Segment], signs: dict[int, bytes]
) -> NewBlock:
    block, words = made
    data, buckets = encode_block(block), count_buckets(words)
    return NewBlock(*span, block.size, buckets, data, encode_words(words), signs)


# --- proof -----------------------------------------------------------------------------------


def find_faults(tx: Tx, space: int) -> Iterator[tuple[int, str]]:
    """Blocks that differ from what their chunks give, by their first chunk, and how they do."""
    signed = tx.blocks.list_signs(space)
    models = {model.model: model.dim for model in tx.embeddings.models()}
    after = 0
    for row in tx.blocks.ranges(space):
        if row.first <= after or row.last < row.first:
            yield row.first, "it overlaps another"
        after = row.last
        rows = tx.blocks.rows_between(space, row.first - 1, row.last, -1)
        yield from ((row.first, told) for told in _compare(tx, space, row, rows))
        block, _ = make_block([*map(make_row, rows)]) if rows else (None, None)
        for number, model in signed:
            if number == row.block and block is not None:
                dimensions = models.get(model, 0)
                meant = _read_signs(tx, space, model, row, block, dimensions)
                if meant != next(tx.blocks.signs(space, model, [number])):
                    yield row.first, "the signs of its vectors differ from them"
    numbers = {row.block for row in tx.blocks.ranges(space)}
    for number in tx.blocks.list_strays(space, numbers) | ({n for n, _ in signed} - numbers):
        yield number, "it has words or signs of a block that is gone"


def _compare(tx: Tx, space: int, row: BlockRow, rows: Sequence[ViewRow]) -> Iterator[str]:
    if not rows:
        yield "its chunks are gone"
        return
    block, words = make_block([*map(make_row, rows)])
    if (block.size, count_buckets(words)) != (row.size, row.buckets):
        yield "it counts other chunks than there are"
    elif encode_block(block) != tx.blocks.read_one(space, row):
        yield "it differs from its chunks"
    if encode_words(words) != tx.blocks.words(space, row.block):
        yield "its words differ from those of its chunks"
