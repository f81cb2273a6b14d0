"""Disks that fail on purpose, and one that remembers everything: file systems for SQLite."""

import contextlib
import os
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import apsw

from ricordo.store import opening
from ricordo.store.sqlite import file as sqlite_file
from ricordo.store.sqlite.driver import SQLite

SECTOR = 512
SMALL_CACHE = {"writer": 160, "reader": 80}  # KiB: pages spill in the middle of a transaction
SMALL_WAL = 40  # pages: checkpoints happen all the time


@contextlib.contextmanager
def on_disk(disk: apsw.VFS, name: str) -> Iterator[None]:
    """Every memory opened inside lies on this disk, with little cache and a short WAL."""
    plain, cache, settings = (
        opening.SQLite,
        sqlite_file._CACHE_KIB,
        sqlite_file._settings,
    )

    def small(raw: apsw.Connection, role: str) -> None:
        settings(raw, role)
        raw.execute(f"PRAGMA wal_autocheckpoint={SMALL_WAL}").fetchall()

    over = "multipleciphers-" if os.environ.get("RICORDO_KEY") else ""  # puts the cipher above it
    opening.SQLite = partial(SQLite, vfs=over + name)  # type: ignore[misc, assignment]
    sqlite_file._CACHE_KIB, sqlite_file._settings = SMALL_CACHE, small
    try:
        yield
    finally:
        opening.SQLite = plain  # type: ignore[misc]
        sqlite_file._CACHE_KIB, sqlite_file._settings = cache, settings
        disk.unregister()


class Fault(NamedTuple):
    """The nth operation of a kind goes wrong, once or from then on."""

    operation: str  # read, write, sync or truncate
    number: int
    way: str  # error, full, torn, or lie: nothing is written and nothing is said
    is_sticky: bool = False


class FaultyDisk(apsw.VFS):
    """Counts operations, and lets the one go wrong that it was told."""

    def __init__(self, name: str, fault: Fault | None = None) -> None:
        super().__init__(name, "")
        self.fault = fault
        self.counts: Counter[str] = Counter()
        self.is_armed = False
        self.has_failed = False

    def xOpen(self, name, flags):  # noqa: N802 - SQLite's word
        return FaultyFile(self, name, flags)

    def fails(self, operation: str) -> bool:
        if not self.is_armed:
            return False
        self.counts[operation] += 1
        if self.fault is None or operation != self.fault.operation:
            return False
        number = self.counts[operation]
        hits = number >= self.fault.number if self.fault.is_sticky else number == self.fault.number
        self.has_failed |= hits
        return hits


class FaultyFile(apsw.VFSFile):
    def __init__(self, disk: FaultyDisk, name, flags) -> None:
        super().__init__("", name, flags)
        self._disk = disk

    def xRead(self, amount, offset):  # noqa: N802
        if self._disk.fails("read"):
            raise apsw.IOError
        return super().xRead(amount, offset)

    def xWrite(self, data, offset):  # noqa: N802
        if self._disk.fails("write"):
            way = self._disk.fault.way
            if way == "lie":
                return
            if way == "full":
                raise apsw.FullError
            if way == "torn":
                super().xWrite(bytes(data)[: len(data) // 2], offset)
            raise apsw.IOError
        super().xWrite(data, offset)

    def xSync(self, flags):  # noqa: N802
        if self._disk.fails("sync"):
            raise apsw.IOError
        super().xSync(flags)

    def xTruncate(self, size):  # noqa: N802
        if self._disk.fails("truncate"):
            raise apsw.IOError
        super().xTruncate(size)


class Operation(NamedTuple):
    """What was done to a file; `acknowledged` is how many steps were, by then."""

    what: str  # write, truncate, delete, sync or acknowledge
    file: str
    offset: int = 0
    data: bytes = b""


class RecordingDisk(apsw.VFS):
    """Keeps a log of everything that was written and synced."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.log: list[Operation] = []

    def xOpen(self, name, flags):  # noqa: N802
        return RecordingFile(self, name, flags)

    def xDelete(self, name, sync):  # noqa: N802
        self.log.append(Operation("delete", suffix(name)))
        super().xDelete(name, sync)


class RecordingFile(apsw.VFSFile):
    def __init__(self, disk: RecordingDisk, name, flags) -> None:
        super().__init__("", name, flags)
        self._log = disk.log
        text = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._file = suffix(text or "temporary")

    def xWrite(self, data, offset):  # noqa: N802
        self._log.append(Operation("write", self._file, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size):  # noqa: N802
        self._log.append(Operation("truncate", self._file, size))
        super().xTruncate(size)

    def xSync(self, flags):  # noqa: N802
        self._log.append(Operation("sync", self._file))
        super().xSync(flags)


def suffix(name: str) -> str:
    """Which file of a memory it is: the database itself, its WAL or its journal."""
    for end in ("-wal", "-journal"):
        if name.endswith(end):
            return end
    return "" if name != "temporary" else name
