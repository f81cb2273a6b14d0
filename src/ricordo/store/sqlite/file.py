"""The file of an SQLite memory: refuse what is not ours, create it, open it, migrate it."""

import contextlib
import errno
import os
import struct
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from ricordo.errors import Busy, Corrupt, InvalidInput, NewerSchema, NotFound, StoreError
from ricordo.store import migrate
from ricordo.store.sqlite.cipher import MAGIC, Cipher, Secret, find_cipher, read_plain_header
from ricordo.store.sqlite.commit_counter import Mark

APPLICATION_ID = 0x7269636F  # "rico"
BUSY_TIMEOUT_MS = 10_000
PATIENCE_SECONDS = 60.0  # how long to queue behind other processes before giving up
DIALECT = "sqlite"

_COOKIE = slice(40, 44)  # of the header: counts changes of the schema
_CACHE_KIB = {"writer": 8_000, "reader": 2_000}
_WAL_BYTES = 8_000_000
_STATEMENTS = 500  # kept prepared by a connection, about 2.5 kB each: all of the catalogue

# A checkpoint can lose committed pages in these versions when several connections write.
_FIXED_IN = 3_051_003
_WITHDRAWN = 3_052_000


def guard(path: str, *, read_only: bool, secret: Secret | None = None) -> None:
    """Refuse a path that cannot be, or is not, a memory; the file is left untouched.

    An encrypted one is opened by `secret` alone, and a plain one only without.
    """
    if apsw.SQLITE_VERSION_NUMBER < _FIXED_IN or apsw.SQLITE_VERSION_NUMBER == _WITHDRAWN:
        raise StoreError(
            f"SQLite {apsw.sqlite_lib_version()} can lose commits when processes share a file; "
            "run: pip install -U apsw-sqlite3mc"
        )
    if not path.strip():
        raise InvalidInput("the path of the memory is blank; give the path of a file")
    file = Path(path)
    _check_path(path, file)
    if file.is_dir():
        raise InvalidInput(f"{path} is a directory; give the path of a file in it")
    if not file.parent.is_dir():
        raise InvalidInput(f"the folder {str(file.parent)!r} does not exist; create it first")
    if not file.exists():
        if read_only:
            raise NotFound(f"there is no memory at {path}; open it without read_only to create it")
        return
    cipher = find_cipher(path, secret)
    header = read_plain_header(path, cipher)
    check_header(path, header)
    if header and cipher is None and secret is not None:
        raise InvalidInput(
            f"{path} is not encrypted, and a key was given; leave the key out, or run: "
            f"ricordo encrypt --db {path}"
        )


def _check_path(path: str, file: Path) -> None:
    """Refuse what no file can be called."""
    try:
        file.lstat()
    except (ValueError, UnicodeEncodeError) as error:
        raise InvalidInput(f"{path!r} cannot be the path of a file: {error}") from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise InvalidInput(
                f"the path {path[:40]!r}… is too long; give a shorter one"
            ) from error


def check_header(path: str, header: bytes) -> None:
    if not header:
        return  # an empty file is as good as none
    if len(header) < 100 or not header.startswith(MAGIC):
        raise Corrupt(f"{path} is not a memory: it is not a SQLite file; give another path")
    version, application = struct.unpack(">I4xI", header[60:72])
    if application == 0 and not any(header[_COOKIE]):
        return  # no table was ever made in it: whoever began it was killed before the first
    if application != APPLICATION_ID:
        raise Corrupt(f"{path} is an SQLite file of another program; give another path")
    if version > len(migrate.load(DIALECT)):
        raise NewerSchema(
            f"{path} has schema {version}, this ricordo knows up to "
            f"{len(migrate.load(DIALECT))}; install a newer ricordo"
        )


def is_there(path: str) -> bool:
    """Whether a memory has been written at this path."""
    try:
        return Path(path).stat().st_size > 0
    except FileNotFoundError:
        return False


