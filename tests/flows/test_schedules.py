"""Schedules: kept, found, changed, claimed by one worker at a time, and planned anew."""

from datetime import UTC, datetime, timedelta

import pytest

import recollect
from recollect import Cadence, ClaimLost, Conflict, InvalidInput, NotFound, Run, Settings

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
DAILY = "daily at 9"


@pytest.fixture
def clock(lab):
    lab.clock.stop()
    lab.clock.at(NOON)
    return lab.clock


@pytest.fixture
def memory(lab, clock):
    return lab.open()


@pytest.fixture
def ana(memory):
    return memory.space("ana")


def run_once(memory, output="done", status="success", worker="w"):
    """Claim what is due and finish it; the run filed, or None if nothing was due."""
    claims = memory.claim(1, worker, 60)
    return memory.finish(claims[0], Run(status, output)) if claims else None


# --- make, find, change -----------------------------------------------------------------------


def test_a_schedule_keeps_everything_it_was_given(ana):
    made = ana.schedule(
        "Send the report",
        "every weekday at 8:30",
        tz="Europe/Berlin",
        name="report",
        notify="conditional",
        trusted=True,
        channel="telegram",
        channel_context="chat-7",
    )

    assert ana.get_schedule(made.id) == ana.get_schedule("report") == made
    assert made.cadence == Cadence("cron", expression="30 8 * * 1-5", tz="Europe/Berlin")
    assert made.phrase == "every weekday at 8:30"
    assert made.description == "At 08:30 on Monday through Friday (Europe/Berlin)"
    assert made.warning is None
    assert (made.status, made.source, made.notify) == ("active", "tool", "conditional")
    assert (made.channel, made.channel_context) == ("telegram", "chat-7")
    assert made.trusted
    assert made.session == f"scheduled:{made.id}"
    assert made.next_run_at == datetime(2026, 3, 3, 7, 30, tzinfo=UTC)
    assert made.next_run_local == "2026-03-03 08:30:00 CET"


def test_numbered_weekdays_come_with_a_warning_and_spoken_ones_do_not(ana):
    assert "0 = Sunday" in ana.schedule("x", "0 9 * * 1-5").warning
    assert ana.schedule("x", "weekdays at 9").warning is None


def test_what_cannot_be_scheduled_leaves_nothing_behind(memory, ana):
    """CAD-1."""
    for goal, cadence, rest in (
        ("", DAILY, {}),
        ("a", "whenever", {}),
        ("a", timedelta(seconds=30), {}),
        ("a", "2020-01-01T00:00:00Z", {}),
        ("a", DAILY, {"tz": "Invalid/Zone"}),
        ("a", DAILY, {"notify": "sometimes"}),
        ("a", DAILY, {"missed": "twice"}),
        ("a\0", DAILY, {}),
        ("a", None, {}),
        ("a", Cadence("weekly"), {}),
    ):
        with pytest.raises(InvalidInput):
            ana.schedule(goal, cadence, **rest)

    assert ana.schedules() == []
    assert memory.spaces() == []


def test_finding_by_part_of_the_name_status_cadence_and_policy(ana):
    """SCH-6: what looks like a wildcard is a character."""
    ana.schedule("a", DAILY, name="50% off")
    ana.schedule("b", timedelta(hours=1), name="Hourly CAFÉ", notify="never")
    ana.schedule("c", "in 2 hours", name="one_shot")
    ana.pause("one_shot")

    def names(**wanted):
        return [found.name for found in ana.schedules(**wanted)]

    assert names(name="%") == ["50% off"]
    assert names(name="_") == ["one_shot"]
    assert names(name="café") == ["Hourly CAFÉ"]
    assert names(status="paused") == ["one_shot"]
    assert names(cadence="every") == ["Hourly CAFÉ"]
    assert names(notify="never") == ["Hourly CAFÉ"]
    assert ana.count_schedules() == 3
    assert ana.count_schedules(name="%") == 1
    with pytest.raises(InvalidInput, match="status"):
        ana.schedules(status="asleep")


