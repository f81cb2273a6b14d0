"""Encrypt a file, decrypt it, or change its key: a new file, verified, put in place of the old one.

Killed at any moment, it leaves the old file or the new one, whole. Nobody else may have the memory
open. The old file is overwritten once it is out of the way: whoever opened it in that very moment
must not write to a file without a name, and plain words should not stay on the disk.
"""

import contextlib
import os
import shutil
from pathlib import Path

import apsw

from ricordo.errors import Busy, Corrupt, InvalidInput, NotFound, StoreError
from ricordo.store.sqlite import file
from ricordo.store.sqlite.cipher import (
    Cipher,
    Secret,
    check_installed,
    find_cipher,
    read_plain_header,
)
from ricordo.store.sqlite.commit_counter import CommitCounter
from ricordo.store.sqlite.errors import translate_errors

_BLOCK = 1 << 20


def reencrypt(path: str, old: Secret | None, new: Secret | None) -> None:
    """Write the memory at `path` with another key, or with none."""
    check_installed()
    real = os.path.realpath(path)  # the file behind a link is replaced, not the link
    _check_there(path, real)
    present = find_cipher(real, old)
    file.check_header(path, read_plain_header(real, present))
    target = None if new is None else new.make()
    beside = f"{real}-new"
    _remove(beside)  # of a run that was killed
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))  # for its owner alone
    try:
        with translate_errors(path), contextlib.closing(_take(real, path, present)) as raw:
            before = file.mark(raw)
            raw.execute("VACUUM INTO ?", (_describe_target(beside, target),)).fetchall()
            _verify(beside, target, path, before)
            if os.name == "nt":
                raw.close()  # a file that is open cannot be replaced there
            _put_in_place(beside, real)
            CommitCounter(real).discard()
    except BaseException:
        _remove(beside)
        raise


def _check_there(path: str, real: str) -> None:
    if path == ":memory:" or "://" in path:
        raise InvalidInput(f"{path} is not a file; only files can be encrypted")
    if not file.is_there(real):
        raise NotFound(f"there is no memory at {path}; give the path of one")
    names = Path(real).stat().st_nlink
    if names > 1:
        raise InvalidInput(
            f"{path} has {names} names (hard links), and only one would change; delete the others"
        )


def _take(real: str, path: str, cipher: Cipher | None) -> apsw.Connection:
    """A connection that keeps everybody else out until it is closed."""
    raw = apsw.Connection(real, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI)
    try:
        if cipher is not None:
            cipher.unlock(raw)
        raw.set_busy_timeout(file.BUSY_TIMEOUT_MS)
        file.pragma(raw, "temp_store", "MEMORY", 2)
        file.pragma(raw, "locking_mode", "EXCLUSIVE", "exclusive")
        file.pragma(raw, "journal_mode", "DELETE", "delete")  # refused while others have it open
        raw.execute("BEGIN EXCLUSIVE").fetchall()
        raw.execute("COMMIT").fetchall()
    except (apsw.BusyError, apsw.LockedError, StoreError) as error:
        raw.close()
        raise Busy(f"another process has {path} open; end it first, then try again") from error
    except BaseException:
        raw.close()
        raise
    return raw


def _describe_target(beside: str, cipher: Cipher | None) -> str:
    word = "" if cipher is None else f"cipher=chacha20&key={cipher.word}"
    return f"{Path(beside).as_uri()}?{word or 'key='}"


def _verify(beside: str, cipher: Cipher | None, path: str, before: object) -> None:
    """Read the new file with its key before the old one goes, and sync it."""
    with contextlib.closing(file.create(beside, cipher=cipher)) as copy:
        told = file.find_fault(copy)
        if told is not None or file.mark(copy) != before:
            raise Corrupt(f"the new file of {path} is not whole and was not used; try again")
    with Path(beside).open("rb+") as stream:
        os.fsync(stream.fileno())


def _put_in_place(beside: str, real: str) -> None:
    shutil.copymode(real, beside)
    if os.name == "nt":
        Path(beside).replace(real)
        return
    with Path(real).open("rb+") as old:
        Path(beside).replace(real)
        _sync_folder(real)
        _overwrite(old.fileno())


def _overwrite(descriptor: int) -> None:
    """Make the old file one that nothing can be read from or written to."""
    left = os.fstat(descriptor).st_size
    os.lseek(descriptor, 0, os.SEEK_SET)
    while left > 0:
        left -= os.write(descriptor, b"\xff" * min(left, _BLOCK))
    os.fsync(descriptor)


def _sync_folder(path: str) -> None:
    if os.name == "posix":
        folder = os.open(Path(path).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _remove(beside: str) -> None:
    for end in ("", "-journal", "-wal", "-shm"):
        Path(beside + end).unlink(missing_ok=True)
