"""The SQLite driver, on apsw: WAL, one writer with group commit, a pool of readers.

Several processes may share one file. Nothing is created before the first write.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import apsw

from recollect.errors import InvalidInput, StoreError
from recollect.store import catalogue, migrate
from recollect.store import sqlite_file as file
from recollect.store.catalogue import Query
from recollect.store.database import Batch, Tx
from recollect.store.group import Request
from recollect.store.head import Head, Mark, is_lost
from recollect.store.sqlite_errors import damaged, translated
from recollect.store.writing import Writing

Result = TypeVar("Result")

READERS = 4

# What a statement can do wrong without harm to the transaction around it.
_OWN_FAULT = (apsw.ConstraintError, apsw.MismatchError, apsw.SQLError, apsw.TooBigError)
_DURABILITY = {"full": "FULL", "normal": "NORMAL"}


class Connection:
    """One apsw connection behind the protocol of `database`."""

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        self.tx = Tx(self, catalogue.load(file.DIALECT))

    def rows(self, query: Query, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self.raw.execute(query.sql, values).fetchall()

    def many(self, query: Query, batch: Batch) -> None:
        self.raw.executemany(query.sql, batch).fetchall()

    def end(self) -> None:
        """Leave the transaction, if one is open, without keeping anything."""
        if not self.raw.get_autocommit():
            self.raw.execute("ROLLBACK").fetchall()


class Reading:
    """A read transaction, to be entered with `with`. A class and no generator: polls pay for it."""

    __slots__ = ("_connection", "_store")

    def __init__(self, store: "SQLite") -> None:
        self._store = store

    def __enter__(self) -> Tx:
        try:
            self._connection = self._store.begin_read()
        except apsw.Error as error:
            with translated(self._store.url):
                raise error
        return self._connection.tx

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._store.end_read(self._connection)
        except apsw.Error as failure:
            error = error or failure
        if isinstance(error, apsw.Error | UnicodeDecodeError):
            with translated(self._store.url):
                raise error


class SQLite(Writing):
    """A memory in one file, or in RAM with the path `:memory:`."""

    def __init__(
        self,
        path: str,
        *,
        read_only: bool = False,
        durability: str = "full",
        vfs: str | None = None,
    ) -> None:
        """`vfs` names a file system registered with SQLite, for tests of what disks do."""
        if durability not in _DURABILITY:
            raise InvalidInput(f"durability {durability!r} is unknown; use 'full' or 'normal'")
        self.url = path
        self.read_only = read_only
        self._vfs = vfs
        self._head = Head(path)
        self._identity: str | None = None  # known after the first commit
        self._in_ram = path == ":memory:"
        self._synchronous = _DURABILITY[durability]
        super().__init__()
        self._writer_lock = threading.RLock()
        self._pool_lock = threading.Lock()
        self._free: list[Connection] = []
        self._slots = threading.BoundedSemaphore(READERS)
        self._writer: Connection | None = None
        if not self._in_ram:
            file.guard(path, read_only=read_only)
            self.read_only = read_only or file.is_frozen(path)

    # reading

    def read(self) -> "Reading":
        """A read transaction; a memory that does not exist yet reads as an empty one."""
        self.check_alive()
        return Reading(self)

    def begin_read(self) -> Connection:
        """A connection with a read transaction, one of a few; `end_read` has to follow."""
        if self._in_ram:
            with self._writer_lock:
                connection = self._open_writer()
                self._writer_lock.acquire()
                return connection
        self._slots.acquire()
        try:
            connection = self._take()
            connection.raw.execute("BEGIN").fetchall()
        except BaseException:
            self._slots.release()
            raise
        return connection

    def end_read(self, connection: Connection) -> None:
        if self._in_ram:
            self._writer_lock.release()
            return
        try:
            self._give(connection)
        finally:
            self._slots.release()

    def _take(self) -> Connection:
        with self._pool_lock:
            if self._free:
                return self._free.pop()
        if not file.is_there(self.url):
            return Connection(file.in_ram())
        raw = file.open_reader(self.url, self._vfs)
        if file.version(raw) == len(migrate.load(file.DIALECT)):
            return Connection(raw)
        raw.close()
        return self._take_older()

    def _take_older(self) -> Connection:
        """The file lacks tables or migrations: bring it up to date, or read it as it will be."""
        if self.read_only:
            raise StoreError(f"{self.url} has an older schema; open it once without read_only")
        self._open_writer()
        return Connection(file.open_reader(self.url, self._vfs))

    def _give(self, connection: Connection) -> None:
        connection.end()
        with self._pool_lock:
            if not self._closed and connection.raw.filename:
                self._free.append(connection)
                return
            connection.raw.close()
            if self._closed:
                self._head.close()  # whoever reads last leaves one file

    # writing

    def _commit(self, batch: list[Request]) -> None:
        """One transaction for a batch of requests; each keeps its own value or failure."""
        with self._writer_lock, translated(self.url):
            connection = self._open_writer()
            file.begin(connection.raw)
            before = connection.raw.total_changes()
            try:
                if len(batch) == 1:
                    batch[0].value = batch[0].work(connection.tx)
                else:
                    for request in batch:
                        _attempt(connection, request, self.url)
                mark = self._count(connection.raw, before)
                connection.raw.execute("COMMIT").fetchall()
            except BaseException:
                connection.end()
                raise
            if mark is not None:
                self._identity = mark.identity
                self._head.note(mark)

    def _count(self, raw: apsw.Connection, before: int) -> Mark | None:
        """Number the commit under way, if there is a file and anything to commit."""
        if self._in_ram or raw.total_changes() == before:
            return None
        return Mark(self._identity or file.identify(raw), file.count(raw))

    def _open_writer(self) -> Connection:
        with self._writer_lock:
            if self._writer is None:
                self._writer = Connection(file.in_ram() if self._in_ram else self._open_file())
            return self._writer

    def _open_file(self) -> apsw.Connection:
        if not file.is_there(self.url):
            self._head.discard()  # of a memory that was here before
        head = self._head.read()  # before the file: what it tells must already be there
        raw = file.open_writer(self.url, self._synchronous, self._vfs)
        if head is not None and is_lost(head, file.mark(raw)):
            self._head.keep_evidence(head)
        return raw

    # upkeep

    def inspect(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        if not self._in_ram and not file.is_there(self.url):
            return []
        head, evidence = self._head.read(), self._head.evidence()
        with translated(self.url), self._raw_reader() as raw:
            mark = file.mark(raw)
            found = [str(row[0]) for row in raw.execute("PRAGMA integrity_check").fetchall()]
            keys = raw.execute("PRAGMA foreign_key_check").fetchall()
            found += [f"a row of {row[0]} refers to nothing in {row[2]}" for row in keys]
            if head is not None and is_lost(head, mark):
                found.append(
                    f"{head.commits} commits were acknowledged, {mark.commits if mark else 0} are "
                    "there: the WAL was cut, damaged or deleted; restore a backup"
                )
            elif evidence is not None:
                found.append(
                    f"it once lost commits up to {evidence.commits}; restore a backup, or delete "
                    f"{self._head.evidence_path} to go on without them"
                )
        return [line for line in found if line != "ok"]

    def backup(self, path: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy to a new file through SQLite's online backup, page by page."""
        if Path(path).exists():
            raise InvalidInput(f"{path} exists already; give a new path for the copy")
        file.guard(path, read_only=False)
        self.check_alive()
        if not self.read_only:
            self.settle()
        with translated(path):
            try:
                self._copy(path, progress)
            except apsw.CorruptError as error:  # whether the copy is sound is looked at in there
                raise damaged(self.url, error) from error

    def _copy(self, path: str, progress: Callable[[int, int], None] | None) -> None:
        with self._raw_reader() as source:
            # One snapshot for all pages: without it every commit of others begins the copy anew.
            source.execute("BEGIN").fetchall()
            try:
                file.copy(source, path, progress)
            finally:
                source.execute("ROLLBACK").fetchall()

    @contextlib.contextmanager
    def _raw_reader(self) -> Iterator[apsw.Connection]:
        """A connection of its own for long work, apart from the pool."""
        if self._in_ram:
            with self._writer_lock:
                yield self._open_writer().raw
            return
        is_there = file.is_there(self.url)
        raw = file.open_reader(self.url, self._vfs) if is_there else file.in_ram()
        with contextlib.closing(raw):
            yield raw

    def tidy(self, *, deep: bool = False) -> dict[str, int]:
        """Merge the index, give free pages back, fold the WAL; `deep` writes the file anew."""
        return self._alone(lambda raw: file.tidy(raw, deep=deep), {})

    def scrub(self, seconds: float, *, deep: bool = False) -> bool:
        """Leave no byte of deleted rows in index and WAL; False while somebody reads them."""
        return self._alone(lambda raw: file.scrub(raw, seconds, deep=deep), True)

    def _alone(self, work: Callable[[apsw.Connection], Result], nothing: Result) -> Result:
        """Work on the file outside of any transaction, while no other thread writes."""
        self.check_writable()
        self.settle()
        if not self._in_ram and not file.is_there(self.url):
            return nothing
        with self._writer_lock, translated(self.url):
            return work(self._open_writer().raw)

    def files(self) -> list[str]:
        """The files that hold what is written, for whoever scans them."""
        parts = [] if self._in_ram else [self.url, self.url + "-wal"]
        return [part for part in parts if Path(part).exists()]

    def size(self) -> int:
        files = [] if self._in_ram else [Path(self.url), Path(self.url + "-wal")]
        return sum(part.stat().st_size for part in files if part.exists())

    def close(self) -> None:
        """Finish what is queued and fold the WAL back, so that one file is left."""
        if self._closed or os.getpid() != self._pid:
            return  # what was opened before a fork is the parent's to close
        with contextlib.ExitStack() as stack:
            stack.callback(self._dismiss)
            stack.callback(self._close_connections)
            self.settle()

    def _close_connections(self) -> None:
        """Close every connection, the writer last, also if a disk refuses on the way."""
        self._closed = True
        with self._writer_lock, translated(self.url), contextlib.ExitStack() as stack:
            if not self._in_ram:
                stack.callback(self._head.close)
            if self._writer is not None:
                stack.callback(self._writer.raw.close)
                self._writer = None
            with self._pool_lock:
                for connection in self._free:
                    stack.callback(connection.raw.close)
                self._free.clear()


def _attempt(connection: Connection, request: Request, url: str) -> None:
    """One request of a group: its failure undoes only its own changes."""
    connection.raw.execute("SAVEPOINT request").fetchall()
    try:
        with translated(url):
            request.value = request.work(connection.tx)
    except Exception as error:
        cause = error.__cause__
        if isinstance(cause, apsw.Error) and not isinstance(cause, _OWN_FAULT):
            raise  # the database itself failed: nobody's changes can be trusted
        request.failure = error
        connection.raw.execute("ROLLBACK TO request").fetchall()
    connection.raw.execute("RELEASE request").fetchall()
