"""SQLite's errors as ours: what happened, and what to do. Translated here and nowhere else."""

import contextlib
from collections.abc import Iterator

import apsw

from recollect.errors import Busy, Corrupt, DiskFull, RecollectError, StoreError


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """Raise SQLite's errors as ours."""
    try:
        yield
    except RecollectError:
        raise
    except (apsw.BusyError, apsw.LockedError) as error:
        raise Busy(f"{path} is locked by another process; try again") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise damaged(path, error) from error
    except UnicodeDecodeError as error:
        raise Corrupt(f"{path} is damaged, a text is no UTF-8; {_way_out(path)}") from error
    except apsw.ReadOnlyError as error:
        raise StoreError(f"{path} cannot be written: it or its folder is read-only") from error
    except apsw.FullError as error:
        raise DiskFull(f"the disk of {path} is full; nothing was kept, free some space") from error
    except apsw.CantOpenError as error:
        raise StoreError(f"{path} cannot be opened ({error}); check its permissions") from error
    except apsw.Error as error:
        raise StoreError(f"{path}: {error}") from error


def damaged(path: str, error: apsw.Error) -> Corrupt:
    """What to say of a file that SQLite finds malformed."""
    return Corrupt(f"{path} is damaged ({error}); {_way_out(path)}")


def _way_out(path: str) -> str:
    return f"go back to a backup, or save what is intact: recollect salvage {path} NEW"
