"""Time: schedules are claimed by one worker at a time, reminders are delivered once."""

from datetime import UTC, datetime, timedelta

from ricordo import Claim, Memory, Run
from ricordo.errors import ClaimLost, Conflict, NotFound
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab, durable

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def _open_at_noon(lab: Lab) -> Memory:
    lab.clock.stop()
    lab.clock.at(NOON)
    return lab.open()


def _goals(claims: list[Claim]) -> list[str]:
    return [claim.schedule.goal for claim in claims]


def case_a_time_is_a_cadence_that_comes_once(lab: Lab) -> None:
    """CAD-1"""
    space = lab.space()
    at = lab.clock() + timedelta(days=3)

    schedule = space.schedule("Call the harbour", at, name="call")

    assert (schedule.cadence.kind, schedule.next_run_at) == ("once", at)


def case_due_schedules_are_claimed_oldest_first_and_only_once(lab: Lab) -> None:
    """SCH-1, SCH-5"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("late", "in 2 hours")
    ana.schedule("early", "in 1 hour")
    ana.schedule("paused", "in 1 hour", name="paused")
    ana.schedule("future", "in 9 hours")
    ana.schedules.pause("paused")
    lab.clock.advance(hours=3)

    assert [schedule.goal for schedule in ana.schedules.due()] == ["early", "late"]
    assert _goals(memory.claim(1, "a")) == ["early"]
    assert _goals(memory.claim(9, "b")) == ["late"]
    assert memory.claim(9, "c") == []


def case_a_lease_that_is_over_passes_the_claim_on(lab: Lab) -> None:
    """SCH-5"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("Send", "daily at 9", name="report")
    lab.clock.at(datetime(2026, 3, 3, 9, tzinfo=UTC))
    [dead] = memory.claim(1, "dead", 60)
    lab.clock.advance(seconds=60)
    [heir] = memory.claim(1, "heir", 60)

    assert heir.fence > dead.fence
    with raises(ClaimLost, "fence"):
        memory.finish(dead, Run(output="late"))
    memory.finish(heir, Run(output="sent"))
    assert [run.output for run in ana.schedules.runs("report")] == ["sent"]
    schedule = ana.schedules.get("report")
    assert schedule is not None
    assert schedule.next_run_at == datetime(2026, 3, 4, 9, tzinfo=UTC)


def case_failures_are_counted_told_and_disable(lab: Lab) -> None:
    """SCH-2"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("Send", timedelta(minutes=1), name="report", notify="never")
    told = []
    for _ in range(5):
        lab.clock.advance(minutes=1)
        [claim] = memory.claim(1, "w")
        told.append(memory.finish(claim, Run("failed", "boom")).notified)

    assert told == [False, False, True, False, False]
    assert [schedule.status for schedule in ana.schedules.list()] == ["disabled"]
    assert ana.schedules.resume("report").failures == 0


def case_a_failed_one_shot_is_never_completed(lab: Lab) -> None:
    """SCH-3, SCH-6"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("Call", "in 1 hour", name="call")
    lab.clock.advance(days=1)
    [claim] = memory.claim(1, "w")
    memory.finish(claim, Run("failed"))
    assert memory.claim(1, "w") == []

    lab.clock.advance(minutes=1)
    [claim] = memory.claim(1, "w")
    memory.finish(claim, Run())

    assert [schedule.status for schedule in ana.schedules.list()] == ["completed"]
    lab.clock.advance(days=400)
    assert memory.claim(1, "w") == []


def case_a_name_is_found_by_any_literal_part_of_it(lab: Lab) -> None:
    """SCH-6"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    for name in ("50% off", "one_shot", "CAFÉ", "plain"):
        ana.schedule("x", "hourly", name=name)

    for part, found in (("%", "50% off"), ("_", "one_shot"), ("café", "CAFÉ")):
        assert [schedule.name for schedule in ana.schedules.list(name=part)] == [found]
        assert ana.schedules.count(name=part) == 1
    assert ana.schedules.count() == 4


def case_a_summary_holds_500_characters_and_20_runs_are_kept(lab: Lab) -> None:
    """SCH-1, SCH-4"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.schedule("Sing", timedelta(minutes=1), name="song")
    for number in range(22):
        lab.clock.advance(minutes=1)
        [claim] = memory.claim(1, "w")
        memory.finish(claim, Run(output=f"{number:02}" + "🎶" * 600))

    runs = ana.schedules.runs("song", 99)
    assert [run.output[:2] for run in runs] == [f"{number:02}" for number in range(21, 1, -1)]
    assert runs[0].summary == "21" + "🎶" * 498
    assert ana.schedules.delete("song").removed == {"schedules": 1, "runs": 20}


