"""The words of blocks: packed in buckets, and fetched when they are asked for. Pure.

A bucket holds the words whose numbers end alike, each with the rows that hold it. A number is a
hash, so that all buckets of a block are about as large.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np

from ricordo.core.recall.blocks import Readable
from ricordo.core.recall.growable import Array
from ricordo.core.recall.postings import Matches, Segment, sort_postings

MOST_BUCKETS = 128
_BUCKET = 6_000  # postings in one, about
_MANY = 14  # what half a byte holds; more is listed apart
_APART = 0xFF
_OVERHEAD = 900  # bytes in RAM: the objects of a bucket
_HEAD = np.dtype([("words", "<u4"), ("places", "<u4"), ("apart", "<u4")])
_KINDS = ("<u4", "<u4", "<u2", "u1", "<u4", "u1", "u1")


class ViewSource(Protocol):
    """What a view with blocks reads in the transaction in which it is used."""

    def read_words(self, places: Sequence[tuple[int, int]]) -> list[bytes | None]:
        """Buckets by the number of their block and their own; None if nothing is in them."""
        ...

    def read_vectors(self, chunks: Array, into: Array) -> None:
        """Fill in the vectors of chunks, which all have one, row by row."""
        ...

    def open_signs(self, blocks: Sequence[int]) -> Iterable[Readable | None]:
        """The signs of the vectors of blocks, by their numbers, each read before the next one."""
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
    """Words by number, each with its rows, as they are packed: few of them are asked for."""

    first: int
    stems: Array
    ends: Array
    rows: Array  # uint16, from `first` on
    times: Array  # uint8: half a byte for the text and around it, half for the text alone
    apart: Array  # where a half does not hold them
    counts: Array  # uint8, of those: in the text and around it
    own: Array  # uint8, in the text alone

    @property
    def nbytes(self) -> int:
        return sum(int(column.nbytes) for column in self[1:])

    def find(self, stem: int) -> Matches | None:
        at = int(self.stems.searchsorted(np.uint32(stem)))
        if at == len(self.stems) or self.stems[at] != stem:
            return None
        return self.unpack(int(self.ends[at - 1]) if at else 0, int(self.ends[at]))

    def unpack(self, start: int, end: int) -> Matches:
        """Some of the rows, and how often each has its word."""
        times = self.times[start:end]
        found = Matches(self.rows[start:end] + np.int32(self.first), times & 15, times >> 4)
        if len(self.apart):
            low, high = self.apart.searchsorted(np.array([start, end], np.uint32)).tolist()
            places = self.apart[low:high] - np.uint32(start)
            found.counts[places], found.own[places] = self.counts[low:high], self.own[low:high]
        return found


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


def decode_bucket(data: bytes | None, start: int = 0) -> Bucket:
    """The words of a bucket, the rows counted from `start`; none where nothing is kept."""
    words, places, apart = (0, 0, 0) if data is None else np.frombuffer(data, _HEAD, 1)[0].tolist()
    at, fields = _HEAD.itemsize, []
    for kind, size in zip(_KINDS, (words, words, places, places, apart, apart, apart), strict=True):
        fields.append(np.frombuffer(data or b"", kind, size, at if data else 0))
        at += fields[-1].nbytes
    return Bucket(start, *fields)


def decode_words(buckets: Iterable[bytes]) -> Segment:
    """All words of a block, by stem."""
    found = [decode_bucket(None), *map(decode_bucket, buckets)]
    stems = [np.repeat(b.stems, np.diff(np.append(0, b.ends))) for b in found]
    columns = zip(*(b.unpack(0, len(b.rows)) for b in found), strict=True)
    return sort_postings(*map(np.concatenate, (stems, *columns)))


class BlockWords:
    """The words of all blocks of a view, by slot."""

    def __init__(self) -> None:
        self.places: list[BlockPlace] = []
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
        self._read([key for key in wanted if key not in self._held], source)

    def fetch_ahead(self, count: int, source: ViewSource) -> None:
        """Read up to so many buckets that nothing has asked for yet."""
        if len(self._held) < sum(place.buckets for place in self.places):
            every = ((place.number, n) for place in self.places for n in range(place.buckets))
            self._read([*islice((key for key in every if key not in self._held), count)], source)

    def _read(self, missing: list[tuple[int, int]], source: ViewSource) -> None:
        starts = {place.number: place.start for place in self.places}
        for key, data in zip(missing, source.read_words(missing) if missing else (), strict=True):
            bucket = self._held[key] = decode_bucket(data, starts[key[0]])
            self._bytes += bucket.nbytes

    def find(self, stem: int, source: ViewSource | None) -> Matches:
        """The slots that hold a stem, in rising order."""
        if source is not None:
            self.fetch([stem], source)
        held = (self._held[place.number, stem & (place.buckets - 1)] for place in self.places)
        found = [match for bucket in held if (match := bucket.find(stem)) is not None]
        if len(found) == 1:
            return found[0]
        if not found:
            return Matches(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.uint8))
        return Matches(*(np.concatenate(column) for column in zip(*found, strict=True)))
