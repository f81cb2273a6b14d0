"""Runs: filed, told or kept quiet, and the next one planned anew."""

from datetime import UTC, datetime, timedelta

import pytest
from noon import DAILY, NOON, run_once

from ricordo import ClaimLost, Conflict, InvalidInput, Run, Settings


def test_finishing_files_the_run_and_plans_the_next_in_one_go(ana, memory, clock):
    ana.schedule("Send", DAILY, name="report")
    clock.at(datetime(2026, 3, 3, 9, 0, 5, tzinfo=UTC))
    claim = memory.claim(1, "w")[0]
    clock.advance(seconds=30)

    run = memory.finish(claim, Run(output="sent", turns=3, cost=0.25))

    now = ana.schedules.get("report")
    assert now.next_run_at == datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert (now.last_run_at, now.last_run_status) == (claim.claimed_at, "success")
    assert ana.schedules.runs("report") == [ana.schedules.get_run(run.id)]
    assert (run.turns, run.cost, run.space, run.schedule) == (3, 0.25, "ana", now.id)
    assert run.planned_at == datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert run.finished_at - run.started_at == timedelta(seconds=30)


def test_an_overdue_interval_fires_once_and_does_not_drift(ana, memory, clock):
    ana.schedule("Ping", timedelta(minutes=10), name="ping")
    clock.advance(hours=3, seconds=7)

    assert run_once(memory)
    assert run_once(memory) is None
    assert ana.schedules.get("ping").next_run_at == NOON + timedelta(hours=3, minutes=10)


def test_an_overdue_one_shot_fires_once_late_and_is_completed(ana, memory, clock):
    """SCH-3, NLG-3: down past its time, it does not wait for another year."""
    ana.schedule("Call", "on March 5th at 3pm", name="call")
    clock.advance(days=100)

    assert run_once(memory)
    clock.advance(days=400)
    assert run_once(memory) is None
    assert ana.schedules.get("call").status == "completed"
    with pytest.raises(Conflict, match="completed"):
        ana.schedules.resume("call")


def test_a_one_shot_that_is_not_kept_is_gone_once_it_ran(ana, memory, clock):
    """SCH-3."""
    ana.schedule("Call", "in 1 hour", name="call", keep=False)
    clock.advance(days=1)

    assert run_once(memory)
    assert ana.schedules.get("call") is None


def test_once_turns_a_recurring_cadence_into_its_first_run(ana, memory, clock):
    made = ana.schedule("Call", DAILY, name="call", once=True)

    assert made.cadence.kind == "once"
    assert made.next_run_at == datetime(2026, 3, 3, 9, tzinfo=UTC)


def test_a_failed_one_shot_stays_retryable_and_is_never_completed(ana, memory, clock):
    """SCH-6."""
    ana.schedule("Call", "in 1 hour", name="call")
    clock.advance(hours=1)
    for failures in range(1, 5):
        assert run_once(memory, "no answer", "failed")
        found = ana.schedules.get("call")
        assert (found.status, found.failures) == ("active", failures)
        assert run_once(memory) is None
        clock.at(found.next_run_at)

    assert run_once(memory, "no answer", "failed")
    assert ana.schedules.get("call").status == "disabled"
    assert ana.schedules.resume("call").failures == 0
    assert run_once(memory, "answered").status == "success"
    assert ana.schedules.get("call").status == "completed"


@pytest.mark.parametrize("policy", ["always", "conditional", "never"])
def test_the_third_failure_in_a_row_is_told_once_and_the_fifth_disables(ana, memory, clock, policy):
    """SCH-2."""
    ana.schedule("Send", timedelta(minutes=1), name="report", notify=policy)
    told = []
    for _ in range(5):
        clock.advance(minutes=1)
        told.append(run_once(memory, "boom", "failed").notified)

    assert told == [False, False, True, False, False]
    found = ana.schedules.get("report")
    assert (found.status, found.failures, found.next_run_at) == ("disabled", 5, None)
    clock.advance(days=1)
    assert run_once(memory) is None


def test_a_success_forgets_failures_and_a_cancelled_run_counts_for_nothing(ana, memory, clock):
    """SCH-2."""
    ana.schedule("Send", timedelta(minutes=1), name="report")
    seen = []
    for status in ("failed", "failed", "cancelled", "success", "failed"):
        clock.advance(minutes=1)
        run_once(memory, "x", status)
        seen.append(ana.schedules.get("report").failures)

    assert seen == [1, 2, 2, 0, 1]


@pytest.mark.parametrize(
    ("policy", "output", "notice"),
    [
        ("always", "all quiet", "all quiet"),
        ("conditional", "all quiet", None),
        ("conditional", " [NOTIFY]  disk full \n", "disk full"),
        ("conditional", "note: [NOTIFY] disk full", None),
        ("never", "[NOTIFY] disk full", None),
    ],
)
def test_who_is_told_what(ana, memory, clock, policy, output, notice):
    """SCH-2."""
    ana.schedule("Watch", timedelta(minutes=1), notify=policy)
    clock.advance(minutes=1)

    run = run_once(memory, output)

    assert (run.notice, run.notified) == (notice, notice is not None)
    assert ana.schedules.get_run(run.id).output == output


