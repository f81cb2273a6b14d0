"""Schedules: kept, found and changed, each in its own space."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from noon import DAILY, NOON

import ricordo
from ricordo import Cadence, Conflict, InvalidInput, NotFound


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

    assert ana.schedules.get(made.id) == ana.schedules.get("report") == made
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


@pytest.mark.parametrize("cadence", ["in 1 hour", timedelta(hours=1), "2026-03-03 09:00"])
def test_every_schedule_tells_its_next_run_on_the_clock_of_its_zone(ana, cadence):
    made = ana.schedule("x", cadence, tz="Europe/Berlin")

    local = made.next_run_at.astimezone(ZoneInfo("Europe/Berlin"))
    assert made.next_run_local == local.strftime("%Y-%m-%d %H:%M:%S CET")
    assert ana.schedules.pause(made).next_run_local is None


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

    assert ana.schedules.list() == []
    assert memory.spaces() == []


def test_a_time_beyond_the_calendar_of_its_zone_is_refused(ana):
    last = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    ana.schedule("x", last, name="last")

    for attempt in (
        lambda: ana.schedule("x", last, tz="Asia/Tokyo"),
        lambda: ana.schedule("x", last.replace(tzinfo=timezone(timedelta(hours=-5)))),
        lambda: ana.schedule("x", Cadence("once", at=last, tz="Asia/Tokyo")),
        lambda: ana.schedules.update("last", tz="Asia/Tokyo"),
    ):
        with pytest.raises(InvalidInput, match="9999-12-31T23:59"):
            attempt()

    assert [schedule.name for schedule in ana.schedules.list()] == ["last"]


def test_finding_by_part_of_the_name_status_cadence_and_policy(ana):
    """SCH-6: what looks like a wildcard is a character."""
    ana.schedule("a", DAILY, name="50% off")
    ana.schedule("b", timedelta(hours=1), name="Hourly CAFÉ", notify="never")
    ana.schedule("c", "in 2 hours", name="one_shot")
    ana.schedules.pause("one_shot")

    def names(**wanted):
        return [found.name for found in ana.schedules.list(**wanted)]

    assert names(name="%") == ["50% off"]
    assert names(name="_") == ["one_shot"]
    assert names(name="café") == ["Hourly CAFÉ"]
    assert names(status="paused") == ["one_shot"]
    assert names(cadence="every") == ["Hourly CAFÉ"]
    assert names(notify="never") == ["Hourly CAFÉ"]
    assert ana.schedules.count() == 3
    assert ana.schedules.count(name="%") == 1
    with pytest.raises(InvalidInput, match="status"):
        ana.schedules.list(status="asleep")


def test_pages_do_not_overlap_and_end(ana, clock):
    for number in range(7):
        clock.advance(seconds=1)
        ana.schedule("x", DAILY, name=f"s{number}")

    pages = [ana.schedules.list(limit=3, offset=offset) for offset in (0, 3, 6, 9)]

    assert [[s.name for s in page] for page in pages] == [
        ["s6", "s5", "s4"], ["s3", "s2", "s1"], ["s0"], [],
    ]  # fmt: skip
    with pytest.raises(InvalidInput, match="from 0 to 50"):
        ana.schedules.list(limit=51)


def test_the_fifty_first_is_refused_whatever_the_states(ana):
    """SCH-5."""
    for number in range(50):
        ana.schedule("x", DAILY, name=f"s{number}")
    ana.schedules.pause("s1")

    with pytest.raises(Conflict, match="50 schedules of at most 50"):
        ana.schedule("x", DAILY)
    ana.schedules.delete("s1")
    ana.schedule("x", DAILY)


def test_a_patch_changes_what_it_names(ana, clock):
    made = ana.schedule("Send", DAILY, name="report", channel="mail")
    clock.advance(minutes=1)

    changed = ana.schedules.update("report", goal="Send it", notify="never")

    assert (changed.goal, changed.notify, changed.channel) == ("Send it", "never", "mail")
    assert changed.next_run_at == made.next_run_at
    assert changed.updated_at > made.updated_at


def test_a_zone_alone_moves_a_cron_and_a_new_cadence_keeps_the_zone(ana):
    ana.schedule("Send", DAILY, name="report", tz="Europe/Berlin")

    moved = ana.schedules.update("report", tz="Asia/Tokyo")
    assert moved.next_run_at == datetime(2026, 3, 3, 0, tzinfo=UTC)

    later = ana.schedules.update("report", cadence="daily at 10")
    assert later.cadence == Cadence("cron", expression="0 10 * * *", tz="Asia/Tokyo")
    assert later.next_run_at == datetime(2026, 3, 3, 1, tzinfo=UTC)
    with pytest.raises(InvalidInput):
        ana.schedules.update("report", tz="Nowhere/Land")
    assert ana.schedules.get("report") == later


def test_pausing_clears_the_next_run_and_resuming_plans_it_anew(ana, memory, clock):
    """SCH-3."""
    ana.schedule("Send", timedelta(hours=1), name="report")

    assert ana.schedules.pause("report").next_run_at is None
    clock.advance(hours=5)
    assert memory.claim(5, "w") == []

    assert ana.schedules.resume("report").next_run_at == NOON + timedelta(hours=6)


def test_another_space_cannot_see_or_touch_a_schedule(memory, ana):
    """ISO-7."""
    made = ana.schedule("Send", DAILY, name="report")
    ben = memory.space("ben")
    ben.schedule("x", DAILY, name="own")

    assert ben.schedules.get(made.id) is None
    assert [s.name for s in ben.schedules.list()] == ["own"]
    theirs = ben.schedules
    for touch in (theirs.pause, theirs.resume, theirs.delete, theirs.runs, theirs.upcoming):
        with pytest.raises(NotFound):
            touch(made.id)
    with pytest.raises(NotFound):
        theirs.update(made.id, goal="mine")
    with pytest.raises(InvalidInput, match="belongs to space 'ana', not to 'ben'"):
        theirs.update(made, goal="mine")
    assert ana.schedules.get(made.id) == made


def test_a_name_that_two_have_is_refused_with_their_ids(ana):
    first, second = (ana.schedule(goal, DAILY, name="twin") for goal in "xy")

    with pytest.raises(Conflict) as raised:
        ana.schedules.pause("twin")

    assert first.id in str(raised.value)
    assert second.id in str(raised.value)
    assert ana.schedules.pause(second).status == "paused"


def test_the_same_schedule_again_is_the_one_that_is_there(ana, lab):
    first = ana.schedule("Send", "every weekday at 8:30", name="report", tz="Europe/Berlin")
    ana.schedules.pause("report")
    lab.clock.advance(days=1)

    again = ana.schedule("Send", "every weekday at 8:30", name="report", tz="Europe/Berlin")

    assert (again.id, again.status) == (first.id, "paused")
    assert ana.schedules.count() == 1
    for other in (
        {"tz": "Asia/Tokyo"},
        {"trusted": True},
        {"notify": "never"},
        {"channel": "mail"},
    ):
        ana.schedule("Send", "every weekday at 8:30", name="report", **other)
    assert ana.schedules.count() == 5


def test_what_ran_once_may_be_scheduled_again(ana, memory, lab):
    first = ana.schedule("Ping", "tomorrow at 9", name="ping")
    assert ana.schedule("Ping", "tomorrow at 9", name="ping").id == first.id
    lab.clock.advance(days=2)
    memory.keeper.run_schedules(lambda _: "done")

    again = ana.schedule("Ping", "tomorrow at 9", name="ping")

    assert (again.status, ana.schedules.count()) == ("active", 2)


def test_upcoming_runs_stand_in_the_zone_of_the_schedule(ana):
    ana.schedule("Send", DAILY, name="report", tz="America/New_York")

    assert [at.isoformat() for at in ana.schedules.upcoming("report", 7)][5:] == [
        "2026-03-07T09:00:00-05:00",
        "2026-03-08T09:00:00-04:00",
    ]
    ana.schedule("x", timedelta(hours=2), name="every")
    assert [at.hour for at in ana.schedules.upcoming("every", 3)] == [14, 16, 18]


def test_the_awaitable_handles_know_time_too(tmp_path):
    import asyncio

    async def main():
        async with ricordo.aio.open(tmp_path / "a.db", embedder="none") as memory:
            ana = memory.space("ana")
            await ana.schedule("Send", DAILY, name="report")
            await ana.remind("Call", at="10m")
            assert await memory.claim(1, "w") == []
            return [s.name for s in await ana.schedules.list()]

    assert asyncio.run(main()) == ["report"]
