"""An interrupt is an ordinary event: the next write works, and what writers are told is true.

Short: each line of a write, and 60 interrupts at random. RICORDO_CRASH=all: 1,000 at random.
"""

import asyncio
import contextlib
import ctypes
import gc
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import interrupting
import pytest

import ricordo
from ricordo.locks import Hold
from ricordo.store.commit_threads import Request
from tier import report, tier
from tracing import STUCK_SECONDS, Tracer, false_answers, interrupt_everywhere, is_writable

SCRIPT = Path(interrupting.__file__)
INTERRUPTS = tier(60, 1_000)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, interrupting.Interrupt])
@pytest.mark.parametrize("where", ["file", "RAM"])
def test_an_append_can_be_interrupted_at_each_of_its_lines(where, error, tmp_path):
    path = tmp_path / "a.db" if where == "file" else ":memory:"
    with ricordo.open(path, embedder="none") as memory:
        chat = memory.space("ana").session("log")
        chat.append("user", "first")

        told = interrupt_everywhere(memory, lambda text: chat.append("user", text), error)

        there = {str(event.content) for event in chat.events()}
        assert false_answers(told, there) == []
        assert len(told) > 80
        assert memory.check() == []
    report(
        f"11 interrupts, each line: {where}, {error.__name__}", lines=len(told), stuck=0, false=0
    )


def test_remembering_and_forgetting_can_be_interrupted_at_each_line(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="hash") as memory:
        ana = memory.space("ana")
        ana.remember("first", name="x")

        told = interrupt_everywhere(
            memory, lambda text: ana.remember(text, name="x"), KeyboardInterrupt
        )
        interrupt_everywhere(
            memory, lambda text: ana.forget(ana.remember(text).name), KeyboardInterrupt
        )

        there = {*(revision.content for revision in ana.history("x")), ana.get("x").content}
        assert false_answers(told, there) == []
        assert memory.check() == []


def test_recall_can_be_interrupted_at_each_line_and_finds_everything_afterwards(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="hash") as memory:
        ana = memory.space("ana")
        ana.session("log").extend({"role": "user", "content": f"heron {n}"} for n in range(9))
        memory.flush()
        for line in range(1, 100_000, tier(23, 1)):
            memory._engine.views.clear()  # so that there is something to read
            if Tracer(line, KeyboardInterrupt).run(lambda: ana.recall("heron", limit=9)) is None:
                break

        found = ana.recall("heron", limit=20)
        assert len({hit.text for hit in found}) == len(found) == 9
        assert is_writable(memory)
        assert memory.check() == []


def test_a_caller_that_commits_by_itself_is_stuck_after_an_interrupt(tmp_path, monkeypatch):
    """The control: no thread commits for it, and nobody looks whether a holder is gone."""
    memory = ricordo.open(tmp_path / "a.db", embedder="none")
    memory.space("ana").remember("x")
    store: Any = memory._engine.store
    store._crew.stop()  # a thread that goes to rest would give back the turn of the caller

    def commit(work: Any) -> Any:
        request = Request(work)
        store._commit([request])
        return request.value

    monkeypatch.setattr(store, "write", commit)
    monkeypatch.setattr(Hold, "is_over", lambda _: False)
    stuck = 0
    for line in range(1, 10_000):
        if Tracer(line, KeyboardInterrupt).run(lambda: memory.space("ana").remember("x")) is None:
            break
        for places in (store._section._places, store._pool._places):
            for hold in places.holds():
                stuck += 1
                places.give(hold)

    assert stuck
    memory.close()
    report("11 interrupts, control: the caller commits by itself", lines=line, stuck=stuck)


@pytest.mark.timeout(tier(120, 1_200))
def test_interrupts_at_random_leave_nothing_stuck_lost_or_falsely_told(tmp_path):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path / "a.db"), str(INTERRUPTS), "7"],
        capture_output=True,
        check=True,
        text=True,
        timeout=tier(100, 1_100),
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )

    told = json.loads(done.stdout)
    assert (told["stuck"], told["lost"], told["false"], told["twice"]) == (0, [], [], 0)
    assert (told["errors"], told["check"]) == ([], [])
    assert told["acknowledged"] > INTERRUPTS
    report("11 interrupts at random", **told)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_thread_that_is_ended_from_outside_leaves_the_memory_writable(memory):
    chat = memory.space("ana").session("log")
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        try:
            begun.set()
            while True:
                chat.append("user", "again")
        except interrupting.Interrupt:
            ended.set()

    for _ in range(tier(10, 100)):
        begun.clear(), ended.clear()
        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        for _ in range(STUCK_SECONDS):  # one that falls into a finalizer is ignored by Python
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident or 0), ctypes.py_object(interrupting.Interrupt)
            )
            thread.join(1)
            if not thread.is_alive():
                break

        assert ended.is_set()
        assert is_writable(memory)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_writer_thread_that_is_ended_from_outside_is_replaced(tmp_path):
    memory = ricordo.open(tmp_path / "a.db", embedder="none")
    memory.space("ana").remember("x", name="x")
    store: Any = memory._engine.store
    idents: list[int] = []
    store.write(lambda _: idents.append(threading.get_ident()))  # which thread it is
    ident = idents[0]
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(ident), ctypes.py_object(interrupting.Interrupt)
    )

    with contextlib.suppress(ricordo.OutcomeUnknown, interrupting.Interrupt):
        memory.space("ana").remember("y", name="x")

    memory.space("ana").remember("z", name="x")
    assert memory.space("ana").get("x").content == "z"
    memory.close()


@pytest.mark.parametrize("where", ["file", "RAM"])
def test_a_signal_handler_that_writes_gets_its_write_done_or_an_error(where, tmp_path):
    path = tmp_path / "a.db" if where == "file" else ":memory:"
    with ricordo.open(path, embedder="none") as memory:
        chat, written, refused = memory.space("ana").session("log"), [], []

        def note(*_: object) -> None:
            try:
                written.append(chat.append("system", f"signal {len(written)}").seq)
            except ricordo.StoreError as error:
                refused.append(str(error))

        before = signal.signal(signal.SIGALRM, note)
        try:
            while len(written) + len(refused) < tier(40, 400):
                signal.setitimer(signal.ITIMER_REAL, 0.001)
                chat.append("user", "m")
                chat.recent()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

        assert written
        assert all("signal handler" in each for each in refused)
        assert {event.seq for event in chat.events() if event.role == "system"} == set(written)
        assert memory.check() == []


def test_cancelled_tasks_leave_the_memory_writable(tmp_path):
    async def main() -> int:
        async with ricordo.aio.open(tmp_path / "a.db", embedder="none") as memory:
            chat = memory.space("ana").session("log")
            tasks = [asyncio.create_task(chat.append("user", f"m {n}")) for n in range(60)]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            kept = {event.content for event in await chat.events()}
            told = {each.content for each in done if not isinstance(each, BaseException)}
            assert told <= kept
            return len(told)

    assert asyncio.run(main()) >= 30


def test_a_reader_that_was_interrupted_gives_its_place_back(memory):
    """Also while its exception, and with it every frame, is kept: as a console keeps the last."""
    memory.space("ana").remember("x", name="x")
    kept = []
    for line in range(1, 60):
        raised = Tracer(line, KeyboardInterrupt).run(lambda: memory.space("ana").get("x"))
        if raised is not None:
            kept.append(raised)

    assert len(kept) > 20
    assert memory.space("ana").get("x").content == "x"
    assert is_writable(memory)
    kept.clear()
    gc.collect()