def test_pages_do_not_overlap_and_end(ana, clock):
    for number in range(7):
        clock.advance(seconds=1)
        ana.schedule("x", DAILY, name=f"s{number}")

    pages = [ana.schedules(limit=3, offset=offset) for offset in (0, 3, 6, 9)]

    assert [[s.name for s in page] for page in pages] == [
        ["s6", "s5", "s4"], ["s3", "s2", "s1"], ["s0"], [],
    ]  # fmt: skip
    with pytest.raises(InvalidInput, match="from 0 to 50"):
        ana.schedules(limit=51)


def test_the_fifty_first_is_refused_whatever_the_states(ana):
    """SCH-5."""
    for number in range(50):
        ana.schedule("x", DAILY, name=f"s{number}")
    ana.pause("s1")

    with pytest.raises(Conflict, match="50 schedules of at most 50"):
        ana.schedule("x", DAILY)
    ana.unschedule("s1")
    ana.schedule("x", DAILY)


def test_a_patch_changes_what_it_names(ana, clock):
    made = ana.schedule("Send", DAILY, name="report", channel="mail")
    clock.advance(minutes=1)

    changed = ana.update_schedule("report", goal="Send it", notify="never")

    assert (changed.goal, changed.notify, changed.channel) == ("Send it", "never", "mail")
    assert changed.next_run_at == made.next_run_at
    assert changed.updated_at > made.updated_at


def test_a_zone_alone_moves_a_cron_and_a_new_cadence_keeps_the_zone(ana):
    ana.schedule("Send", DAILY, name="report", tz="Europe/Berlin")

    moved = ana.update_schedule("report", tz="Asia/Tokyo")
    assert moved.next_run_at == datetime(2026, 3, 3, 0, tzinfo=UTC)

    later = ana.update_schedule("report", cadence="daily at 10")
    assert later.cadence == Cadence("cron", expression="0 10 * * *", tz="Asia/Tokyo")
    assert later.next_run_at == datetime(2026, 3, 3, 1, tzinfo=UTC)
    with pytest.raises(InvalidInput):
        ana.update_schedule("report", tz="Nowhere/Land")
    assert ana.get_schedule("report") == later


def test_pausing_clears_the_next_run_and_resuming_plans_it_anew(ana, memory, clock):
    """SCH-3."""
    ana.schedule("Send", timedelta(hours=1), name="report")

    assert ana.pause("report").next_run_at is None
    clock.advance(hours=5)
    assert memory.claim(5, "w") == []

    assert ana.resume("report").next_run_at == NOON + timedelta(hours=6)


def test_another_space_cannot_see_or_touch_a_schedule(memory, ana):
    """ISO-7."""
    made = ana.schedule("Send", DAILY, name="report")
    ben = memory.space("ben")
    ben.schedule("x", DAILY, name="own")

    assert ben.get_schedule(made.id) is None
    assert [s.name for s in ben.schedules()] == ["own"]
    for touch in (ben.pause, ben.resume, ben.unschedule, ben.runs, ben.upcoming):
        with pytest.raises(NotFound):
            touch(made.id)
    with pytest.raises(NotFound):
        ben.update_schedule(made, goal="mine")
    assert ana.get_schedule(made.id) == made


def test_a_name_that_two_have_is_refused_with_their_ids(ana):
    first, second = (ana.schedule("x", DAILY, name="twin") for _ in range(2))

    with pytest.raises(Conflict) as raised:
        ana.pause("twin")

    assert first.id in str(raised.value)
    assert second.id in str(raised.value)
    assert ana.pause(second).status == "paused"


def test_upcoming_runs_stand_in_the_zone_of_the_schedule(ana):
    ana.schedule("Send", DAILY, name="report", tz="America/New_York")

    assert [at.isoformat() for at in ana.upcoming("report", 7)][5:] == [
        "2026-03-07T09:00:00-05:00",
        "2026-03-08T09:00:00-04:00",
    ]
    ana.schedule("x", timedelta(hours=2), name="every")
    assert [at.hour for at in ana.upcoming("every", 3)] == [14, 16, 18]


# --- due and claimed --------------------------------------------------------------------------


