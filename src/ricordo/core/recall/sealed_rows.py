"""Sealed rows: those of a view that came in blocks, without their words. Pure.

Each has a slot, its place among all rows of blocks; the view tells where it has put them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.block_words import BlockPlace, BlockWords, ViewSource
from ricordo.core.recall.blocks import PackedBlock, place_authors, place_groups, read_signs
from ricordo.core.recall.chunk_rows import COLUMNS
from ricordo.core.recall.groups import Groups
from ricordo.core.recall.growable import Array, Bools, Ints, among
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Matches, Postings, merge_matches
from ricordo.core.recall.row_texts import content_flow

_TEXT = 120  # bytes in RAM beside the stems of a text: its chunk, its place in a dict
_ONCE = 2  # questions of a view that may not be asked again
_AHEAD = 16  # buckets that each further question reads ahead
NumberedBlock = tuple[int, int, PackedBlock]  # its number in the store, and its buckets


class SealedRows:
    """The blocks of a view and what is read of them."""

    def __init__(self) -> None:
        self.source: ViewSource | None = None  # while the view is used
        self.size = 0
        self._words = BlockWords()
        self._questions = 0
        self._found: dict[int, Matches] = {}  # by stem, as long as the view is used
        self.signed: frozenset[int] = frozenset()  # blocks that have signs in the store
        self._calls: list[tuple[str, str, int]] = []
        self._texts: dict[int, bytes] = {}  # the stems that were read, by chunk
        self._text_bytes = 0
        self._places: Array | None = None  # the row of each slot; None where they are the same

    @property
    def nbytes(self) -> int:
        held = self._words.nbytes + self._text_bytes
        return held + (0 if self._places is None else int(self._places.nbytes))

    @property
    def fetched_count(self) -> int:
        """How many buckets and texts are held."""
        return self._words.bucket_count + len(self._texts)

    def add(self, given: NumberedBlock, people: People, groups: Groups) -> Mapping[str, Array]:
        """Take in a block; its rows, with the codes that authors and groups have there."""
        number, buckets, block = given
        self._words.places.append(BlockPlace(number, self.size, block.size, buckets))
        self.size += block.size
        codes = {"author": place_authors(block, people), "group": place_groups(block, groups)}
        names = [author.name for author in block.authors]
        self._calls += [(names[code], word, n) for (code, word), n in block.calls.items()]
        held = block.columns
        return {name: codes[name][held[name]] if name in codes else held[name] for name in COLUMNS}

    def use(self, source: ViewSource | None) -> None:
        """Read what is missing from there; a question asks for the same stems repeatedly."""
        self.source = source
        self._found.clear()

    def tell_names(self, people: People) -> None:
        """Tell whom its authors call by which names."""
        for author, word, times in self._calls:
            people.count_names(people.find(author), [word], times)

    def move(self, alive: Ints, rows: int) -> None:
        """Note that the view has `rows` rows no more but these, in this order."""
        self._found.clear()
        places = np.zeros(rows, np.int32)
        places[alive] = np.arange(len(alive))
        self._places = places[self._find_rows(slice(None))]

    def _find_rows(self, slots: slice | Ints) -> Array:
        if self._places is not None:
            return self._places[slots]
        return np.arange(self.size) if isinstance(slots, slice) else slots

    def read_signs(self) -> Iterator[tuple[Array, Array]]:
        """Some rows after the others that have a vector, and its signs until the next ones."""
        assert self.source is not None
        signed = [place for place in self._words.places if place.number in self.signed]
        files = self.source.open_signs([place.number for place in signed])
        for place, file in zip(signed, files, strict=True):
            if file is not None:
                for rows, bits in read_signs(file):
                    yield self._find_rows(place.start + rows), bits

    def prepare(self, stems: Iterable[int]) -> None:
        """Fetch what is needed to find these stems."""
        assert self.source is not None
        self._words.fetch(stems, self.source)
        self._questions += 1
        if self._questions > _ONCE:
            self._words.fetch_ahead(_AHEAD, self.source)

    def find_words(self, others: Postings, unit_of: Array | None) -> "ViewWords":
        return ViewWords(self, others, unit_of)

    def find(self, stem: int) -> Matches:
        """The rows of blocks that hold a stem, in rising order."""
        if stem not in self._found:
            found = self._words.find(stem, self.source)
            if self._places is not None and len(found.units):
                found = merge_matches([found._replace(units=self._places[found.units])])
            self._found[stem] = found
        return self._found[stem]

    def read_vectors(self, chunks: Array, into: Array) -> None:
        assert self.source is not None
        self.source.read_vectors(chunks, into)

    def read_flow(self, rows: Ints, chunks: Array) -> tuple[Array, Array]:
        """The stems of the texts of those rows that are from blocks, and whose they are."""
        sealed = np.flatnonzero(self._holds(rows))
        if not len(sealed):
            return np.empty(0, np.uint32), sealed
        texts = self._read_texts(chunks[sealed].tolist())
        ends = np.cumsum([len(text) >> 2 for text in texts])
        starts = np.append(0, ends[:-1])
        flow, bounds = content_flow(np.frombuffer(b"".join(texts), "<u4"), starts, ends)
        return flow, np.repeat(sealed, np.diff(np.append(0, bounds)))

    def _read_texts(self, chunks: list[int]) -> list[bytes]:
        """The stems of texts, each read once: the best of one question are so for others too."""
        if missing := [chunk for chunk in chunks if chunk not in self._texts]:
            assert self.source is not None
            found = self.source.read_stems(np.array(missing))
            self._texts.update(zip(missing, found, strict=True))
            self._text_bytes += sum(map(len, found)) + _TEXT * len(missing)
        return [self._texts[chunk] for chunk in chunks]

    def _holds(self, rows: Ints) -> Bools:
        return rows < self.size if self._places is None else among(rows, self._places)


class ViewWords(NamedTuple):
    """The words of a view: those in blocks and those of its other rows."""

    sealed: SealedRows
    others: Postings
    unit_of: Array | None  # None where each row is a unit

    def find(self, stem: int) -> Matches:
        """Return the units that hold the stem."""
        inner = self.sealed.find(stem)
        is_plain = self.unit_of is None
        if self.unit_of is not None:
            inner = inner._replace(units=self.unit_of[inner.units])
        outer = self.others.find(stem)
        parts = [part for part in (inner, outer) if len(part.units)]
        if not parts or (len(parts) == 1 and is_plain):
            return parts[0] if parts else outer
        if is_plain and inner.units[-1] < outer.units[0]:
            return Matches(*(np.concatenate(column) for column in zip(inner, outer, strict=True)))
        return merge_matches(parts)
