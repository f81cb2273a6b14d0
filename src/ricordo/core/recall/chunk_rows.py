"""Chunk rows: chunks as the store hands them to a view, and how they are put in order. Pure."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.groups import Groups
from ricordo.core.recall.growable import Array, Bools, among, spans
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Segment, segment
from ricordo.core.text.flags import ENDS_ASKING
from ricordo.core.text.tokens import STOP_STEMS, number

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


ROW = np.dtype(
    [
        ("chunk", np.int64),
        ("seq", np.int64),
        ("at", np.int64),
        ("own_end", np.int32),  # where the stems of the text end in the list of all stems
        ("end", np.int32),  # where those of its surroundings end
        ("flow_end", np.int32),
        ("group", np.int32),
        ("author", np.int32),
        ("length", np.int32),
        ("slot", np.int32),  # its place among the rows of blocks, -1 for a row of its own
        ("kind", np.uint8),
        ("marks", np.uint8),
    ]
)


class RowTable(NamedTuple):
    """Rows as columns, and their stems: those of each text, then those of what surrounds it."""

    rows: Array  # its places in the list of stems begin at 0
    stems: Array
    own: Array  # how many stems each text has
    extra: Array  # and its surroundings


def tabulate(given: Sequence[Row], people: People, groups: Groups) -> RowTable:
    """Turn rows into columns. Authors and groups get the codes that they have there."""
    values = dict(zip(Row._fields, zip(*given, strict=True), strict=True))
    rows = np.zeros(len(given), ROW)
    for name in ("chunk", "seq", "at", "length", "marks"):
        rows[name] = values[name]
    rows["kind"] = [KINDS.index(kind) for kind in values["kind"]]
    rows["author"] = people.codes(values["author"], values["named"])
    rows["group"] = groups.list_codes(given)
    rows["slot"] = -1
    is_file = rows["kind"] == KINDS.index("file")
    rows["length"][is_file] = np.minimum(rows["length"][is_file], CHUNK)
    own, extra = (np.array([len(each) >> 2 for each in values[n]]) for n in ("terms", "extra"))
    stems = b"".join(chain(*zip(values["terms"], values["extra"], strict=True)))
    rows["end"] = np.cumsum(own + extra)
    rows["own_end"] = rows["end"] - extra
    return RowTable(rows, np.frombuffer(stems, "<u4"), own, extra)


def count_stems(rows: Array, stems: Array, units: Array) -> Segment:
    """Index the stems of rows, which begin at 0; `units` tells what each row counts for."""
    bounds = np.stack([rows["own_end"], rows["end"]], axis=1).reshape(-1)
    lengths = np.diff(np.append(0, bounds))
    own = np.repeat(np.tile([True, False], len(rows)), lengths)
    sizes = lengths.reshape(-1, 2).sum(1)
    # What surrounds an entry are its tags: words its author chose, as good as its text.
    own |= np.repeat(rows["kind"] != 0, sizes)
    return segment(np.repeat(units, sizes), stems, own)


@lru_cache(1)
def _stop_numbers() -> Array:
    return np.array(sorted(number(stem) for stem in STOP_STEMS), np.uint32)


def content_flow(stems: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """The stems of each text without stop words, with a 0 after each, and where each ends."""
    places, owners = spans(starts, ends)
    content = ~among(stems[places], _stop_numbers())
    counts = np.bincount(owners[content], minlength=len(starts)) + 1
    bounds = np.cumsum(counts)
    flow = np.zeros(int(bounds[-1]), np.uint32)
    filled = np.ones(len(flow), bool)
    filled[bounds - 1] = False
    flow[filled] = stems[places][content]
    return flow, bounds


def before(ends: Array, rows: Array) -> Array:
    """Where rows begin in a list of which `ends` tells where each row ends."""
    return np.where(rows > 0, ends[rows - 1], 0)


def choose_rows(alive: Array, rows: Array, stems: Array, flow: Array) -> tuple[Array, Array, Array]:
    """These rows in this order, with their stems and their flow."""
    table = rows[alive]
    starts, flow_starts = before(rows["end"], alive), before(rows["flow_end"], alive)
    stem_places, _ = spans(starts, table["end"])
    flow_places, _ = spans(flow_starts, table["flow_end"])
    surroundings = table["end"] - table["own_end"]
    table["end"] = np.cumsum(table["end"] - starts)
    table["own_end"] = table["end"] - surroundings
    table["flow_end"] = np.cumsum(table["flow_end"] - flow_starts)
    return table, stems[stem_places], flow[flow_places]


def latest(chunks: Array) -> Array:
    """Rows by rising chunk id; of rows with one id the one that came last."""
    order: Array = np.argsort(chunks, kind="stable")
    found: Array = order[np.append(np.diff(chunks[order]) != 0, True)]
    return found


def unit_heads(rows: Array) -> Array:
    """Where a unit begins: rows of one group and seq that follow each other are one unit."""
    changed = np.ones(len(rows), bool)
    changed[1:] = (np.diff(rows["group"]) != 0) | (np.diff(rows["seq"]) != 0)
    return np.flatnonzero(changed)


def unit_tops(rows: Array, heads: Array) -> Array:
    """The first row of each unit, with the marks of the unit."""
    if len(heads) == len(rows):
        return rows
    tops = rows[heads]
    tops["marks"] = _unit_marks(rows["marks"], heads)
    return tops


def _unit_marks(marks: Array, heads: Array) -> Array:
    """Marks of units from those of their rows: any row asks or tells time, the last one ends."""
    ends = marks[np.append(heads[1:], len(marks)) - 1] & ENDS_ASKING
    return np.asarray(np.bitwise_or.reduceat(marks, heads) & ~np.uint8(ENDS_ASKING) | ends)


def flag_heads(heads: Array, count: int) -> Bools:
    marked = np.zeros(count, bool)
    marked[heads] = True
    return marked


def unit_order(rows: Array) -> Array:
    """Order rows so that units stand by their first chunk and hold their chunks together."""
    order = np.lexsort((rows["chunk"], rows["seq"], rows["group"]))
    heads = unit_heads(rows[order])
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
