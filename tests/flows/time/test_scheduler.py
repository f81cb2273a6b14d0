"""The scheduler: runs what is due, several at a time, and stops with nothing half done."""

import asyncio
import logging
import queue
import threading
from datetime import timedelta
from itertools import count

import pytest
from noon import NOON

import ricordo
from ricordo import InvalidInput, Run
from ricordo.flows.time import claims
from schedulers import make_scheduler

SOON = 30  # seconds that a test waits for a thread before it gives up


def nothing(claim):
    """A run without a word."""


def news(claim):
    return "news"


def due(space, clock, *names):
    """Schedules of these names, all of them due now."""
    for name in names:
        space.schedule(f"do {name}", "in 1 hour", name=name)
    clock.advance(hours=1)


def test_a_run_that_took_too_long_for_itself_has_failed(memory, ana, clock):
    due(ana, clock, "one")

    def run(claim):
        raise TimeoutError

    make_scheduler(memory, run).run_due()

    assert [(each.status, each.output) for each in ana.schedules.runs("one")] == [
        ("failed", "TimeoutError: ")
    ]


def test_everything_due_is_run_once_and_filed(memory, ana, clock):
    due(ana, clock, *"abcde")
    goals = []

    assert make_scheduler(memory, lambda claim: goals.append(claim.schedule.goal)).run_due() == 5

    assert sorted(goals) == [f"do {name}" for name in "abcde"]
    assert {s.status for s in ana.schedules.list()} == {"completed"}
    assert make_scheduler(memory, nothing).run_due() == 0


@pytest.mark.parametrize("timeout", [None, SOON])
def test_what_the_function_returns_is_the_output(memory, ana, clock, timeout):
    due(ana, clock, "text", "run", "nothing")
    outputs = {"text": "done", "run": Run("failed", "half", turns=2, cost=0.5), "nothing": None}

    make_scheduler(memory, lambda claim: outputs[claim.schedule.name], timeout=timeout).run_due()

    filed = {name: ana.schedules.runs(name)[0] for name in outputs}
    assert (filed["text"].status, filed["text"].output) == ("success", "done")
    assert (filed["run"].status, filed["run"].turns, filed["run"].cost) == ("failed", 2, 0.5)
    assert (filed["nothing"].status, filed["nothing"].output) == ("success", "")


def test_an_async_function_is_awaited(memory, ana, clock):
    due(ana, clock, "a", "b")

    async def work(claim):
        await asyncio.sleep(0)
        return f"awaited {claim.schedule.name}"

    class Worker:
        async def __call__(self, claim):
            return await work(claim)

    assert make_scheduler(memory, work).run_due() == 2
    assert ana.schedules.runs("a")[0].output == "awaited a"

    due(ana, clock, "c")
    make_scheduler(memory, Worker()).run_due()
    assert ana.schedules.runs("c")[0].output == "awaited c"


def test_what_it_raises_is_a_failed_run(memory, ana, clock, caplog):
    ana.schedule("x", timedelta(hours=1), name="broken")
    clock.advance(hours=1)

    def work(claim):
        raise ValueError("no such page")

    with caplog.at_level(logging.CRITICAL):
        make_scheduler(memory, work).run_due()

    run = ana.schedules.runs("broken")[0]
    assert (run.status, run.output) == ("failed", "ValueError: no such page")
    assert ana.schedules.get("broken").failures == 1


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def returns(value):
    return lambda _: value


def raises(error):
    def work(claim):
        raise error

    return work


@pytest.mark.parametrize(
    ("work", "why"),
    [
        (returns("sent\0"), "NUL"),
        (returns("sent \ud800"), "surrogate"),
        (returns(Run("done")), "status 'done' is not valid"),
        (returns(Run("success", started_at="now")), "is not a time"),
        (returns(Mute()), "RuntimeError: no words"),
        (raises(ValueError("half\0")), "NUL"),
        (raises(SystemExit(3)), "SystemExit: 3"),
        (raises(asyncio.CancelledError()), "CancelledError"),
        (raises(Mute()), "Mute"),
    ],
)
def test_what_cannot_be_filed_is_a_failed_run_that_says_why(memory, ana, clock, caplog, work, why):
    ana.schedule("x", timedelta(hours=1), name="broken")
    clock.advance(hours=1)

    with caplog.at_level(logging.CRITICAL):
        make_scheduler(memory, work).run_due()

    [run] = ana.schedules.runs("broken")
    assert run.status == "failed"
    assert why in run.output
    assert ana.schedules.get("broken").failures == 1
    assert memory.claim(1, "w") == []


def test_a_run_that_takes_too_long_is_a_failed_run(memory, ana, clock):
    ana.schedule("x", timedelta(hours=1), name="slow")
    clock.advance(hours=1)
    free = threading.Event()

    def held(claim):
        assert free.wait(SOON)

    make_scheduler(memory, held, timeout=0.01).run_due()
    free.set()

    assert ana.schedules.runs("slow")[0].output == "TimeoutError: not finished within 0.01 s"


def test_an_async_run_that_takes_too_long_is_cancelled(memory, ana, clock):
    ana.schedule("x", timedelta(hours=1), name="slow")
    clock.advance(hours=1)
    ended = []

    async def work(claim):
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    make_scheduler(memory, work, timeout=0.01).run_due()

    assert ana.schedules.runs("slow")[0].status == "failed"
    assert ended == ["cancelled"]


