"""Writers: group commit, a lock held by somebody else, and a process killed while it writes."""

import contextlib
import os
import threading
from pathlib import Path

import apsw
import pytest

import ricordo
from ricordo.store.database import Tx
from ricordo.store.sqlite import file
from ricordo.testing import Lab

held: list[apsw.Connection] = []


def test_a_request_that_fails_does_not_fail_its_group(memory):
    store = memory._engine.store
    memory.space("ana").remember("x", name="x")

    def refuse(tx: Tx) -> None:
        tx.spaces.create("half", b"s", 0)
        raise ricordo.NameTaken("no")

    def clash(tx: Tx) -> None:
        tx.spaces.create("other-half", b"s", 0)
        tx.spaces.create("ana", b"s", 0)  # the name is unique

    works = [
        lambda tx: tx.spaces.create("one", b"s", 0),
        refuse,
        lambda tx: tx.spaces.create("two", b"s", 0),
        clash,
        lambda tx: tx.spaces.create("three", b"s", 0),
        lambda tx: tx.rows("spaces.create", name="four"),
    ]
    requests = [store._crew.enqueue(work) for work in works]
    store.settle()

    assert [request.failure is None for request in requests] == [
        True, False, True, False, True, False,
    ]  # fmt: skip
    assert isinstance(requests[1].failure, ricordo.NameTaken)
    assert isinstance(requests[3].failure, ricordo.StoreError)
    assert isinstance(requests[3].failure.__cause__, apsw.ConstraintError)
    assert memory.spaces() == ["ana", "one", "three", "two"]


def test_requests_that_queue_meanwhile_share_one_commit(memory):
    store = memory._engine.store
    memory.space("ana").remember("x")
    memory.flush()  # or its vector would be a commit of its own
    entered, release = threading.Event(), threading.Event()

    def slow(tx: Tx) -> None:
        entered.set()
        release.wait()

    first = threading.Thread(target=store.write, args=(slow,))
    first.start()
    entered.wait()
    commits = []
    store._writer.raw.set_commit_hook(lambda: bool(commits.append(1)))
    requests = [store._crew.enqueue(lambda tx: tx.spaces.names()) for _ in range(20)]
    release.set()
    store.settle()
    first.join()

    assert all(request.is_done and request.value == ["ana"] for request in requests)
    assert len(commits) <= 2


