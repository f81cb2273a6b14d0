"""The libSQL driver: a memory on a remote server that speaks Hrana, such as sqld or Turso.

The dialect is SQLite's. Values that SQLite compares through a function of ours are compared here,
because a server cannot be taught. A transaction that writes has the server's five seconds.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType, TracebackType
from typing import Any

from ricordo.errors import (
    Busy,
    InvalidInput,
    OutcomeUnknown,
    RicordoError,
    StoreError,
)
from ricordo.locks import Hold, Lock
from ricordo.store import catalogue, migrate
from ricordo.store.catalogue import Query
from ricordo.store.commit_threads import Request
from ricordo.store.database import Batch, Batching, Connection, Tx
from ricordo.store.libsql import hrana
from ricordo.store.libsql.hrana import Disconnected, HranaError, Stream
from ricordo.store.pool import Pool
from ricordo.store.sqlite import connection as local
from ricordo.store.sqlite import file
from ricordo.store.write_queue import WriteQueue

DIALECT = "libsql"
TOKEN = "LIBSQL_AUTH_TOKEN"
READERS = 4
PATIENCE_SECONDS = 60.0

# Somebody else holds the lock, or the server took ours: the same work can be done again.
_AGAIN = ("SQLITE_BUSY", "TRANSACTION_TIMEOUT", "STREAM_EXPIRED", "TRANSACTION_BUSY")
_FOR_SQLITE_ALONE = "-- For SQLite alone"  # what a migration says before ANALYZE
# What a statement can do wrong without harm to the transaction around it.
_OWN_FAULT = ("SQLITE_CONSTRAINT", "SQLITE_MISMATCH", "SQL_INPUT_ERROR", "SQLITE_TOOBIG")


class Remote(Batching):
    """One stream behind the protocol of `database`."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.tx = Tx(self, catalogue.load(DIALECT))

    def rows(self, query: Query, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        if ":passed" in query.sql:
            values = {**values, "passed": self._list_matching_ids(values)}
        return self.stream.run(query.sql, values)

    def each(self, query: Query, sets: Iterable[Mapping[str, Any]]) -> list[list[tuple[Any, ...]]]:
        return self.stream.run_many(query.sql, list(sets))

    def many(self, query: Query, batch: Batch) -> None:
        self.stream.run_many(query.sql, list(batch))

    def _list_matching_ids(self, values: Mapping[str, Any]) -> str:
        """The ids whose text holds what is looked for, compared as on every backend."""
        queries = catalogue.load(DIALECT)
        kind, wanted = ("chunks", "text") if "text" in values else ("schedules", "name")
        part = values[wanted]
        if part is None:
            return "[]"
        sought = file.fold_text(part)
        rows = self.stream.run(queries[f"folding.{kind}"].sql, {"space": values["space"]})
        found = [row[0] for row in rows if any(sought in file.fold_text(t) for t in row[1:])]
        return json.dumps(found)


class LibSQLRead:
    """A read transaction, to be entered with `with`."""

    def __init__(self, store: "LibSQL", frame: FrameType) -> None:
        self._store = store
        self._frame = frame
        self._hold: Hold | None = None
        self._empty: local.SQLiteConnection | None = None

    def __enter__(self) -> Tx:
        with translate_errors(self._store.url):
            self._hold = self._store.begin_read(self._frame)
        if self._hold is not None:
            remote: Remote = self._hold.kept
            return remote.tx
        self._empty = local.SQLiteConnection(file.in_ram())  # nothing was ever written
        return self._empty.tx

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._empty is not None:
            self._empty.raw.close()
        if self._hold is not None:
            self._store.end_read(self._hold, failed=error is not None)
        if isinstance(error, HranaError | Disconnected):
            with translate_errors(self._store.url):
                raise error


class LibSQL(WriteQueue):
    """A memory on a libSQL server."""

    def __init__(self, url: str, *, read_only: bool = False, durability: str = "full") -> None:
        if durability != "full":
            raise InvalidInput(
                f"durability {durability!r} is the server's to decide; leave it at 'full'"
            )
        self.url = hrana.without_token(url)
        self.read_only = read_only
        self._address = hrana.address(url, os.environ.get(TOKEN, ""))
        self._is_ready = False  # the tables are there and of our schema
        self._begin()
        super().__init__()

    def _begin(self) -> None:
        """What belongs to one process: streams, and who uses them."""
        self._pool = Pool(READERS, lambda: Remote(Stream(self._address)), _hang_up)
        self._section = Lock()  # held by whoever uses the writer
        self._writer: Remote | None = None

    # reading

    def read(self) -> LibSQLRead:
        """A read transaction; a memory that does not exist yet reads as an empty one."""
        self.check_alive()
        return LibSQLRead(self, sys._getframe(1))

    def begin_read(self, frame: FrameType) -> Hold | None:
        """A stream with a read transaction, or None while there are no tables."""
        if not self._look():
            return None
        hold = self._pool.take(frame)
        try:
            hold.kept = self._begin_remote(hold.kept, "BEGIN")
        except BaseException:
            self._pool.give(hold, is_good=False)
            raise
        return hold

    def _begin_remote(self, remote: Remote, begin: str) -> Remote:
        """Begin a transaction; on a new stream if the server dropped this one while it was idle."""
        try:
            remote.stream.run(begin)
        except (Disconnected, HranaError):
            remote.stream.close()
            remote = Remote(Stream(self._address))
            remote.stream.run(begin)
        return remote

    def end_read(self, hold: Hold, *, failed: bool) -> None:
        remote: Remote = hold.kept
        is_good = False
        try:
            if not failed:
                remote.stream.run("ROLLBACK")
                is_good = True
        except (Disconnected, HranaError):
            pass  # everything has been read: nothing is lost
        finally:
            self._pool.give(hold, is_good=is_good)

    def _look(self) -> bool:
        """Whether there is a memory to read; brings an older schema up to date."""
        if self._is_ready:
            return True
        stream = Stream(self._address)
        try:
            with translate_errors(self.url):
                applied = _read_applied(stream)
        finally:
            stream.close()
        if not applied:
            return False
        if migrate.list_pending(migrate.load(file.DIALECT), applied):
            if self.read_only:
                raise StoreError(f"{self.url} has an older schema; open it once without read_only")
            with self._section, translate_errors(self.url):
                self._open_writer()
        self._is_ready = True
        return True

    # writing

    def _commit(self, batch: list[Request]) -> None:
        with self._section, translate_errors(self.url):
            _patiently(lambda: self._attempt_commit(batch))

    def _attempt_commit(self, batch: list[Request]) -> None:
        self._writer = writer = self._begin_remote(self._open_writer(), "BEGIN IMMEDIATE")
        try:
            for request in batch:
                request.value = request.failure = None
                if len(batch) == 1:
                    request.value = request.work(writer.tx)
                else:
                    _attempt(writer, request)
        except BaseException:
            self._drop_writer()  # with the stream goes what it had not committed
            raise
        try:
            writer.stream.run("COMMIT")
        except Disconnected as error:
            self._drop_writer()
            raise OutcomeUnknown(
                f"{self.url} hung up during a commit; read back whether it was kept"
            ) from error
        except BaseException:
            self._drop_writer()
            raise

    def _open_writer(self) -> Remote:
        if self._writer is None:
            remote = Remote(Stream(self._address))
            if not self._is_ready:
                try:
                    _upgrade(remote.stream)
                except BaseException:
                    remote.stream.close()  # the server's lock goes with it
                    raise
                self._is_ready = True
            self._writer = remote
        return self._writer

    def _drop_writer(self) -> None:
        if self._writer is not None:
            self._writer.stream.close()
            self._writer = None

    # upkeep

    def inspect(self) -> list[str]:
        """What the server itself finds wrong with its file."""
        if not self._look():
            return []
        stream = Stream(self._address)
        try:
            with translate_errors(self.url):
                found = [str(row[0]) for row in stream.run("PRAGMA integrity_check")]
        finally:
            stream.close()
        return [line for line in found if line != "ok"]

    def backup(self, path: str, progress: Callable[[int, int], None] | None) -> None:  # noqa: ARG002
        raise InvalidInput(
            f"{self.url} is a server: let it make its own backup, or copy the memory to a file "
            f"with: ricordo copy {self.url} {path}"
        )

    def tidy(self, *, deep: bool = False) -> dict[str, int]:  # noqa: ARG002
        """Merge the keyword index; pages and the WAL are the server's own affair."""
        if self._look():
            self.write(lambda tx: tx.rows("driver.optimize"))
        return {}

    def fold(self) -> None:
        """Nothing: the log is the server's."""

    def scrub(self, seconds: float, *, deep: bool = False) -> bool:  # noqa: ARG002
        """Merge the index; what WAL and free pages of the server keep is its operator's to end."""
        self.tidy(deep=deep)
        return True

    def read_files(self, size: int) -> list[Iterator[bytes]]:  # noqa: ARG002
        return []

    def size(self) -> int:
        if not self._look():
            return 0
        with self.read() as tx:
            return int(tx.rows("driver.size")[0][0])

    def close(self) -> None:
        if self._closed or os.getpid() != self._pid:
            return
        try:
            self.settle()
        finally:
            self._closed = True
            self._pool.close()
            with self._section:
                self._drop_writer()
            self._dismiss()

    # forks

    def _leave_behind(self) -> None:
        """Hang up without a word: the streams are the parent's, and it goes on with them."""
        for remote in (self._writer, *self._pool.forget()):
            if remote is not None:
                remote.stream.abandon()
        self._begin()


def _hang_up(remote: Remote) -> None:
    remote.stream.close()


def _attempt(writer: Remote, request: Request) -> None:
    """One request of a group: its failure undoes only its own changes."""
    writer.stream.run("SAVEPOINT request")
    try:
        request.value = request.work(writer.tx)
    except HranaError as error:
        if error.code.startswith(_OWN_FAULT):
            request.failure = StoreError(f"the server refused it: {error}")
            writer.stream.run("ROLLBACK TO request")
        else:
            raise
    except Disconnected:
        raise
    except BaseException as error:  # noqa: BLE001 - only its own caller gets it
        request.failure = error
        writer.stream.run("ROLLBACK TO request")
    writer.stream.run("RELEASE request")


def _patiently(work: Callable[[], None]) -> None:
    """Do it again while others are in the way, for a bounded time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            work()
            return
        except HranaError as error:
            if not error.code.startswith(_AGAIN) or time.monotonic() > deadline:
                raise


def _read_applied(stream: Stream) -> dict[int, str]:
    queries = catalogue.load(DIALECT)
    there = stream.run(queries["driver.there"].sql)
    return dict(stream.run(queries["driver.applied"].sql)) if there else {}


def _upgrade(stream: Stream) -> None:
    """Apply the migrations that are missing, all in one transaction."""
    known = migrate.load(file.DIALECT)
    stream.run("BEGIN IMMEDIATE")
    stream.run(
        "CREATE TABLE IF NOT EXISTS migrations "
        "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)"
    )
    for migration in migrate.list_pending(known, _read_applied(stream)):
        stream.script(migration.sql.partition(_FOR_SQLITE_ALONE)[0])
        applied = (migration.number, migration.name, migration.digest)
        stream.run(catalogue.load(DIALECT)["driver.apply"].sql, applied)
    stream.run("COMMIT")


@contextlib.contextmanager
def translate_errors(url: str) -> Iterator[None]:
    """Raise the server's errors as ours."""
    try:
        yield
    except RicordoError:
        raise
    except Disconnected as error:
        raise StoreError(f"{url} cannot be reached ({error}); is the server up?") from error
    except HranaError as error:
        if error.code.startswith(_AGAIN):
            raise Busy(f"{url} is kept locked by others; try again") from error
        if error.code in ("HTTP_401", "HTTP_403", "AUTH_REJECTED"):
            raise StoreError(f"{url} refuses the token; set {TOKEN}") from error
        raise StoreError(f"{url}: {error}") from error


_CHECKED: type[Connection] = Remote  # mypy: it is what a transaction needs
