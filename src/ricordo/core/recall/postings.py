"""Which units hold a stem, and how often. Sorted segments that double as they grow; no scoring."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Bools, Ints, flag_changes

_MOST = 255  # a count is one byte; BM25 is flat long before
_FANOUT = 4
_HALF, _ONE = np.uint64(32), np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)


class Matches(NamedTuple):
    """The units that hold one stem, in rising order."""

    units: Array  # int32
    counts: Array  # uint8, in the text and in what surrounds it
    own: Array  # uint8, in the text alone


class Segment(NamedTuple):
    """Postings of a run of units, by stem and then by unit."""

    stems: Array  # uint32, distinct, rising
    starts: Array  # int64, one more than stems
    units: Array  # int32
    counts: Array  # uint8
    own: Array  # uint8


def segment(units: Ints, stems: Array, own: Array) -> Segment:
    """Count the occurrences (unit, stem, whether in the text itself)."""
    # Sorting numbers is several times as fast as finding their order: so `own` is their last bit.
    marked = np.sort(stems.astype(np.uint64) << _HALF | units.astype(np.uint64) << _ONE | own)
    keys = marked >> _HALF << _HALF | (marked & _LOW) >> _ONE
    heads = _heads(keys)
    counts = np.diff(np.append(heads, len(keys)))
    mine = np.add.reduceat(marked & _ONE, heads) if len(heads) else counts
    return _segment(keys[heads], np.minimum(counts, _MOST), np.minimum(mine, _MOST))


def _pack_keys(stems: Array, units: Ints) -> Array:
    """Stem and unit in one number, so that one sort orders by both."""
    return stems.astype(np.uint64) << _HALF | units.astype(np.uint64)


def _heads(keys: Array) -> Array:
    """Where a new value begins in a sorted array."""
    return np.flatnonzero(flag_changes(keys))


def _segment(keys: Array, counts: Array, own: Array) -> Segment:
    stems = (keys >> _HALF).astype(np.uint32)
    heads = _heads(stems)
    return Segment(
        stems[heads],
        np.append(heads, len(keys)),
        (keys & _LOW).astype(np.int32),
        counts.astype(np.uint8),
        own.astype(np.uint8),
    )


def _merge_segments(first: Segment, second: Segment) -> Segment:
    keys = np.concatenate([_keys(first), _keys(second)])
    order = np.argsort(keys, kind="stable")  # two sorted runs: a merge, not a sort
    counts = np.concatenate([first.counts, second.counts])[order]
    return _segment(keys[order], counts, np.concatenate([first.own, second.own])[order])


def sort_postings(stems: Array, units: Ints, counts: Array, own: Array) -> Segment:
    """The segment of counted postings, each told once, in any order."""
    keys = _pack_keys(stems, units)
    order = np.argsort(keys, kind="stable")
    return _segment(keys[order], counts[order], own[order])


def join_segments(parts: Sequence[Segment], shifts: Sequence[int]) -> Segment:
    """One segment of several, whose units are shifted so that they follow each other."""
    return sort_postings(
        np.concatenate([np.repeat(part.stems, np.diff(part.starts)) for part in parts]),
        np.concatenate([p.units + np.int32(by) for p, by in zip(parts, shifts, strict=True)]),
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.own for part in parts]),
    )


def merge_matches(parts: Sequence[Matches]) -> Matches:
    """Matches of one stem from several places; counts of the same unit are added up."""
    units, counts, own = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(units, kind="stable")
    units = units[order]
    heads = _heads(units)
    if len(heads) == len(units):
        return Matches(units, counts[order], own[order])
    sums = (np.add.reduceat(each[order], heads, dtype=np.int64) for each in (counts, own))
    return Matches(units[heads], *(np.minimum(sum_, _MOST).astype(np.uint8) for sum_ in sums))


def _keys(part: Segment) -> Array:
    return _pack_keys(np.repeat(part.stems, np.diff(part.starts)), part.units)


class Postings:
    """Segments of rising units, each several times as large as the next."""

    __slots__ = ("_segments",)

    def __init__(self) -> None:
        self._segments: list[Segment] = []

    def add(self, part: Segment) -> None:
        """Append the postings of units that come after all known ones."""
        if not len(part.units):
            return
        self._segments.append(part)
        while len(self._segments) > 1 and len(self._segments[-2].units) < _FANOUT * len(
            self._segments[-1].units
        ):
            last = self._segments.pop()
            self._segments[-1] = _merge_segments(self._segments[-1], last)

    def find(self, stem: int) -> Matches:
        """Return the units that hold the stem; the answer does not show the segments."""
        found = [part for each in self._segments if (part := _slice(each, stem)) is not None]
        if len(found) == 1:
            return found[0]
        if not found:
            return Matches(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.uint8))
        return Matches(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def without(self, alive: Bools) -> "Postings":
        """The postings of the units that are alive, renumbered without gaps."""
        numbers = np.cumsum(alive, dtype=np.int32) - 1
        fewer = Postings()
        for part in self._segments:
            fewer.add(_thin_segment(part, alive[part.units], numbers))
        return fewer

    @property
    def nbytes(self) -> int:
        return sum(int(array.nbytes) for part in self._segments for array in part)


def _thin_segment(part: Segment, kept: Bools, numbers: Array) -> Segment:
    starts = np.append(0, np.cumsum(kept))[part.starts]
    filled = np.diff(starts) > 0
    return Segment(
        part.stems[filled],
        np.append(starts[:-1][filled], starts[-1]),
        numbers[part.units[kept]],
        part.counts[kept],
        part.own[kept],
    )


def _slice(part: Segment, stem: int) -> Matches | None:
    at = int(part.stems.searchsorted(np.uint32(stem)))
    if at == len(part.stems) or int(part.stems[at]) != stem:
        return None
    start, end = int(part.starts[at]), int(part.starts[at + 1])
    return Matches(part.units[start:end], part.counts[start:end], part.own[start:end])
