"""The view: what ranking needs to know of one space, in memory. Derived; holds no text.

A unit is what is ranked: one message, one entry, or one passage of a file. The view is fed with
rows (chunks as the store hands them over) and answers with arrays per unit. Whatever the order of
feeding, equal rows give equal arrays.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import TypeVar, cast

import numpy as np

from ricordo.core.recall.chunk_rows import (
    CHUNK,
    KINDS,
    ROW,
    Row,
    before,
    content_flow,
    flag_heads,
    latest,
    unit_heads,
    unit_marks,
    unit_order,
)
from ricordo.core.recall.growable import Array, Bools, Column, Ints, among, owned_bytes, spans
from ricordo.core.recall.nearest import EXACT_ROWS, Vectors
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Postings, segment
from ricordo.core.recall.units import WINDOW, Units

__all__ = ["KINDS", "WINDOW", "Row", "View"]

# What Python takes beside the values of the arrays, about: more than tracemalloc tells, less than
# a process grows.
_FRAME = 9_600  # a view: its objects, locks and some sixty arrays
_GROUP = 150  # a session or an entry: a key, its tuple, its places in a list and a dict
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
        self._groups: dict[str | int | tuple[int | None, int], int] = {}
        self.keys: list[tuple[str | None, int | None]] = []  # of each group: session or entry
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
    def postings(self) -> Postings:
        self._settle()
        return self._postings

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
        held = (*columns, self._units, self._postings, self._vectors, self._people)
        loose = _FRAME + _CALLS * len(self._calls) + _GROUP * len(self.keys)
        return loose + sum(part.nbytes for part in held) + owned_bytes(self._derived)

    @property
    def derivations(self) -> int:
        """How many results are kept that follow from the rows: more of them take more room."""
        return len(self._derived)

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
        session, entry = self.keys[int(self._units["group"][unit])]
        rows = self._rows.all
        return session, int(rows["seq"][at]), entry, int(rows["at"][at])

    @property
    def groups(self) -> int:
        return len(self.keys)

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
        return self._flow.all[places], owners

    def find_rows(self, chunks: Ints) -> Array:
        """The rows of chunks that are here."""
        order = self.derive(_by_chunk)
        places = np.searchsorted(self.chunks, np.asarray(chunks, np.int64), sorter=order)
        return np.asarray(order[places])

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
            passed &= rows["group"] == self._groups.get(session, -1)
        if since is not None:
            passed &= rows["at"] >= since
        if until is not None:
            passed &= rows["at"] < until
        return passed

    # --- feeding -------------------------------------------------------------------------

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
        heads = self._indexed + unit_heads(rows)  # a unit is never cut in two
        ends = heads[np.searchsorted(heads, np.arange(self._indexed + step, len(self), step)) - 1]
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
        order = self.derive(_by_chunk)
        places = np.minimum(np.searchsorted(self.chunks, wanted, sorter=order), len(order) - 1)
        rows = order[places]
        known = self.chunks[rows] == wanted
        self.vectors.put(rows[known], np.asarray(vectors)[known])

    def _append(self, rows: Sequence[Row]) -> Array:
        """Turn rows into columns. What is appended here is all that a rebuild needs."""
        given = dict(zip(Row._fields, zip(*rows, strict=True), strict=True))
        table = np.zeros(len(rows), ROW)
        for name in ("chunk", "seq", "at", "length", "marks"):
            table[name] = given[name]
        table["kind"] = [KINDS.index(kind) for kind in given["kind"]]
        table["author"] = self._people.codes(given["author"], given["named"])
        table["group"] = [self._group(row) for row in rows]
        is_file = table["kind"] == KINDS.index("file")
        table["length"][is_file] = np.minimum(table["length"][is_file], CHUNK)
        own, extra = (np.array([len(each) >> 2 for each in given[n]]) for n in ("terms", "extra"))
        ends = np.cumsum(own + extra)
        stems = np.frombuffer(
            b"".join(chain(*zip(given["terms"], given["extra"], strict=True))), "<u4"
        )
        flow, flow_ends = content_flow(stems, ends - extra - own, ends - extra)
        table["end"] = self._stems.size + ends
        table["own_end"] = table["end"] - extra
        table["flow_end"] = self._flow.size + flow_ends
        for chunk, words in zip(given["chunk"], given["calls"], strict=True):
            if words:
                self._calls[chunk] = words
            elif chunk in self._calls:
                del self._calls[chunk]
        self._rows.extend(table)
        self._stems.extend(stems)
        self._flow.extend(flow)
        return table

    def _group(self, row: Row) -> int:
        """The group of a row: its session, its entry, or the passage of a file."""
        key: str | int | tuple[int | None, int] | None = row.session
        if row.kind == "file":
            key = row.entry, row.seq
        elif key is None:
            key = row.entry if row.entry is not None else -row.chunk
        code = self._groups.get(key)
        if code is None:
            code = self._groups[key] = len(self.keys)
            self.keys.append((row.session, row.entry))
        return code

    # --- what follows from the rows ------------------------------------------------------

    def _index(self, end: int, postings: Postings | None = None) -> bool:
        """Take in the rows before `end`; False, with nothing done, if they are out of order."""
        first = self._indexed
        rows = self._rows.all[first:end]
        heads = unit_heads(rows)
        tops = rows[heads]
        tops["marks"] = unit_marks(rows["marks"], heads)
        base = self._units.size
        if not self._units.add(tops, first + heads, len(self.keys)):
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
        self._derived.clear()
        return True

    def _count(self, first: int, end: int) -> None:
        """Index the stems of these rows."""
        rows = self._rows.all[first:end]
        start, stop = (int(self._rows.all["end"][at - 1]) if at else 0 for at in (first, end))
        bounds = np.stack([rows["own_end"], rows["end"]], axis=1).reshape(-1) - start
        lengths = np.diff(np.append(0, bounds))
        own = np.repeat(np.tile([True, False], len(rows)), lengths)
        sizes = lengths.reshape(-1, 2).sum(1)
        # What surrounds an entry are its tags: words its author chose, as good as its text.
        own |= np.repeat(rows["kind"] != 0, sizes)
        units = np.repeat(self._unit_of.all[first:end], sizes)
        self._postings.add(segment(units, self._stems.all[start:stop], own))

    def _hear(self, rows: Array) -> None:
        if not self._calls:
            return
        for chunk, author in zip(rows["chunk"].tolist(), rows["author"].tolist(), strict=True):
            if chunk in self._calls:
                self._people.count_names(author, self._calls[chunk].split())

    def _rebuild(self, alive: Array, postings: Postings | None = None) -> None:
        """Keep only these rows, in order of units and chunks, and derive everything again."""
        old, stems, flow = self._rows.all, self._stems.all, self._flow.all
        alive = alive[unit_order(old[alive])]
        table = old[alive]
        starts, flow_starts = before(old["end"], alive), before(old["flow_end"], alive)
        stem_places, _ = spans(starts, table["end"])
        flow_places, _ = spans(flow_starts, table["flow_end"])
        surroundings = table["end"] - table["own_end"]
        table["end"] = np.cumsum(table["end"] - starts)
        table["own_end"] = table["end"] - surroundings
        table["flow_end"] = np.cumsum(table["flow_end"] - flow_starts)
        self._vectors.take(alive)
        self._recode(table)
        self._rows, self._stems, self._flow = Column(ROW), Column(np.uint32), Column(np.uint32)
        self._rows.extend(table)
        self._stems.extend(stems[stem_places])
        self._flow.extend(flow[flow_places])
        self._clear()
        if len(table):
            self._index(len(table), postings)

    def _recode(self, table: Array) -> None:
        """Renumber groups and authors, without those that are gone."""
        kept, table["group"] = np.unique(table["group"], return_inverse=True)
        names = {code: key for key, code in self._groups.items()}
        self._groups = {names[int(code)]: at for at, code in enumerate(kept)}
        self.keys = [self.keys[int(code)] for code in kept]
        old, self._people = self._people, People()
        authors = old.authors
        kept, places = np.unique(table["author"], return_inverse=True)
        codes = [self._people.code(authors[int(c)], old.is_named(int(c))) for c in kept]
        table["author"] = np.array(codes, np.int32)[places] if codes else 0
        chunks = set(table["chunk"].tolist())
        self._calls = {chunk: words for chunk, words in self._calls.items() if chunk in chunks}


def _by_chunk(view: View) -> Array:
    return np.argsort(view.chunks, kind="stable")


def _by_group(view: View) -> tuple[Array, Array]:
    groups = view.column("group")
    order = np.argsort(groups, kind="stable")
    return order, np.searchsorted(groups[order], np.arange(view.groups))
