"""Clocks that jump: what was planned, held or about to expire goes on once the clock is right."""

from datetime import UTC, datetime, timedelta

from ricordo import Cadence, Memory, Run
from ricordo.errors import ClaimLost
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab, durable

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
CADENCES: dict[str, str | timedelta | Cadence] = {
    "every": timedelta(minutes=90),
    "cron": Cadence("cron", expression="*/30 * * * *"),
    "daily": "daily at 13",
    "yearly": Cadence("cron", expression="0 13 1 5 *"),
}


def _open_at_noon(lab: Lab) -> Memory:
    lab.clock.stop()
    lab.clock.at(NOON)
    return lab.open(config={"revision_days": 90})


def _run_due(memory: Memory) -> list[str]:
    claims = memory.claim(9, "w")
    for claim in claims:
        memory.finish(claim, Run())
    return sorted(claim.schedule.name for claim in claims)


def case_a_moment_a_year_ahead_silences_no_schedule(lab: Lab) -> None:
    """SCH-1, SCH-6"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    for name, cadence in CADENCES.items():
        ana.schedule("x", cadence, name=name)

    lab.clock.jump(days=365)
    assert _run_due(memory) == sorted(CADENCES)
    lab.clock.jump(days=-365)

    assert _run_due(memory) == []
    planned = {schedule.name: schedule.next_run_at for schedule in ana.schedules.list()}
    assert planned == {
        "every": NOON + timedelta(minutes=90),
        "cron": NOON + timedelta(minutes=30),
        "daily": NOON + timedelta(hours=1),
        "yearly": datetime(2026, 5, 1, 13, tzinfo=UTC),
    }
    lab.clock.advance(minutes=90)
    assert _run_due(memory) == ["cron", "daily", "every"]


def case_a_clock_set_back_by_a_year_plans_again(lab: Lab) -> None:
    """SCH-5"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("x", "hourly", name="hourly")
    lab.clock.at(NOON + timedelta(days=365))
    assert _run_due(memory) == ["hourly"]

    lab.clock.at(NOON + timedelta(minutes=1))
    assert _run_due(memory) == []
    lab.clock.advance(hours=1)
    assert _run_due(memory) == ["hourly"]


@durable
def case_a_lease_taken_a_year_ahead_ends_when_the_clock_is_right(lab: Lab) -> None:
    """SCH-5, REM-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("x", "hourly", name="hourly")
    ana.remind("Call", at="1h")
    lab.clock.at(NOON + timedelta(days=365))
    wrong = lab.share(memory)  # opened while the clock is ahead: nothing tells it so
    [dead] = wrong.claim(1, "dead", 300)
    assert len(wrong.claim_reminders(worker="dead")) == 1

    lab.clock.at(NOON + timedelta(hours=2))
    right = lab.share(memory)
    [heir] = right.claim(1, "heir", 300)

    assert heir.planned_at == NOON + timedelta(hours=1)
    assert [each.text for each in right.claim_reminders(worker="heir")] == ["Call"]
    with raises(ClaimLost, "fence"):
        wrong.finish(dead, Run())


def case_a_lease_is_not_lost_by_a_jump(lab: Lab) -> None:
    """SCH-5, REM-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("x", "in 1 hour")
    ana.remind("Call", at="1h", recipient="ana", channel="mail")
    ana.remind("Ask", cue="project Atlas")
    lab.clock.advance(hours=1)
    [held] = memory.claim(1, "w", 300)
    [reminder] = memory.claim_reminders(worker="w")

    lab.clock.jump(days=365)
    assert memory.claim(1, "thief") == []
    assert memory.claim_reminders(worker="thief") == []
    assert memory.renew(held, 300).until == NOON + timedelta(hours=1, minutes=5)
    lab.clock.jump(days=-365)

    assert memory.claim(1, "thief") == []
    assert ana.reminders.deliver(reminder)
    assert memory.finish(held, Run(output="done")).output == "done"
    assert [each.text for each in ana.reminders.due("project Atlas")] == ["Ask"]


