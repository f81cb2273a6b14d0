"""Block plan: which chunks to pack next, and which blocks to join. Pure.

Small blocks are made soon, so that few rows are read one by one. Eight of them become a middle one
and four of those a large one, so that there are few blocks.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

END = 2**63 - 1  # beyond every chunk


class Sizes(NamedTuple):
    """How many chunks there are in a block."""

    small: int = 512
    middle: int = 4_096
    large: int = 16_384


SIZES = Sizes()


class Covered(Protocol):
    """A block as far as a plan looks at it."""

    @property
    def first(self) -> int: ...

    @property
    def last(self) -> int: ...

    @property
    def size(self) -> int: ...


Held = TypeVar("Held", bound=Covered)


class Uncovered(NamedTuple):
    """Chunks that are in no block: those after one and up to another."""

    after: int
    last: int

    @property
    def is_open(self) -> bool:
        return self.last == END


def find_gaps(blocks: Sequence[Covered]) -> Iterator[Uncovered]:
    """What lies between the blocks, which come in order, and after the last one."""
    after = 0
    for block in blocks:
        if block.first > after + 1:
            yield Uncovered(after, block.first - 1)
        after = block.last
    yield Uncovered(after, END)


def cut_gap(gap: Uncovered, chunks: Sequence[int], sizes: Sizes) -> tuple[int, int] | None:
    """How many of the first chunks of a gap make a block, and where it ends; None for none."""
    size = sizes.large if len(chunks) >= sizes.large else min(len(chunks), sizes.small)
    if size < sizes.small and (gap.is_open or not size):
        return None  # more are to follow
    is_rest = size == len(chunks) and size < sizes.small
    return size, gap.last if is_rest else chunks[size - 1]


def choose_joins(blocks: Sequence[Held], sizes: Sizes) -> list[Held]:
    """Blocks that follow each other and are a larger one together; none if there are none."""
    return _choose_run(blocks, sizes.large) or _choose_run(blocks, sizes.middle)


def _choose_run(blocks: Sequence[Held], wanted: int) -> list[Held]:
    """Blocks in a row that are a block of about this size together, each of them much smaller."""
    run: list[Held] = []
    for block in blocks:
        is_whole = 2 * block.size > wanted
        if is_whole or sum(each.size for each in run) >= wanted:
            if len(run) > 1:
                return run  # what it lies between will not grow
            run = []
        if not is_whole:
            run.append(block)
    return run if sum(block.size for block in run) >= wanted and len(run) > 1 else []