def test_due_are_active_ones_whose_time_has_come_oldest_first(ana, memory, clock):
    """SCH-1."""
    ana.schedule("late", "in 2 hours", name="late")
    ana.schedule("early", "in 1 hour", name="early")
    ana.schedule("paused", "in 1 hour", name="paused")
    ana.schedule("future", "in 9 hours", name="future")
    ana.pause("paused")
    clock.advance(hours=3)

    assert [s.name for s in ana.due_schedules()] == ["early", "late"]
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
    assert [run.output for run in ana.runs("report")] == ["sent"]


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
    assert [run.output for run in ana.runs("report")] == ["sent"]
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
        for _ in range(3):
            memory.space(name).schedule("x", "in 1 hour")
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


# --- finished and planned anew ----------------------------------------------------------------


def test_finishing_files_the_run_and_plans_the_next_in_one_go(ana, memory, clock):
    ana.schedule("Send", DAILY, name="report")
    clock.at(datetime(2026, 3, 3, 9, 0, 5, tzinfo=UTC))
    claim = memory.claim(1, "w")[0]
    clock.advance(seconds=30)

    run = memory.finish(claim, Run(output="sent", turns=3, cost=0.25))

    now = ana.get_schedule("report")
    assert now.next_run_at == datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert (now.last_run_at, now.last_run_status) == (claim.claimed_at, "success")
    assert ana.runs("report") == [ana.get_run(run.id)]
    assert (run.turns, run.cost, run.space, run.schedule) == (3, 0.25, "ana", now.id)
    assert run.planned_at == datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert run.finished_at - run.started_at == timedelta(seconds=30)


def test_an_overdue_interval_fires_once_and_does_not_drift(ana, memory, clock):
    ana.schedule("Ping", timedelta(minutes=10), name="ping")
    clock.advance(hours=3, seconds=7)

    assert run_once(memory)
    assert run_once(memory) is None
    assert ana.get_schedule("ping").next_run_at == NOON + timedelta(hours=3, minutes=10)


def test_an_overdue_one_shot_fires_once_late_and_is_completed(ana, memory, clock):
    """SCH-3, NLG-3: down past its time, it does not wait for another year."""
    ana.schedule("Call", "on March 5th at 3pm", name="call")
    clock.advance(days=100)

    assert run_once(memory)
    clock.advance(days=400)
    assert run_once(memory) is None
    assert ana.get_schedule("call").status == "completed"
    with pytest.raises(Conflict, match="completed"):
        ana.resume("call")


def test_a_one_shot_that_is_not_kept_is_gone_once_it_ran(ana, memory, clock):
    """SCH-3."""
    ana.schedule("Call", "in 1 hour", name="call", keep=False)
    clock.advance(days=1)

    assert run_once(memory)
    assert ana.get_schedule("call") is None


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
        found = ana.get_schedule("call")
        assert (found.status, found.failures) == ("active", failures)
        assert run_once(memory) is None
        clock.at(found.next_run_at)

    assert run_once(memory, "no answer", "failed")
    assert ana.get_schedule("call").status == "disabled"
    assert ana.resume("call").failures == 0
    assert run_once(memory, "answered").status == "success"
    assert ana.get_schedule("call").status == "completed"


@pytest.mark.parametrize("policy", ["always", "conditional", "never"])
def test_the_third_failure_in_a_row_is_told_once_and_the_fifth_disables(ana, memory, clock, policy):
    """SCH-2."""
    ana.schedule("Send", timedelta(minutes=1), name="report", notify=policy)
    told = []
    for _ in range(5):
        clock.advance(minutes=1)
        told.append(run_once(memory, "boom", "failed").notified)

    assert told == [False, False, True, False, False]
    found = ana.get_schedule("report")
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
        seen.append(ana.get_schedule("report").failures)

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
    assert ana.get_run(run.id).output == output


def test_a_summary_is_cut_on_characters(ana, memory, clock):
    """SCH-4."""
    ana.schedule("Sing", timedelta(minutes=1), name="song")
    clock.advance(minutes=1)

    run_once(memory, "🎶" * 600)

    kept = ana.runs("song")[0]
    assert kept.summary == "🎶" * 500
    assert kept.output == "🎶" * 600


