"""The view: what ranking needs to know of one space, in memory. Derived; holds no text.

A unit is what is ranked: one message, one entry, or one chunk of a file. The view is fed with rows
(chunks as the store hands them over) and answers with arrays per unit. Whatever the order of
feeding, equal rows give equal arrays.
"""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from recollect.core.columns import Array, Bools, Column, Ints, spans
from recollect.core.marks import ENDS_ASKING
from recollect.core.nearest import EXACT_ROWS, Vectors
from recollect.core.people import People
from recollect.core.postings import Postings, segment
from recollect.core.rows import (
    CHUNK,
    KINDS,
    ROW,
    Row,
    before,
    content_flow,
    days,
    latest,
    marked,
    unit_heads,
    unit_order,
)

__all__ = ["KINDS", "LONG", "WINDOW", "Row", "View"]

LONG = 400  # characters; beyond, a message is long
WINDOW = ("prev", "prev2", "next", "next2")
_NEVER = np.iinfo(np.int64).min


_UNIT_COLUMNS = {
    "start": np.int32,  # its first row
    "group": np.int32,  # its session; an entry is a group of its own
    "author": np.int32,
    "kind": np.uint8,
    "marks": np.uint8,
    "day": np.int32,  # year * 10000 + month * 100 + day
    "norm": np.float32,  # BM25: 1.2 * max(1, length / 400)
    "loglen": np.float32,
    "short": np.float32,
    "shortw": np.float32,  # mean of short over the window
    "answers": np.float32,  # 1 if the previous message ends in a question, both being short
    "opens": np.float32,  # first or second message of its session, and short
    "prev": np.int32,  # units of the same session, -1 for none
    "prev2": np.int32,
    "next": np.int32,
    "next2": np.int32,
}


