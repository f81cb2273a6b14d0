"""The pages of a damaged file, read without SQLite: what it refuses whole can be read in parts.

The database is overlaid by every whole commit of its WAL. A frame that does not verify is left out;
those behind it are still read, as each is checked against the stored checksum of the one before.
Nothing is written, no lock is taken.
"""

import contextlib
import struct
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ricordo.store.sqlite.chacha20 import TAIL
from ricordo.store.sqlite.cipher import Cipher

_MAGIC = b"SQLite format 3\0"
_USUAL_PAGE = 4096
_RUN, _RUNS = 64, 256  # pages decrypted at once, and how many such runs are kept
_FRAME = 24
_WAL_HEADER = 32
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
_KINDS = frozenset({INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE})
_ROOT_POINTER, _CHILD_POINTER = 1, 5  # kinds of entries of a pointer map

Value = str | bytes | int | float | None


class Damage(ValueError):
    """A page or a record that makes no sense. It never leaves this package."""


class Tree(NamedTuple):
    """One page of a b-tree: its kind, the pages below it and the records on it."""

    kind: int
    children: list[int]
    cells: list[tuple[int | None, int, int]]  # rowid, length of the payload, where it begins


class Pages:
    """The page images of a file and its WAL."""

    def __init__(self, path: str, cipher: Cipher | None = None) -> None:
        self._cipher = cipher
        self._decrypted: dict[int, bytes] = {}  # runs of pages, by number; the newest few
        self._files = contextlib.ExitStack()
        self._main = self._files.enter_context(Path(path).open("rb"))  # noqa: SIM115
        self.size, self._reserved = self._shape()
        self.count = -(-Path(path).stat().st_size // self.size)
        self._newer: dict[int, tuple[BinaryIO, int]] = {}
        self.bad_frames = 0
        wal = Path(path + "-wal")
        if wal.is_file() and wal.stat().st_size > _WAL_HEADER:
            self._overlay(self._files.enter_context(wal.open("rb")))

    def close(self) -> None:
        self._files.close()

    @property
    def usable(self) -> int:
        return self.size - self._reserved

    def page(self, number: int) -> bytes:
        """The bytes of a page, as the last whole commit left them."""
        if not 1 <= number <= self.count:
            raise Damage(f"there is no page {number}")
        stream, offset = self._newer.get(number, (self._main, (number - 1) * self.size))
        if self._cipher is None:
            stream.seek(offset)
            content = stream.read(self.size)
        else:
            content = self._decrypt(self._cipher, stream, offset, number)
        if len(content) < self.size:
            raise Damage(f"page {number} is cut short")
        return content

    def _decrypt(self, cipher: Cipher, stream: BinaryIO, offset: int, number: int) -> bytes:
        """A page in plain; those behind it in the file are decrypted with it, as that is cheap."""
        is_newer = stream is not self._main
        run = -number if is_newer else (number - 1) // _RUN
        if run not in self._decrypted:
            first, count = (number, 1) if is_newer else (run * _RUN + 1, _RUN)
            stream.seek(offset if is_newer else (first - 1) * self.size)
            content = stream.read(count * self.size)
            plain = cipher.decrypt(content, range(first, first + count), self.size)
            while len(self._decrypted) >= _RUNS:
                self._decrypted.pop(next(iter(self._decrypted)))
            self._decrypted[run] = plain
        start = 0 if is_newer else (number - 1) % _RUN * self.size
        return self._decrypted[run][start : start + self.size]

    def tree(self, number: int) -> Tree:
        """A page read as part of a b-tree; cells that make no sense are left out."""
        page = self.page(number)
        start = 100 if number == 1 else 0
        kind = page[start]
        if kind not in _KINDS:
            raise Damage(f"page {number} is not part of a tree")
        is_leaf = kind in (LEAF_INDEX, LEAF_TABLE)
        array_at = start + (8 if is_leaf else 12)
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        if array_at + 2 * count > self.size:
            raise Damage(f"page {number} claims {count} cells")
        children = [] if is_leaf else [int.from_bytes(page[start + 8 : start + 12], "big")]
        cells = []
        for index in range(count):
            at = int.from_bytes(page[array_at + 2 * index : array_at + 2 * index + 2], "big")
            with contextlib.suppress(Damage):
                child, cell = _cell(page, at, kind)
                children += child
                cells += cell
        return Tree(kind, children, cells)

    def payload(self, number: int, kind: int, length: int, at: int) -> bytes:
        """A whole payload, with what of it lies on overflow pages."""
        page = self.page(number)
        local = self._local(kind, length)
        content = page[at : at + local]
        if local == length:
            return _whole(content, length)
        follow = int.from_bytes(page[at + local : at + local + 4], "big")
        pieces, seen = [content], set[int]()
        missing = length - local
        while missing > 0:
            if follow in seen:
                raise Damage(f"overflow page {follow} comes round again")
            seen.add(follow)
            page = self.page(follow)
            follow = int.from_bytes(page[:4], "big")
            pieces.append(page[4 : 4 + min(missing, self.usable - 4)])
            missing -= self.usable - 4
        return _whole(b"".join(pieces), length)

    def parent(self, number: int) -> int | None:
        """The page above one, by the pointer map; 0 for a root, None if it is in no tree."""
        stride = self.usable // 5 + 1
        map_page = (number - 2) // stride * stride + 2
        if number < 3 or map_page == number:
            return None
        at = 5 * (number - map_page - 1)
        entry = self.page(map_page)[at : at + 5]
        kind, above = entry[0], int.from_bytes(entry[1:], "big")
        return 0 if kind == _ROOT_POINTER else above if kind == _CHILD_POINTER else None

    def _shape(self) -> tuple[int, int]:
        header = self._main.read(100)
        size = int.from_bytes(header[16:18], "big")
        size = 65536 if size == 1 else size
        if self._cipher is not None:
            return size if size in _PAGE_SIZES else _USUAL_PAGE, TAIL
        if not header.startswith(_MAGIC) or size not in _PAGE_SIZES:
            return _USUAL_PAGE, 0
        return size, header[20]

    def _local(self, kind: int, length: int) -> int:
        """How much of a payload lies on the page itself."""
        usable = self.usable
        most = usable - 35 if kind == LEAF_TABLE else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        return local if local <= most else least

    def _overlay(self, wal: BinaryIO) -> None:
        """Take the pages of every commit in the WAL, but those that do not verify."""
        waiting: dict[int, tuple[BinaryIO, int]] = {}
        for offset, page, after, is_sound in _frames(wal, self.size):
            self.bad_frames += not is_sound
            if is_sound:
                waiting[page] = wal, offset
                if after:
                    self._newer |= waiting
                    self.count = max(self.count, after)
                    waiting = {}


def _frames(wal: BinaryIO, size: int) -> Iterator[tuple[int, int, int, bool]]:
    """Where each frame's page begins, which page it is, the size after its commit, if it is sound.

    Frames of an earlier round of the WAL carry other salts; they are left out at the end.
    """
    header = wal.read(_WAL_HEADER)
    order = "little" if header[3] % 2 == 0 else "big"
    salts, before = header[16:24], header[24:32]
    behind: list[tuple[int, int, int, bool]] = []
    offset = _WAL_HEADER
    while len(frame := wal.read(_FRAME + size)) == _FRAME + size:
        page, after = struct.unpack(">II", frame[:8])
        is_sound = (
            frame[8:16] == salts
            and _checksum(before, frame[:8] + frame[_FRAME:], order) == frame[16:24]
        )
        found = offset + _FRAME, page, after, is_sound
        if is_sound:
            yield from behind
            behind = []
            yield found
        else:
            behind.append(found)
        before = frame[16:24]
        offset += _FRAME + size
        wal.seek(offset)


def _checksum(before: bytes, content: bytes, order: str) -> bytes:
    """SQLite's running checksum over pairs of 32-bit words."""
    one, two = struct.unpack(">II", before)
    words = array("I", content)
    if (order == "little") != (struct.pack("=H", 1) == b"\1\0"):
        words.byteswap()
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return struct.pack(">II", one, two)


def _cell(page: bytes, at: int, kind: int) -> tuple[list[int], list[tuple[int | None, int, int]]]:
    """The page below and the record of a cell; either may be missing."""
    child: list[int] = []
    if kind in (INTERIOR_INDEX, INTERIOR_TABLE):
        child = [int.from_bytes(page[at : at + 4], "big")]
        at += 4
        if kind == INTERIOR_TABLE:
            return child, []
    length, at = varint(page, at)
    rowid = None
    if kind == LEAF_TABLE:
        rowid, at = varint(page, at)
    return child, [(rowid, length, at)]


def _whole(content: bytes, length: int) -> bytes:
    if len(content) != length:
        raise Damage("a payload is cut short")
    return content


def varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next one begins."""
    value = 0
    for step in range(9):
        if at + step >= len(content):
            raise Damage("a number is cut short")
        byte = content[at + step]
        if step == 8:
            value = value << 8 | byte
            return value - (1 << 64) if value >= 1 << 63 else value, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + step + 1
    raise Damage("a number has no end")


def record(content: bytes) -> list[Value]:
    """The values of a record; a length that does not add up is damage."""
    end, at = varint(content, 0)
    body = end
    values: list[Value] = []
    while at < end:
        kind, at = varint(content, at)
        value, body = _value(content, kind, body)
        values.append(value)
    if at != end or body != len(content):
        raise Damage("a record does not fill its payload")
    return values


def _value(content: bytes, kind: int, at: int) -> tuple[Value, int]:
    if kind >= 12:
        length = (kind - 12) // 2
        piece = content[at : at + length]
        if len(piece) < length:
            raise Damage("a value is cut short")
        if kind % 2 == 0:
            return piece, at + length
        try:
            return piece.decode(), at + length
        except UnicodeDecodeError as error:
            raise Damage(str(error)) from error
    if kind in (0, 8, 9):
        return (None, at) if kind == 0 else (kind - 8, at)
    width = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8}.get(kind)
    if width is None or at + width > len(content):
        raise Damage("a value of no known kind")
    piece = content[at : at + width]
    if kind == 7:
        return float(struct.unpack(">d", piece)[0]), at + width
    return int.from_bytes(piece, "big", signed=True), at + width
