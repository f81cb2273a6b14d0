"""Chunk rows: chunks as the store hands them to a view, and how they are put in order. Pure."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Bools, among, spans
from ricordo.core.text.flags import ENDS_ASKING
from ricordo.core.text.tokens import STOP_STEMS, number

KINDS = ("message", "note", "fact", "archive", "file", "record")
CHUNK = 640  # characters of a full chunk


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
        ("own_end", np.int64),  # where the stems of the text end in the list of all stems
        ("end", np.int64),  # where those of its surroundings end
        ("flow_end", np.int64),
        ("group", np.int32),
        ("author", np.int32),
        ("length", np.int32),
        ("kind", np.uint8),
        ("marks", np.uint8),
    ]
)


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


def unit_marks(marks: Array, heads: Array) -> Array:
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
    dates = at.astype("datetime64[us]")
    years, months = dates.astype("datetime64[Y]"), dates.astype("datetime64[M]")
    day = (dates.astype("datetime64[D]") - months).astype(np.int64) + 1
    month = (months - years).astype(np.int64) + 1
    return np.asarray((years.astype(np.int64) + 1970) * 10_000 + month * 100 + day)
