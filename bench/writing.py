"""Writing beside bare apsw: single appends, batches, and eight threads that share commits."""

import contextlib
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import apsw

import ricordo
from common import Figure, Talk, wall
from ricordo.flows.writing import append
from ricordo.store import catalogue, opening
from ricordo.store.sqlite import file
from ricordo.store.sqlite.driver import SQLite
from ricordo.store.tables.search import _tokens

EVENT = catalogue.load("sqlite")["events.insert"].sql
CHUNK = catalogue.load("sqlite")["chunks.insert"].sql
SLOW_SECONDS = 0.002  # a sync on many a consumer's SSD; on a hard disk it is ten


class Raw:
    """The same rows through bare apsw: event, chunk and FTS5 row, no checks, no chain."""

    def __init__(self, path: str) -> None:
        self.connection = file.open_writer(path, "FULL")
        self.connection.execute(
            "INSERT INTO spaces (space, name, secret, created_at) VALUES (1, 'a', x'', 0)"
        ).fetchall()
        self.connection.execute(
            "INSERT INTO sessions (space, session, created_at, updated_at, head) "
            "VALUES (1, 's', 0, 0, x'')"
        ).fetchall()
        self._next = 1

    def rows(self, prepared: list[append.Prepared]) -> list[tuple[tuple, tuple, tuple]]:
        """Everything ready to be bound, made outside of the clock."""
        rows = []
        for item in prepared:
            n = self._next
            self._next += 1
            chunk = item.chunks[0]
            event = (1, "s", n, item.uid, "message", *item[3:9], b"d" * 32, b"l" * 32)
            span = (n, 1, n, n, n, *chunk)
            tokens, around = _tokens(1, chunk.terms), _tokens(1, chunk.extra)
            rows.append((event, span, (n, tokens, around)))
        return rows

    def insert(self, rows: list[tuple[tuple, tuple, tuple]]) -> None:
        run = self.connection.execute
        run("BEGIN IMMEDIATE").fetchall()
        for event, span, words in rows:
            run(EVENT, event).fetchall()
            run(CHUNK, span).fetchall()
            run("INSERT INTO words (rowid, terms, extra) VALUES (?, ?, ?)", words).fetchall()
        run("COMMIT").fetchall()


def _prepared(texts: list[str]) -> list[append.Prepared]:
    engine = ricordo.open(":memory:", embedder="none")._engine
    messages = [append.Message("user", text) for text in texts]
    return append.prepare(engine, "s", messages, 1)


def appends(folder: Path) -> Iterator[Figure]:
    """Single durable appends and batches of 1,000, interleaved with the raw inserts."""
    talk = Talk()
    memory = ricordo.open(folder / "append.db", embedder="none")
    chat = memory.space("a").session("s")
    raw = Raw(str(folder / "raw.db"))
    ours = theirs = 0.0
    for _ in range(10):
        texts = [talk.text() for _ in range(60)]
        rows = raw.rows(_prepared(texts))
        ours += wall(lambda texts=texts: [chat.append("user", text) for text in texts])
        theirs += wall(lambda rows=rows: [raw.insert([row]) for row in rows])
    ratio = theirs / ours
    note = f"{600 / ours:,.0f} against {600 / theirs:,.0f} rows/s"
    yield Figure("append / raw insert", ratio, "x", ">= 0.5", ratio >= 0.5, note)
    ours = theirs = 0.0
    for _ in range(6):
        texts = [talk.text() for _ in range(1000)]
        rows = raw.rows(_prepared(texts))
        batch = [{"role": "user", "content": text} for text in texts]
        ours += wall(lambda batch=batch: chat.extend(batch))
        theirs += wall(lambda rows=rows: raw.insert(rows))
    ratio = theirs / ours
    note = f"{6000 / ours:,.0f} against {6000 / theirs:,.0f} rows/s"
    yield Figure("extend of 1,000 / raw insert", ratio, "x", ">= 0.4", ratio >= 0.4, note)
    memory.close()


class SlowDisk(apsw.VFS):
    """The disk of this machine, whose syncs take longer."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")

    def xOpen(self, name, flags):  # noqa: N802 - SQLite's word
        return SlowFile("", name, flags)


class SlowFile(apsw.VFSFile):
    def xSync(self, flags):  # noqa: N802
        time.sleep(SLOW_SECONDS)
        super().xSync(flags)


@contextlib.contextmanager
def slow_disk() -> Iterator[None]:
    """Every memory opened inside lies on a slow disk."""
    disk, plain = SlowDisk("slow"), opening.SQLite
    opening.SQLite = partial(SQLite, vfs="slow")  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        opening.SQLite = plain  # type: ignore[misc]
        disk.unregister()


def groups(folder: Path) -> Iterator[Figure]:
    """Group commit on the disk that is there, and on one whose syncs take 2 ms longer."""
    yield _group(folder, "here", 1600)
    with slow_disk():
        yield _group(folder, f"syncs of {1000 * SLOW_SECONDS:g} ms", 800)


def _group(folder: Path, where: str, rows: int) -> Figure:
    """Eight threads through group commit against the same threads committing one by one."""
    talk = Talk()
    texts = [talk.text() for _ in range(rows)]

    def run(path: Path, serialise: bool) -> float:
        memory = ricordo.open(path, embedder="none")
        space, lock = memory.space("a"), threading.Lock()
        space.session("warm").append("user", "warm")

        def work(n: int) -> None:
            chat = space.session(f"s{n}")
            for text in texts[n::8]:
                if serialise:
                    with lock:
                        chat.append("user", text)
                else:
                    chat.append("user", text)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        took = wall(lambda: ([t.start() for t in threads], [t.join() for t in threads]))
        memory.close()
        return took

    alone = run(folder / f"alone-{rows}.db", True)
    grouped = run(folder / f"group-{rows}.db", False)
    ratio = alone / grouped
    note = f"{rows / grouped:,.0f} against {rows / alone:,.0f} rows/s"
    return Figure(f"group commit, 8 threads, {where}", ratio, "x", ">= 2", ratio >= 2, note)
