"""Clocks: when the time is doubted, and which plans and leases cannot be from a right one."""

from datetime import UTC, datetime, timedelta

import pytest

from ricordo.core.time import cadence, clocks
from ricordo.core.time.clocks import DAY, HOUR, LONGEST_LEASE, MINUTE
from ricordo.model import Cadence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
MINUTELY = Cadence("cron", expression="* * * * *")
DAILY = Cadence("cron", expression="0 9 * * *", tz="Europe/Berlin")
YEARLY = Cadence("cron", expression="0 9 1 5 *")
HOURS = Cadence("every", seconds=6 * 3_600)


@pytest.mark.parametrize(
    ("departure", "is_suspicious"),
    [(0, False), (HOUR, False), (-HOUR, False), (HOUR + 1, True), (-HOUR - 1, True)],
)
def test_more_than_an_hour_is_suspicious(departure, is_suspicious):
    assert clocks.is_suspicious(departure) is is_suspicious


def test_a_clock_that_fell_behind_by_up_to_a_day_is_waited_for():
    waited = [-DAY, -2 * HOUR]
    trusted = [-DAY - 1, -HOUR, 0, 400 * DAY]

    assert [clocks.is_trusted_for_planning(each) for each in waited] == [False, False]
    assert all(clocks.is_trusted_for_planning(each) for each in trusted)


@pytest.mark.parametrize("given", [MINUTELY, DAILY, YEARLY, HOURS])
def test_a_plan_made_now_or_before_is_never_too_far_and_one_made_in_years_is(given):
    for minutes in (0, 1, 59, 600, 100_000):
        before = NOON - timedelta(minutes=minutes)
        plan = cadence.next_run(given, before, before)
        assert not cadence.is_planned_too_far(given, plan, NOON, exact=True)
    later = cadence.next_run(given, NOON + timedelta(days=800))

    assert cadence.is_planned_too_far(given, later, NOON)
    assert cadence.plan_again(given, NOON) == cadence.next_run(given, NOON)


@pytest.mark.parametrize(
    ("given", "ahead", "is_too_far"),
    [
        (MINUTELY, timedelta(minutes=59), False),  # another machine's clock may differ
        (MINUTELY, timedelta(minutes=62), True),
        (HOURS, timedelta(hours=6), False),
        (HOURS, timedelta(hours=7), True),
        (DAILY, timedelta(hours=23), False),
        (DAILY, timedelta(days=3), True),
    ],
)
def test_a_plan_may_lie_ahead_by_one_period_or_an_hour(given, ahead, is_too_far):
    plan = cadence.next_run(given, NOON + ahead)

    assert cadence.is_planned_too_far(given, plan, NOON) is is_too_far


def test_a_one_shot_is_too_far_only_as_a_retry():
    once = Cadence("once", at=NOON + timedelta(days=900))

    assert not cadence.is_planned_too_far(once, once.at, NOON)
    assert cadence.is_planned_too_far(once, once.at + timedelta(minutes=1), NOON)
    assert cadence.plan_again(once, NOON) == once.at
    assert cadence.plan_again(Cadence("once", at=NOON - timedelta(days=1)), NOON) == NOON


def test_a_lease_from_a_time_that_has_not_come_is_impossible():
    now = 1_000 * DAY

    assert not clocks.is_lease_impossible(now, now + LONGEST_LEASE, now, LONGEST_LEASE)
    assert clocks.is_lease_impossible(None, now + LONGEST_LEASE + 1, now, LONGEST_LEASE)
    assert clocks.is_lease_impossible(now + 2 * DAY, now + 2 * DAY + 5, now, LONGEST_LEASE)


def test_leases_follow_a_clock_that_jumped_only_when_it_is_believed():
    now = 1_000 * DAY

    assert clocks.find_lease_times(now + DAY, now, is_doubted=True) == (now, now)
    assert clocks.find_lease_times(now + DAY, now, is_doubted=False) == (now + DAY, now + DAY)
    few = now + 30 * MINUTE
    assert clocks.find_lease_times(few, now, is_doubted=True) == (now, few)
    assert clocks.find_lease_times(now, few, is_doubted=True) == (now, few)


def test_a_departure_is_told_in_words():
    assert clocks.describe_departure(-90 * MINUTE) == "1 hour 30 minutes behind"
    assert clocks.describe_departure(2 * DAY) == "2 days ahead of"
