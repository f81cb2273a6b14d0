"""Commit counter: a file beside the WAL that says how many commits the memory has acknowledged.

SQLite takes a WAL that was cut, flipped or deleted for the end of the story, without a word. The
head remembers, outside the file, how far the memory had come. It is written after each commit and
not synced: it may lag behind the file, it never leads. It is there only while the WAL is; a memory
that was closed is one file. It finds damage and careless copying, not somebody who rewrites both.

Processes that write also queue at it. SQLite makes them ask again and again for its lock, and who
asks at the wrong moment waits for ever longer; the system's lock on a file wakes them in turn.
Whether the memory may be written is still decided by SQLite's lock alone.

Behind the mark some room is set aside. On a full disk it is given back for a deletion: without it
nothing could be deleted where nothing can be written.
"""

import contextlib
import os
import weakref
import zlib
from pathlib import Path
from typing import Any, NamedTuple

fcntl: Any  # Any: there is none on Windows
try:
    import fcntl
except ImportError:
    fcntl = None

_LENGTH = 96
RESERVE_BYTES = 1_000_000  # kept free behind the mark, for deletions on a full disk
_LABEL = "ricordo"
_TRY_EVERY = 256  # commits, until a reserve that was used is set aside again


class Mark(NamedTuple):
    """How far a memory has come: which one it is, and how many commits it has seen."""

    identity: str
    commits: int


class CommitCounter:
    """The file `<memory>-head`, and `<memory>-lost` once it has been found to lead."""

    def __init__(self, path: str) -> None:
        self._path = path + "-head"
        self._lost = path + "-lost"
        self._wal = path + "-wal"
        self._descriptor: int | None = None
        self._ending: weakref.finalize[[int], CommitCounter] | None = None
        self._has_reserve = False

    def read(self) -> Mark | None:
        """The mark on disk; None if there is none, or none that can be trusted."""
        return _read(self._path)

    def note(self, mark: Mark) -> None:
        """Write a mark after its commit; on a disk that refuses the head lags and nothing fails."""
        try:
            descriptor = self._descriptor or self._open()
            os.pwrite(descriptor, _line(mark), 0)
            if not self._has_reserve and mark.commits % _TRY_EVERY == 0:
                self._keep_reserve(descriptor)
        except OSError:
            self._close()

    def release_reserve(self) -> bool:
        """Give back the room that is kept for deletions; False if there is none."""
        try:
            descriptor = self._open()
            if os.fstat(descriptor).st_size <= _LENGTH:
                return False
            os.ftruncate(descriptor, _LENGTH)
        except OSError:
            return False
        self._has_reserve = False
        return True

    def _keep_reserve(self, descriptor: int) -> None:
        """Have room set aside; where the system or the disk does not give it, go without."""
        self._has_reserve = True
        if hasattr(os, "posix_fallocate"):
            with contextlib.suppress(OSError):
                os.posix_fallocate(descriptor, 0, RESERVE_BYTES)

    def take_turn(self) -> None:
        """Wait until no other process writes; where that cannot be known, do not wait."""
        if fcntl is None:
            return
        try:
            while not self._try_turn(self._open()):
                self._close()  # somebody who closed last took it away: queue at the new one
        except OSError:
            self._close()

    def _try_turn(self, descriptor: int) -> bool:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return descriptor == self._descriptor and os.fstat(descriptor).st_nlink > 0

    def pass_turn(self) -> None:
        """Let the next process write."""
        if fcntl is not None and self._descriptor is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def keep_evidence(self, mark: Mark) -> None:
        """Set a head that leads aside, so that later commits do not wipe out what it tells."""
        known = _read(self._lost)
        if known is None or known.commits < mark.commits:
            with contextlib.suppress(OSError):
                Path(self._path).replace(self._lost)
                self._close()

    def evidence(self) -> Mark | None:
        """A head that was found to lead and has not been cleared away by hand."""
        return _read(self._lost)

    @property
    def evidence_path(self) -> str:
        return self._lost

    def discard(self) -> None:
        """Clear away what a memory left that is no longer here."""
        self._close()
        for path in (self._path, self._lost):
            with contextlib.suppress(OSError):
                Path(path).unlink(missing_ok=True)

    def close(self) -> None:
        """Delete the head if the WAL is also gone: nobody has the memory open then."""
        self._close()
        if not Path(self._wal).exists():
            with contextlib.suppress(OSError):
                Path(self._path).unlink(missing_ok=True)

    def _open(self) -> int:
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
            # A memory that is dropped without being closed must not keep it for ever.
            self._ending = weakref.finalize(self, os.close, self._descriptor)
            self._keep_reserve(self._descriptor)
        return self._descriptor

    def _close(self) -> None:
        if self._ending is not None:
            self._ending()
            self._descriptor = self._ending = None


def is_lost(head: Mark, file: Mark | None) -> bool:
    """Whether the file is behind its head; a head of another memory says nothing about it."""
    if file is None:
        return head.commits > 0
    return head.identity == file.identity and file.commits < head.commits


def _line(mark: Mark) -> bytes:
    told = f"{_LABEL} {mark.identity} {mark.commits}".encode()
    return (b"%b %08x\n" % (told, zlib.crc32(told))).ljust(_LENGTH)


def _parse(line: bytes) -> Mark | None:
    words = line.decode("ascii", "replace").split()
    if len(words) != 4 or words[0] != _LABEL or not words[2].isdigit():
        return None
    mark = Mark(words[1], int(words[2]))
    return mark if _line(mark) == line else None


def _read(path: str) -> Mark | None:
    try:
        with Path(path).open("rb") as file:
            return _parse(file.read(_LENGTH))
    except OSError:
        return None
