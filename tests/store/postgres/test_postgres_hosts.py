"""What a host does to a memory on PostgreSQL: it forks, and it interrupts."""

import os
import threading
from collections.abc import Callable, Iterator

import psycopg
import pytest
from postgres_server import shared

import ricordo
from tracing import false_answers, interrupt_everywhere


@pytest.fixture
def memory(url: str) -> Iterator[ricordo.Memory]:
    with ricordo.open(url, embedder="none") as memory:
        yield memory


def in_child(work: Callable[[], object]) -> int:
    """Run `work` in a forked child; its exit code, which is 0 if all went well."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_forked_connection_is_never_shared(memory):
    chat = memory.space("ana").session("log")
    chat.append("user", "before")
    seen = memory._engine.store._pool.idle[-1].raw.info.backend_pid

    def work() -> None:
        chat.append("user", "child")
        pids = {each.raw.info.backend_pid for each in memory._engine.store._pool.idle}
        assert seen not in pids
        memory.close()

    assert in_child(work) == 0
    chat.append("user", "after")

    assert [event.content for event in chat.events()] == ["before", "child", "after"]
    assert memory._engine.store._pool.idle[-1].raw.info.backend_pid == seen


def test_threads_that_write_while_the_process_forks_lose_nothing(memory):
    chat = memory.space("ana").session("log")
    chat.append("user", "first")

    def write(who: str) -> None:
        for turn in range(15):
            chat.append("user", f"{who} {turn}")

    threads = [threading.Thread(target=write, args=(f"thread{n}",)) for n in range(3)]
    for thread in threads:
        thread.start()
    codes = [in_child(lambda n=n: write(f"child{n}")) for n in range(3)]
    for thread in threads:
        thread.join()

    assert codes == [0, 0, 0]
    there = [event.content for event in chat.events()]
    assert len(there) == len(set(there)) == 1 + 6 * 15


def test_the_parents_session_ends_with_the_parent_though_a_child_lives_on(url):
    """Or a lock of a parent that was killed would last for as long as its child."""
    memory = ricordo.open(url, embedder="none")
    memory.space("ana").remember("x")
    session = memory._engine.store._pool.idle[-1].raw.info.backend_pid
    heard, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.read(heard, 1)
        os._exit(0)
    memory.close()
    try:
        with psycopg.connect(shared().dsn(), autocommit=True) as raw:
            for _ in range(1_000):
                query = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
                if raw.execute(query, [session]).fetchone() == (0,):
                    break
            else:
                pytest.fail("the server still waits for the parent")
    finally:
        os.write(say, b"x")
        os.waitpid(pid, 0)


def test_an_append_can_be_interrupted_at_each_of_its_lines(memory):
    chat = memory.space("ana").session("log")
    chat.append("user", "first")

    told = interrupt_everywhere(memory, lambda text: chat.append("user", text), KeyboardInterrupt)

    there = {str(event.content) for event in chat.events()}
    assert false_answers(told, there) == []
    assert len(told) > 80