def case_deletions_wait_until_the_clock_is_right_or_confirmed(lab: Lab) -> None:
    """RET-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.remember("The door code", name="door", expires_at=NOON + timedelta(days=1))
    ana.remember("old", name="seat")
    ana.write("seat", "new")

    lab.clock.jump(days=365)
    assert ana.get("door") is None
    planned, done = memory.maintain(dry_run=True), memory.maintain()
    assert planned.removed == done.removed == {}
    assert "ahead" in done.doubts[0]
    lab.clock.jump(days=-365)

    assert ana.get("door") is not None
    assert len(ana.history("seat")) == 1
    assert memory.maintain().doubts == ()

    lab.clock.jump(days=365)
    confirmed = memory.maintain(confirm_clock=True)
    assert confirmed.doubts == ()
    assert confirmed.removed["entries"] == confirmed.removed["revisions"] == 1
    assert memory.maintain().doubts == ()


def case_stored_times_in_the_future_hold_deletions_back(lab: Lab) -> None:
    """RET-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.remember("short", name="short", expires_at=NOON + timedelta(hours=1))
    lab.clock.jump(days=365)
    ana.remember("from next year", name="odd")
    lab.clock.jump(days=-365)
    lab.clock.advance(hours=2)

    waiting = memory.maintain()
    assert waiting.removed == {}
    assert waiting.doubts == (
        "1 entries of space 'ana' have a time in the future, up to 2027-03-02T12:00:00+00:00",
    )
    assert memory.maintain(confirm_clock=True).removed["entries"] == 1
    assert memory.maintain().doubts == ()


def case_a_clock_behind_by_a_day_fires_nothing_twice(lab: Lab) -> None:
    """SCH-5"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    for name, cadence in CADENCES.items():
        ana.schedule("x", cadence, name=name)
    lab.clock.advance(hours=1, minutes=1)
    assert _run_due(memory) == ["cron", "daily"]
    before = {schedule.name: schedule.next_run_at for schedule in ana.schedules.list()}

    lab.clock.jump(days=-1)
    assert _run_due(memory) == []
    lab.clock.jump(days=1)

    assert _run_due(memory) == []
    assert {schedule.name: schedule.next_run_at for schedule in ana.schedules.list()} == before


def case_a_clock_behind_by_days_goes_on_and_repeats_no_run(lab: Lab) -> None:
    """SCH-5"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("x", "daily at 13", name="daily")
    for hours in (2, 24):
        lab.clock.advance(hours=hours)
        assert _run_due(memory) == ["daily"]

    lab.clock.jump(days=-3)
    assert _run_due(memory) == []
    lab.clock.advance(days=1)
    assert _run_due(memory) == ["daily"]
    lab.clock.jump(days=3)

    fired = [_run_due(memory) for _ in range(4)]
    assert fired == [[], [], ["daily"], []]  # two were made before; the third was missed
    made = [run.planned_at for run in ana.schedules.runs("daily")]
    assert len(set(made)) == len(made) == 4
    lab.clock.advance(days=1)
    assert _run_due(memory) == ["daily"]


def case_a_jump_of_minutes_is_made_up_for_and_holds_nothing_back(lab: Lab) -> None:
    """SCH-1, RET-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("x", timedelta(minutes=5), name="often")
    ana.remember("short", name="short", expires_at=NOON + timedelta(minutes=10))
    lab.clock.jump(minutes=30)
    assert _run_due(memory) == ["often"]
    assert memory.maintain(dry_run=True).removed["entries"] == 1
    lab.clock.jump(minutes=-30)

    assert _run_due(memory) == []
    lab.clock.advance(minutes=5)
    assert _run_due(memory) == ["often"]


@durable
def case_a_gap_while_nobody_had_it_open_is_ordinary_time(lab: Lab) -> None:
    """SCH-5, RET-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("x", "daily at 13", name="daily")
    ana.remember("short", name="short", expires_at=NOON + timedelta(days=1))
    lab.clock.jump(days=400)

    memory = lab.reopen(memory)

    assert _run_due(memory) == ["daily"]
    done = memory.maintain()
    assert done.doubts == ()
    assert done.removed["entries"] == 1