def test_no_more_run_at_once_than_allowed(memory, ana, clock):
    due(ana, clock, *"abcdef")
    lock, running, most = threading.Lock(), [0], [0]
    together = threading.Barrier(3, timeout=SOON)

    def work(claim):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        together.wait()
        with lock:
            running[0] -= 1

    assert make_scheduler(memory, work, concurrency=3).run_due() == 6
    assert most == [3]


def test_the_user_is_told_what_the_policy_says(memory, ana, clock):
    for policy in ("always", "never"):
        ana.schedule("x", "in 1 hour", name=policy, notify=policy)
    clock.advance(hours=1)
    told = []

    make_scheduler(
        memory,
        news,
        notify=lambda claim, run: told.append((claim.schedule.name, run.notice)),
    ).run_due()

    assert told == [("always", "news")]


def test_a_started_scheduler_runs_by_itself_and_drains_on_stop(memory, ana, clock):
    due(ana, clock, "a")
    begun, free = threading.Event(), threading.Event()

    def work(claim):
        begun.set()
        assert free.wait(SOON)
        return "finished"

    scheduler = make_scheduler(memory, work, poll=0.01)
    scheduler.start()
    assert begun.wait(SOON)
    with pytest.raises(InvalidInput, match="already running"):
        scheduler.start()
    assert scheduler.stop(timeout=0.01) is False
    free.set()
    assert scheduler.stop(timeout=SOON) is True

    assert ana.schedules.runs("a")[0].output == "finished"


def test_what_becomes_due_while_it_looks_does_not_wait_for_the_next_poll(tmp_path):
    ticks = count()  # every look at this clock takes a millisecond
    with ricordo.open(
        tmp_path / "memory.db",
        embedder="none",
        keep=False,
        clock=lambda: NOON + timedelta(milliseconds=next(ticks)),
    ) as memory:
        ana, delivered = memory.space("ana"), queue.Queue()
        for wait in range(40):
            ana.remind(f"after {wait} looks", at=timedelta(milliseconds=wait))

            with make_scheduler(memory, None, deliver=delivered.put, poll=3600, lease=14_400):
                assert delivered.get(timeout=SOON).text == f"after {wait} looks"


def test_nothing_is_claimed_once_it_stops(memory, ana, clock):
    with make_scheduler(memory, nothing, poll=0.01):
        pass
    due(ana, clock, "a")

    assert ana.schedules.runs("a") == []
    assert len(memory.claim(1, "w")) == 1


def test_a_long_run_keeps_its_claim_by_renewing(memory, ana, clock, monkeypatch):
    """Three leases go by while it runs; nobody else gets the schedule."""
    due(ana, clock, "a")
    renewed, seen = threading.Event(), []

    renew = claims.renew

    def watch(engine, claim, lease):
        result = renew(engine, claim, lease)
        renewed.set()
        return result

    monkeypatch.setattr(claims, "renew", watch)

    def work(claim):
        for _ in range(5):
            clock.advance(seconds=0.2)
            assert renewed.wait(SOON)
            renewed.clear()
            seen.append(memory.claim(1, "other"))

    make_scheduler(memory, work, lease=0.3).run_due()

    assert seen == [[]] * 5
    assert [run.status for run in ana.schedules.runs("a")] == ["success"]


def test_a_claim_lost_meanwhile_is_not_filed_twice(memory, ana, clock, caplog):
    ana.schedule("x", timedelta(hours=1), name="a")
    clock.advance(hours=1)

    def work(claim):
        clock.advance(hours=2)
        [taken] = memory.claim(1, "other", 60)
        memory.finish(taken, Run(output="by the other"))
        return "by the first"

    with caplog.at_level(logging.CRITICAL):
        make_scheduler(memory, work, worker="first").run_due()

    assert [run.output for run in ana.schedules.runs("a", 9)] == ["by the other"]


def test_two_schedulers_on_one_file_share_the_work(lab, memory, ana, clock):
    due(ana, clock, *(f"s{number}" for number in range(40)))
    other = lab.share(memory)
    ran, lock = [], threading.Lock()

    def work(claim):
        with lock:
            ran.append(claim.schedule.name)

    threads = [
        threading.Thread(target=make_scheduler(each, work).run_due) for each in (memory, other)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(ran) == sorted(f"s{number}" for number in range(40))


def test_limits_that_make_no_sense_are_refused(memory):
    for given in (
        {"concurrency": 0}, {"poll": 0}, {"lease": -1}, {"timeout": 0}, {"timeout": "x"},
        {"poll": None}, {"lease": float("nan")}, {"concurrency": True}, {"concurrency": 1.5},
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match="greater than 0"):
            make_scheduler(memory, nothing, **given)


def test_what_is_no_function_is_refused(memory):
    with pytest.raises(InvalidInput, match="run is 7; give a function"):
        make_scheduler(memory, 7)
    with pytest.raises(InvalidInput, match="notify is 'x'; give a function"):
        make_scheduler(memory, nothing, notify="x")


def test_a_timeout_may_be_endless(memory, ana, clock):
    due(ana, clock, "a")

    make_scheduler(memory, news, timeout=float("inf")).run_due()

    assert ana.schedules.runs("a")[0].output == "news"
