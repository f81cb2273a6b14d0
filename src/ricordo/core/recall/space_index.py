"""The view: what ranking needs to know of one space, in memory. Derived; holds no text.

A unit is what is ranked: one message, one entry, or one passage of a file. The view is fed with
rows (chunks as the store hands them over) and answers with arrays per unit. Whatever the order of
feeding, equal rows give equal arrays. Rows may also come in blocks: the words and vectors of those
stay in the store and are fetched while the view is used.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar, cast

import numpy as np

from ricordo.core.recall.block_words import ViewSource
from ricordo.core.recall.chunk_rows import (
    KINDS,
    ROW,
    Row,
    before,
    choose_rows,
    content_flow,
    count_stems,
    flag_heads,
    latest,
    tabulate,
    unit_heads,
    unit_order,
    unit_tops,
)
from ricordo.core.recall.groups import Groups
from ricordo.core.recall.growable import Array, Bools, Column, Ints, among, owned_bytes, spans
from ricordo.core.recall.nearest import EXACT_ROWS, Vectors
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Postings
from ricordo.core.recall.sealed_rows import NumberedBlock, SealedRows, ViewWords
from ricordo.core.recall.units import WINDOW, Units

__all__ = ["KINDS", "WINDOW", "Row", "View"]

# What Python takes beside the values of the arrays, about: more than tracemalloc tells, less than
# a process grows.
_FRAME = 9_600  # a view: its objects, locks and some sixty arrays
_CALLS = 120  # the names that a chunk calls somebody by
_LEAST_AT_ONCE = 1_024  # rows that are indexed together: few merges, and no big arrays on the way

Result = TypeVar("Result")


class View:
    """One space. Not safe among threads: the caller holds a lock while it feeds or ranks."""

    def __init__(self, exact_rows: int = EXACT_ROWS) -> None:
        self._rows = Column(ROW)
        self._stems = Column(np.uint32)
        self._flow = Column(np.uint32)
        self._calls: dict[int, str] = {}
        self._groups = Groups()
        self._sealed: SealedRows | None = None  # the rows that came in blocks
        self._vectors = Vectors(exact_rows)
        self._people = People()
        self._is_stale = False  # rows came out of order: rebuild before the next look
        self._clear()

    def _clear(self) -> None:
        """Forget all that follows from the rows."""
        self._units = Units()
        self._unit_of = Column(np.int32)
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
        return self._sealed.find_words(self._postings, self._unit_of.all, is_plain=self.is_plain)

    @property
    def keys(self) -> list[tuple[str | None, int | None]]:
        """Of each group the session or the entry."""
        return [(key.session, key.entry) for key in self._groups.keys]

    @property
    def last_chunk(self) -> int:
        """The highest chunk id held, 0 if empty."""
        if self._last_chunk < 0:
            self._last_chunk = int(self._rows.all["chunk"].max()) if len(self) else 0
        return self._last_chunk

    @property
    def nbytes(self) -> int:
        """What the view takes in RAM, with the room in its arrays and with what was derived."""
        self._settle()
        columns = (self._rows, self._stems, self._flow, self._unit_of)
        held = (*columns, self._units, self._postings, self._vectors, self._people, self._groups)
        sealed = 0 if self._sealed is None else self._sealed.nbytes
        loose = _FRAME + _CALLS * len(self._calls) + owned_bytes(self._derived)
        return loose + sealed + sum(part.nbytes for part in held)

    @property
    def derivations(self) -> int:
        """How much is kept that was derived or fetched: more of it takes more room."""
        return len(self._derived) + (0 if self._sealed is None else self._sealed.bucket_count)

    @property
    def chunks(self) -> Array:
        """Chunk ids, row by row."""
        self._settle()
        return self._rows.all["chunk"]

    @property
    def unit_of(self) -> Array:
        """The unit of each row."""
        self._settle()
        return self._unit_of.all

    @property
    def is_plain(self) -> bool:
        """Whether every unit has exactly one row, so that both have the same index."""
        return self.units == len(self)

    def column(self, name: str) -> Array:
        """One array over all units."""
        self._settle()
        return self._units[name]

    def rows_of(self, units: Ints) -> tuple[Array, Array]:
        """Spell out the rows of these units, and for each row the position of its unit."""
        self._settle()
        starts = self._units["start"]
        ends = np.append(starts[1:], len(self))
        return spans(starts[units].astype(np.int64), ends[units])

    def derive(self, make: Callable[["View"], Result]) -> Result:
        """What follows from the rows alone, worked out once until they change."""
        self._settle()
        if make not in self._derived:
            self._derived[make] = make(self)
        return cast(Result, self._derived[make])

    def times(self, units: Ints) -> Array:
        """When these units were written."""
        self._settle()
        return self._rows.all["at"][self._units["start"][units]]

    def address(self, unit: int) -> tuple[str | None, int, int | None, int]:
        """Session, seq, entry and time of a unit."""
        self._settle()
        at = int(self._units["start"][unit])
        key = self._groups.keys[int(self._units["group"][unit])]
        rows = self._rows.all
        return key.session, int(rows["seq"][at]), key.entry, int(rows["at"][at])

    @property
    def groups(self) -> int:
        return len(self._groups)

    def by_group(self) -> tuple[Array, Array]:
        """Units ordered by group, and where each group begins in that order."""
        return self.derive(_by_group)

    def has_vectors(self, chunks: Collection[int]) -> bool:
        """Whether all of these chunks have their vector."""
        rows = np.flatnonzero(among(self.chunks, np.array(list(chunks), np.int64)))
        return bool(self.vectors.has[rows].all()) if len(rows) else False

    def flow_of(self, rows: Ints) -> tuple[Array, Array]:
        """The stems of the texts without stop words, 0 after each; and whose they are."""
        self._settle()
        ends = self._rows.all["flow_end"]
        places, owners = spans(before(ends, rows), ends[rows])
        if self._sealed is None:
            return self._flow.all[places], owners
        flow, whose = self._sealed.read_flow(self._rows.all[rows])
        return np.append(self._flow.all[places], flow), np.append(owners, whose)

    def find_rows(self, chunks: Ints) -> Array:
        """The rows of chunks that are here."""
        order = self.derive(_by_chunk)
        places = np.searchsorted(self.chunks, np.asarray(chunks, np.int64), sorter=order)
        return np.asarray(order[np.minimum(places, len(order) - 1)])

    def select(
        self,
        *,
        kinds: Collection[str] | None = None,
        session: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> Bools:
        """Which rows pass the filters; times are microseconds, `until` is excluded."""
        self._settle()
        rows = self._rows.all
        passed = np.ones(len(rows), bool)
        if kinds is not None:
            passed &= among(rows["kind"], np.array([KINDS.index(kind) for kind in kinds]))
        if session is not None:
            passed &= rows["group"] == self._groups.find_session(session)
        if since is not None:
            passed &= rows["at"] >= since
        if until is not None:
            passed &= rows["at"] < until
        return passed

    # --- feeding -------------------------------------------------------------------------

    def load(self, blocks: Sequence[NumberedBlock], rows: Iterable[Row] = ()) -> None:
        """Fill an empty view with blocks, each with its number and buckets, and other rows."""
        self._sealed = SealedRows(blocks, self._people, self._groups)
        self._rows.adopt(self._sealed.take_rows())
        self._vectors.grow(len(self))
        self._is_stale = not bool(np.all(np.diff(self._rows.all["chunk"]) > 0))
        self.add(rows)

    def use(self, source: ViewSource | None) -> None:
        """Read what is missing from there, for as long as the transaction is open."""
        if self._sealed is not None:
            self._sealed.source = source
            self._vectors.fetch = self._read_vectors if source else None

    def prepare(self, stems: Iterable[int]) -> None:
        """Fetch at once what a question with these stems needs of the words in blocks."""
        if self._sealed is not None:
            self._sealed.prepare(stems)

    def _read_vectors(self, rows: Ints) -> Array:
        assert self._sealed is not None
        return self._sealed.read_vectors(self.chunks[rows])

    def add(self, rows: Iterable[Row]) -> None:
        """Add chunks; one that is known by its id is replaced."""
        fresh = list(rows)
        if not fresh:
            return
        last = self.last_chunk
        chunks = self._append(fresh)["chunk"]
        self._vectors.grow(len(fresh))
        self._last_chunk = max(last, int(chunks.max()))
        self._is_stale |= not (chunks[0] > last and bool(np.all(np.diff(chunks) > 0)))

    def _settle(self) -> None:
        """Take in what came since the last look; asked many times in each."""
        if self._is_stale or self._indexed < self._rows.size:
            self._catch_up()

    def _catch_up(self) -> None:
        rows = self._rows.all[self._indexed :]
        step = max(_LEAST_AT_ONCE, len(self) // 8)
        sealed = 0 if self._indexed or self._sealed is None else self._sealed.size
        heads = self._indexed + unit_heads(rows)  # a unit is never cut in two
        marks = np.arange(max(self._indexed + step, sealed), len(self), step)
        ends = heads[np.searchsorted(heads, marks, "right") - 1]
        for end in (*ends.tolist(), len(self)):
            if end > self._indexed and not self._is_stale:
                self._is_stale = not self._index(end)
        if self._is_stale:
            self._is_stale = False
            self._rebuild(latest(self._rows.all["chunk"]))

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
        wanted = np.asarray(chunks, np.int64)
        if not len(wanted) or not len(self):
            return
        rows = self.find_rows(wanted)
        known = self.chunks[rows] == wanted
        self.vectors.put(rows[known], np.asarray(vectors)[known])

    def _append(self, rows: Sequence[Row]) -> Array:
        """Turn rows into columns. What is appended here is all that a rebuild needs."""
        table, stems, own, extra = tabulate(rows, self._people, self._groups)
        ends = table["end"].copy()
        flow, flow_ends = content_flow(stems, ends - extra - own, ends - extra)
        table["end"] += self._stems.size
        table["own_end"] += self._stems.size
        table["flow_end"] = self._flow.size + flow_ends
        for row in rows:
            if row.calls:
                self._calls[row.chunk] = row.calls
            elif row.chunk in self._calls:
                del self._calls[row.chunk]
        self._rows.extend(table)
        self._stems.extend(stems)
        self._flow.extend(flow)
        return table

    # --- what follows from the rows ------------------------------------------------------

    def _index(self, end: int, postings: Postings | None = None) -> bool:
        """Take in the rows before `end`; False, with nothing done, if they are out of order."""
        first = self._indexed
        rows = self._rows.all[first:end]
        heads = unit_heads(rows)
        tops = unit_tops(rows, heads)
        base = self._units.size
        if not self._units.add(tops, first + heads, self.groups):
            return False
        spoken = tops["kind"] == 0
        self._people.wrote(tops["author"][spoken], tops["length"][spoken])
        self._unit_of.extend(base + np.cumsum(flag_heads(heads, len(rows))) - 1)
        self._indexed = end
        if postings is None:
            self._count(first, end)
        else:
            self._postings = postings
        self._hear(rows)
        if not first and self._sealed is not None:
            self._sealed.settle(self._rows.all["slot"], self._people)
        self._derived.clear()
        return True

    def _count(self, first: int, end: int) -> None:
        """Index the stems of these rows."""
        start, stop = (int(self._rows.all["end"][at - 1]) if at else 0 for at in (first, end))
        if start == stop:
            return  # they are in blocks
        rows = self._rows.all[first:end].copy()
        rows["end"] -= start
        rows["own_end"] -= start
        units = self._unit_of.all[first:end]
        self._postings.add(count_stems(rows, self._stems.all[start:stop], units))

    def _hear(self, rows: Array) -> None:
        if not self._calls:
            return
        for chunk, author in zip(rows["chunk"].tolist(), rows["author"].tolist(), strict=True):
            if chunk in self._calls:
                self._people.count_names(author, self._calls[chunk].split())

    def _rebuild(self, alive: Array, postings: Postings | None = None) -> None:
        """Keep only these rows, in order of units and chunks, and derive everything again."""
        alive = alive[unit_order(self._rows.all[alive])]
        table, stems, flow = choose_rows(alive, self._rows.all, self._stems.all, self._flow.all)
        self._vectors.take(alive)
        self._recode(table)
        self._rows, self._stems, self._flow = Column(ROW), Column(np.uint32), Column(np.uint32)
        self._rows.extend(table)
        self._stems.extend(stems)
        self._flow.extend(flow)
        self._clear()
        if len(table):
            self._index(len(table), postings)

    def _recode(self, table: Array) -> None:
        """Renumber groups and authors, without those that are gone."""
        kept, table["group"] = np.unique(table["group"], return_inverse=True)
        self._groups = self._groups.choose(kept.tolist())
        kept, table["author"] = np.unique(table["author"], return_inverse=True)
        self._people = self._people.choose(kept.tolist())
        chunks = set(table["chunk"].tolist())
        self._calls = {chunk: words for chunk, words in self._calls.items() if chunk in chunks}


def _by_chunk(view: View) -> Array:
    chunks = view.chunks
    if bool(np.all(np.diff(chunks) > 0)):
        return np.arange(len(chunks))
    return np.argsort(chunks, kind="stable")


def _by_group(view: View) -> tuple[Array, Array]:
    groups = view.column("group")
    order = np.argsort(groups, kind="stable")
    return order, np.searchsorted(groups[order], np.arange(view.groups))