def case_schedules_of_another_space_are_out_of_reach(lab: Lab) -> None:
    """ISO-7"""
    memory = _open_at_noon(lab)
    made = memory.space("ana").schedule("Send", "hourly")
    ben = memory.space("ben")
    ben.schedule("x", "hourly")

    assert ben.schedules.get(made.id) is None
    for touch in (ben.schedules.pause, ben.schedules.delete, ben.schedules.runs):
        with raises(NotFound, made.id):
            touch(made.id)
    assert memory.space("ana").schedules.get(made.id) == made


def case_a_space_has_fifty_schedules_at_most(lab: Lab) -> None:
    """SCH-5"""
    ana = _open_at_noon(lab).space("ana")
    for number in range(50):
        ana.schedule(f"goal {number}", "hourly")

    with raises(Conflict, "50"):
        ana.schedule("one more", "hourly")
    assert ana.schedule("goal 7", "hourly").goal == "goal 7"  # the one that is there
    assert ana.remind("Call", at="tomorrow").id == ana.remind("Call", at="tomorrow").id
    assert ana.remind("Ask", cue="Atlas").id == ana.remind("Ask", cue="Atlas").id


def case_a_reminder_is_delivered_once_by_one_worker(lab: Lab) -> None:
    """REM-1"""
    ana = _open_at_noon(lab).space("ana")
    ana.remind("Call", at="10m")
    assert ana.reminders.claim(worker="a") == []
    lab.clock.advance(minutes=10)

    [held] = ana.reminders.claim(worker="a")
    assert ana.reminders.claim(worker="b") == []
    lab.clock.advance(minutes=5)
    [taken] = ana.reminders.claim(worker="b")
    assert not ana.reminders.deliver(held)
    assert ana.reminders.release(taken)
    [again] = ana.reminders.claim(worker="c")
    assert ana.reminders.deliver(again)
    assert not ana.reminders.deliver(again)
    lab.clock.advance(days=1)
    assert ana.reminders.claim(worker="d") == []


def case_a_cue_is_heard_in_its_own_space_once(lab: Lab) -> None:
    """REM-1"""
    memory = _open_at_noon(lab)
    ana = memory.space("ana")
    ana.remind("Ask for the invoice", cue="project Atlas")

    assert memory.space("ben").reminders.due("project Atlas") == []
    assert ana.reminders.due("the project") == []
    assert [r.text for r in ana.reminders.due("Atlas, the project")] == ["Ask for the invoice"]
    assert ana.reminders.due("project Atlas") == []


def case_a_reminder_that_nobody_read_is_put_back_once(lab: Lab) -> None:
    """REM-1"""
    ana = _open_at_noon(lab).space("ana")
    ana.remind("Call", at="10m")
    lab.clock.advance(minutes=10)
    lost = ana.reminders.due("")

    assert ana.reminders.put_back(lost) == 1
    [claimed] = ana.reminders.claim(worker="a")
    assert ana.reminders.put_back(lost) == 0
    assert ana.reminders.deliver(claimed)
    assert ana.reminders.due("") == []


@durable
def case_time_survives_a_restart(lab: Lab) -> None:
    """SCH-5, REM-1"""
    memory = _open_at_noon(lab)
    made = memory.space("ana").schedule("Send", "in 1 hour")
    memory.space("ana").remind("Call", at="1h")
    lab.clock.advance(hours=2)

    memory = lab.reopen(memory)

    assert [claim.schedule.id for claim in memory.claim(9, "w")] == [made.id]
    assert [reminder.text for reminder in memory.claim_reminders(worker="w")] == ["Call"]


@durable
def case_two_openings_share_the_work(lab: Lab) -> None:
    """SCH-5"""
    memory = _open_at_noon(lab)
    other = lab.share(memory)
    for number in range(20):
        memory.space(f"s{number % 3}").schedule(str(number), "in 1 hour")
    lab.clock.advance(hours=1)

    claimed = []
    for turn in range(10):
        claimed += (memory, other)[turn % 2].claim(3, f"w{turn % 2}")

    assert sorted(map(int, _goals(claimed))) == list(range(20))
