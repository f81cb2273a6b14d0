"""The SQLite driver, on apsw: WAL, one writer with group commit, a pool of readers.

Several processes may share one file. Nothing is created before the first write.
"""

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import apsw

from recollect.errors import Busy, Corrupt, InvalidInput, RecollectError, StoreError
from recollect.store import catalogue, migrate
from recollect.store import sqlite_file as file
from recollect.store.catalogue import Query
from recollect.store.database import Tx

Result = TypeVar("Result")
Outcome = tuple[Any, BaseException | None]  # the value of whatever work was given, or its failure

GROUP = 256  # requests that share one commit at most
READERS = 4

_DURABILITY = {"full": "FULL", "normal": "NORMAL"}


class Connection:
    """One apsw connection behind the protocol of `database`."""

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        self.tx = Tx(self, catalogue.load(file.DIALECT))

    def rows(self, query: Query, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self.raw.execute(query.sql, values).fetchall()

    def many(self, query: Query, batch: Iterable[Mapping[str, Any]]) -> None:
        self.raw.executemany(query.sql, batch).fetchall()

    def end(self) -> None:
        """Leave the transaction, if one is open, without keeping anything."""
        if not self.raw.get_autocommit():
            self.raw.execute("ROLLBACK").fetchall()


class Request:
    """One piece of work waiting for a commit."""

    __slots__ = ("future", "work")

    def __init__(self, work: Callable[[Tx], Any]) -> None:
        self.work = work
        self.future: Future[Any] = Future()

    def resolve(self, value: object, failure: BaseException | None) -> None:
        if failure is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(failure)


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
        self._queue: deque[Request] = deque()
        self._write_lock = threading.RLock()
        self._pool_lock = threading.Lock()
        self._free: list[Connection] = []
        self._slots = threading.BoundedSemaphore(READERS)
        self._writer: Connection | None = None
        self._courier: threading.Thread | None = None
        self._wake = threading.Event()
        if not self._in_ram:
            file.guard(path, read_only=read_only)

    # reading

    @contextlib.contextmanager
    def read(self) -> Iterator[Tx]:
        """A read transaction; a memory that does not exist yet reads as an empty one."""
        self._check_alive()
        if self._in_ram:
            with self._write_lock, translated(self.url):
                yield self._open_writer().tx
            return
        with self._slots, translated(self.url):
            connection = self._take()
            try:
                connection.raw.execute("BEGIN").fetchall()
                yield connection.tx
            finally:
                self._give(connection)

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
        with self._write_lock:
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
        """Run `work` in the next commit and return once that commit is durable.

        Whoever gets the lock commits for everybody who queued meanwhile.
        """
        request = self._enqueue(work)
        with self._write_lock:
            while not request.future.done():
                self._commit_queue()
        result: Result = request.future.result()
        return result

    def submit(self, work: Callable[[Tx], Result]) -> "Future[Result]":
        """Queue `work`; a courier thread commits it, or the next writer does."""
        request = self._enqueue(work)
        if self._courier is None:
            self._courier = threading.Thread(
                target=self._carry, name="recollect-courier", daemon=True
            )
            self._courier.start()
        self._wake.set()
        return request.future

    def settle(self) -> None:
        """Wait until everything submitted so far is durable, or has failed."""
        with self._write_lock:
            while self._queue:
                self._commit_queue()

    def _enqueue(self, work: Callable[[Tx], Any]) -> Request:
        self._check_alive()
        if self.read_only:
            raise StoreError(f"{self.url} was opened read-only; open it without read_only to write")
        request = Request(work)
        self._queue.append(request)
        return request

    def _carry(self) -> None:
        while not self._closed:
            self._wake.wait()
            self._wake.clear()
            self.settle()

    def _commit_queue(self) -> None:
        """Commit what is queued; every caller learns its own outcome."""
        batch: list[Request] = []
        while self._queue and len(batch) < GROUP:
            batch.append(self._queue.popleft())
        try:
            with translated(self.url):
                outcomes = self._transact(self._open_writer(), batch)
        except Exception as error:  # noqa: BLE001 - handed to every caller of the group
            outcomes = [(None, error)] * len(batch)
        except BaseException:
            for request in batch:
                request.resolve(None, StoreError("the commit was interrupted; nothing was kept"))
            raise
        for request, outcome in zip(batch, outcomes, strict=True):
            request.resolve(*outcome)

    def _transact(self, connection: Connection, batch: list[Request]) -> list[Outcome]:
        file.begin(connection.raw)
        try:
            if len(batch) == 1:
                outcomes: list[Outcome] = [(batch[0].work(connection.tx), None)]
            else:
                outcomes = [_attempt(connection, request) for request in batch]
            connection.raw.execute("COMMIT").fetchall()
        except BaseException:
            connection.end()
            raise
        return outcomes

    def _open_writer(self) -> Connection:
        if self._writer is None:
            raw = file.in_ram() if self._in_ram else file.open_writer(self.url, self._synchronous)
            self._writer = Connection(raw)
        return self._writer

    # upkeep

    def inspect(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        if not self._in_ram and not file.is_there(self.url):
            return []
        with self._raw_reader() as raw, translated(self.url):
            found = [str(row[0]) for row in raw.execute("PRAGMA integrity_check").fetchall()]
            keys = raw.execute("PRAGMA foreign_key_check").fetchall()
            found += [f"a row of {row[0]} refers to nothing in {row[2]}" for row in keys]
        return [line for line in found if line != "ok"]

    def backup(self, path: str, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy to a new file through SQLite's online backup, page by page."""
        if Path(path).exists():
            raise InvalidInput(f"{path} exists already; give a new path for the copy")
        file.guard(path, read_only=False)
        self._check_alive()
        if not self.read_only:
            self.settle()
        with self._raw_reader() as source, translated(path):
            target = file.create(path)
            with target.backup("main", source, "main") as copy:
                while not copy.done:
                    copy.step(1024)
                    if progress:
                        progress(copy.page_count - copy.remaining, copy.page_count)
            target.close()

    @contextlib.contextmanager
    def _raw_reader(self) -> Iterator[apsw.Connection]:
        """A connection of its own for long work, apart from the pool."""
        if self._in_ram:
            with self._write_lock:
                yield self._open_writer().raw
            return
        with contextlib.closing(file.open_reader(self.url)) as raw:
            yield raw

    def size(self) -> int:
        files = [] if self._in_ram else [Path(self.url), Path(self.url + "-wal")]
        return sum(part.stat().st_size for part in files if part.exists())

    def close(self) -> None:
        """Finish what is queued and fold the WAL back, so that one file is left."""
        if self._closed:
            return
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
        with self._write_lock:
            if self._writer is not None:
                self._writer.raw.close()
                self._writer = None

    def _check_alive(self) -> None:
        if self._closed:
            raise StoreError("this memory is closed; open it again")
        if os.getpid() != self._pid:
            raise StoreError("this memory was opened before a fork; open it in the child process")


def _attempt(connection: Connection, request: Request) -> Outcome:
    """One request of a group: its failure undoes only its own changes."""
    connection.raw.execute("SAVEPOINT request").fetchall()
    try:
        value = request.work(connection.tx)
    except apsw.Error:
        raise  # the database itself failed: nobody's changes can be trusted
    except Exception as error:  # noqa: BLE001 - handed to the caller of this request
        connection.raw.execute("ROLLBACK TO request").fetchall()
        connection.raw.execute("RELEASE request").fetchall()
        return None, error
    connection.raw.execute("RELEASE request").fetchall()
    return value, None


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
