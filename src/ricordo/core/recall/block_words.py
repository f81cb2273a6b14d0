"""The words of blocks: packed in buckets, and fetched when they are asked for. Pure.

A bucket holds the words whose numbers end alike, each with the rows that hold it. A number is a
hash, so that all buckets of a block are about as large.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ricordo.core.recall.growable import Array
from ricordo.core.recall.postings import Matches, Segment, sort_postings

MOST_BUCKETS = 128
_BUCKET = 6_000  # postings in one, about
_MANY = 14  # what half a byte holds; more is listed apart
_APART = 0xFF
_OVERHEAD = 700  # bytes in RAM: the objects of a bucket
_HEAD = np.dtype([("words", "<u4"), ("places", "<u4"), ("apart", "<u4")])


class ViewSource(Protocol):
    """What a view with blocks reads in the transaction in which it is used."""

    def read_words(self, places: Sequence[tuple[int, int]]) -> list[bytes | None]:
        """Buckets by the number of their block and their own; None if nothing is in them."""
        ...

    def read_vectors(self, chunks: Array) -> Array:
        """The vectors of chunks, which all have one."""
        ...

    def read_stems(self, chunks: Array) -> list[bytes]:
        """The stems of the texts of chunks."""
        ...


class BlockPlace(NamedTuple):
    """A block in a view: its number in the store, its first slot, its rows and its buckets."""

    number: int
    start: int
    size: int
    buckets: int


class Bucket(NamedTuple):
    """Words by number, each with its rows."""

    stems: Array
    ends: Array
    rows: Array
    times: Array  # in half bytes: in the text and around it, and in the text alone
    apart: Array  # the places whose counts are larger than that, rising,
    counts: Array  # and these counts
    own: Array

    def find(self, stem: int) -> Matches | None:
        at = int(self.stems.searchsorted(np.uint32(stem)))
        if at == len(self.stems) or int(self.stems[at]) != stem:
            return None
        start, end = int(self.ends[at - 1]) if at else 0, int(self.ends[at])
        times = self.times[start:end]
        counts, own = times & 15, times >> 4
        if len(self.apart):
            first, last = np.searchsorted(self.apart, (start, end))
            places = self.apart[first:last].astype(np.intp) - start
            counts[places], own[places] = self.counts[first:last], self.own[first:last]
        return Matches(self.rows[start:end], counts, own)


def count_buckets(words: Segment) -> int:
    """In how many buckets a block keeps its words: a power of two."""
    wanted = -(-len(words.units) // _BUCKET)
    return min(MOST_BUCKETS, 1 << max(0, wanted - 1).bit_length())


def encode_words(words: Segment) -> dict[int, bytes]:
    """The buckets of a block as bytes, without empty ones."""
    buckets = count_buckets(words)
    kinds = words.stems & np.uint32(buckets - 1)
    order = np.argsort(kinds, kind="stable")
    bounds = np.searchsorted(kinds[order], np.arange(buckets + 1))
    return {
        bucket: _encode_bucket(words, order[bounds[bucket] : bounds[bucket + 1]])
        for bucket in range(buckets)
        if bounds[bucket + 1] > bounds[bucket]
    }


def _encode_bucket(words: Segment, chosen: Array) -> bytes:
    starts, ends = words.starts[chosen], words.starts[chosen + 1]
    sizes = ends - starts
    places = np.repeat(starts - np.append(0, np.cumsum(sizes)[:-1]), sizes) + np.arange(sizes.sum())
    counts, own = words.counts[places], words.own[places]
    apart = np.flatnonzero((counts > _MANY) | (own > _MANY))
    times = counts | own << 4
    times[apart] = _APART
    head = np.array([(len(chosen), len(places), len(apart))], _HEAD)
    fields = (
        head,
        words.stems[chosen].astype("<u4"),
        np.cumsum(sizes).astype("<u4"),
        words.units[places].astype("<u2"),
        times,
        apart.astype("<u4"),
        counts[apart],
        own[apart],
    )
    return b"".join(field.tobytes() for field in fields)


def decode_bucket(data: bytes | None) -> Bucket:
    """The words of a bucket; none where nothing is kept."""
    head = (0, 0, 0) if data is None else np.frombuffer(data, _HEAD, 1)[0].tolist()
    words, places, apart = head
    kinds = ("<u4", "<u4", "<u2", "u1", "<u4", "u1", "u1")
    sizes = (words, words, places, places, apart, apart, apart)
    at, fields = _HEAD.itemsize, []
    for kind, size in zip(kinds, sizes, strict=True):
        fields.append(np.frombuffer(data or b"", kind, size, at if data else 0))
        at += fields[-1].nbytes
    return Bucket(*fields)


def decode_words(buckets: Iterable[bytes]) -> Segment:
    """All words of a block, by stem."""
    found = [decode_bucket(None), *map(decode_bucket, buckets)]
    stems, counts, own = [], [], []
    for bucket in found:
        stems.append(np.repeat(bucket.stems, np.diff(bucket.ends, prepend=np.uint32(0))))
        counts.append(bucket.times & 15)
        own.append(bucket.times >> 4)
        counts[-1][bucket.apart], own[-1][bucket.apart] = bucket.counts, bucket.own
    rows = np.concatenate([bucket.rows for bucket in found])
    return sort_postings(*map(np.concatenate, (stems, [rows], counts, own)))


class BlockWords:
    """The words of all blocks of a view, by slot."""

    def __init__(self, places: Sequence[BlockPlace]) -> None:
        self.places = list(places)
        self._held: dict[tuple[int, int], Bucket] = {}
        self._bytes = 0

    @property
    def nbytes(self) -> int:
        return self._bytes + _OVERHEAD * len(self._held)

    @property
    def bucket_count(self) -> int:
        """How many buckets are held."""
        return len(self._held)

    def fetch(self, stems: Iterable[int], source: ViewSource) -> None:
        """Read what is needed to find these stems, all of it at once."""
        wanted = {
            (place.number, stem & (place.buckets - 1)): None
            for stem in stems
            for place in self.places
        }
        missing = [key for key in wanted if key not in self._held]
        for key, data in zip(missing, source.read_words(missing) if missing else (), strict=True):
            self._held[key] = decode_bucket(data)
            self._bytes += len(data or b"")

    def find(self, stem: int, source: ViewSource | None) -> Matches:
        """The slots that hold a stem, in rising order."""
        if source is not None:
            self.fetch([stem], source)
        found = []
        for place in self.places:
            match = self._held[place.number, stem & (place.buckets - 1)].find(stem)
            if match is not None:
                found.append(match._replace(units=match.units.astype(np.int32) + place.start))
        if len(found) == 1:
            return found[0]
        if not found:
            return Matches(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.uint8))
        return Matches(*(np.concatenate(column) for column in zip(*found, strict=True)))
