"""Claims: what is due goes to one worker at a time, until its lease ends."""

from datetime import UTC, datetime, timedelta

import pytest
from noon import DAILY

from ricordo import ClaimLost, InvalidInput, Run


def test_due_are_active_ones_whose_time_has_come_oldest_first(ana, memory, clock):
    """SCH-1."""
    ana.schedule("late", "in 2 hours", name="late")
    ana.schedule("early", "in 1 hour", name="early")
    ana.schedule("paused", "in 1 hour", name="paused")
    ana.schedule("future", "in 9 hours", name="future")
    ana.schedules.pause("paused")
    clock.advance(hours=3)

    assert [s.name for s in ana.schedules.due()] == ["early", "late"]
    assert [c.schedule.name for c in memory.claim(9, "w")] == ["early", "late"]


def test_one_due_schedule_and_two_workers_make_one_run(ana, memory, lab, clock):
    """SCH-5."""
    other = lab.share(memory)
    ana.schedule("Send", "in 1 hour", name="report")
    clock.advance(hours=1)

    mine, theirs = memory.claim(5, "a"), other.claim(5, "b")

    assert (len(mine), theirs) == (1, [])
    memory.finish(mine[0], Run(output="sent"))
    assert other.claim(5, "b") == []
    assert [run.output for run in ana.schedules.runs("report")] == ["sent"]


def test_a_dead_workers_claim_is_taken_over_after_its_lease_and_not_before(ana, memory, clock):
    """SCH-5."""
    ana.schedule("Send", DAILY, name="report")
    clock.at(datetime(2026, 3, 3, 9, tzinfo=UTC))
    dead = memory.claim(1, "dead", 60)[0]

    clock.advance(seconds=59)
    assert memory.claim(1, "heir", 60) == []
    clock.advance(seconds=1)
    heir = memory.claim(1, "heir", 60)[0]

    assert heir.fence > dead.fence
    assert heir.planned_at == dead.planned_at
    with pytest.raises(ClaimLost, match="fence"):
        memory.finish(dead, Run(output="late"))
    with pytest.raises(ClaimLost):
        memory.renew(dead)
    assert memory.release(dead) is False
    memory.finish(heir, Run(output="sent"))
    assert [run.output for run in ana.schedules.runs("report")] == ["sent"]
    with pytest.raises(ClaimLost):
        memory.finish(heir, Run(output="twice"))


def test_a_renewed_claim_lasts_longer_and_a_released_one_is_due_at_once(ana, memory, clock):
    ana.schedule("Send", "in 1 hour", name="report")
    clock.advance(hours=1)
    held = memory.claim(1, "a", 60)[0]
    clock.advance(seconds=50)

    renewed = memory.renew(held, 60)
    clock.advance(seconds=59)

    assert renewed.until == held.until + timedelta(seconds=50)
    assert memory.claim(1, "b") == []
    assert memory.release(renewed) is True
    assert [c.worker for c in memory.claim(1, "b")] == ["b"]


def test_claims_reach_every_space_and_stop_at_the_limit(memory, clock):
    for name in ("ana", "ben", "cleo"):
        for number in range(3):
            memory.space(name).schedule(f"x{number}", "in 1 hour")
    clock.advance(hours=2)

    first, second = memory.claim(5, "w"), memory.claim(99, "w")

    assert (len(first), len(second)) == (5, 4)
    assert {c.schedule.space for c in first + second} == {"ana", "ben", "cleo"}
    assert len({c.schedule.id for c in first + second}) == 9


def test_claiming_nothing_takes_no_write_lock(memory, ana, lab):
    ana.schedule("x", DAILY)
    reader = lab.share(memory, read_only=True)

    assert reader.claim(5, "w") == []


def test_a_bad_claim_is_refused(memory):
    for limit, worker, lease in (
        (0, "w", 60),
        (1, " ", 60),
        (1, "w", 0),
        (1, "w", 1e9),
        (1, "w", "x"),
    ):
        with pytest.raises(InvalidInput):
            memory.claim(limit, worker, lease)