def test_a_summary_is_cut_on_characters(ana, memory, clock):
    """SCH-4."""
    ana.schedule("Sing", timedelta(minutes=1), name="song")
    clock.advance(minutes=1)

    run_once(memory, "🎶" * 600)

    kept = ana.schedules.runs("song")[0]
    assert kept.summary == "🎶" * 500
    assert kept.output == "🎶" * 600


def test_the_newest_twenty_runs_are_kept(ana, memory, clock):
    """SCH-1."""
    ana.schedule("Ping", timedelta(minutes=1), name="ping")
    for number in range(25):
        clock.advance(minutes=1)
        run_once(memory, str(number))

    assert [run.output for run in ana.schedules.runs("ping", 99)] == [
        str(n) for n in range(24, 4, -1)
    ]


def test_how_many_runs_are_kept_is_a_setting(lab, clock):
    """SCH-1."""
    memory = lab.open(config=Settings(runs_kept=2))
    memory.space("ana").schedule("Ping", timedelta(minutes=1), name="ping")
    for number in range(5):
        clock.advance(minutes=1)
        run_once(memory, str(number))

    assert [run.output for run in memory.space("ana").schedules.runs("ping", 99)] == ["4", "3"]


def test_deleting_a_schedule_deletes_its_runs(ana, memory, clock):
    """SCH-1."""
    ana.schedule("Ping", timedelta(minutes=1), name="ping")
    clock.advance(minutes=1)
    run = run_once(memory)

    receipt = ana.schedules.delete("ping")

    assert receipt.removed == {"schedules": 1, "runs": 1}
    assert ana.schedules.get_run(run.id) is None
    clock.advance(days=1)
    assert memory.claim(1, "w") == []


def test_a_clock_that_goes_back_fires_nothing_twice(ana, memory, clock):
    ana.schedule("a", DAILY, name="cron")
    ana.schedule("b", timedelta(hours=24), name="every")
    ana.schedule("c", "in 20 hours", name="once")
    clock.at(datetime(2026, 3, 3, 12, tzinfo=UTC))
    claims = memory.claim(9, "w")
    assert len(claims) == 3

    clock.at(datetime(2026, 3, 3, 8, tzinfo=UTC))
    for claim in claims:
        memory.finish(claim, Run())
    assert memory.claim(9, "w") == []

    clock.at(datetime(2026, 3, 3, 12, 0, 1, tzinfo=UTC))
    assert memory.claim(9, "w") == []
    assert ana.schedules.get("cron").next_run_at == datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert ana.schedules.get("every").next_run_at == datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_a_schedule_that_skips_leaves_out_what_it_missed(ana, memory, clock):
    ana.schedule("news", DAILY, name="news", missed="skip")
    ana.schedule("call", "in 1 hour", name="call", missed="skip")
    clock.advance(days=2)

    assert memory.claim(9, "w") == []
    assert ana.schedules.get("news").next_run_at == datetime(2026, 3, 5, 9, tzinfo=UTC)
    assert ana.schedules.get("call").status == "disabled"
    clock.at(datetime(2026, 3, 5, 9, 1, tzinfo=UTC))
    assert [c.schedule.name for c in memory.claim(9, "w")] == ["news"]


def test_what_is_paused_changed_or_removed_while_it_runs(ana, memory, clock):
    for name in ("paused", "changed", "removed"):
        ana.schedule("x", DAILY, name=name)
    clock.at(datetime(2026, 3, 3, 9, tzinfo=UTC))
    claims = {claim.schedule.name: claim for claim in memory.claim(9, "w", 60)}

    ana.schedules.pause("paused")
    ana.schedules.update("changed", cadence="daily at 9:30")
    ana.schedules.delete("removed")

    assert memory.claim(9, "other") == []
    memory.finish(claims["paused"], Run(output="kept"))
    memory.finish(claims["changed"], Run(output="kept"))
    with pytest.raises(ClaimLost, match="removed"):
        memory.finish(claims["removed"], Run())
    assert ana.schedules.get("paused").status == "paused"
    assert ana.schedules.get("paused").next_run_at is None
    assert ana.schedules.get("changed").next_run_at == datetime(2026, 3, 3, 9, 30, tzinfo=UTC)
    assert [run.output for run in ana.schedules.runs("paused")] == ["kept"]


def test_a_paused_one_shot_that_still_runs_is_not_claimed_again_when_resumed(ana, memory, clock):
    ana.schedule("Call", "in 1 hour", name="call")
    clock.advance(hours=1)
    claim = memory.claim(1, "w", 60)[0]

    ana.schedules.pause("call")
    ana.schedules.resume("call")

    assert memory.claim(1, "other") == []
    memory.finish(claim, Run())
    assert ana.schedules.get("call").status == "completed"


def test_a_run_that_makes_no_sense_is_refused_and_the_claim_stays(ana, memory, clock):
    ana.schedule("x", "in 1 hour", name="x")
    clock.advance(hours=1)
    claim = memory.claim(1, "w")[0]

    for run in (Run("great"), Run(output=3), Run(cost=-1), Run(turns=-1), Run(output="\0"), "done"):
        with pytest.raises(InvalidInput):
            memory.finish(claim, run)

    assert memory.finish(claim, Run()).status == "success"
