"""The SQLite driver, on apsw: WAL, one thread that commits for everybody, a pool of readers.

Several processes may share one file. Nothing is created before the first write.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TypeVar

import apsw

from ricordo.errors import InvalidInput, OutcomeUnknown, StoreError
from ricordo.locks import Hold, Lock
from ricordo.store import migrate
from ricordo.store.commit_threads import Request
from ricordo.store.database import Tx
from ricordo.store.pool import Pool
from ricordo.store.sqlite import file, forks
from ricordo.store.sqlite import tidy as sqlite_tidy
from ricordo.store.sqlite.cipher import Cipher, Secret, find_cipher, read_plain
from ricordo.store.sqlite.commit_counter import CommitCounter, Mark, is_lost
from ricordo.store.sqlite.connection import SQLiteConnection, attempt
from ricordo.store.sqlite.errors import ERRORS, describe_damage, translate_error, translate_errors
from ricordo.store.sqlite.read_transaction import SQLiteRead
from ricordo.store.write_queue import WriteQueue

Result = TypeVar("Result")

READERS = 4
_TURN_SECONDS = 0.005  # how long a process may go on writing while others wait

_DURABILITY = {"full": "FULL", "normal": "NORMAL"}


class SQLite(WriteQueue):
    """A memory in one file, or in RAM with the path `:memory:`."""

    def __init__(
        self,
        path: str,
        *,
        read_only: bool = False,
        durability: str = "full",
        vfs: str | None = None,
        secret: Secret | None = None,
    ) -> None:
        """`vfs` names a file system registered with SQLite, for tests of what disks do."""
        if durability not in _DURABILITY:
            raise InvalidInput(f"durability {durability!r} is not valid; use 'full' or 'normal'")
        self.url = path
        self.read_only = read_only
        self._vfs = vfs
        self.secret = secret
        self._cipher: Cipher | None = None  # known once there is a file
        self._in_ram = path == ":memory:"
        self._synchronous = _DURABILITY[durability]
        self._identity: str | None = None  # known after the first commit
        if not self._in_ram:
            forks.check(path)
            file.guard(path, read_only=read_only, secret=secret)
            self.read_only = read_only or file.is_frozen(path)
        self._begin()
        super().__init__()

    def _begin(self) -> None:
        """What belongs to one process: connections, and who uses them."""
        self._head = CommitCounter(self.url)
        self._writer: SQLiteConnection | None = None
        self._turn_since: float | None = None  # while this process may write; others wait
        self._section = Lock()  # held by whoever uses the writer; in RAM by readers as well
        self._pool = Pool(READERS, self._connect, SQLiteConnection.close, self._is_current)
        self._frozen = None if self._in_ram else file.look_at_frozen(self.url)
        self._pause = forks.Pause()

    # reading

    def read(self) -> SQLiteRead:
        """A read transaction; a memory that does not exist yet reads as an empty one."""
        self.check_alive()
        return SQLiteRead(self, sys._getframe(1))

    def begin_read(self, frame: FrameType) -> Hold:
        """A connection with a read transaction, for as long as `frame` runs; then `end_read`."""
        if self._in_ram:
            return self._begin_in_ram(frame)
        hold = self._pool.take(frame)
        try:
            hold.kept.raw.execute("BEGIN").fetchall()
        except BaseException:
            self._pool.give(hold, is_good=False)
            raise
        return hold

    def _begin_in_ram(self, frame: FrameType) -> Hold:
        """There is one connection: a thread that reads it already reads on."""
        hold = Hold(frame) if self._section.is_mine() else self._section.take(frame)
        assert hold is not None  # it waits for as long as it takes
        hold.kept = self._open_writer()
        return hold

    def end_read(self, hold: Hold) -> None:
        if self._in_ram:
            self._section.give(hold)
            return
        connection: SQLiteConnection = hold.kept
        try:
            connection.end()
        except BaseException:
            self._pool.give(hold, is_good=False)
            raise
        # A memory that did not exist when this was opened may exist by now.
        self._pool.give(hold, is_good=bool(connection.raw.filename))
        if self._closed:
            self._head.close()  # whoever reads last leaves one file

    def _is_current(self, _: SQLiteConnection) -> bool:
        """Whether what could not be written when it was opened is still as it was."""
        return self._frozen is None or self._frozen == file.look_at_frozen(self.url)

    def _connect(self) -> SQLiteConnection:
        if self._frozen is not None:
            self._frozen = file.look_at_frozen(self.url)
        if not file.is_there(self.url):
            return SQLiteConnection(file.in_ram())
        raw = self._open_reader()
        if file.version(raw) == len(migrate.load(file.DIALECT)):
            return SQLiteConnection(raw)
        raw.close()
        return self._connect_to_older()

    def _connect_to_older(self) -> SQLiteConnection:
        """The file lacks tables or migrations: bring it up to date, or read it as it will be."""
        if self.read_only:
            raise StoreError(f"{self.url} has an older schema; open it once without read_only")
        with self._section:
            self._open_writer()
        return SQLiteConnection(self._open_reader())

    def _open_reader(self) -> apsw.Connection:
        try:
            return file.open_reader(self.url, self._vfs, self._find_cipher())
        except apsw.NotADBError:
            # Another process may have encrypted it, or changed its key: the file is intact then.
            file.guard(self.url, read_only=True, secret=self.secret)
            raise

    def _find_cipher(self) -> Cipher | None:
        """What opens the file, for as long as this memory is open."""
        if self._cipher is None and self.secret is not None:
            self._cipher = find_cipher(self.url, self.secret)
        return self._cipher

    # writing

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` in the next commit and return once that commit is durable."""
        if self._in_ram and self._section.is_mine():
            raise StoreError(
                "a memory in RAM cannot be written while the same thread reads it, for instance "
                "from a signal handler; write when the reading is done, or open a file"
            )
        return super().write(work)

    def _commit(self, batch: list[Request]) -> None:
        """Write a batch when it is the turn of this process."""
        if self._in_ram:
            return self._write(batch)
        if (since := self._turn_since) is None:
            with self.steps.begin("turn"):
                self._head.take_turn()
            since = self._turn_since = time.monotonic()
        try:
            self._write(batch)
        finally:
            # Commits in a row are cheaper than a change of process after each of them.
            if time.monotonic() - since > _TURN_SECONDS:
                self._rest()

    def _rest(self) -> None:
        """Let other processes write."""
        if self._turn_since is not None:
            self._turn_since = None
            self._head.pass_turn()

    def _write(self, batch: list[Request]) -> None:
        """One transaction for a batch of requests; each keeps its own value or failure."""
        try:
            with self._section:
                self._write_alone(batch)
        except ERRORS as error:  # not by `translate_errors`: each write would pay for it
            raise translate_error(self.url, error) from error

    def _write_alone(self, batch: list[Request]) -> None:
        connection = self._open_writer()
        connection.end()  # of whoever had it before and was interrupted
        file.begin(connection.raw)
        before = connection.raw.total_changes()
        try:
            if len(batch) == 1:
                batch[0].value = batch[0].work(connection.tx)
            else:
                for request in batch:
                    attempt(connection, request, self.url)
            mark = self._count(connection.raw, before)
            connection.raw.execute("COMMIT").fetchall()
        except BaseException as error:
            if connection.raw.get_autocommit() and not isinstance(error, apsw.Error):
                raise OutcomeUnknown(
                    "the thread that writes was ended after a commit; read back what it wrote"
                ) from error
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

    def _open_writer(self) -> SQLiteConnection:
        """The connection that writes; whoever uses it holds the section."""
        if self._writer is None:
            self._writer = SQLiteConnection(file.in_ram() if self._in_ram else self._open_file())
        return self._writer

    def _open_file(self) -> apsw.Connection:
        if not file.is_there(self.url):
            self._head.discard()  # of a memory that was here before
            if self.secret is not None:
                file.begin_encrypted(self.url, self.secret)
        head = self._head.read()  # before the file: what it tells must already be there
        raw = file.open_writer(self.url, self._synchronous, self._vfs, self._find_cipher())
        if head is not None and is_lost(head, file.mark(raw)):
            self._head.keep_evidence(head)
        return raw

    def use_reserve(self) -> bool:
        """Give back what is kept for deletions on a full disk; False if there is nothing."""
        return not self._in_ram and self._head.release_reserve()

    # forks

    def before_fork(self) -> None:
        """Close every connection, so that neither side inherits locks that are not its own."""
        if not self._closed and os.getpid() == self._pid:
            self._pause.begin(self._section, self._pool, self._close_writer)

    def after_fork_in_parent(self) -> None:
        self._pause.end()

    def after_fork_in_child(self) -> None:
        if self._closed or self._in_ram:
            return
        if self._pause.is_quiet:
            super().after_fork_in_child()
        else:
            forks.distrust(self.url, [self._writer, *self._pool.forget()])

    def _leave_behind(self) -> None:
        self._begin()

    def _fork_refusal(self) -> str:
        if self._in_ram:
            return "this memory is in RAM, in the process that opened it; use a file to share it"
        return forks.refusal(self.url)

    def _close_writer(self) -> None:
        if self._writer is not None and not self._in_ram:
            writer, self._writer = self._writer, None
            writer.raw.close()
            self._head.close()

    # upkeep

    def inspect(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        if not self._in_ram and not file.is_there(self.url):
            return []
        head, evidence = self._head.read(), self._head.evidence()
        with translate_errors(self.url), self._raw_reader() as raw:
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
        with translate_errors(path):
            try:
                self._copy(path, progress)
            except apsw.CorruptError as error:  # whether the copy is sound is looked at in there
                raise describe_damage(self.url, error) from error

    def _copy(self, path: str, progress: Callable[[int, int], None] | None) -> None:
        with self._raw_reader() as source:
            # One snapshot for all pages: without it, every commit of others restarts the copy.
            source.execute("BEGIN").fetchall()
            try:
                file.copy(source, path, progress, self._find_cipher())
            finally:
                source.execute("ROLLBACK").fetchall()

    @contextlib.contextmanager
    def _raw_reader(self) -> Iterator[apsw.Connection]:
        """A new connection outside of any transaction, for long work."""
        if self._in_ram:
            with self._section:
                yield self._open_writer().raw
            return
        hold = self._pool.take(sys._getframe(), is_new=True)
        try:
            yield hold.kept.raw
        finally:
            self._pool.give(hold, is_good=False)

    def tidy(self, *, deep: bool = False) -> dict[str, int]:
        """Merge the index, free unused pages, checkpoint the WAL; `deep` rewrites the file."""
        return self._alone(lambda raw: sqlite_tidy.tidy(raw, deep=deep), {})

    def fold(self) -> None:
        """Fold the WAL back into the file; whoever reads or writes meanwhile is not kept."""
        if not self._in_ram:
            self._alone(lambda raw: sqlite_tidy.fold(raw, 0.0), True)

    def scrub(self, seconds: float, *, deep: bool = False) -> bool:
        """Leave no byte of deleted rows in index and WAL; False while somebody reads them."""
        return self._alone(lambda raw: sqlite_tidy.scrub(raw, seconds, deep=deep), True)

    def _alone(self, work: Callable[[apsw.Connection], Result], nothing: Result) -> Result:
        """Work on the file outside of any transaction, while no other thread writes."""
        self.check_writable()
        self.settle()
        if not self._in_ram and not file.is_there(self.url):
            return nothing
        with self._section, translate_errors(self.url):
            try:
                return work(self._open_writer().raw)
            except apsw.FullError:
                if not self.use_reserve():
                    raise
                return work(self._open_writer().raw)

    def read_files(self, size: int) -> list[Iterator[bytes]]:
        """What the files hold, in blocks and decrypted, for whoever scans them."""
        parts = [] if self._in_ram else [self.url, self.url + "-wal"]
        here = [part for part in parts if Path(part).exists()]
        return [read_plain(part, self._find_cipher(), size) for part in here]

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
        with self._section, translate_errors(self.url), contextlib.ExitStack() as stack:
            if not self._in_ram:
                stack.callback(self._head.close)
            if self._writer is not None:
                stack.callback(self._writer.raw.close)
                self._writer = None
            stack.callback(self._pool.close)
