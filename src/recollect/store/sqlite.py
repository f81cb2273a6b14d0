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

from recollect.errors import Busy, Corrupt, InvalidInput, RecollectError, StoreError
from recollect.store import catalogue, migrate
from recollect.store import sqlite_file as file
from recollect.store.catalogue import Query
from recollect.store.database import Batch, Tx
from recollect.store.group import Group, Request

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
        if isinstance(error, apsw.Error):
            with translated(self._store.url):
                raise error


class SQLite:
    """A memory in one file, or in RAM with the path `:memory:`."""

    def __init__(self, path: str, *, read_only: bool = False, durability: str = "full") -> None:
        if durability not in _DURABILITY:
            raise InvalidInput(f"durability {durability!r} is unknown; use 'full' or 'normal'")
        self.url = path
        self.read_only = read_only
        self._in_ram = path == ":memory:"
        self._synchronous = _DURABILITY[durability]
        self._pid = os.getpid()
        self._closed = False
        self._group = Group(self._commit)
        self._writer_lock = threading.RLock()
        self._pool_lock = threading.Lock()
        self._free: list[Connection] = []
        self._slots = threading.BoundedSemaphore(READERS)
        self._writer: Connection | None = None
        self._courier: threading.Thread | None = None
        self._wake = threading.Event()
        if not self._in_ram:
            file.guard(path, read_only=read_only)

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
        raw = file.open_reader(self.url)
        if file.version(raw) == len(migrate.load(file.DIALECT)):
            return Connection(raw)
        raw.close()
        return self._take_older()

    def _take_older(self) -> Connection:
        """The file lacks tables or migrations: bring it up to date, or read it as it will be."""
        if self.read_only:
            raise StoreError(f"{self.url} has an older schema; open it once without read_only")
        self._open_writer()
        return Connection(file.open_reader(self.url))

    def _give(self, connection: Connection) -> None:
        connection.end()
        with self._pool_lock:
            if self._closed or connection.raw.filename == "":
                connection.raw.close()
            else:
                self._free.append(connection)

    # writing

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` in the next commit and return once that commit is durable."""
        result: Result = self._group.finish(self._enqueue(work))
        return result

    def submit(self, work: Callable[[Tx], object]) -> None:
        """Queue `work` for the next commit, which a courier thread makes if nobody else does."""
        self._enqueue(work)
        if self._courier is None:
            self._courier = threading.Thread(
                target=self._carry, name="recollect-courier", daemon=True
            )
            self._courier.start()
        self._wake.set()

    def settle(self) -> None:
        """Wait until everything submitted so far is durable, or has failed."""
        self.check_alive()
        self._group.drain()

    def _enqueue(self, work: Callable[[Tx], Any]) -> Request:
        self.check_alive()
        if self.read_only:
            raise StoreError(f"{self.url} was opened read-only; open it without read_only to write")
        return self._group.enqueue(work)

    def _carry(self) -> None:
        while not self._closed:
            self._wake.wait()
            self._wake.clear()
            self._group.drain()

    def _commit(self, batch: list[Request]) -> None:
        """One transaction for a batch of requests; each keeps its own value or failure."""
        with self._writer_lock, translated(self.url):
            connection = self._open_writer()
            file.begin(connection.raw)
            try:
                if len(batch) == 1:
                    batch[0].value = batch[0].work(connection.tx)
                else:
                    for request in batch:
                        _attempt(connection, request, self.url)
                connection.raw.execute("COMMIT").fetchall()
            except BaseException:
                connection.end()
                raise

    def _open_writer(self) -> Connection:
        with self._writer_lock:
            if self._writer is None:
                raw = (
                    file.in_ram() if self._in_ram else file.open_writer(self.url, self._synchronous)
                )
                self._writer = Connection(raw)
            return self._writer

    # upkeep

    def inspect(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        if not self._in_ram and not file.is_there(self.url):
            return []
        with translated(self.url), self._raw_reader() as raw:
            found = [str(row[0]) for row in raw.execute("PRAGMA integrity_check").fetchall()]
            keys = raw.execute("PRAGMA foreign_key_check").fetchall()
            found += [f"a row of {row[0]} refers to nothing in {row[2]}" for row in keys]
        return [line for line in found if line != "ok"]

    def backup(self, path: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy to a new file through SQLite's online backup, page by page."""
        if Path(path).exists():
            raise InvalidInput(f"{path} exists already; give a new path for the copy")
        file.guard(path, read_only=False)
        self.check_alive()
        if not self.read_only:
            self.settle()
        with translated(path), self._raw_reader() as source:
            file.copy(source, path, progress)

    @contextlib.contextmanager
    def _raw_reader(self) -> Iterator[apsw.Connection]:
        """A connection of its own for long work, apart from the pool."""
        if self._in_ram:
            with self._writer_lock:
                yield self._open_writer().raw
            return
        is_there = file.is_there(self.url)
        raw = file.open_reader(self.url) if is_there else file.in_ram()
        with contextlib.closing(raw):
            yield raw

    def size(self) -> int:
        files = [] if self._in_ram else [Path(self.url), Path(self.url + "-wal")]
        return sum(part.stat().st_size for part in files if part.exists())

    def close(self) -> None:
        """Finish what is queued and fold the WAL back, so that one file is left."""
        if self._closed or os.getpid() != self._pid:
            return  # what was opened before a fork is the parent's to close
        with contextlib.ExitStack() as stack:
            stack.callback(self._close_connections)
            self.settle()
        if self._courier is not None:
            self._wake.set()
            self._courier.join()

    def _close_connections(self) -> None:
        self._closed = True
        with self._pool_lock:
            for connection in self._free:
                connection.raw.close()
            self._free.clear()
        with self._writer_lock:
            if self._writer is not None:
                self._writer.raw.close()
                self._writer = None

    def check_alive(self) -> None:
        if self._closed:
            raise StoreError("this memory is closed; open it again")
        if os.getpid() != self._pid:
            raise StoreError("this memory was opened before a fork; open it in the child process")


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