class View:
    """One space. Not safe for a writer beside readers: the caller holds a lock while it feeds."""

    def __init__(self, exact_rows: int = EXACT_ROWS) -> None:
        self._rows = Column(ROW)
        self._stems = Column(np.uint32)
        self._flow = Column(np.uint32)
        self._calls: dict[int, str] = {}
        self._groups: dict[str | int, int] = {}
        self._keys: list[tuple[str | None, int | None]] = []  # of each group: session or entry
        self.vectors = Vectors(exact_rows)
        self.people = People()
        self._clear()

    def _clear(self) -> None:
        """Forget all that follows from the rows."""
        self._units = {name: Column(dtype) for name, dtype in _UNIT_COLUMNS.items()}
        self._unit_of = Column(np.int32)
        self._last_unit = Column(np.int32)
        self._last_seq = Column(np.int64)
        self.postings = Postings()
        self._by_group: tuple[Array, Array] | None = None
        self._last_chunk = -1

    # --- what is in it -------------------------------------------------------------------

    def __len__(self) -> int:
        return self._rows.size

    @property
    def units(self) -> int:
        return self._units["start"].size

    @property
    def last_chunk(self) -> int:
        """The highest chunk id held, 0 if empty."""
        if self._last_chunk < 0:
            self._last_chunk = int(self.chunks.max()) if len(self) else 0
        return self._last_chunk

    @property
    def nbytes(self) -> int:
        columns = (self._rows, self._stems, self._flow, self._unit_of, *self._units.values())
        calls = 120 * len(self._calls) + 200 * len(self._keys)
        return (
            sum(column.nbytes for column in columns)
            + calls
            + self.postings.nbytes
            + self.vectors.nbytes
        )

    @property
    def chunks(self) -> Array:
        """Chunk ids, row by row."""
        return self._rows.all["chunk"]

    @property
    def unit_of(self) -> Array:
        """The unit of each row."""
        return self._unit_of.all

    @property
    def is_plain(self) -> bool:
        """Whether every unit has exactly one row, so that both have the same index."""
        return self.units == len(self)

    def column(self, name: str) -> Array:
        """One array over all units."""
        return self._units[name].all

    def rows_of(self, units: Ints) -> tuple[Array, Array]:
        """Spell out the rows of these units, and for each row the position of its unit."""
        starts = self._units["start"].all
        ends = np.append(starts[1:], len(self))
        return spans(starts[units].astype(np.int64), ends[units])

    def address(self, unit: int) -> tuple[str | None, int, int | None, int]:
        """Session, seq, entry and time of a unit."""
        at = int(self._units["start"].all[unit])
        session, entry = self._keys[int(self._units["group"].all[unit])]
        rows = self._rows.all
        return session, int(rows["seq"][at]), entry, int(rows["at"][at])

    def by_group(self) -> tuple[Array, Array]:
        """Units ordered by group, and where each group begins in that order."""
        if self._by_group is None:
            groups = self._units["group"].all
            order = np.argsort(groups, kind="stable")
            self._by_group = order, np.searchsorted(groups[order], np.arange(len(self._keys)))
        return self._by_group

    def flow_of(self, rows: Ints) -> tuple[Array, Array]:
        """The stems of the texts without stop words, 0 after each; and whose they are."""
        ends = self._rows.all["flow_end"]
        places, owners = spans(before(ends, rows), ends[rows])
        return self._flow.all[places], owners

    def select(
        self,
        *,
        kinds: Collection[str] | None = None,
        session: str | None = None,
        since: int | None = None,
        until: int | None = None,
    ) -> Bools:
        """Which rows pass the filters; times are microseconds, `until` is excluded."""
        rows = self._rows.all
        passed = np.ones(len(rows), bool)
        if kinds is not None:
            passed &= np.isin(rows["kind"], [KINDS.index(kind) for kind in kinds])
        if session is not None:
            passed &= rows["group"] == self._groups.get(f"s{session}", -1)
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
        first, last = len(self), self.last_chunk
        table = self._append(fresh)
        self.vectors.grow(len(fresh))
        rises = table["chunk"][0] > last and bool(np.all(np.diff(table["chunk"]) > 0))
        if not (rises and self._index(first)):
            self._rebuild(latest(self.chunks))

    def keep(self, chunks: Ints) -> None:
        """Drop every chunk that is not among these."""
        alive = np.isin(self.chunks, np.asarray(chunks, np.int64))
        if not alive.all():
            self._rebuild(np.flatnonzero(alive))

    def put_vectors(self, chunks: Ints, vectors: Array) -> None:
        """Set the vectors of known chunks; those of unknown chunks are ignored."""
        wanted = np.asarray(chunks, np.int64)
        if not len(wanted) or not len(self):
            return
        order = np.argsort(self.chunks, kind="stable")  # nearly always in order: cheap
        places = np.minimum(np.searchsorted(self.chunks, wanted, sorter=order), len(order) - 1)
        rows = order[places]
        known = self.chunks[rows] == wanted
        self.vectors.put(rows[known], np.asarray(vectors)[known])

    def _append(self, rows: Sequence[Row]) -> Array:
        """Turn rows into columns. What is appended here is all that a rebuild needs."""
        stems = np.frombuffer(b"".join(b for row in rows for b in (row.terms, row.extra)), "<u4")
        own = np.array([len(row.terms) >> 2 for row in rows])
        extra = np.array([len(row.extra) >> 2 for row in rows])
        ends = np.cumsum(own + extra)
        own_ends = ends - extra
        flow, flow_ends = content_flow(stems, own_ends - own, own_ends)
        base, flow_base = self._stems.size, self._flow.size
        table = np.array(
            [
                (
                    row.chunk,
                    row.seq if row.session is not None else 0,
                    row.at,
                    base + own_end,
                    base + end,
                    flow_base + flow_end,
                    self._group(row),
                    self.people.code(row.author, row.named),
                    row.length if row.kind != "file" else min(row.length, CHUNK),
                    KINDS.index(row.kind),
                    row.marks,
                )
                for row, own_end, end, flow_end in zip(rows, own_ends, ends, flow_ends, strict=True)
            ],
            ROW,
        )
        self._calls.update((row.chunk, row.calls) for row in rows if row.calls)
        self._rows.extend(table)
        self._stems.extend(stems)
        self._flow.extend(flow)
        return table

    def _group(self, row: Row) -> int:
        key: str | int
        if row.session is not None:
            key = f"s{row.session}"
        else:
            key = f"f{row.chunk}" if row.kind == "file" or row.entry is None else row.entry
        code = self._groups.get(key)
        if code is None:
            code = self._groups[key] = len(self._keys)
            self._keys.append((row.session, row.entry))
        return code

    # --- what follows from the rows ------------------------------------------------------

    def _index(self, first: int) -> bool:
        """Take in the rows from `first` on; False, with nothing done, if they are out of order."""
        rows = self._rows.all[first:]
        heads = unit_heads(rows)
        tops = rows[heads]
        fresh_groups = len(self._keys) - self._last_seq.size
        self._last_seq.grow(fresh_groups, _NEVER)
        self._last_unit.grow(fresh_groups, -1)
        order = np.lexsort((tops["seq"], tops["group"]))
        if not self._follows(tops["group"][order], tops["seq"][order]):
            return False
        base = self.units
        self._describe(tops, first + heads)
        self._link(order, base)
        self._count(first, base + np.cumsum(marked(heads, len(rows))) - 1)
        self._hear(rows)
        self._by_group = None
        self._last_chunk = -1
        return True

    def _follows(self, groups: Array, seqs: Array) -> bool:
        """Whether all come after what their sessions hold, and no unit comes twice."""
        later = bool(np.all(seqs > self._last_seq.all[groups]))
        twice = (groups[1:] == groups[:-1]) & (seqs[1:] == seqs[:-1])
        return later and not bool(twice.any())

    def _describe(self, tops: Array, starts: Array) -> None:
        length = tops["length"].astype(np.float32)
        short = 1 / (1 + (length / LONG) ** 2)
        values = {
            "start": starts,
            "group": tops["group"],
            "author": tops["author"],
            "kind": tops["kind"],
            "marks": tops["marks"],
            "day": days(tops["at"]),
            "norm": np.float32(1.2) * np.maximum(1, length / LONG),
            "loglen": np.log(length + 10),
            "short": short,
            "shortw": short,
        }
        for name, column in self._units.items():
            if name in values:
                column.extend(values[name])
            else:
                column.grow(len(tops), -1 if column.all.dtype == np.int32 else 0)
        spoken = tops["kind"] == 0
        self.people.wrote(tops["author"][spoken], tops["length"][spoken])

    def _link(self, order: Array, base: int) -> None:
        """Tie the units from `base` on to their neighbours; `order` is by group and seq."""
        units = base + order
        prev, next_ = self.column("prev"), self.column("next")
        prev2, next2 = self.column("prev2"), self.column("next2")
        groups, seqs = self.column("group")[units], self._seqs(units)
        same = np.append(False, groups[1:] == groups[:-1])
        near = np.where(same, np.append(-1, units[:-1]), self._last_unit.all[groups])
        prev[units] = near
        prev2[units] = np.where(near < 0, -1, prev[near])
        tied = units[near >= 0]
        next_[prev[tied]] = tied
        tied = units[prev2[units] >= 0]
        next2[prev2[tied]] = tied
        self._last_unit.all[groups] = units  # in rising order: the last one stays
        self._last_seq.all[groups] = seqs
        self._weigh(units)

    def _seqs(self, units: Array) -> Array:
        seqs: Array = self._rows.all["seq"][self.column("start")[units]]
        return seqs

    def _weigh(self, units: Array) -> None:
        """Compute what depends on neighbours, for new units and those just before them."""
        prev, prev2 = self.column("prev"), self.column("prev2")
        short = np.append(self.column("short"), np.float32(0))
        touched = np.unique(np.concatenate([units, prev[units], prev2[units]]))
        touched = touched[touched >= 0]
        window = np.stack([touched, *(self.column(name)[touched] for name in WINDOW)])
        # Index -1 is the appended 0: a missing neighbour adds nothing and is not counted.
        self.column("shortw")[touched] = short[window].sum(0) / (window >= 0).sum(0)
        asker = prev[units]
        asked = (self.column("marks")[asker] & ENDS_ASKING > 0) & (asker >= 0)
        self.column("answers")[units] = asked * short[units] * short[asker]
        spoken = self.column("kind")[units] == 0
        self.column("opens")[units] = (spoken & (prev2[units] < 0)) * short[units]

    def _count(self, first: int, unit_of: Array) -> None:
        """Index the stems of the rows from `first` on."""
        self._unit_of.extend(unit_of)
        rows = self._rows.all[first:]
        start = int(self._rows.all["end"][first - 1]) if first else 0
        bounds = np.stack([rows["own_end"], rows["end"]], axis=1).reshape(-1) - start
        lengths = np.diff(np.append(0, bounds))
        own = np.repeat(np.tile([True, False], len(rows)), lengths)
        sizes = lengths.reshape(-1, 2).sum(1)
        # What surrounds an entry are its tags: words its author chose, as good as its text.
        own |= np.repeat(rows["kind"] != 0, sizes)
        units = np.repeat(unit_of, sizes)
        self.postings.add(segment(units, self._stems.all[start:], own))

    def _hear(self, rows: Array) -> None:
        if not self._calls:
            return
        for chunk, author in zip(rows["chunk"].tolist(), rows["author"].tolist(), strict=True):
            if chunk in self._calls:
                self.people.called(author, self._calls[chunk].split())

    def _rebuild(self, alive: Array) -> None:
        """Keep these rows only, in order of units and chunks, and derive everything anew."""
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
        self.vectors.take(alive)
        self._recode(table)
        self._rows, self._stems, self._flow = Column(ROW), Column(np.uint32), Column(np.uint32)
        self._rows.extend(table)
        self._stems.extend(stems[stem_places])
        self._flow.extend(flow[flow_places])
        self._clear()
        if len(table):
            self._index(0)

    def _recode(self, table: Array) -> None:
        """Number groups and authors anew, without those that are gone."""
        kept, table["group"] = np.unique(table["group"], return_inverse=True)
        names = {code: key for key, code in self._groups.items()}
        self._groups = {names[int(code)]: at for at, code in enumerate(kept)}
        self._keys = [self._keys[int(code)] for code in kept]
        old, self.people = self.people, People()
        authors = old.authors
        kept, places = np.unique(table["author"], return_inverse=True)
        codes = [self.people.code(authors[int(c)], old.is_named(int(c))) for c in kept]
        table["author"] = np.array(codes, np.int32)[places] if codes else 0
        chunks = set(table["chunk"].tolist())
        self._calls = {chunk: words for chunk, words in self._calls.items() if chunk in chunks}
