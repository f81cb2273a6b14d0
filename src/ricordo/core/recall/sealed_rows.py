"""Sealed rows: those of a view that came in blocks, without their words. Pure.

Each has a slot, its place among all rows of blocks; the view tells where it has put them.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.block_words import BlockPlace, BlockWords, ViewSource
from ricordo.core.recall.blocks import COLUMNS, PackedBlock, place_authors, place_groups
from ricordo.core.recall.chunk_rows import ROW, content_flow
from ricordo.core.recall.groups import Groups
from ricordo.core.recall.growable import Array
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Matches, Postings, merge_matches

_ONCE = 2  # questions of a view that may not be asked again
_AHEAD = 16  # buckets that each further question reads ahead
NumberedBlock = tuple[int, int, PackedBlock]  # its number in the store, and its buckets


class SealedRows:
    """The blocks of a view and what is read of them."""

    def __init__(self, blocks: Sequence[NumberedBlock], people: People, groups: Groups) -> None:
        self.source: ViewSource | None = None  # while the view is used
        starts = np.cumsum([0, *(block.size for _, _, block in blocks)]).tolist()
        self.size = starts[-1]
        self._words = BlockWords(
            [
                BlockPlace(number, start, block.size, buckets)
                for start, (number, buckets, block) in zip(starts, blocks, strict=False)
            ]
        )
        self._questions = 0
        self._calls: list[tuple[str, str, int]] = []
        self._places: Array | None = None  # the row of each slot; None where they are the same
        self._rows: Array | None = self._tabulate([block for _, _, block in blocks], people, groups)

    @property
    def nbytes(self) -> int:
        return self._words.nbytes + (0 if self._places is None else int(self._places.nbytes))

    @property
    def bucket_count(self) -> int:
        return self._words.bucket_count

    def take_rows(self) -> Array:
        """The rows as a view keeps them; they are not kept here as well."""
        rows, self._rows = self._rows, None
        assert rows is not None
        return rows

    def _tabulate(self, blocks: Sequence[PackedBlock], people: People, groups: Groups) -> Array:
        rows = np.zeros(self.size, ROW)
        rows["slot"] = np.arange(self.size)
        start = 0
        for block in blocks:
            part = rows[start : start + block.size]
            codes = {"author": place_authors(block, people), "group": place_groups(block, groups)}
            for name in COLUMNS:
                column = block.columns[name]
                part[name] = codes[name][column] if name in codes else column
            names = [author.name for author in block.authors]
            self._calls += [(names[code], word, n) for (code, word), n in block.calls.items()]
            start += block.size
        return rows

    def settle(self, slots: Array, people: People) -> None:
        """Note where the view has put the rows, and whom they call by which names."""
        rows = np.flatnonzero(slots >= 0)
        places = np.empty(self.size, np.int32)
        places[slots[rows]] = rows
        is_same = np.array_equal(places, np.arange(self.size))
        self._places = None if is_same else places
        for author, word, times in self._calls:
            people.count_names(people.find(author), [word], times)

    def prepare(self, stems: Iterable[int]) -> None:
        """Fetch what is needed to find these stems."""
        assert self.source is not None
        self._words.fetch(stems, self.source)
        self._questions += 1
        if self._questions > _ONCE:
            self._words.fetch_ahead(_AHEAD, self.source)

    def find_words(self, others: Postings, unit_of: Array, *, is_plain: bool) -> "ViewWords":
        return ViewWords(self, others, unit_of, is_plain)

    def find(self, stem: int) -> Matches:
        """The rows of blocks that hold a stem, in rising order."""
        found = self._words.find(stem, self.source)
        if self._places is None or not len(found.units):
            return found
        return merge_matches([found._replace(units=self._places[found.units])])

    def read_vectors(self, chunks: Array) -> Array:
        assert self.source is not None
        return self.source.read_vectors(chunks)

    def read_flow(self, rows: Array) -> tuple[Array, Array]:
        """The stems of the texts of those rows that are from blocks, and whose they are."""
        sealed = np.flatnonzero(rows["slot"] >= 0)
        if not len(sealed):
            return np.empty(0, np.uint32), sealed
        assert self.source is not None
        texts = self.source.read_stems(rows["chunk"][sealed])
        ends = np.cumsum([len(text) >> 2 for text in texts])
        starts = np.append(0, ends[:-1])
        flow, bounds = content_flow(np.frombuffer(b"".join(texts), "<u4"), starts, ends)
        return flow, np.repeat(sealed, np.diff(np.append(0, bounds)))


class ViewWords(NamedTuple):
    """The words of a view: those in blocks and those of its other rows."""

    sealed: SealedRows
    others: Postings
    unit_of: Array
    is_plain: bool

    def find(self, stem: int) -> Matches:
        """Return the units that hold the stem."""
        inner = self.sealed.find(stem)
        if not self.is_plain:
            inner = inner._replace(units=self.unit_of[inner.units])
        outer = self.others.find(stem)
        parts = [part for part in (inner, outer) if len(part.units)]
        if not parts or (len(parts) == 1 and self.is_plain):
            return parts[0] if parts else outer
        if self.is_plain and inner.units[-1] < outer.units[0]:
            return Matches(*(np.concatenate(column) for column in zip(inner, outer, strict=True)))
        return merge_matches(parts)
