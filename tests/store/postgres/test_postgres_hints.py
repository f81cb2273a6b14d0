"""Hints on PostgreSQL: a worker is woken by what others file, and polls if nobody wakes it.

Workers here poll once an hour. What they deliver within the test's patience, a hint has told them.
"""

import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from postgres_server import ORDINARY, fresh_schema, shared

import ricordo
from ricordo import Reminder
from ricordo.background.scheduler import Scheduler
from ricordo.store.database import Tx
from schedulers import make_scheduler

SOON = 30.0  # seconds that a test waits for a thread before it gives up
HOUR = 3600.0

SET_ONE = """
import sys
from datetime import timedelta
import ricordo
with ricordo.open(sys.argv[1], embedder="none") as memory:
    memory.space("ana").remind("from afar", at=timedelta(0))
"""


@pytest.fixture
def url() -> str:
    return shared().url()


@pytest.fixture
def memory(url: str) -> Iterator[ricordo.Memory]:
    with ricordo.open(url, embedder="none") as memory:
        yield memory


@pytest.fixture
def other(url: str) -> Iterator[ricordo.Memory]:
    """The same memory as another process has it."""
    with ricordo.open(url, embedder="none") as memory:
        yield memory


def schema_of(url: str) -> str:
    return url.rpartition("schema=")[2]


@contextmanager
def root() -> Iterator[psycopg.Connection]:
    with psycopg.connect(shared().dsn("postgres"), autocommit=True) as raw:
        yield raw


def listeners(url: str) -> list[int]:
    """Who listens for hints about this memory, as the server has it."""
    with root() as raw:
        found = raw.execute(
            "SELECT pid FROM pg_stat_activity WHERE query = %s", [f'LISTEN "{schema_of(url)}"']
        ).fetchall()
    return [pid for (pid,) in found]


def until(is_so: Callable[[], object]) -> None:
    """Look until it is so; fail if it takes too long."""
    deadline = time.monotonic() + SOON
    while not is_so():
        assert time.monotonic() < deadline


class Postman:
    """Takes reminders out of the hands of a worker."""

    def __init__(self) -> None:
        self._delivered: queue.Queue[str] = queue.Queue()

    def take(self, reminder: Reminder) -> None:
        self._delivered.put(reminder.text)

    def next(self) -> str:
        return self._delivered.get(timeout=SOON)


def worker(memory: ricordo.Memory, postman: Postman, poll: float = HOUR) -> Scheduler:
    return make_scheduler(memory, lambda _: None, deliver=postman.take, poll=poll, lease=4 * HOUR)


# --- a hint saves the wait --------------------------------------------------------------------


def test_a_worker_delivers_at_once_what_others_set_afterwards(memory, other, url):
    postman = Postman()
    with worker(memory, postman):
        # The first ones may be found when the worker begins. All of them need hints.
        for number in range(5):
            other.space("ana").remind(f"number {number}", at=timedelta(0))
            assert postman.next() == f"number {number}"

        subprocess.run([sys.executable, "-c", SET_ONE, url], check=True, timeout=SOON)
        assert postman.next() == "from afar"


def test_what_is_due_before_the_next_poll_is_delivered_in_time(memory, other):
    postman = Postman()
    with worker(memory, postman):
        for number in range(5):
            other.space("ana").remind(f"number {number}", at=timedelta(milliseconds=50))
            assert postman.next() == f"number {number}"


def test_a_schedule_that_is_filed_or_changed_is_run_in_time(memory, other):
    ran: queue.Queue[str] = queue.Queue()
    ana = other.space("ana")
    with make_scheduler(
        memory, lambda claim: ran.put(claim.schedule.name), poll=HOUR, lease=4 * HOUR
    ):
        for number in range(3):
            name = f"number {number}"
            ana.schedule("look", in_a_moment(), name=name)
            assert ran.get(timeout=SOON) == name
            until(lambda name=name: ana.schedules.get(name).status == "completed")
            ana.schedules.update(name, cadence=in_a_moment())
            assert ran.get(timeout=SOON) == name


def in_a_moment() -> ricordo.Cadence:
    """A time to come, near enough to wait for."""
    return ricordo.Cadence("once", at=datetime.now(UTC) + timedelta(seconds=0.3))


def test_one_connection_listens_for_all_who_wait_in_a_process(memory, other, url):
    postmen = Postman(), Postman()
    with worker(memory, postmen[0]), worker(memory, postmen[1]):
        until(lambda: listeners(url))
        assert len(listeners(url)) == 1

    until(lambda: not listeners(url))
    with worker(memory, postmen[0]):
        until(lambda: listeners(url))


def test_who_does_not_wait_does_not_listen(memory, url):
    memory.space("ana").remind("now", at=timedelta(0))
    postman = Postman()

    worker(memory, postman).run_due()

    assert postman.next() == "now"
    assert listeners(url) == []


# --- nothing depends on it --------------------------------------------------------------------


