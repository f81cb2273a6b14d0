"""Blocks: chunks packed as ranking needs them, with their words and the signs of their vectors.

Derived. A block covers all chunks of its range, and goes with the first of them that changes.
"""

import json
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.tables.chunks import ViewRow
from ricordo.store.tables.pending import BLOCKS

if TYPE_CHECKING:
    from ricordo.store.database import ByteFile, Tx

_AT_ONCE = 2  # blocks that are read together
_BUCKETS = 256  # numbers of words in one place of a block


class BlockRow(NamedTuple):
    """A block without what is in it."""

    block: int
    first: int
    last: int
    size: int
    buckets: int


class NewBlock(NamedTuple):
    """A block to be kept; its number is given by `insert`."""

    first: int
    last: int
    size: int
    buckets: int
    data: bytes
    words: Mapping[int, bytes]
    signs: Mapping[int, bytes]  # by model


class Blocks:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def ranges(self, space: int) -> list[BlockRow]:
        """The blocks of a space, in the order of their chunks."""
        return [BlockRow(*row) for row in self._tx.rows("blocks.ranges", space=space)]

    def is_there(self, space: int) -> bool:
        """Whether a space has any part of a block."""
        return bool(self.ranges(space) or self.list_strays(space, ()) or self.list_signs(space))

    def read(self, space: int) -> Iterator[bytes]:
        """What is in every block, in the order of their chunks."""
        after = -1
        while rows := self._tx.rows("blocks.page", space=space, after=after, limit=_AT_ONCE):
            yield from (row[1] for row in rows)
            after = rows[-1][0]

    def read_one(self, space: int, row: BlockRow) -> bytes:
        """What is in one block."""
        found = self._tx.row("blocks.page", space=space, after=row.first - 1, limit=1)
        assert found is not None
        return bytes(found[1])

    def insert(self, space: int, new: NewBlock) -> None:
        """Keep a block. Its number is a revision of the space, so no two ever have the same."""
        self._tx.spaces.count_embedding(space)
        number = self._tx.spaces.state(space).revision
        values = {"first": new.first, "last": new.last, "size": new.size, "buckets": new.buckets}
        self._tx.rows("blocks.insert", space=space, block=number, **values, data=new.data)
        self._tx.many(
            "block_words.insert",
            [
                {"space": space, "place": number * _BUCKETS + bucket, "data": data}
                for bucket, data in new.words.items()
            ],
        )
        for model, data in new.signs.items():
            self.put_signs(space, number, model, data)

    def put_signs(self, space: int, block: int, model: int, data: bytes) -> None:
        self._tx.rows("block_signs.insert", space=space, block=block, model=model, data=data)

    def signs(self, space: int, model: int, blocks: Sequence[int]) -> Iterator[bytes | None]:
        """The signs of each block under a model; None if it has none."""
        for start in range(0, len(blocks), _AT_ONCE):
            part = blocks[start : start + _AT_ONCE]
            sets = [{"space": space, "block": block, "model": model} for block in part]
            for rows in self._tx.each("block_signs.get", sets):
                yield rows[0][0] if rows else None

    def open_signs(
        self, space: int, model: int, blocks: Sequence[int]
    ) -> "Iterator[ByteFile | None]":
        """The signs of each block under a model, each to be read before the next one."""
        sets = [{"space": space, "block": block, "model": model} for block in blocks]
        return self._tx.open_each("block_signs.get", sets)

    def list_signs(self, space: int) -> set[tuple[int, int]]:
        """Which blocks have signs of which models."""
        return {(row[0], row[1]) for row in self._tx.rows("block_signs.list", space=space)}

    def list_signed(self, space: int, model: int) -> set[int]:
        """Which blocks have signs of a model."""
        return {block for block, by in self.list_signs(space) if by == model}

    def words(self, space: int, block: int) -> dict[int, bytes]:
        """The words of a block, by bucket."""
        rows = self._tx.rows("block_words.all", space=space, **_places(block))
        return {row[0] % _BUCKETS: row[1] for row in rows}

    def find_words(self, space: int, places: Sequence[tuple[int, int]]) -> list[bytes | None]:
        """Buckets by the number of their block and their own; None if nothing is in them."""
        sets = [{"space": space, "place": block * _BUCKETS + n} for block, n in places]
        found = self._tx.each("block_words.get", sets)
        return [rows[0][0] if rows else None for rows in found]

    def count_between(self, space: int, after: int, last: int, limit: int) -> int:
        """How many chunks there are in a range, up to a limit."""
        row = self._tx.row("chunks.count_between", space=space, after=after, last=last, limit=limit)
        return int(row[0]) if row else 0

    def list_strays(self, space: int, known: Collection[int]) -> set[int]:
        """Numbers of blocks that have words and are not among these."""
        return {row[0] for row in self._tx.rows("block_words.blocks", space=space)} - {*known}

    def rows_between(self, space: int, after: int, last: int, limit: int) -> list[ViewRow]:
        """The first chunks of a range, as they stand in the table."""
        rows = self._tx.rows("chunks.between", space=space, after=after, last=last, limit=limit)
        return [ViewRow(*row) for row in rows]

    def vectors(self, space: int, model: int, chunks: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """The vectors of some chunks, in any order."""
        return self._tx.stream(
            "embeddings.some", space=space, model=model, chunks=json.dumps(chunks)
        )

    def stems(self, space: int, chunks: Sequence[int]) -> dict[int, bytes]:
        """The stems of the texts of chunks."""
        rows = self._tx.rows("chunks.stems", space=space, chunks=json.dumps(chunks))
        return {row[0]: row[1] for row in rows}

    def delete(self, space: int, row: BlockRow) -> None:
        self._tx.rows("blocks.delete", space=space, first=row.first)
        self._tx.rows("block_words.delete", space=space, **_places(row.block))
        self._tx.rows("block_signs.delete", space=space, block=row.block)

    def drop(self, space: int, chunks: Iterable[int]) -> None:
        """Delete the blocks of chunks that change; part of every write that changes one."""
        listed, held = sorted(chunks), self.ranges(space)
        gone = [row for row in held if _has_any(listed, row)]
        for row in gone:
            self.delete(space, row)
        if gone:
            self._tx.pending.set(space, BLOCKS, 0)

    def drop_signs(self, space: int, model: int, chunks: Iterable[int]) -> None:
        """Delete the signs of the blocks of chunks whose vectors change."""
        listed = sorted(chunks)
        for row in self.ranges(space):
            if _has_any(listed, row):
                self._tx.rows("block_signs.drop", space=space, block=row.block, model=model)
                self._tx.pending.set(space, BLOCKS, 0)

    def clear(self, space: int) -> None:
        """Delete every block of a space."""
        for query in ("blocks.clear", "block_words.clear", "block_signs.clear"):
            self._tx.rows(query, space=space)


def _places(block: int) -> dict[str, int]:
    """The places of its words: from the low one, and before the high one."""
    return {"low": block * _BUCKETS, "high": block * _BUCKETS + _BUCKETS}


def _has_any(chunks: list[int], row: BlockRow) -> bool:
    """Whether any of the chunks, which rise, is in a block."""
    at = bisect_left(chunks, row.first)
    return at < len(chunks) and chunks[at] <= row.last
