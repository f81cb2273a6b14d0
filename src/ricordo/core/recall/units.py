"""Units: what is ranked, and its neighbours, as arrays. Derived from rows; no words, no vectors."""

import numpy as np

from ricordo.core.recall.chunk_rows import days
from ricordo.core.recall.growable import Array, Column, distinct
from ricordo.core.text.flags import ENDS_ASKING

WINDOW = ("prev", "prev2", "next", "next2")
_LONG = 400  # characters; beyond, a message is long
_NEVER = np.iinfo(np.int64).min

_COLUMNS = {
    "seq": np.int64,
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


class Units:
    """Columns over units, and the last unit of each group, to which the next is tied."""

    def __init__(self) -> None:
        self._columns = {name: Column(dtype) for name, dtype in _COLUMNS.items()}
        self._last_unit = Column(np.int32)  # by group
        self._last_seq = Column(np.int64)

    def __getitem__(self, name: str) -> Array:
        return self._columns[name].all

    @property
    def size(self) -> int:
        return self._columns["start"].size

    @property
    def nbytes(self) -> int:
        held = (*self._columns.values(), self._last_unit, self._last_seq)
        return sum(column.nbytes for column in held)

    def add(self, tops: Array, starts: Array, groups: int) -> bool:
        """Add units by their first rows; False, with nothing done, if they are out of order."""
        self._last_seq.grow(groups - self._last_seq.size, _NEVER)
        self._last_unit.grow(groups - self._last_unit.size, -1)
        order = _sort_by_place(tops["group"], tops["seq"])
        if not self._follows(tops["group"][order], tops["seq"][order]):
            return False
        units = self.size + order
        self._describe(tops, starts)
        self._link(units)
        self._weigh(units)
        return True

    def _follows(self, groups: Array, seqs: Array) -> bool:
        """Whether all come after what their sessions hold, and no unit comes twice."""
        later = bool(np.all(seqs > self._last_seq.all[groups]))
        twice = (groups[1:] == groups[:-1]) & (seqs[1:] == seqs[:-1])
        return later and not bool(twice.any())

    def _describe(self, tops: Array, starts: Array) -> None:
        length = tops["length"].astype(np.float32)
        short = 1 / (1 + (length / _LONG) ** 2)
        values = {
            "start": starts,
            "day": days(tops["at"]),
            "norm": np.float32(1.2) * np.maximum(1, length / _LONG),
            "loglen": np.log(length + 10),
            "short": short,
            "shortw": short,
            **{name: tops[name] for name in ("seq", "group", "author", "kind", "marks")},
        }
        for name, column in self._columns.items():
            if name in values:
                column.extend(values[name])
            else:
                column.grow(len(tops), -1 if name in WINDOW else 0)

    def _link(self, units: Array) -> None:
        """Tie new units to their neighbours; they are given by group and seq."""
        prev, prev2, next_, next2 = (self[name] for name in WINDOW)
        groups = self["group"][units]
        same = np.append(False, groups[1:] == groups[:-1])
        near = np.where(same, np.append(-1, units[:-1]), self._last_unit.all[groups])
        prev[units] = near
        prev2[units] = np.where(near < 0, -1, prev[near])
        tied = units[near >= 0]
        next_[prev[tied]] = tied
        tied = units[prev2[units] >= 0]
        next2[prev2[tied]] = tied
        self._last_unit.all[groups] = units  # in rising order: the last one stays
        self._last_seq.all[groups] = self["seq"][units]

    def _weigh(self, units: Array) -> None:
        """Compute what depends on neighbours, for new units and those just before them."""
        prev, prev2 = self["prev"], self["prev2"]
        short = np.append(self["short"], np.float32(0))
        if len(units) == self.size:
            touched = np.arange(self.size)
        else:
            touched = distinct(np.concatenate([units, prev[units], prev2[units]]))
            touched = touched[touched >= 0]
        window = np.stack([touched, *(self[name][touched] for name in WINDOW)])
        # Index -1 is the appended 0: a missing neighbour adds nothing and is not counted.
        self["shortw"][touched] = short[window].sum(0) / (window >= 0).sum(0)
        asker = prev[units]
        asked = (self["marks"][asker] & ENDS_ASKING > 0) & (asker >= 0)
        self["answers"][units] = asked * short[units] * short[asker]
        spoken = self["kind"][units] == 0
        self["opens"][units] = (spoken & (prev2[units] < 0)) * short[units]


def _sort_by_place(groups: Array, seqs: Array) -> Array:
    """The order by group and seq, found faster where the units of each group already rise."""
    few = len(groups) > 0 and int(groups.max()) < 1 << 16
    order: Array = np.argsort(groups.astype(np.uint16) if few else groups, kind="stable")
    inside = groups[order][1:] == groups[order][:-1]
    if bool(np.all(seqs[order][1:][inside] > seqs[order][:-1][inside])):
        return order
    return np.lexsort((seqs, groups))
