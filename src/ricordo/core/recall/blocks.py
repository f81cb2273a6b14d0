"""Blocks: many chunks packed as ranking needs them, so that a view need not be read row by row.

A block holds columns of its rows, their words and, for each model, the signs of their vectors. The
same rows always give the same bytes, whether they are packed at once or joined from smaller blocks.
Derived and pure.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ricordo.core.recall.chunk_rows import COLUMNS, Row, count_stems, tabulate
from ricordo.core.recall.groups import GroupKey, Groups
from ricordo.core.recall.growable import Array, Bools
from ricordo.core.recall.people import People
from ricordo.core.recall.postings import Segment, join_segments
from ricordo.core.recall.sign_bits import pack_signs

VERSION = 1
_WIDTHS = (np.uint8, np.uint16, np.uint32, np.uint64)
_WORD = 64  # signs are kept in whole words of so many bits
_HEAD = np.dtype([("version", "<u2"), ("told", "<u4")])
_READ_AT_ONCE = 1_024  # rows whose signs are compared together
_SIGNS_HEAD = np.dtype([("version", "<u2"), ("dimensions", "<u4"), ("rows", "<u4")])


class Readable(Protocol):
    """Bytes that are read from the first to the last, as a file does it."""

    def readinto(self, into: Any, /) -> int | None:  # Any: it has a buffer
        ...


class Author(NamedTuple):
    name: str
    is_named: bool


class PackedBlock(NamedTuple):
    """Rows as columns, by rising chunk; codes are places in the lists, in order of appearance."""

    columns: Mapping[str, Array]
    authors: list[Author]
    groups: list[GroupKey]
    calls: Mapping[tuple[int, str], int]  # how often an author calls somebody by a name

    @property
    def size(self) -> int:
        return len(self.columns["chunk"])


class VectorSigns(NamedTuple):
    """The signs of the vectors of a block's rows, and which rows have a vector."""

    dimensions: int
    has: Bools
    bits: Array  # uint64: row by word


# --- making ----------------------------------------------------------------------------------


def make_block(rows: Sequence[Row]) -> tuple[PackedBlock, Segment]:
    """Pack rows, which come by rising chunk, and index their words by the place of the row."""
    people, groups = People(), Groups()
    columns, texts = tabulate(rows, people, groups)
    codes = columns["author"].tolist()
    calls: Counter[tuple[int, str]] = Counter()
    for code, row in zip(codes, rows, strict=True):
        calls.update((code, word.casefold()) for word in row.calls.split())
    authors = [Author(name, people.is_named(n)) for n, name in enumerate(people.authors)]
    words = count_stems(columns["kind"], texts, np.arange(len(rows)))
    return PackedBlock(columns, authors, groups.keys, calls), words


def join_blocks(
    blocks: Sequence[PackedBlock], words: Sequence[Segment]
) -> tuple[PackedBlock, Segment]:
    """One block of several that follow each other."""
    people, groups = People(), Groups()
    calls: Counter[tuple[int, str]] = Counter()
    parts: dict[str, list[Array]] = {name: [] for name in COLUMNS}
    for block in blocks:
        authors = place_authors(block, people)
        codes = {"author": authors, "group": place_groups(block, groups)}
        for name in COLUMNS:
            column = block.columns[name]
            parts[name].append(codes[name][column] if name in codes else column)
        for (code, word), times in block.calls.items():
            calls[int(authors[code]), word] += times
    starts = np.cumsum([0, *(block.size for block in blocks)])[:-1]
    listed = [Author(name, people.is_named(n)) for n, name in enumerate(people.authors)]
    columns = {name: np.concatenate(parts[name]) for name in COLUMNS}
    return PackedBlock(columns, listed, groups.keys, calls), join_segments(words, starts.tolist())


def place_authors(block: PackedBlock, people: People) -> Array:
    """The codes of a block's authors among all people."""
    return np.array([people.code(*author) for author in block.authors], np.int32)


def place_groups(block: PackedBlock, groups: Groups) -> Array:
    """The codes of a block's groups among all groups."""
    return np.array([groups.code(key) for key in block.groups], np.int32)


# --- as bytes --------------------------------------------------------------------------------


