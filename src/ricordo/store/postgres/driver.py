"""The PostgreSQL driver, on psycopg: one server for many processes and machines.

Writers of one space queue behind its row of `counters`, which every write transaction locks first;
those of other spaces never meet. Nothing is created before the first write.
"""

import contextlib
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from types import FrameType, TracebackType
from typing import TypeVar

from ricordo.errors import InvalidInput, NotFound, OutcomeUnknown, StoreError
from ricordo.locks import Hold, Lock
from ricordo.store.catalogue import REFERENCE_TABLES
from ricordo.store.commit_threads import Request
from ricordo.store.database import Tx
from ricordo.store.postgres import link, schema
from ricordo.store.sqlite.connection import SQLiteConnection as InRam
from ricordo.store.sqlite.file import in_ram
from ricordo.store.write_queue import WriteQueue

import psycopg  # isort: skip  # after `link`, which says what to install if it is missing
from ricordo.store.postgres.connection import PostgresConnection  # isort: skip
from ricordo.store.postgres.hints import Hints  # isort: skip
from ricordo.store.postgres.pool import Connections  # isort: skip

Result = TypeVar("Result")

_DURABILITY = ("full", "normal")
_UNIQUE = "23505"
_COMMON_KEY = re.compile(rf"\b({'|'.join(sorted(REFERENCE_TABLES))})_\w*key")
_NO_SUCH_TRANSACTION = "22023"  # the server has not come to that number: it never was


class PostgresRead:
    """A read transaction, to be entered with `with`."""

    __slots__ = ("_frame", "_hold", "_store")

    def __init__(self, store: "Postgres", frame: FrameType) -> None:
        self._store = store
        self._frame = frame

    def __enter__(self) -> Tx:
        with link.translate_errors(self._store.url):
            self._hold = self._store.begin_read(self._frame)
        connection: PostgresConnection | InRam = self._hold.kept
        return connection.tx

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None and link.is_lost(error):
            self._hold.kept.close()
        self._store.end_read(self._hold, is_good=error is None)
        if isinstance(error, psycopg.Error):
            with link.translate_errors(self._store.url):
                raise error


