"""SQLite's errors as ours: what happened, and what to do. Translated here and nowhere else."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw

from ricordo.errors import Busy, Corrupt, DiskFull, RicordoError, StoreError

ERRORS = (apsw.Error, UnicodeDecodeError)
_ONE_WRITE = 64 * 1024 * 1024  # a transaction that would have passed the limit is kept in RAM


@contextlib.contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Raise SQLite's errors as ours."""
    try:
        yield
    except ERRORS as error:
        raise translate_error(path, error) from error


def translate_error(path: str, error: Exception) -> RicordoError:
    """What to raise instead of one of `ERRORS`."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return Busy(f"{path} is locked by another process; try again")
        case apsw.CorruptError() | apsw.NotADBError():
            return describe_damage(path, error)
        case UnicodeDecodeError():
            return Corrupt(f"{path} is damaged, a text is not UTF-8; {_way_out(path)}")
        case apsw.ReadOnlyError():
            return StoreError(f"{path} cannot be written: it or its folder is read-only")
        case apsw.FullError():
            return DiskFull(f"the disk of {path} is full; nothing was kept, free some space")
        case apsw.CantOpenError():
            return StoreError(f"{path} cannot be opened ({error}); check its permissions")
        case apsw.IOError():
            return _unwritten(path, error)
    return StoreError(f"{path}: {error}")


def _unwritten(path: str, error: apsw.Error) -> StoreError:
    """What to say of a disk that refuses; a limit of the process looks like a failing disk."""
    limit = _find_size_limit()
    sizes = [Path(path + end).stat().st_size for end in ("", "-wal") if Path(path + end).exists()]
    if limit is not None and any(size > limit - _ONE_WRITE for size in sizes):
        return DiskFull(
            f"{path} may not grow beyond {limit:,} bytes, the limit on the size of files of this "
            "process (RLIMIT_FSIZE); nothing was kept, raise it with: ulimit -f"
        )
    return StoreError(f"{path}: {error}")


def _find_size_limit() -> int | None:
    """How large a file of this process may be; None if there is no limit."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def describe_damage(path: str, error: apsw.Error) -> Corrupt:
    """What to say of a file that SQLite finds malformed."""
    return Corrupt(f"{path} is damaged ({error}); {_way_out(path)}")


def _way_out(path: str) -> str:
    return f"go back to a backup, or save what is intact: ricordo salvage {path} NEW"
