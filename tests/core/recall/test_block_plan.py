"""Block plan: which blocks are joined."""

from typing import NamedTuple

import pytest

from ricordo.core.recall.block_plan import Sizes, choose_joins

SIZES = Sizes(small=4, middle=16, large=64)


class Block(NamedTuple):
    first: int
    last: int
    size: int


def lay(sizes: list[int]) -> list[Block]:
    """Blocks of these sizes, one after the other."""
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    return [Block(end - size + 1, end, size) for end, size in zip(ends, sizes, strict=True)]


@pytest.mark.parametrize(
    ("sizes", "joined"),
    [
        ([4, 4, 4], []),  # more are to follow
        ([4, 4, 4, 4], [4, 4, 4, 4]),
        ([16, 4, 4, 4, 4], [4, 4, 4, 4]),
        ([16, 16, 16, 4, 4], []),
        ([16, 16, 16, 16], [16, 16, 16, 16]),
        ([16, 4, 3, 16], [4, 3]),  # nothing will follow between the others
        ([64, 16, 3, 64], [16, 3]),
        ([64, 4, 64], []),
    ],
)
def test_blocks_are_joined_as_soon_as_they_make_a_larger_one(sizes, joined):
    assert [block.size for block in choose_joins(lay(sizes), SIZES)] == joined


@pytest.mark.parametrize("count", [1, 40, 333])
def test_rows_that_come_one_block_after_the_other_end_in_few_blocks(count):
    held: list[Block] = []
    for _ in range(count):
        held = lay([*(block.size for block in held), SIZES.small])
        while run := choose_joins(held, SIZES):
            at = held.index(run[0])
            held[at : at + len(run)] = [Block(run[0].first, run[-1].last, sum(b.size for b in run))]

    assert sum(block.size for block in held) == count * SIZES.small
    assert [block.size for block in held] == sorted((b.size for b in held), reverse=True)
    assert sum(block.size < SIZES.large for block in held) <= 6