def in_ram() -> apsw.Connection:
    """An empty memory in RAM, with the whole schema."""
    raw = _connect(":memory:", apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    _prepare_new_file(raw)  # it may be copied to a file one day
    _teach(raw)
    pragma(raw, "foreign_keys", "ON", 1)
    upgrade(raw, ":memory:")
    return raw


def open_writer(
    path: str, synchronous: str, vfs: str | None = None, cipher: Cipher | None = None
) -> apsw.Connection:
    """Open for writing; creates and migrates as needed."""
    raw = create(path, vfs, cipher)
    _settings(raw, "writer")
    if number(raw, "application_id") == 0:
        patiently(lambda: _prepare_new_file(raw))
    patiently(lambda: pragma(raw, "journal_mode", "WAL", "wal"))
    pragma(raw, "synchronous", synchronous, {"FULL": 2, "NORMAL": 1, "OFF": 0}[synchronous])
    upgrade(raw, path)
    return raw


def open_reader(path: str, vfs: str | None = None, cipher: Cipher | None = None) -> apsw.Connection:
    """Open for reading an existing memory of the present schema."""
    # Not SQLITE_OPEN_READONLY: such a connection cannot fold the WAL back when it closes last.
    # Where the file itself may not be written SQLite falls back to reading by itself.
    if is_frozen(path):
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        raw = _connect(f"{Path(path).absolute().as_uri()}?immutable=1", flags, vfs)
    else:
        raw = _connect(path, apsw.SQLITE_OPEN_READWRITE, vfs)
    if cipher is not None:
        cipher.unlock(raw)
    _settings(raw, "reader")
    pragma(raw, "query_only", "ON", 1)
    return raw


def _connect(path: str, flags: int, vfs: str | None = None) -> apsw.Connection:
    return apsw.Connection(path, flags=flags, vfs=vfs, statementcachesize=_STATEMENTS)


def is_frozen(path: str) -> bool:
    """Whether this process can make no file here, so that there is no room for a WAL.

    Where somebody has it open, from a place where it can be written, there are files beside it.
    """
    if not Path(path).exists() or any(Path(path + end).exists() for end in ("-wal", "-shm")):
        return False
    if not os.access(Path(path).absolute().parent, os.W_OK):
        return True
    if not hasattr(os, "statvfs"):  # not every system tells
        return False
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def look_at_frozen(path: str) -> tuple[int, int, int] | None:
    """What tells whether a frozen file was changed by somebody who may; None if it is not frozen.

    SQLite reads such a file without locks and keeps what it has read.
    """
    if not is_frozen(path):
        return None
    found = Path(path).stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def version(raw: apsw.Connection) -> int:
    return number(raw, "user_version")


def create(path: str, vfs: str | None = None, cipher: Cipher | None = None) -> apsw.Connection:
    """Open a file for writing; create a missing one for its owner alone."""
    if not Path(path).exists():
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            pass  # somebody was quicker
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    elif not os.access(path, os.W_OK):
        raise StoreError(f"{path} cannot be written; check its permissions")
    raw = _connect(path, apsw.SQLITE_OPEN_READWRITE, vfs)
    if cipher is not None:
        cipher.unlock(raw)
    return raw


def begin_encrypted(path: str, secret: Secret) -> None:
    """Make the first page of a new file, in one step: what opens it depends on its beginning."""
    beside = f"{path}-{os.urandom(4).hex()}"
    raw = create(beside, cipher=secret.make())
    try:
        _prepare_new_file(raw)
        raw.close()
        with contextlib.suppress(FileNotFoundError):
            if Path(path).stat().st_size == 0:
                Path(path).unlink()  # an empty file is as good as none
        with contextlib.suppress(FileExistsError):  # somebody was quicker
            os.link(beside, path)
    finally:
        Path(beside).unlink(missing_ok=True)


def copy(
    source: apsw.Connection,
    path: str,
    progress: Callable[[int, int], None] | None = None,
    cipher: Cipher | None = None,
) -> None:
    """Copy a memory to a new file, page by page, and verify it; a copy that fails is not kept."""
    before = mark(source)
    target = create(path, cipher=cipher)
    try:
        with target.backup("main", source, "main") as pages:
            while not pages.done:
                pages.step(1024)
                if progress:
                    progress(pages.page_count - pages.remaining, pages.page_count)
        _verify(target, path, before)
    except BaseException:
        target.close()
        Path(path).unlink(missing_ok=True)
        raise
    target.close()


def _verify(copy: apsw.Connection, path: str, before: Mark | None) -> None:
    """A copy that SQLite finds fault with, or that lacks commits, is none."""
    told = find_fault(copy)
    if told is not None:
        raise Corrupt(
            f"the copy {path} would be damaged ({told}) and was not kept; run: ricordo check"
        )
    if mark(copy) != before:
        raise Corrupt(f"the copy {path} lacks commits; make it again")


def find_fault(raw: apsw.Connection) -> str | None:
    """What SQLite finds wrong first with a whole file."""
    _teach(raw)
    try:
        [told] = raw.execute("PRAGMA integrity_check(1)").fetchall()[0]
    except apsw.CorruptError as error:
        return str(error)
    return None if told == "ok" else str(told)


def _prepare_new_file(raw: apsw.Connection) -> None:
    """What has to be set before the first table is made."""
    raw.execute("PRAGMA auto_vacuum=INCREMENTAL").fetchall()
    raw.execute(f"PRAGMA application_id={APPLICATION_ID}").fetchall()


def _settings(raw: apsw.Connection, role: str) -> None:
    raw.set_busy_timeout(BUSY_TIMEOUT_MS)
    _teach(raw)
    pragma(raw, "foreign_keys", "ON", 1)
    pragma(raw, "cache_size", -_CACHE_KIB[role], -_CACHE_KIB[role])
    pragma(raw, "temp_store", "MEMORY", 2)
    if role == "writer":
        # What is forgotten is overwritten: a free page of the file would still show it.
        pragma(raw, "secure_delete", "ON", 1)
        # The log grows while somebody reads an old state; afterwards it is cut back to this.
        pragma(raw, "journal_size_limit", _WAL_BYTES, _WAL_BYTES)


def _teach(raw: apsw.Connection) -> None:
    """SQLite's own lower() knows ASCII only, and it plans many statements again at each run."""
    # The statistics that plans are made from are ours and stay, so no value would change a plan.
    raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    raw.create_scalar_function("folded", lambda *given: fold_text(given[0]), 1, deterministic=True)


def fold_text(text: Any) -> str:  # Any: whatever SQLite hands over, here always text
    """Text without case and accents, for a literal search: CAFÉ, café and cafe are one."""
    if text.isascii():
        return str(text.lower())
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(mark for mark in plain if not unicodedata.combining(mark))


def pragma(raw: apsw.Connection, name: str, value: object, expected: object) -> None:
    """Set a pragma and read it back: a setting that did not take is an error."""
    raw.execute(f"PRAGMA {name}={value}").fetchall()
    seen = raw.execute(f"PRAGMA {name}").fetchall()[0][0]
    if seen != expected:
        raise StoreError(f"SQLite kept {name}={seen!r} instead of {expected!r}")


def patiently(work: Callable[[], object]) -> None:
    """Repeat what other processes may hold up, for a bounded time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            work()
            return
        except (apsw.BusyError, apsw.LockedError) as error:
            if time.monotonic() > deadline:
                raise Busy(
                    f"another process has kept the memory locked for {PATIENCE_SECONDS:.0f} s; "
                    "end it or try again"
                ) from error


def begin(raw: apsw.Connection) -> None:
    """Take the write lock at once: reading first and locking later can fail half-way."""
    try:
        raw.execute("BEGIN IMMEDIATE")  # nothing around it: each write pays for that
    except (apsw.BusyError, apsw.LockedError):
        patiently(lambda: raw.execute("BEGIN IMMEDIATE"))


def count(raw: apsw.Connection) -> int:
    """Count the commit under way, inside its transaction."""
    rows: list[Any] = raw.execute(
        "UPDATE meta SET value = value + 1 WHERE key = 'commits' RETURNING value"
    ).fetchall()
    if not rows:
        raw.execute("INSERT INTO meta (key, value) VALUES ('commits', '1')").fetchall()
        rows = [("1",)]
    return int(rows[0][0])


def identify(raw: apsw.Connection) -> str:
    """The name that tells this memory from others; it gets one with its first commit."""
    rows: list[Any] = raw.execute("SELECT value FROM meta WHERE key = 'identity'").fetchall()
    if rows:
        return str(rows[0][0])
    identity = os.urandom(16).hex()
    raw.execute("INSERT INTO meta (key, value) VALUES ('identity', ?)", (identity,)).fetchall()
    return identity


def mark(raw: apsw.Connection) -> Mark | None:
    """Which memory this is and how many commits it has seen; None before the first."""
    there = raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchall()
    if not there:
        return None
    rows: list[Any] = raw.execute(
        "SELECT i.value, c.value FROM meta i, meta c WHERE i.key = 'identity' AND c.key = 'commits'"
    ).fetchall()
    return Mark(str(rows[0][0]), int(rows[0][1])) if rows else None


def upgrade(raw: apsw.Connection, path: str) -> None:
    """Apply the migrations that are missing, each in its own transaction."""
    known = migrate.load(DIALECT)
    if version(raw) == len(known) and not migrate.list_pending(known, read_applied(raw)):
        return
    for migration in known:
        begin(raw)
        try:
            if migration in migrate.list_pending(known, read_applied(raw)):
                _apply(raw, migration)
            raw.execute("COMMIT").fetchall()
        except BaseException:
            if not raw.get_autocommit():
                raw.execute("ROLLBACK").fetchall()
            raise
    if version(raw) > len(known):
        raise NewerSchema(f"{path} has a newer schema; install a newer ricordo")


def _apply(raw: apsw.Connection, migration: migrate.Migration) -> None:
    raw.execute(migration.sql).fetchall()
    raw.execute(
        "INSERT INTO migrations (number, name, digest) VALUES (?, ?, ?)",
        (migration.number, migration.name, migration.digest),
    ).fetchall()
    raw.execute(f"PRAGMA user_version={migration.number}").fetchall()


def read_applied(raw: apsw.Connection) -> dict[int, str]:
    """Numbers and digests of the migrations this file has been through."""
    there = raw.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchall()
    if not there:
        raw.execute(
            "CREATE TABLE IF NOT EXISTS migrations "
            "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)"
        ).fetchall()
        return {}
    rows: list[Any] = raw.execute("SELECT number, digest FROM migrations").fetchall()
    return dict(rows)


def number(raw: apsw.Connection, name: str) -> int:
    rows: list[Any] = raw.execute(f"PRAGMA {name}").fetchall()
    return int(rows[0][0])
