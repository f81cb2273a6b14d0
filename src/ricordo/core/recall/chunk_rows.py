"""Chunk rows: chunks as the store hands them to a view, and how they are put in order. Pure."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ricordo.core.recall.groups import Groups
from ricordo.core.recall.growable import Array, Bools, ColumnTable
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Segment, segment
from ricordo.core.text.flags import ENDS_ASKING

KINDS = ("message", "note", "fact", "archive", "file", "record")
CHUNK = 640  # characters of a full chunk
_DAY = 86_400_000_000  # microseconds


class Row(NamedTuple):
    """One chunk as the store hands it over."""

    chunk: int
    kind: str
    session: str | None
    seq: int
    entry: int | None
    part: int
    author: str
    named: bool
    length: int
    at: int
    marks: int
    calls: str
    terms: bytes
    extra: bytes


COLUMNS = {
    "chunk": np.int64,
    "seq": np.int64,
    "at": np.int64,
    "group": np.int32,
    "author": np.int32,
    "length": np.int32,
    "kind": np.uint8,
    "marks": np.uint8,
}
Rows = Mapping[str, Array]  # chunks as columns, by these names


class TextStems(NamedTuple):
    """The stems of rows: those of each text, then those of what surrounds it."""

    stems: Array  # uint32, of one row after the other
    own_ends: Array  # where those of each text end
    ends: Array  # where those of its surroundings end


def tabulate(given: Sequence[Row], people: People, groups: Groups) -> tuple[Rows, TextStems]:
    """Turn rows into columns. Authors and groups get the codes that they have there."""
    by_field = zip(Row._fields, zip(*given, strict=True), strict=True)
    values: dict[str, Sequence[Any]] = dict(by_field)  # Any: each field has its own type
    values["kind"] = tuple(map(KINDS.index, values["kind"]))
    values["author"] = people.codes(values["author"], values["named"])
    values["group"] = groups.list_codes(given)
    rows = {name: np.array(values[name], kind) for name, kind in COLUMNS.items()}
    is_file = rows["kind"] == KINDS.index("file")
    rows["length"][is_file] = np.minimum(rows["length"][is_file], CHUNK)
    own, extra = (np.array([len(each) >> 2 for each in values[n]]) for n in ("terms", "extra"))
    stems = b"".join(chain(*zip(values["terms"], values["extra"], strict=True)))
    ends = np.cumsum(own + extra)
    return rows, TextStems(np.frombuffer(stems, "<u4"), ends - extra, ends)


def count_stems(kinds: Array, texts: TextStems, units: Array) -> Segment:
    """Index the stems of rows of these kinds; `units` tells what each row counts for."""
    bounds = np.stack([texts.own_ends, texts.ends], axis=1).reshape(-1)
    lengths = np.diff(np.append(0, bounds))
    own = np.repeat(np.tile([True, False], len(kinds)), lengths)
    sizes = lengths.reshape(-1, 2).sum(1)
    # What surrounds an entry are its tags: words its author chose, as good as its text.
    own |= np.repeat(kinds != 0, sizes)
    return segment(np.repeat(units, sizes), texts.stems, own)


def latest(chunks: Array) -> Array:
    """Rows by rising chunk id; of rows with one id the one that came last."""
    order: Array = np.argsort(chunks, kind="stable")
    found: Array = order[np.append(np.diff(chunks[order]) != 0, True)]
    return found


def unit_heads(rows: Rows) -> Array:
    """Where a unit begins: rows of one group and seq that follow each other are one unit."""
    group, seq = rows["group"], rows["seq"]
    changed = np.ones(len(group), bool)
    changed[1:] = (group[1:] != group[:-1]) | (seq[1:] != seq[:-1])
    return np.flatnonzero(changed)


def start_of_unit(rows: ColumnTable, at: int) -> int:
    """The first row of the unit to which a row belongs."""
    group, seq = rows["group"], rows["seq"]
    while at and group[at - 1] == group[at] and seq[at - 1] == seq[at]:
        at -= 1
    return at


def unit_tops(rows: Rows, heads: Array) -> Rows:
    """The first row of each unit, with the marks of the unit."""
    if len(heads) == len(rows["chunk"]):
        return rows
    marks = _unit_marks(rows["marks"], heads)
    return {name: column[heads] for name, column in rows.items()} | {"marks": marks}


def _unit_marks(marks: Array, heads: Array) -> Array:
    """Marks of units from those of their rows: any row asks or tells time, the last one ends."""
    ends = marks[np.append(heads[1:], len(marks)) - 1] & ENDS_ASKING
    return np.asarray(np.bitwise_or.reduceat(marks, heads) & ~np.uint8(ENDS_ASKING) | ends)


def flag_heads(heads: Array, count: int) -> Bools:
    marked = np.zeros(count, bool)
    marked[heads] = True
    return marked


def unit_order(rows: Rows) -> Array:
    """Order rows so that units stand by their first chunk and hold their chunks together."""
    order = np.lexsort((rows["chunk"], rows["seq"], rows["group"]))
    heads = unit_heads({name: rows[name][order] for name in ("group", "seq")})
    sizes = np.diff(np.append(heads, len(order)))
    firsts = np.repeat(rows["chunk"][order][heads], sizes) if len(order) else order
    return order[np.lexsort((rows["chunk"][order], firsts))]


def days(at: Array) -> Array:
    passed = at // _DAY
    first, last = (int(passed.min()), int(passed.max())) if len(at) else (0, 0)
    if last - first < len(at):  # many of one day: each day is worked out once
        return np.asarray(_date(np.arange(first, last + 1) * _DAY)[passed - first])
    return _date(at)


def _date(at: Array) -> Array:
    dates = at.astype("datetime64[us]")
    years, months = dates.astype("datetime64[Y]"), dates.astype("datetime64[M]")
    day = (dates.astype("datetime64[D]") - months).astype(np.int64) + 1
    month = (months - years).astype(np.int64) + 1
    return np.asarray((years.astype(np.int64) + 1970) * 10_000 + month * 100 + day)