def test_a_listener_that_is_cut_off_comes_back(memory, other, url):
    postman = Postman()
    with worker(memory, postman):
        until(lambda: listeners(url))
        cut = listeners(url)
        with root() as raw:
            raw.execute("SELECT pg_terminate_backend(%s)", cut)
        until(lambda: listeners(url) and listeners(url) != cut)

        for number in range(3):
            other.space("ana").remind(f"number {number}", at=timedelta(0))
            assert postman.next() == f"number {number}"


def test_polling_goes_on_while_nobody_can_listen(other, url):
    """The worker's role may keep its connection and make no other."""
    role, postman = f"worker_{fresh_schema()}", Postman()
    other.space("ana").remember("x")
    with root() as raw:
        raw.execute(f"CREATE ROLE {role} LOGIN IN ROLE {ORDINARY}")
    with (
        ricordo.open(shared().url(schema_of(url), role), embedder="none") as memory,
        worker(memory, postman, poll=0.01),
    ):
        until(lambda: listeners(url))
        with root() as raw:
            raw.execute(f"ALTER ROLE {role} CONNECTION LIMIT 0")
            raw.execute("SELECT pg_terminate_backend(%s)", listeners(url))
        until(lambda: not listeners(url))

        for number in range(3):
            other.space("ana").remind(f"number {number}", at=timedelta(0))
            assert postman.next() == f"number {number}"
        assert listeners(url) == []


def test_a_worker_that_waits_stops_at_once_and_leaves_the_server(memory, url):
    scheduler = worker(memory, Postman())
    scheduler.start()
    until(lambda: listeners(url))

    assert scheduler.stop(timeout=SOON)

    until(lambda: not listeners(url))


def test_a_memory_that_is_closed_under_a_worker_stops_listening(url):
    memory = ricordo.open(url, embedder="none")
    with memory._engine.store.listen(lambda: None):
        until(lambda: listeners(url))
        memory.close()
        until(lambda: not listeners(url))


def test_a_file_gives_no_hints(tmp_path):
    heard: list[str] = []
    with (
        ricordo.open(tmp_path / "agent.db", embedder="none") as memory,
        memory._engine.store.listen(lambda: heard.append("hint")),
    ):
        memory.space("ana").remind("now", at=timedelta(0))

    assert heard == []


def test_on_a_file_too_a_worker_wakes_when_something_is_due(tmp_path):
    postman = Postman()
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        memory.space("ana").remind("soon", at=timedelta(milliseconds=100))
        with worker(memory, postman):
            assert postman.next() == "soon"


# --- what is told -----------------------------------------------------------------------------


@contextmanager
def told(url: str) -> Iterator[list[str]]:
    """The hints that were sent inside the block, in what they say."""
    heard: list[str] = []
    with psycopg.connect(shared().dsn(), autocommit=True) as raw:
        raw.execute(f'LISTEN "{schema_of(url)}"')
        yield heard
        # Hints come in the order of their commits: after this one there is none.
        raw.execute("SELECT pg_notify(%s, 'end')", [schema_of(url)])
        for notice in raw.notifies(timeout=SOON):
            if notice.payload == "end":
                return
            heard.append(notice.payload)
    pytest.fail("the end was not heard")


def test_a_hint_is_sent_once_by_what_is_filed_and_never_by_workers(memory, url):
    ana = memory.space("ana")
    ana.remember("x")
    with told(url) as heard:
        ana.remind("now", at=timedelta(0))
    assert heard == [""]
    with told(url) as heard:
        ana.schedule("look", "in 1 hour", name="look")
    assert heard == [""]

    # A worker that fails would wake itself, and fail again without end.
    with told(url) as heard:
        (reminder,) = memory.claim_reminders()
        ana.reminders.release(reminder)
        (reminder,) = memory.claim_reminders()
        ana.reminders.deliver(reminder)
        ana.session("s").append("user", "hello")
        ana.schedules.pause("look")
    assert heard == []
    with told(url) as heard:
        ana.schedules.resume("look")
    assert heard == [""]


def test_what_is_rolled_back_wakes_nobody(memory, url):
    memory.space("ana").remember("x")

    def refuse(tx: Tx) -> None:
        tx.hint()
        raise ricordo.NameTaken("no")

    with told(url) as heard, pytest.raises(ricordo.NameTaken):
        memory._engine.store.write(refuse)
    assert heard == []


def test_a_server_without_hints_takes_what_is_filed(memory, other):
    with root() as raw:
        raw.execute("REVOKE EXECUTE ON FUNCTION pg_notify FROM PUBLIC")
        try:
            memory.space("ana").remind("water the plants", at=timedelta(0))
            memory.space("ana").schedule("look", "in 1 hour", name="look")
        finally:
            raw.execute("GRANT EXECUTE ON FUNCTION pg_notify TO PUBLIC")

    assert [each.text for each in other.space("ana").reminders.list()] == ["water the plants"]
    assert [each.name for each in other.space("ana").schedules.list()] == ["look"]
