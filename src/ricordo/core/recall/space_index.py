"""The view: what ranking needs to know of one space, in memory. Derived; holds no text.

A unit is what is ranked: one message, one entry, or one passage of a file. The view is fed with
rows (chunks as the store hands them over) and answers with arrays per unit. Whatever the order of
feeding, equal rows give equal arrays. Words and vectors of rows that come in blocks stay in the
store and are fetched while the view is used.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar, cast

import numpy as np

from ricordo.core.recall.block_words import ViewSource
from ricordo.core.recall.chunk_rows import (
    COLUMNS,
    KINDS,
    Row,
    Rows,
    count_stems,
    latest,
    start_of_unit,
    tabulate,
    unit_order,
)
from ricordo.core.recall.groups import Groups
from ricordo.core.recall.growable import (
    Array,
    Bools,
    ColumnTable,
    Ints,
    among,
    owned_bytes,
    spans,
)
from ricordo.core.recall.nearest import EXACT_ROWS, Vectors
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Postings
from ricordo.core.recall.row_texts import RowTexts
from ricordo.core.recall.sealed_rows import NumberedBlock, SealedRows, ViewWords
from ricordo.core.recall.units import WINDOW, Units

__all__ = ["KINDS", "WINDOW", "Row", "View"]

# What Python takes beside the values of the arrays, about: more than tracemalloc tells, less than
# a process grows.
_FRAME = 9_600  # a view: its objects, locks and some sixty arrays
_CALLS = 120  # the names that a chunk calls somebody by
_LEAST_AT_ONCE = 1_024  # rows that are indexed together: few merges, and no big arrays on the way
_SEALED_AT_ONCE = 16_384  # the same of rows of blocks, which need no merges

Result = TypeVar("Result")


class View:
    """One space. Not safe among threads: the caller holds a lock while it feeds or ranks."""

    def __init__(self, exact_rows: int = EXACT_ROWS) -> None:
        self._rows = ColumnTable(COLUMNS)
        self._texts = RowTexts()
        self._calls: dict[int, str] = {}
        self._groups = Groups()
        self._sealed: SealedRows | None = None  # the rows that came in blocks
        self._vectors = Vectors(exact_rows)
        self._people = People()
        self._is_stale = False  # rows came out of order: rebuild before the next look
        self._clear()

    def _clear(self) -> None:
        """Forget all that follows from the rows."""
        self._units = Units(self._rows)
        self._postings = Postings()
        self._indexed = 0  # rows from here on are indexed before the next look
        self._derived: dict[Callable[[View], object], object] = {}
        self._last_chunk = -1

    # --- what is in it -------------------------------------------------------------------

    def __len__(self) -> int:
        return self._rows.size

    @property
    def units(self) -> int:
        self._settle()
        return self._units.size

    @property
    def vectors(self) -> Vectors:
        self._settle()
        return self._vectors

    @property
    def people(self) -> People:
        self._settle()
        return self._people

    @property
    def postings(self) -> Postings | ViewWords:
        self._settle()
        if self._sealed is None:
            return self._postings
        unit_of = None if self.is_plain else self._units.unit_of
        return self._sealed.find_words(self._postings, unit_of)

    @property
    def keys(self) -> list[tuple[str | None, int | None]]:
        """Of each group the session or the entry."""
        return [(key.session, key.entry) for key in self._groups.keys]

    @property
    def last_chunk(self) -> int:
        """The highest chunk id held, 0 if empty."""
        if self._last_chunk < 0:
            self._last_chunk = int(self._rows["chunk"].max()) if len(self) else 0
        return self._last_chunk

    @property
    def nbytes(self) -> int:
        """What the view takes in RAM, with the room in its arrays and with what was derived."""
        self._settle()
        held = (
            self._rows,
            self._texts,
            self._vectors,
            self._units,
            self._postings,
            self._people,
            self._groups,
        )
        sealed = 0 if self._sealed is None else self._sealed.nbytes
        loose = _FRAME + _CALLS * len(self._calls) + owned_bytes(self._derived)
        return loose + sealed + sum(part.nbytes for part in held)

    @property
    def derivations(self) -> int:
        """How much is kept that was derived or fetched."""
        return len(self._derived) + (0 if self._sealed is None else self._sealed.fetched_count)

    @property
    def chunks(self) -> Array:
        """Chunk ids, row by row."""
        self._settle()
        return self._rows["chunk"]

    @property
    def unit_of(self) -> Array:
        """The unit of each row."""
        self._settle()
        return self._units.unit_of

    @property
    def is_plain(self) -> bool:
        """Whether every unit has exactly one row, so that both have the same index."""
        self._settle()
        return self._units.is_plain

    def column(self, name: str) -> Array:
        """One array over all units."""
        self._settle()
        return self._units[name]

    def rows_of(self, units: Ints) -> tuple[Array, Array]:
        """Spell out the rows of these units, and for each row the position of its unit."""
        if self.is_plain:
            return units, np.arange(len(units))
        starts = self._units["start"]
        ends = np.append(starts[1:], len(self))
        return spans(starts[units].astype(np.int64), ends[units])

    def derive(self, make: Callable[["View"], Result]) -> Result:
        """What follows from the rows alone, worked out once until they change."""
        self._settle()
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast(Result, self._derived[make])

    def times(self, units: Ints | slice) -> Array:
        """When these units were written."""
        self._settle()
        at = self._rows["at"]
        return at[units] if self._units.is_plain else at[self._units["start"][units]]

    def address(self, unit: int) -> tuple[str | None, int, int | None, int]:
        """Session, seq, entry and time of a unit."""
        self._settle()
        at = unit if self._units.is_plain else int(self._units["start"][unit])
        key = self._groups.keys[int(self._units["group"][unit])]
        return key.session, int(self._rows["seq"][at]), key.entry, int(self._rows["at"][at])

    @property
    def groups(self) -> int:
        return len(self._groups)

    def has_vectors(self, chunks: Collection[int]) -> bool:
        """Whether all of these chunks have their vector."""
        rows = np.flatnonzero(among(self.chunks, np.array(list(chunks), np.int64)))
        return bool(self.vectors.has[rows].all()) if len(rows) else False

    def flow_of(self, rows: Ints) -> tuple[Array, Array]:
        """The stems of the texts without stop words, 0 after each; and whose they are."""
        self._settle()
        flow, owners = self._texts.flow_of(rows)
        if self._sealed is None:
            return flow, owners
        more, whose = self._sealed.read_flow(rows, self._rows["chunk"][rows])
        return np.append(flow, more), np.append(owners, whose)

    def find_rows(self, chunks: Ints) -> Array:
        """The rows of chunks that are here."""
        order = self.derive(_by_chunk)
        places = np.searchsorted(self.chunks, np.asarray(chunks, np.int64), sorter=order)
        places = np.minimum(places, len(self) - 1)
        return np.asarray(places if order is None else order[places])

    def select(self, kinds: Collection[str], *, session: str | None = None) -> Bools:
        """Which rows are of these kinds, and of a session if one is given."""
        self._settle()
        passed = among(self._rows["kind"], np.array([KINDS.index(kind) for kind in kinds]))
        if session is not None:
            passed &= self._rows["group"] == self._groups.find_session(session)
        return passed

    # --- feeding -------------------------------------------------------------------------

    def load(
        self, blocks: Iterable[NumberedBlock], rows: Iterable[Row] = (), room: int = 0
    ) -> None:
        """Fill an empty view with blocks, each with its number and buckets, and other rows.

        `room` tells how many there are, about. Rows may come from what reads the blocks first.
        """
        self._sealed = SealedRows()
        for part in (self._rows, self._units):
            part.reserve(room + _LEAST_AT_ONCE)  # what is in no block yet comes on top
        for block in blocks:
            self._rows.extend(self._sealed.add(block, self._people, self._groups))
        self._texts = RowTexts(len(self))
        self._vectors.grow(len(self))
        chunks = self._rows["chunk"]
        self._is_stale = not bool(np.all(chunks[1:] > chunks[:-1]))
        self.add(rows)

    def use(self, source: ViewSource | None) -> None:
        """Read what is missing from there, for as long as the transaction is open."""
        if self._sealed is not None:
            self._sealed.use(source)
            self._vectors.fetch = self._read_vectors if source else None
            self._vectors.fetch_signs = self._sealed.read_signs if source else None

    def prepare(self, stems: Iterable[int]) -> None:
        """Fetch at once what a question with these stems needs of the words in blocks."""
        if self._sealed is not None:
            self._sealed.prepare(stems)

    def expect_signs(self, blocks: Collection[int], dimensions: int) -> None:
        """Leave the signs of these blocks, by their numbers, to the question that needs them."""
        assert self._sealed is not None
        self._sealed.signed = frozenset(blocks)
        self.vectors.expect_signs(dimensions)

    @property
    def unread_signs(self) -> frozenset[int]:
        """The blocks whose signs are not kept here yet, by their numbers."""
        sealed = self._sealed if self._vectors.is_unread else None
        return frozenset() if sealed is None else sealed.signed

    def _read_vectors(self, rows: Ints, into: Array) -> None:
        assert self._sealed is not None
        self._sealed.read_vectors(self.chunks[rows], into)

    def add(self, rows: Iterable[Row]) -> None:
        """Add chunks; one that is known by its id is replaced."""
        fresh = list(rows)
        if not fresh:
            return
        last = self.last_chunk
        chunks = self._append(fresh)
        self._vectors.grow(len(fresh))
        self._last_chunk = max(last, int(chunks.max()))
        self._is_stale |= not (chunks[0] > last and bool(np.all(np.diff(chunks) > 0)))

    def _settle(self) -> None:
        """Take in what came since the last look; asked many times in each."""
        if self._is_stale or self._indexed < self._rows.size:
            self._catch_up()

    def _catch_up(self) -> None:
        start, every, at_once = self._indexed, len(self), _SEALED_AT_ONCE
        step = max(_LEAST_AT_ONCE, every // 8)
        sealed = 0 if start or self._sealed is None else self._sealed.size
        marks = [*range(at_once, sealed, at_once), *range(max(start + step, sealed), every, step)]
        ends = [start_of_unit(self._rows, mark) for mark in marks]  # no unit is cut in two
        for end in (*ends, every):
            if end > self._indexed and not self._is_stale:
                self._is_stale = not self._index(end)
        if self._is_stale:
            self._is_stale = False
            self._rebuild(latest(self._rows["chunk"]))

    def keep(self, chunks: Ints) -> None:
        """Drop every chunk that is not among these."""
        alive = among(self.chunks, np.asarray(chunks, np.int64))
        if alive.all():
            return
        assert self._sealed is None, "a block that lost a chunk is gone as a whole: load again"
        starts = self._units["start"]
        some = np.logical_or.reduceat(alive, starts)
        # Units that go as a whole leave the counts of the others as they are.
        whole = np.array_equal(some, np.logical_and.reduceat(alive, starts))
        self._rebuild(np.flatnonzero(alive), self._postings.without(some) if whole else None)

    def put_vectors(self, chunks: Ints, vectors: Array) -> None:
        """Set the vectors of known chunks; those of unknown chunks are ignored."""
        if not len(chunks) or not len(self):
            return
        rows = self.find_rows(chunks)
        known = self.chunks[rows] == chunks
        if not known.all():
            rows, vectors = rows[known], np.asarray(vectors)[known]
        self.vectors.put(rows, np.asarray(vectors))

    def _append(self, rows: Sequence[Row]) -> Array:
        """Turn rows into columns; their chunks. This is all that a rebuild needs."""
        table, texts = tabulate(rows, self._people, self._groups)
        for row in rows:
            if row.calls:
                self._calls[row.chunk] = row.calls
            elif row.chunk in self._calls:
                del self._calls[row.chunk]
        self._rows.extend(table)
        self._texts.add(texts)
        return table["chunk"]

    # --- what follows from the rows ------------------------------------------------------

    def _index(self, end: int, postings: Postings | None = None) -> bool:
        """Take in the rows before `end`; False, with nothing done, if they are out of order."""
        first, base = self._indexed, self._units.size
        if not self._units.add(first, end, self.groups):
            return False
        authors, spoken = self._units["author"][base:], self._units["kind"][base:] == 0
        lengths = self._rows["length"][self._units.starts_of(base)]
        self._people.wrote(authors[spoken], lengths[spoken])
        self._indexed = end
        if postings is None:
            self._count(first, end)
        else:
            self._postings = postings
        self._hear(self._rows.cut(slice(first, end)))
        if not first and self._sealed is not None:
            self._sealed.tell_names(self._people)
        self._derived.clear()
        return True

    def _count(self, first: int, end: int) -> None:
        """Index the stems of these rows, except those that are in blocks."""
        first = max(first, self._texts.first)
        if first >= end:
            return
        kinds, units = self._rows["kind"][first:end], self._units.units_of(first, end)
        self._postings.add(count_stems(kinds, self._texts.cut(first, end), units))

    def _hear(self, rows: Rows) -> None:
        if not self._calls:
            return
        for chunk, author in zip(rows["chunk"].tolist(), rows["author"].tolist(), strict=True):
            if chunk in self._calls:
                self._people.count_names(author, self._calls[chunk].split())

    def _rebuild(self, alive: Array, postings: Postings | None = None) -> None:
        """Keep only these rows, in order of units and chunks, and derive everything again."""
        alive = alive[unit_order(self._rows.cut(alive))]
        table = self._rows.cut(alive)
        self._vectors.take(alive)
        if self._sealed is not None:
            self._sealed.move(alive, len(self))
        self._texts = self._texts.choose(alive)
        self._recode(table)
        self._rows = ColumnTable(COLUMNS)
        self._rows.extend(table)
        self._clear()
        if len(self):
            self._index(len(self), postings)

    def _recode(self, table: dict[str, Array]) -> None:
        """Renumber groups and authors, without those that are gone."""
        kept, table["group"] = np.unique(table["group"], return_inverse=True)
        self._groups = self._groups.choose(kept.tolist())
        kept, table["author"] = np.unique(table["author"], return_inverse=True)
        self._people = self._people.choose(kept.tolist())
        chunks = set(table["chunk"].tolist())
        self._calls = {chunk: words for chunk, words in self._calls.items() if chunk in chunks}


def _by_chunk(view: View) -> Array | None:
    """Rows by their chunks; None where they stand in that order."""
    chunks = view.chunks
    is_ordered = bool(np.all(chunks[1:] > chunks[:-1]))
    return None if is_ordered else np.argsort(chunks, kind="stable")
