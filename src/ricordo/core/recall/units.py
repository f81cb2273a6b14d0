"""Units: what is ranked, and its neighbours, as arrays. Derived from rows; no words, no vectors."""

import numpy as np

from ricordo.core.recall.chunk_rows import (
    COLUMNS,
    Rows,
    flag_heads,
    unit_heads,
    unit_tops,
)
from ricordo.core.recall.growable import Array, Column, ColumnTable, Floats, distinct, flag_changes
from ricordo.core.text.flags import ENDS_ASKING

WINDOW = ("prev", "prev2", "next", "next2")
LONG = 400  # characters; beyond, a message is long
_NEVER = np.iinfo(np.int64).min

# Those of the first row of each unit: where every unit has one row, they are not kept twice.
_OF_ROWS = {name: COLUMNS[name] for name in ("seq", "group", "author", "length", "kind", "marks")}
_COLUMNS = {
    "shortw": np.float32,  # mean over the window of how short they are
    "answers": np.float32,  # 1 if the previous message ends in a question, both being short
    "prev": np.int32,  # units of the same session, -1 for none
    "prev2": np.int32,
    "next": np.int32,
    "next2": np.int32,
}


class Units:
    """Columns over units, and the last unit of each group, to which the next is tied."""

    def __init__(self, rows: ColumnTable) -> None:
        self._rows = rows
        self._columns = ColumnTable(_COLUMNS)
        self._tops: ColumnTable | None = None  # their first rows, as soon as a unit has several
        self._unit_of = Column(np.int32)  # by row, from then on
        self._last_unit = Column(np.int32)  # by group
        self._last_seq = Column(np.int64)

    def __getitem__(self, name: str) -> Array:
        if name in _COLUMNS:
            return self._columns[name]
        if self._tops is not None:
            return self._tops[name]
        size = self.size
        return np.arange(size) if name == "start" else self._rows[name][:size]

    @property
    def size(self) -> int:
        return self._columns.size

    @property
    def is_plain(self) -> bool:
        """Whether every unit has exactly one row, so that both have the same index."""
        return self._tops is None

    @property
    def unit_of(self) -> Array:
        """The unit of each row."""
        return self.units_of(0, self.size) if self.is_plain else self._unit_of.all

    def units_of(self, first: int, end: int) -> Array:
        """The units of a range of rows."""
        return (
            np.arange(first, end, dtype=np.int32) if self.is_plain else self._unit_of.all[first:end]
        )

    def starts_of(self, base: int) -> slice | Array:
        """The first rows of the units from `base` on."""
        return slice(base, self.size) if self._tops is None else self._tops["start"][base:]

    @property
    def nbytes(self) -> int:
        held = (self._columns, self._unit_of, self._last_unit, self._last_seq)
        return sum(part.nbytes for part in held) + (0 if self._tops is None else self._tops.nbytes)

    def reserve(self, room: int) -> None:
        """Take the memory for so many units."""
        self._columns.reserve(room)

    def add(self, first: int, end: int, groups: int) -> bool:
        """Add the units of these rows; False, with nothing done, if they are out of order."""
        rows = self._rows.cut(slice(first, end))
        heads = unit_heads(rows)
        tops = unit_tops(rows, heads)
        self._last_seq.grow(groups - self._last_seq.size, _NEVER)
        self._last_unit.grow(groups - self._last_unit.size, -1)
        order = _sort_by_place(tops["group"], tops["seq"])
        placed, seqs = tops["group"][order], tops["seq"][order]
        firsts = np.flatnonzero(flag_changes(placed))
        if not self._follows(placed, seqs, firsts):
            return False
        base = self.size
        self._keep_tops(tops, first + heads, end)
        self._columns.add_room(len(placed))
        units = slice(base, base + len(placed)) if isinstance(order, slice) else base + order
        before = self._link(units, placed, firsts)
        lasts = np.append(firsts[1:], len(placed)) - 1
        self._last_seq.all[placed[lasts]] = seqs[lasts]
        self._weigh(base, before)
        return True

    def _keep_tops(self, tops: Rows, starts: Array, end: int) -> None:
        if self._tops is None:
            if len(starts) == end - self.size:
                return  # one row each, as before
            self._tops = ColumnTable({"start": np.int32, **_OF_ROWS})
            known = slice(0, self.size)
            self._tops.extend({"start": np.arange(self.size), **self._rows.cut(known)})
            self._unit_of.extend(np.arange(self.size))
        flags = flag_heads(starts - self._unit_of.size, end - self._unit_of.size)
        self._unit_of.extend(self.size + np.cumsum(flags) - 1)
        self._tops.extend({"start": starts, **tops})

    def _follows(self, groups: Array, seqs: Array, firsts: Array) -> bool:
        """Whether all come after what their sessions hold, and no unit comes twice."""
        later = bool(np.all(seqs[firsts] > self._last_seq.all[groups[firsts]]))
        return later and _is_rising(groups, seqs)

    def _link(self, units: slice | Array, groups: Array, firsts: Array) -> Array:
        """Tie new units, which are given by group and seq, to their neighbours; `firsts` are the
        places of the first of each group. The units from before that got a neighbour.
        """
        prev, prev2, next_, next2 = (self[name] for name in WINDOW)
        ids = np.arange(units.start, units.stop) if isinstance(units, slice) else units
        ids = ids.astype(np.int32)
        lasts = np.append(firsts[1:], len(ids)) - 1
        last = self._last_unit.all[groups[firsts]]  # of the group so far, -1 for none
        last2 = np.where(last < 0, -1, prev[last])
        prev[units] = near = _shift(ids, 1, firsts, last)
        prev2[units] = _shift(near, 1, firsts, last2)
        next_[units] = near = _shift(ids, -1, lasts, -1)
        next2[units] = _shift(near, -1, lasts, -1)
        is_tied = last >= 0
        next_[last[is_tied]] = ids[firsts[is_tied]]
        next2[last2[last2 >= 0]] = ids[firsts[last2 >= 0]]
        is_tied &= lasts > firsts
        next2[last[is_tied]] = ids[firsts[is_tied] + 1]
        self._last_unit.all[groups[firsts]] = ids[lasts]
        return distinct(np.concatenate([last[last >= 0], last2[last2 >= 0]]))

    def _weigh(self, base: int, before: Array) -> None:
        """Compute what depends on neighbours, for units from `base` on and some before."""
        new, lengths = slice(base, self.size), self["length"]
        prev = self["prev"][new]
        for units in (new, before):
            total, count = shorten(lengths[units]), np.ones(1, np.float32)
            for name in WINDOW:
                near = self[name][units]
                is_there = near >= 0
                total += np.where(is_there, shorten(lengths[near]), np.float32(0))
                count = count + is_there
            self["shortw"][units] = total / count
        asked = (self["marks"][prev] & ENDS_ASKING > 0) & (prev >= 0)
        self["answers"][new] = asked * shorten(lengths[new]) * shorten(lengths[prev])


def shorten(lengths: Array) -> Floats:
    """How short texts of these lengths are, from 0 to 1."""
    return np.asarray(1 / (1 + (lengths.astype(np.float32) / LONG) ** 2))


def _sort_by_place(groups: Array, seqs: Array) -> slice | Array:
    """The order by group and seq: all as they stand, where each session was written at once."""
    if bool(np.all(groups[1:] >= groups[:-1])) and _is_rising(groups, seqs):
        return slice(None)
    few = len(groups) > 0 and int(groups.max()) < 1 << 16
    order: Array = np.argsort(groups.astype(np.uint16) if few else groups, kind="stable")
    return order if _is_rising(groups[order], seqs[order]) else np.lexsort((seqs, groups))


def _is_rising(groups: Array, seqs: Array) -> bool:
    """Whether the units of each group, which stand together, rise."""
    return bool(np.all((seqs[1:] > seqs[:-1]) | (groups[1:] != groups[:-1])))


def _shift(values: Array, by: int, places: Array, others: Array | int) -> Array:
    """Values one place further, or one place back, with others at some places."""
    shifted = np.roll(values, by)
    shifted[places] = others
    return shifted
