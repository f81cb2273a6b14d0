"""Shared commits: one thread makes them, in the order of the queue, and every caller that shared
one gets a true answer, whatever becomes of it.
"""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import apsw
import pytest

import ricordo
from ricordo.store import commit_threads
from ricordo.store.commit_threads import KEPT, NOT_KEPT
from ricordo.store.database import Tx


@contextlib.contextmanager
def queue_up(memory: ricordo.Memory) -> Iterator[Any]:
    """Keep the thread that commits busy, so that all that is queued shares what comes next."""
    memory.space("ana").remember("x")
    memory.flush()
    store: Any = memory._engine.store
    entered, release = threading.Event(), threading.Event()

    def hold(_: Tx) -> None:
        entered.set()
        release.wait()

    busy = store._crew.enqueue(hold)
    entered.wait()
    try:
        yield store
    finally:
        release.set()
        store._crew.finish(busy)


def create(name: str) -> Callable[[Tx], object]:
    return lambda tx: tx.spaces.create(name, b"s", 0)


def fail(error: BaseException) -> Callable[[Tx], object]:
    def work(tx: Tx) -> None:
        tx.spaces.create("half", b"s", 0)
        raise error

    return work


def refuse(raw: apsw.Connection) -> None:
    raw.set_commit_hook(lambda: True)


def interrupt_before(raw: apsw.Connection) -> None:
    def trace(_: object, statement: str, __: object) -> bool:
        if statement == "COMMIT":
            raise KeyboardInterrupt
        return True

    raw.set_exec_trace(trace)


def interrupt_within(raw: apsw.Connection) -> None:
    def hook() -> bool:
        raise KeyboardInterrupt

    raw.set_commit_hook(hook)


@pytest.mark.parametrize(
    ("prevent", "error"),
    [
        (refuse, ricordo.StoreError),
        (interrupt_before, KeyboardInterrupt),
        (interrupt_within, ricordo.OutcomeUnknown),
    ],
)
def test_a_shared_commit_that_fails_is_acknowledged_to_nobody(memory, prevent, error):
    with queue_up(memory) as store:
        works = [create("one"), lambda _: prevent(store._writer.raw), create("three")]
        requests = [store._crew.enqueue(work) for work in works]

    for request in requests:
        with pytest.raises(error):
            store._crew.finish(request)
    store._writer.raw.set_commit_hook(None)
    store._writer.raw.set_exec_trace(None)
    assert memory.spaces() == ["ana"]
    memory.space("kate").remember("y")
    assert memory.spaces() == ["ana", "kate"]


@pytest.mark.parametrize("error", [apsw.IOError("disk"), apsw.FullError("full")])
def test_a_database_that_fails_under_one_request_fails_all_that_share_the_commit(memory, error):
    with queue_up(memory) as store:
        works = [create("one"), fail(error), create("three")]
        requests = [store._crew.enqueue(work) for work in works]

    for request in requests:
        with pytest.raises(ricordo.StoreError):
            store._crew.finish(request)
    assert memory.spaces() == ["ana"]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), ricordo.NameTaken("no")])
def test_work_that_is_interrupted_fails_alone_and_the_others_are_kept(memory, error):
    with queue_up(memory) as store:
        first, broken, last = (
            store._crew.enqueue(work) for work in (create("one"), fail(error), create("three"))
        )

    with pytest.raises(type(error)):
        store._crew.finish(broken)
    assert [store._crew.finish(request) for request in (first, last)] == [2, 3]
    assert memory.spaces() == ["ana", "one", "three"]


@pytest.mark.parametrize(("fails", "note"), [(False, KEPT), (True, NOT_KEPT)])
def test_a_caller_interrupted_while_its_commit_runs_learns_how_it_ended(memory, fails, note):
    memory.space("ana").remember("x")
    interrupted = threading.Event()

    def handle(*_: object) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    def work(tx: Tx) -> None:
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
        interrupted.wait()
        create("late")(tx)
        if fails:
            raise ricordo.NameTaken("no")

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        with pytest.raises(KeyboardInterrupt) as raised:
            memory._engine.store.write(work)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert raised.value.__notes__ == [note]
    assert ("late" in memory.spaces()) == (not fails)


def test_work_that_nobody_could_begin_in_time_is_busy_and_never_done(memory, monkeypatch):
    with queue_up(memory) as store:
        monkeypatch.setattr(commit_threads, "PATIENCE_SECONDS", 0.0)
        monkeypatch.setattr(commit_threads, "_LOOK_SECONDS", 0.01)
        late = store._crew.enqueue(create("late"))
        with pytest.raises(ricordo.Busy, match="locked"):
            store._crew.finish(late)
        monkeypatch.undo()

    memory.space("kate").remember("y")
    assert memory.spaces() == ["ana", "kate"]


def test_requests_are_carried_out_in_the_order_of_the_queue_by_one_thread(memory):
    """More than fit into one commit."""
    order: list[int] = []
    threads: set[int] = set()

    def note(number: int) -> Callable[[Tx], None]:
        return lambda _: (order.append(number), threads.add(threading.get_ident()))[0]

    with queue_up(memory) as store:
        requests = [store._crew.enqueue(note(number)) for number in range(600)]

    for request in requests:
        store._crew.finish(request)
    assert order == list(range(600))
    assert len(threads) == 1