class Postgres(WriteQueue):
    """A memory in one schema of a PostgreSQL database: postgresql://…/database?schema=ricordo"""

    threads = 8  # writers of several spaces do not wait for each other
    most = 1  # what locks two spaces in one transaction can deadlock

    def __init__(self, url: str, *, read_only: bool = False, durability: str = "full") -> None:
        if durability not in _DURABILITY:
            raise InvalidInput(f"durability {durability!r} is not valid; use 'full' or 'normal'")
        self._address = link.PostgresAddress.of(url)
        self.url = self._address.shown
        self.read_only = read_only
        self._is_ready = False
        self._durability = durability
        self._begin()
        super().__init__()
        try:
            self._meet()
        except BaseException:
            self._pool.close()
            raise

    def _begin(self) -> None:
        """What belongs to one process: connections, and who uses them."""
        self._lock = Lock()  # while tables are made
        self._hints = Hints(self._address)
        self._pool = Connections(partial(_connect, self._address, self._durability))

    def _meet(self) -> None:
        """Reach the server once: refuse what cannot be used before anything is done with it."""
        with link.translate_errors(self.url), self._pool.plain() as raw:
            state = schema.look(raw, self._address)
            self._is_spread = schema.is_spread(raw)
        if self.read_only and state is schema.SchemaState.ABSENT:
            raise NotFound(f"there is no memory at {self.url}; open it without read_only")
        self._is_ready = state is schema.SchemaState.PRESENT

    # reading

    def read(self) -> PostgresRead:
        """A read transaction; a memory that does not exist yet reads as an empty one."""
        self.check_alive()
        return PostgresRead(self, sys._getframe(1))

    def begin_read(self, frame: FrameType) -> Hold:
        """A connection with a read transaction, for as long as `frame` runs; then `end_read`."""
        if not self._is_ready and not self._look_again():
            hold = Hold(frame)
            hold.kept = InRam(in_ram())
            return hold
        hold = self._pool.take(frame)
        hold.kept.is_spread = self._is_spread
        try:
            hold.kept.begin(writing=False)
        except BaseException:
            hold.kept.abandon()
            self._pool.give(hold)
            raise
        return hold

    def end_read(self, hold: Hold, *, is_good: bool) -> None:
        connection: PostgresConnection | InRam = hold.kept
        if isinstance(connection, InRam):
            connection.raw.close()
            return
        try:
            connection.finish_reading() if is_good else connection.abandon()
        except psycopg.Error:
            connection.abandon()  # everything asked for was answered: nothing is lost
        finally:
            self._pool.give(hold)

    def _look_again(self) -> bool:
        """Whether there is something to read by now; an older memory is brought up to date."""
        with self._pool.plain() as raw:
            state = schema.look(raw, self._address)
            if state is schema.SchemaState.OLDER and self.read_only:
                raise StoreError(f"{self.url} has an older schema; open it once without read_only")
            if state is schema.SchemaState.OLDER:
                schema.upgrade(raw, self._address)
        self._is_ready = state is not schema.SchemaState.ABSENT
        return self._is_ready

    # writing

    def listen(self, wake: Callable[[], object]) -> AbstractContextManager[None]:
        """Have `wake` called when others have filed something: `NOTIFY`, in their transaction."""
        return self._hints.heard_by(wake)

    def _commit(self, batch: list[Request]) -> None:
        """Run work in a transaction of its own, again if need be, until it is durable."""
        for request in batch:
            with link.translate_errors(self.url):
                request.value = self._patiently(partial(self._attempt, request.work))

    def _patiently(self, attempt: Callable[[], Result]) -> Result:
        """Repeat what failed for reasons that pass, for a bounded time."""
        deadline = time.monotonic() + link.PATIENCE_SECONDS
        pause = 0.001
        while True:
            try:
                return attempt()
            except psycopg.Error as error:
                passes = link.is_worth_repeating(error) or _is_race(error)
                if not passes or time.monotonic() > deadline:
                    raise
            time.sleep(pause * random.random())
            pause = min(2 * pause, 0.5)

    def _attempt(self, work: Callable[[Tx], Result]) -> Result:
        self._ensure_tables()
        hold = self._pool.take(sys._getframe())
        connection: PostgresConnection = hold.kept
        name = ("", "")
        connection.is_spread = self._is_spread
        try:
            connection.begin(writing=True)
            value = work(connection.tx)
            name = connection.name()
            connection.commit()
        except psycopg.Error as error:
            if link.is_lost(error):  # also of a server behind ours: what is prepared is in doubt
                connection.close()
            # Before the commit was sent nothing is kept. After it, only the server knows.
            if not (connection.is_committing and link.is_lost(error)):
                raise
            if not self._is_committed(*name):
                raise
        finally:
            connection.abandon()
            self._pool.give(hold)
        return value

    def _is_committed(self, number: str, started: str) -> bool:
        """What became of a commit whose answer was lost."""
        found, now_started = self._patiently(lambda: self._outcome(number))
        if found == "aborted":
            return False
        if found == "committed" and started == now_started:
            return True
        # A server that crashed may give the number of a lost transaction to another one.
        raise OutcomeUnknown(
            f"{self.url}: the server went away during a commit, and it is not known whether the "
            "write was kept; look before you write it again"
        )

    def _outcome(self, number: str) -> tuple[str | None, str]:
        with link.connect(self._address) as raw:
            try:
                found, started = schema.ask(raw, "driver.outcome", number=number)[0]
            except psycopg.DataError as error:
                if error.sqlstate != _NO_SUCH_TRANSACTION:
                    raise
                return "aborted", ""
        if found == "in progress":
            raise psycopg.OperationalError("the commit is still under way")
        return found, started

    def _ensure_tables(self) -> None:
        if self._is_ready:
            return
        with self._lock, self._pool.plain() as raw:
            if schema.look(raw, self._address) is not schema.SchemaState.PRESENT:
                schema.upgrade(raw, self._address)
            self._is_ready = True

    # upkeep

    def inspect(self) -> list[str]:
        """What the server itself finds wrong with the tables."""
        if not self._is_there():
            return []
        with link.translate_errors(self.url), self._pool.plain() as raw:
            return schema.inspect(raw, self._address.schema)

    def backup(self, path: str, progress: Callable[[int, int], None] | None = None) -> None:  # noqa: ARG002
        """Refused: a server has better means."""
        raise InvalidInput(
            f"{self.url} is a server, which is not copied to {path} as a file; run: pg_dump "
            f"--schema={self._address.schema} …, or: ricordo copy {self.url} {path}"
        )

    def tidy(self, *, deep: bool = False) -> dict[str, int]:
        """Vacuum the tables; `deep` rewrites them, and nobody can use them meanwhile."""
        self.check_writable()
        self.settle()
        if not self._is_there():
            return {}
        with link.translate_errors(self.url), self._pool.plain() as raw:
            before = schema.size(raw, self._address.schema)
            schema.vacuum(raw, self._address.schema, deep=deep)
            return {"bytes_before": before, "bytes_after": schema.size(raw, self._address.schema)}

    def fold(self) -> None:
        """Nothing: the log is the server's."""

    def scrub(self, seconds: float, *, deep: bool = False) -> bool:  # noqa: ARG002
        """Vacuum; what WAL, standbys and backups of the server keep is its operator's to end."""
        self.tidy(deep=deep)
        return True

    def read_files(self, size: int) -> list[Iterator[bytes]]:  # noqa: ARG002
        """None: they are the server's."""
        return []

    def size(self) -> int:
        if not self._is_there():
            return 0
        with link.translate_errors(self.url), self._pool.plain() as raw:
            return schema.size(raw, self._address.schema)

    def _is_there(self) -> bool:
        self.check_alive()
        with link.translate_errors(self.url):
            return self._is_ready or self._look_again()

    def close(self) -> None:
        """Finish what is queued and leave the server."""
        if self._closed or os.getpid() != self._pid:
            return
        with contextlib.ExitStack() as stack:
            stack.callback(self._disconnect)
            self.settle()

    def _disconnect(self) -> None:
        self._closed = True
        self._hints.close()
        self._dismiss()
        self._pool.close()

    # forks

    def _leave_behind(self) -> None:
        """Close our ends of the connections without a word: they are the parent's."""
        self._pool.abandon()
        self._begin()


def _connect(address: link.PostgresAddress, durability: str) -> PostgresConnection:
    commit = "driver.hasty" if durability == "normal" else "driver.durable"
    return PostgresConnection(link.connect(address), address.settings, commit)


def _is_race(error: psycopg.Error) -> bool:
    """Whether two at once filed a new space or model: one of them looks again and finds it.

    The constraint says so. The copies of a table on the nodes of a cluster have constraints whose
    names begin with ours, and what a node says is passed on as a message alone.
    """
    told = error.diag.constraint_name or error.diag.message_primary or ""
    return error.sqlstate == _UNIQUE and _COMMON_KEY.search(told) is not None
