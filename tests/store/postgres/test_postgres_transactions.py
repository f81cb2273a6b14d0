"""Transactions on PostgreSQL: locks, failures, and a commit whose answer is lost."""

import os
import threading

import psycopg
import pytest
from postgres_proxy import Proxy
from postgres_server import ORDINARY, shared

import ricordo
from ricordo.store.database import Tx


def test_writers_of_different_spaces_do_not_wait_for_each_other(memory):
    ana, ben = memory.space("ana"), memory.space("ben")
    ana.remember("x", name="x")
    ben.remember("x", name="x")
    entered, release = threading.Event(), threading.Event()

    def hold(tx: Tx) -> None:
        tx.spaces.counters(1)
        entered.set()
        release.wait()

    thread = threading.Thread(target=memory._engine.store.write, args=(hold,))
    thread.start()
    entered.wait()
    try:
        ben.remember("y", name="y")
        assert ana.get("x") is not None
    finally:
        release.set()
        thread.join()


def test_a_lock_that_is_kept_for_too_long_is_an_error_and_not_a_wait_for_ever(url):
    with (
        ricordo.open(url, embedder="none") as memory,
        ricordo.open(f"{url}&options=-c%20lock_timeout%3D50ms", embedder="none") as other,
    ):
        memory.space("ana").remember("x", name="x")

        def hold(tx: Tx) -> None:
            tx.spaces.counters(1)
            with pytest.raises(ricordo.Busy, match="try again"):
                other.space("ana").remember("y", name="y")

        memory._engine.store.write(hold)


def test_two_that_lock_two_spaces_crosswise_both_succeed(memory):
    for name in ("ana", "ben"):
        memory.space(name).remember("x")
    barrier = threading.Barrier(2)
    tries: list[int] = []

    def cross(first: int, second: int) -> None:
        is_first = True

        def work(tx: Tx) -> None:
            nonlocal is_first
            tries.append(first)
            tx.spaces.counters(first)
            if is_first:
                is_first = False
                barrier.wait()
            tx.rows("spaces.next_signals", space=second, count=1)

        memory._engine.store.write(work)

    threads = [threading.Thread(target=cross, args=pair) for pair in ((1, 2), (2, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(tries) > 2  # one of them, at least, was sent back
    with memory._engine.store.read() as tx:
        assert [tx.spaces.counters(space).next_signal for space in (1, 2)] == [2, 2]


def test_what_work_raises_undoes_its_transaction(memory):
    space = memory.space("ana")
    space.remember("x", name="x")

    def refuse(tx: Tx) -> None:
        tx.spaces.set("half", "done")
        raise ricordo.NameTaken("no")

    with pytest.raises(ricordo.NameTaken):
        memory._engine.store.write(refuse)

    with memory._engine.store.read() as tx:
        assert tx.spaces.get_setting("half") is None


def test_a_statement_that_failed_on_its_way_fails_the_commit(memory):
    memory.space("ana").remember("x")

    def work(tx: Tx) -> None:
        tx.spaces.set("half", "done")
        tx.entries.add_name(1, "y", 99, 0, canonical=True)

    with pytest.raises(ricordo.StoreError, match="foreign key") as caught:
        memory._engine.store.write(work)

    assert isinstance(caught.value.__cause__, psycopg.errors.ForeignKeyViolation)
    assert "INSERT" not in str(caught.value)
    with memory._engine.store.read() as tx:
        assert tx.spaces.get_setting("half") is None


def test_what_was_submitted_is_durable_once_settled(memory):
    space = memory.space("ana")
    space.remember("tea", name="tea")

    for _ in range(5):
        space.recall("tea", mode="keyword")
    memory._engine.store.settle()

    assert len(space.dreams.signals("tea")) == 5


@pytest.mark.parametrize("swallow", ["question", "answer"])
def test_a_commit_whose_answer_is_lost_is_done_exactly_once(url, swallow):
    """The proxy cuts the line before the commit reaches the server, or after."""
    with ricordo.open(url, embedder="none") as memory:
        memory.space("ana").remember("x", name="x")
    tries: list[int] = []

    def work(tx: Tx) -> int:
        tries.append(1)
        return tx.spaces.next_entry(1)

    with Proxy(shared().folder) as proxy:
        through = url.replace(str(shared().folder), str(proxy.folder))
        with ricordo.open(through, embedder="none") as memory:
            proxy.cut(b"COMMIT\0", swallow)
            assert memory._engine.store.write(work) == 2
            assert proxy.cuts == 1

    assert len(tries) == (2 if swallow == "question" else 1)
    with ricordo.open(url, embedder="none") as memory, memory._engine.store.read() as tx:
        assert tx.spaces.counters(1).next_entry == 3


def test_a_process_with_very_many_open_files_is_served(memory):
    """What waits for a descriptor above 1023 must not be select."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4_096:
        pytest.skip(f"this machine allows a process {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    try:
        memory.space("ana").remember("Window", name="seat")
        assert memory.space("ana").get("seat").content == "Window"
        assert memory.space("ana").write("seat", "Aisle").content == "Aisle"
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_connection_that_was_closed_while_idle_is_not_used_again(memory):
    space = memory.space("ana")
    space.remember("x", name="x")
    with psycopg.connect(shared().dsn("postgres", "postgres"), autocommit=True) as raw:
        raw.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE usename = %s AND query LIKE %s",
            [ORDINARY, "%"],
        )

    assert space.get("x") is not None
    space.remember("y", name="y")