def test_the_newest_twenty_runs_are_kept(ana, memory, clock):
    """SCH-1."""
    ana.schedule("Ping", timedelta(minutes=1), name="ping")
    for number in range(25):
        clock.advance(minutes=1)
        run_once(memory, str(number))

    assert [run.output for run in ana.runs("ping", 99)] == [str(n) for n in range(24, 4, -1)]


def test_how_many_runs_are_kept_is_a_setting(lab, clock):
    """SCH-1."""
    memory = lab.open(config=Settings(runs_kept=2))
    memory.space("ana").schedule("Ping", timedelta(minutes=1), name="ping")
    for number in range(5):
        clock.advance(minutes=1)
        run_once(memory, str(number))

    assert [run.output for run in memory.space("ana").runs("ping", 99)] == ["4", "3"]


def test_deleting_a_schedule_deletes_its_runs(ana, memory, clock):
    """SCH-1."""
    ana.schedule("Ping", timedelta(minutes=1), name="ping")
    clock.advance(minutes=1)
    run = run_once(memory)

    receipt = ana.unschedule("ping")

    assert receipt.removed == {"schedules": 1, "runs": 1}
    assert ana.get_run(run.id) is None
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
    assert ana.get_schedule("cron").next_run_at == datetime(2026, 3, 4, 9, tzinfo=UTC)
    assert ana.get_schedule("every").next_run_at == datetime(2026, 3, 4, 12, tzinfo=UTC)


def test_a_schedule_that_skips_leaves_out_what_it_missed(ana, memory, clock):
    ana.schedule("news", DAILY, name="news", missed="skip")
    ana.schedule("call", "in 1 hour", name="call", missed="skip")
    clock.advance(days=2)

    assert memory.claim(9, "w") == []
    assert ana.get_schedule("news").next_run_at == datetime(2026, 3, 5, 9, tzinfo=UTC)
    assert ana.get_schedule("call").status == "disabled"
    clock.at(datetime(2026, 3, 5, 9, 1, tzinfo=UTC))
    assert [c.schedule.name for c in memory.claim(9, "w")] == ["news"]


def test_what_is_paused_changed_or_removed_while_it_runs(ana, memory, clock):
    for name in ("paused", "changed", "removed"):
        ana.schedule("x", DAILY, name=name)
    clock.at(datetime(2026, 3, 3, 9, tzinfo=UTC))
    claims = {claim.schedule.name: claim for claim in memory.claim(9, "w", 60)}

    ana.pause("paused")
    ana.update_schedule("changed", cadence="daily at 9:30")
    ana.unschedule("removed")

    assert memory.claim(9, "other") == []
    memory.finish(claims["paused"], Run(output="kept"))
    memory.finish(claims["changed"], Run(output="kept"))
    with pytest.raises(ClaimLost, match="removed"):
        memory.finish(claims["removed"], Run())
    assert ana.get_schedule("paused").status == "paused"
    assert ana.get_schedule("paused").next_run_at is None
    assert ana.get_schedule("changed").next_run_at == datetime(2026, 3, 3, 9, 30, tzinfo=UTC)
    assert [run.output for run in ana.runs("paused")] == ["kept"]


def test_a_paused_one_shot_that_still_runs_is_not_claimed_again_when_resumed(ana, memory, clock):
    ana.schedule("Call", "in 1 hour", name="call")
    clock.advance(hours=1)
    claim = memory.claim(1, "w", 60)[0]

    ana.pause("call")
    ana.resume("call")

    assert memory.claim(1, "other") == []
    memory.finish(claim, Run())
    assert ana.get_schedule("call").status == "completed"


def test_a_run_that_makes_no_sense_is_refused_and_the_claim_stays(ana, memory, clock):
    ana.schedule("x", "in 1 hour", name="x")
    clock.advance(hours=1)
    claim = memory.claim(1, "w")[0]

    for run in (Run("great"), Run(output=3), Run(cost=-1), Run(turns=-1), Run(output="\0"), "done"):
        with pytest.raises(InvalidInput):
            memory.finish(claim, run)

    assert memory.finish(claim, Run()).status == "success"