def test_an_interrupted_commit_keeps_nothing_and_the_writer_goes_on(memory):
    store = memory._engine.store
    memory.space("ana").remember("x")

    def interrupt(tx: Tx) -> None:
        tx.spaces.create("half", b"s", 0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.write(interrupt)

    memory.space("kate").remember("y")
    assert memory.spaces() == ["ana", "kate"]


def test_a_failed_write_leaves_no_trace_in_ram(space):
    chat = space.session("s")
    chat.append("user", "apple")
    chat.recent()
    space.recall("apple")

    with pytest.raises(ricordo.OutOfOrder):
        chat.append("user", "pear", seq=1)

    assert [event.content for event in chat.recent()] == ["apple"]
    assert [hit.text for hit in space.recall("pear apple", mode="keyword")] == ["apple"]


def hold(memory: ricordo.Memory, url: str) -> None:
    raw = apsw.Connection(url)
    raw.execute("BEGIN IMMEDIATE").fetchall()
    held.append(raw)


def let_go(memory: ricordo.Memory) -> None:
    while held:
        held.pop().close()


def test_a_lock_held_too_long_is_busy_and_readers_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(file, "BUSY_TIMEOUT_MS", 1)
    monkeypatch.setattr(file, "PATIENCE_SECONDS", 0.01)
    with Lab(lambda: str(tmp_path / "a.db")) as lab:
        memory = lab.open()
        space = memory.space("ana")
        space.remember("the red fox", name="fox")
        with lab.team(memory) as other:
            other.ask(hold, lab.url(memory))

            with pytest.raises(ricordo.Busy, match="locked"):
                space.remember("x")
            with pytest.raises(ricordo.Busy):
                space.session("s").append("user", "x")
            assert space.get("fox") is not None
            assert len(space.recall("fox", asker=None)) == 1

            other.ask(let_go)
            space.remember("y", name="y")
        assert [entry.name for entry in space.entries()] == ["y", "fox"]
        assert space.session("s").events() == []


def test_a_writer_waits_for_a_lock_that_is_let_go_in_time(lab):
    memory = lab.open()
    memory.space("ana").remember("x")
    with lab.team(memory) as other:
        other.ask(hold, lab.url(memory))
        waiting = threading.Thread(target=memory.space("ana").remember, args=("y", "y"))
        waiting.start()
        other.ask(let_go)
        waiting.join()

    assert memory.space("ana").get("y") is not None


def write_for_ever(memory: ricordo.Memory, ledger: str) -> None:
    """Write, and note in the ledger what has been acknowledged."""
    space = memory.space("ana")
    with open(ledger, "w", buffering=1) as lines:  # noqa: PTH123 - a pipe
        while True:
            event = space.session("log").append("user", f"line of {os.getpid()}")
            lines.write(f"event {event.seq} {event.uid}\n")
            entry = space.remember(f"said at {event.seq}", name="latest", tags=["kept"])
            lines.write(f"entry {entry.id} {entry.content}\n")


def test_what_was_acknowledged_survives_a_kill(lab, tmp_path):
    memory = lab.open()
    ledger = tmp_path / "ledger"
    os.mkfifo(ledger)
    noted: list[list[str]] = []
    for cycle in range(4):
        other = lab.team(memory)
        other.start(write_for_ever, str(ledger))
        with ledger.open() as lines:
            noted += [next(lines).rstrip("\n").split(" ", 2) for _ in range(20 + 7 * cycle)]
            other.kill()
            rest = lines.read().splitlines(keepends=True)
        noted += [line.rstrip("\n").split(" ", 2) for line in rest if line.endswith("\n")]

        events = {event.seq: event.uid for event in memory.space("ana").session("log").events()}
        assert sorted(events) == list(range(1, len(events) + 1))
        promised = {int(seq): uid for kind, seq, uid in noted if kind == "event"}
        assert promised.items() <= events.items()
        assert len(events) <= len(promised) + cycle + 1
        entry = memory.space("ana").get("latest")
        said = [content for kind, _, content in noted if kind == "entry"]
        assert entry is not None
        assert entry.tags == ("kept",)
        contents = [old.content for old in memory.space("ana").history("latest")]
        assert set(said) <= {*contents, entry.content}
        assert memory.check() == []


def test_a_killed_process_leaves_no_lock_and_no_second_file(lab):
    memory = lab.open()
    memory.space("ana").remember("x")
    url = lab.url(memory)
    other = lab.team(memory)
    other.ask(hold, url)
    other.kill()

    memory.space("ana").remember("y")
    memory.close()
    lab.forget(memory)

    assert [path.name for path in Path(url).parent.iterdir()] == [Path(url).name]


def test_signals_of_a_forgotten_entry_are_not_written(memory):
    space = memory.space("ana")
    entry = space.remember("the red fox", name="fox")
    store = memory._engine.store
    from ricordo.store.tables.signals import SignalRow

    space.forget("fox")
    store.write(lambda tx: tx.signals.insert(1, [SignalRow(entry.id, "fox", 1.0, "user", 0)]))

    assert space.dreams.signals() == []
    assert space.stats().signals == 0


def test_closing_writes_what_was_only_submitted(lab):
    memory = lab.open()
    memory.space("ana").remember("the red fox", name="fox")
    for _ in range(5):
        memory.space("ana").recall("fox", mode="keyword")

    again = lab.reopen(memory)

    assert again.space("ana").stats().signals == 5


def test_readers_share_a_bounded_pool(memory):
    memory.space("ana").remember("x", name="x")
    store = memory._engine.store

    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(store.read())
        assert store._pool._places.take(None, 0.0) is None

    assert memory.space("ana").get("x") is not None
    assert len(store._pool.idle) <= 4


def test_the_log_is_cut_back_once_nobody_reads_an_old_state(tmp_path):
    path = tmp_path / "a.db"
    wal = Path(f"{path}-wal")
    with ricordo.open(path, embedder="none") as memory:
        chat, store = memory.space("ana").session("log"), memory._engine.store
        chat.append("user", "x")
        with store.read() as tx:
            tx.spaces.names()
            while wal.stat().st_size < 12_000_000:
                chat.append("user", os.urandom(100_000).hex())

        for _ in range(30):
            chat.append("user", os.urandom(100_000).hex())

        assert wal.stat().st_size <= 8_000_000


def test_an_append_asks_no_more_than_it_has_to(lab):
    memory = lab.open(embedder="none", keep=False)
    chat = memory.space("ana").session("trip")
    chat.append("user", "We fly on Monday.")
    asked: list[str] = []

    def note(_: apsw.Cursor, sql: str, __: object) -> bool:
        asked.append(" ".join(sql.split()[:3]))
        return True

    raw = memory._engine.store._writer.raw
    raw.set_exec_trace(note)
    chat.append("user", "The hotel is booked.")
    raw.set_exec_trace(None)

    assert asked == [
        "BEGIN IMMEDIATE",
        "SELECT space FROM",  # the number of the space
        "SELECT last_seq, head,",  # where the log ends
        "INSERT INTO events",
        "UPDATE sessions SET",
        "SELECT hash, chunk,",  # whether the session has said the same that day
        "UPDATE counters SET",
        "INSERT INTO chunks",
        "INSERT INTO words",
        "UPDATE meta SET",  # counts the commit
        "COMMIT",
    ]


def test_what_is_appended_once_all_is_embedded_waits_to_be_embedded_again(memory):
    chat = memory.space("ana").session("trip")
    for said in ("We fly on Monday.", "The hotel is booked."):
        chat.append("user", said)
        memory.flush()
        with memory._engine.store.read() as tx:
            assert tx.pending.list_pending(1) == {}, said
    assert memory.space("ana").stats().embedded == 2
