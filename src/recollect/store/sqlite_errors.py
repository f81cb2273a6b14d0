"""SQLite's errors as ours: what happened, and what to do. Translated here and nowhere else."""

import contextlib
from collections.abc import Iterator

import apsw

from recollect.errors import Busy, Corrupt, RecollectError, StoreError


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
        raise Corrupt(f"{path} is damaged ({error}); run: recollect check") from error
    except UnicodeDecodeError as error:
        raise Corrupt(f"{path} is damaged, a text is no UTF-8; run: recollect check") from error
    except apsw.ReadOnlyError as error:
        raise StoreError(f"{path} cannot be written: it or its folder is read-only") from error
    except apsw.FullError as error:
        raise StoreError(
            f"the disk of {path} is full; nothing was kept, free some space"
        ) from error
    except apsw.CantOpenError as error:
        raise StoreError(f"{path} cannot be opened ({error}); check its permissions") from error
    except apsw.Error as error:
        raise StoreError(f"{path}: {error}") from error