# --- declared in a configuration --------------------------------------------------------------

DECLARED = """
durability = "normal"

[[schedules]]
space = "ana"
name = "report"
goal = "Send the report"
cadence = "daily at 9"
tz = "Europe/Berlin"
trusted = true

[[schedules]]
space = "ben"
name = "other"
goal = "x"
cadence = "hourly"
"""


def test_a_daily_task_of_the_file_fires_daily_though_we_start_ten_times_a_day(tmp_path, lab, clock):
    """SCH-5."""
    file = tmp_path / "recollect.toml"
    file.write_text(DECLARED, encoding="utf-8")
    memory = lab.open(config=file)
    fired = 0
    for _ in range(50):
        [report] = memory.space("ana").sync_schedules(file)
        fired += run_once(memory) is not None
        clock.advance(hours=2, minutes=24)

    assert (report.source, report.trusted, report.cadence.tz) == ("config", True, "Europe/Berlin")
    assert fired == 5
    assert memory.space("ben").schedules() == []


def test_what_is_gone_from_the_file_is_gone_from_the_space(ana):
    """SCH-3."""
    task = {"name": "report", "goal": "Send", "cadence": "daily at 9"}
    ana.sync_schedules([task, {**task, "name": "second"}])
    ana.schedule("mine", DAILY, name="mine")

    ana.sync_schedules([task])

    assert sorted(s.name for s in ana.schedules()) == ["mine", "report"]


def test_a_changed_declaration_changes_the_schedule_and_a_pause_survives(ana, clock):
    task = {"name": "report", "goal": "Send", "cadence": "daily at 9"}
    [made] = ana.sync_schedules([task])
    clock.advance(minutes=5)
    assert ana.sync_schedules([task]) == [made]

    [changed] = ana.sync_schedules([task | {"goal": "Send it", "cadence": "daily at 10"}])
    assert (changed.id, changed.goal) == (made.id, "Send it")
    assert changed.next_run_at == datetime(2026, 3, 3, 10, tzinfo=UTC)

    ana.pause("report")
    [still] = ana.sync_schedules([task | {"goal": "Send it", "cadence": "daily at 10"}])
    assert still.status == "paused"


@pytest.mark.parametrize(
    ("task", "word"),
    [
        ({"name": "a", "goal": "b"}, "cadence"),
        ({"name": "a", "goal": "b", "cadence": "never"}, "never"),
        ({"name": "a", "goal": "b", "cadence": "hourly", "colour": "red"}, "colour"),
        ({"name": "a", "goal": "b", "cadence": "hourly", "trusted": "yes"}, "trusted"),
    ],
)
def test_a_declaration_that_cannot_be_read_changes_nothing(ana, task, word):
    ana.sync_schedules([{"name": "old", "goal": "x", "cadence": "hourly"}])

    with pytest.raises(InvalidInput, match=word):
        ana.sync_schedules([task])

    assert [s.name for s in ana.schedules()] == ["old"]


def test_a_name_declared_twice_is_refused(ana):
    task = {"name": "a", "goal": "b", "cadence": "hourly"}

    with pytest.raises(InvalidInput, match="declared twice"):
        ana.sync_schedules([task, task])
    assert ana.schedules() == []


def test_a_file_that_is_missing_says_so(ana, tmp_path):
    with pytest.raises(InvalidInput, match=r"nothing\.toml"):
        ana.sync_schedules(tmp_path / "nothing.toml")


def test_the_awaitable_handles_know_time_too(tmp_path):
    import asyncio

    async def main():
        async with recollect.aio.open(tmp_path / "a.db", embedder="none") as memory:
            ana = memory.space("ana")
            await ana.schedule("Send", DAILY, name="report")
            await ana.remind("Call", at="10m")
            assert await memory.claim(1, "w") == []
            return [s.name for s in await ana.schedules()]

    assert asyncio.run(main()) == ["report"]