def encode_block(block: PackedBlock) -> bytes:
    """The bytes of a block, without its words."""
    narrow = {name: _narrow(block.columns[name]) for name in COLUMNS}
    told = json.dumps(
        {
            "rows": block.size,
            "columns": [[base, values.dtype.itemsize] for base, values in narrow.values()],
            "authors": block.authors,
            "groups": [list(key) if key.session is None else key.session for key in block.groups],
            "calls": [[*key, times] for key, times in block.calls.items()],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()
    head = np.array([(VERSION, len(told))], _HEAD).tobytes()
    return b"".join([head, told, *(values.tobytes() for _, values in narrow.values())])


def _narrow(values: Array) -> tuple[int, Array]:
    """The least value, and how much larger each one is, in as few bytes as that takes."""
    base = int(values.min()) if len(values) else 0
    above = values.astype(np.int64).view(np.uint64) - np.uint64(base % 2**64)
    most = int(above.max()) if len(above) else 0
    width = next(width for width in _WIDTHS if most <= np.iinfo(width).max)
    return base, above.astype(np.dtype(width).newbyteorder("<"))


def decode_block(data: bytes) -> PackedBlock | None:
    """The block of these bytes; None if another version wrote them."""
    head = np.frombuffer(data, _HEAD, 1)[0]
    if head["version"] != VERSION:
        return None
    start = _HEAD.itemsize
    at = start + int(head["told"])
    told = json.loads(data[start:at])
    rows = told["rows"]
    columns = {}
    for name, (base, width) in zip(COLUMNS, told["columns"], strict=True):
        values = np.frombuffer(data, f"<u{width}", rows, at)
        columns[name] = values.astype(np.int64) + base if base else values
        at += rows * width
    return PackedBlock(
        columns,
        [Author(*author) for author in told["authors"]],
        [GroupKey(key) if isinstance(key, str) else GroupKey(*key) for key in told["groups"]],
        {(code, word): times for code, word, times in told["calls"]},
    )


def encode_signs(rows: int, places: Array, vectors: Array) -> bytes:
    """The signs of the vectors at these places among the rows of a block."""
    has = np.zeros(rows, bool)
    has[places] = True
    packed = np.zeros((rows, -(-vectors.shape[1] // _WORD) * _WORD // 8), np.uint8)
    packed[places] = pack_signs(vectors)
    head = np.array([(VERSION, vectors.shape[1], rows)], _SIGNS_HEAD).tobytes()
    return b"".join([head, np.packbits(has).tobytes(), packed.tobytes()])


def decode_signs(data: bytes) -> VectorSigns | None:
    """The signs of these bytes; None if another version wrote them."""
    version, dimensions, rows = np.frombuffer(data, _SIGNS_HEAD, 1)[0].tolist()
    if version != VERSION:
        return None
    at, words = _SIGNS_HEAD.itemsize, -(-dimensions // _WORD)
    flags = np.frombuffer(data, np.uint8, -(-rows // 8), at)
    has = np.unpackbits(flags, count=rows).astype(bool)
    bits = np.frombuffer(data, np.uint64, rows * words, at + len(flags))
    return VectorSigns(dimensions, has, bits.reshape(rows, words))


def read_signs(file: Readable) -> Iterator[tuple[Array, Array]]:
    """Some places after the others that have a vector, and its signs, each time in the same memory;
    nothing if another version wrote them.
    """
    head = _read_into(np.empty(1, _SIGNS_HEAD), file)
    version, dimensions, rows = head[0].tolist()
    if version != VERSION:
        return
    flags = _read_into(np.empty(-(-rows // 8), np.uint8), file)
    has = np.unpackbits(flags, count=rows).astype(bool)
    held = np.empty((min(rows, _READ_AT_ONCE), -(-dimensions // _WORD)), np.uint64)
    for start in range(0, rows, _READ_AT_ONCE):
        part = has[start : start + _READ_AT_ONCE]
        bits = _read_into(held[: len(part)], file)
        yield start + np.flatnonzero(part), bits if part.all() else bits[part]


def _read_into(array: Array, file: Readable) -> Array:
    view = array.view(np.uint8).data.cast("B")
    if file.readinto(view) != len(view):
        raise ValueError("the signs of a block are cut off; index the space again")
    return array


def join_signs(parts: Sequence[VectorSigns]) -> bytes:
    """The bytes of the signs of blocks that follow each other, all of one model."""
    has = np.concatenate([part.has for part in parts])
    bits = np.concatenate([part.bits for part in parts])
    head = np.array([(VERSION, parts[0].dimensions, len(has))], _SIGNS_HEAD).tobytes()
    return b"".join([head, np.packbits(has).tobytes(), bits.tobytes()])


def list_probes(vectors: Iterable[bytes]) -> list[bytes]:
    """What stands in a block for each of these vectors, as an erasure looks for it."""
    return [pack_signs(np.frombuffer(v, "<f2").reshape(1, -1)).tobytes() for v in vectors if v]
