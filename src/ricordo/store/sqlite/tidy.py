"""Tidying the file of an SQLite memory: the index, free pages and the log."""

import apsw

from ricordo.store.sqlite import file

_STEP_PAGES = 1_000  # given back at a time, so that others can write in between
_TIDY_SECONDS = 1.0  # to wait for readers of the WAL; the next tidying comes anyway


def tidy(raw: apsw.Connection, *, deep: bool) -> dict[str, int]:
    """Merge the keyword index, give free pages back to the disk and fold the WAL; in small steps.

    `deep` rewrites the whole file, which needs its size once more while it lasts.
    """
    before = file.number(raw, "page_count")
    merge(raw)
    if deep:
        raw.execute("PRAGMA auto_vacuum=INCREMENTAL").fetchall()
        file.patiently(lambda: raw.execute("VACUUM").fetchall())
    while (free := file.number(raw, "freelist_count")) > 0:
        file.patiently(lambda: raw.execute(f"PRAGMA incremental_vacuum({_STEP_PAGES})").fetchall())
        if file.number(raw, "freelist_count") >= free:
            break  # a file from before: only a deep tidying can shrink it
    after = file.number(raw, "page_count")
    is_folded = fold(raw, _TIDY_SECONDS)
    return {"pages_before": before, "pages_after": after, "wal_folded": int(is_folded)}


def merge(raw: apsw.Connection) -> None:
    """Merge the keyword index, so that no page keeps what was deleted from it."""
    file.patiently(lambda: raw.execute("INSERT INTO words (words) VALUES ('optimize')").fetchall())


def scrub(raw: apsw.Connection, seconds: float, *, deep: bool) -> bool:
    """Leave no byte of deleted rows: neither in the index nor, once it is folded, in the WAL."""
    if deep:
        file.patiently(lambda: raw.execute("VACUUM").fetchall())
    merge(raw)
    return fold(raw, seconds)


def fold(raw: apsw.Connection, seconds: float) -> bool:
    """Move the WAL into the file and empty it; False if somebody reads for longer than that."""
    raw.set_busy_timeout(int(seconds * 1000))
    try:
        raw.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        return True
    except (apsw.BusyError, apsw.LockedError):
        return False
    finally:
        raw.set_busy_timeout(file.BUSY_TIMEOUT_MS)
