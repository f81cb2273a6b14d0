"""Clocks that jump, beside the conformance cases: plain clocks, the log, one-shots, servers."""

import logging
from datetime import UTC, datetime, timedelta

import pytest
from noon import NOON, run_once

import ricordo
from backends import BACKENDS, urls
from ricordo import Cadence, Conflict, Run
from ricordo.flows.learning import dream_lease
from ricordo.flows.time.clocks import Watch
from ricordo.store.codec import micros
from ricordo.testing.lab import TroubledEmbedder

YEAR = timedelta(days=365)


class PlainClock:
    """A clock as callers give one: it tells a time and nothing of the time that has passed."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def run_due(memory):
    claims = memory.claim(9, "w")
    for claim in claims:
        memory.finish(claim, Run())
    return sorted(claim.schedule.name for claim in claims)


def test_one_poll_a_year_ahead_on_a_plain_clock_silences_nothing(lab):
    clock = PlainClock()
    memory = lab.open(clock=clock)
    ana = memory.space("ana")
    ana.schedule("a", "daily at 13:00", name="daily")
    ana.schedule("b", timedelta(minutes=90), name="every")
    ana.schedule("c", "*/30 * * * *", name="cron")
    clock.now = NOON + YEAR
    assert run_due(memory) == ["cron", "daily", "every"]

    clock.now = NOON + timedelta(hours=4)
    assert run_due(memory) == []
    clock.now = NOON + timedelta(days=3)
    assert run_due(memory) == ["cron", "daily", "every"]
    clock.now = NOON + timedelta(days=30)
    assert run_due(memory) == ["cron", "daily", "every"]


def test_a_lease_taken_a_year_ahead_on_a_plain_clock_is_free_again(lab):
    clock = PlainClock()
    memory = lab.open(clock=clock)
    memory.space("ana").schedule("x", "hourly", name="hourly")
    clock.now = NOON + YEAR
    assert len(memory.claim(1, "dead", 300)) == 1

    clock.now = NOON + timedelta(hours=2)
    assert [claim.worker for claim in memory.claim(1, "heir", 300)] == ["heir"]


def test_a_plain_clock_that_runs_ahead_is_ordinary_time(lab):
    clock = PlainClock()
    memory = lab.open(clock=clock)
    memory.space("ana").remember("x", name="x", expires_at=NOON + timedelta(days=1))
    clock.now = NOON + YEAR

    done = memory.maintain()

    assert (done.doubts, done.removed["entries"]) == ((), 1)


def test_the_log_says_once_that_the_clock_is_off_and_once_that_it_agrees(lab, clock, caplog):
    memory = lab.open()
    with caplog.at_level(logging.WARNING, "ricordo.clock"):
        clock.jump(days=-2)
        for _ in range(3):
            memory.space("ana").remember("x")
        clock.jump(days=2)
        memory.space("ana").remember("y")

    first, second = caplog.messages
    assert "2 days behind" in first
    assert "--confirm-clock" in first
    assert "agrees again" in second


def test_a_jump_within_an_hour_is_not_worth_a_word(lab, clock, caplog):
    memory = lab.open()
    for minutes in (59, -59, -59, 59):
        clock.jump(minutes=minutes)
        memory.space("ana").remember("x")

    assert caplog.messages == []
    assert memory.maintain().doubts == ()


def test_a_one_shot_is_not_given_up_as_missed_by_a_clock_that_is_off(ana, memory, clock):
    ana.schedule("call", "in 2 hours", name="call", missed="skip")
    clock.jump(days=365)
    assert memory.claim(9, "w") == []
    clock.jump(days=-365)

    assert ana.schedules.get("call").status == "active"
    clock.advance(hours=2)
    assert [claim.schedule.name for claim in memory.claim(9, "w")] == ["call"]


def test_a_one_shot_that_failed_a_year_ahead_is_tried_again_at_its_own_time(ana, memory, clock):
    ana.schedule("call", "in 2 hours", name="call")
    clock.jump(days=365)
    run_once(memory, status="failed")
    clock.jump(days=-365)

    assert run_once(memory) is None
    clock.advance(hours=2)
    assert run_once(memory).status == "success"


def test_reminders_given_out_in_a_wrong_time_stay_so_and_others_wait_for_theirs(ana, clock):
    ana.remind("early", at="1h")
    clock.jump(days=365)
    assert [each.text for each in ana.reminders.due()] == ["early"]
    ana.remind("later", at=NOON + timedelta(hours=3))
    clock.jump(days=-365)

    ana.remind("right", at="2h")
    assert ana.reminders.due() == []
    clock.advance(hours=3)
    assert [each.text for each in ana.reminders.due()] == ["right", "later"]


def test_after_an_hour_leases_believe_a_clock_that_was_set(ana, memory, clock):
    ana.schedule("x", "daily at 9", name="x")
    clock.jump(days=365)
    [early] = memory.claim(1, "a", 60)
    clock.advance(hours=1, seconds=1)
    [late] = memory.claim(1, "b", 60)

    assert early.until == NOON + timedelta(seconds=60)
    assert late.until == NOON + YEAR + timedelta(hours=1, seconds=61)
    assert memory.maintain().doubts != ()  # deletions do not


def test_old_signals_stay_while_the_clock_is_off(lab, clock):
    memory = lab.open()
    ana = memory.space("ana")
    ana.remember("Prefers window seats")
    ana.recall("seats")
    clock.jump(days=365)
    ana.dream()

    assert len(ana.dreams.signals()) == 1


def test_a_dreamers_lease_from_a_wrong_time_keeps_nobody_away(lab, clock):
    memory = lab.open()
    memory.space("ana").remember("x")
    engine = memory._engine
    clock.jump(days=365)
    wrong = lab.share(memory)  # opened while the clock is ahead: nothing tells it so
    with dream_lease.hold_lease(wrong._engine, "ana"):
        with pytest.raises(Conflict):
            wrong.space("ana").dream()
        clock.jump(days=-365)
        with dream_lease.hold_lease(engine, "ana") as lease:
            assert lease.space == 1


def test_an_embedding_put_off_in_a_wrong_time_is_tried_when_the_clock_is_right(lab, clock):
    memory = lab.open(embedder=TroubledEmbedder(failures=100))
    ana = memory.space("ana")
    clock.jump(days=365)
    ana.remember("x")
    memory.flush()
    clock.jump(days=-365)

    with memory._engine.store.read() as tx:
        due = tx.embeddings.due(1, 1, memory._engine.now(), 9)
    assert len(due) == 1


def test_the_clock_of_a_process_agrees_with_the_time_that_passes():
    watch = Watch()
    now = watch.now()

    assert abs(watch.departure) < 1_000_000
    assert not watch.is_suspicious
    assert abs(watch.estimate_now() - now) < 60_000_000


def test_a_server_tells_the_time_that_its_clients_plan_and_hold_by(lab, clock):
    """A watch that a server has told the time goes by it, whatever the wall clock shows."""
    watch = Watch(clock)
    right = watch.now()
    clock.jump(days=365)

    watch.trust(right)

    assert watch.is_suspicious
    assert watch.steady() == watch.estimate_now() == right
    clock.advance(hours=2)
    assert watch.lease_end(5) == right + 2 * 3_600_000_000 + 5
    assert watch.describe() == "the clock is 52 weeks 1 day ahead of the server's"


@pytest.mark.parametrize("backend", BACKENDS)
def test_on_a_server_a_clients_clock_does_not_matter(backend, tmp_path, monkeypatch):
    with urls(backend, tmp_path) as url_factory:
        ahead = datetime.now(UTC) + YEAR
        monkeypatch.setattr("ricordo.flows.time.clocks._read_wall", lambda: micros(ahead))
        with ricordo.open(url_factory(), embedder="none") as memory:
            ana = memory.space("ana")
            made = ana.schedule("x", timedelta(hours=1), name="x")
            claims, doubts = memory.claim(9, "w"), memory.maintain(dry_run=True).doubts

    assert claims == []
    assert made.next_run_at < ahead - timedelta(days=300)
    assert "of the server's" in doubts[0]


def test_a_schedule_declared_or_changed_a_year_ahead_is_planned_again(ana, memory, clock):
    clock.jump(days=365)
    ana.schedules.sync([{"name": "backup", "goal": "Back up", "cadence": "daily at 3"}])
    ana.schedule("x", Cadence("every", seconds=3_600), name="made")
    clock.jump(days=-365)

    assert memory.claim(9, "w") == []
    assert ana.schedules.get("backup").next_run_at == datetime(2026, 3, 3, 3, tzinfo=UTC)
    assert ana.schedules.get("made").next_run_at == NOON + timedelta(hours=1)


def test_a_run_filed_after_a_jump_is_planned_from_the_right_time(ana, memory, clock):
    ana.schedule("x", "hourly", name="hourly")
    clock.jump(days=365)
    [claim] = memory.claim(1, "w")
    clock.jump(days=-365)
    memory.finish(claim, Run())

    memory.claim(1, "w")
    assert ana.schedules.get("hourly").next_run_at <= NOON + timedelta(hours=2)


def test_a_clock_that_gives_no_time_is_refused():
    with pytest.raises(ricordo.InvalidInput, match="time zone"):
        ricordo.open(clock=lambda: datetime(2026, 1, 1))  # noqa: DTZ001 - that is the point
