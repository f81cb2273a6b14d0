"""Cadences: next run, jumps of the clock, limits, texts."""

from datetime import UTC, datetime, timedelta

import pytest

from ricordo.core.time import cadence, cron
from ricordo.errors import InvalidInput
from ricordo.model import Cadence

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NEW_YORK = "America/New_York"


def at(text):
    return datetime.fromisoformat(text)


def cronned(expression, tz="UTC"):
    return cadence.parse("cron", expression, tz)


def runs(cadenced, after, count):
    """The next runs in UTC."""
    found = []
    for _ in range(count):
        after = cadence.next_run(cadenced, after, after)
        found.append(after.astimezone(UTC))
    return found


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "tz", "word"),
    [
        ("interval", "30", "UTC", "too short"),
        ("once", "2026-02-28T23:59:59Z", "UTC", "past"),
        ("cron", "0 8 * * *", "Invalid/Zone", "Invalid/Zone"),
        ("weekly", "monday", "UTC", "weekly"),
        ("interval", "abc", "UTC", "abc"),
        ("every", "0", "UTC", "too short"),
        ("cron", "61 * * * *", "UTC", "minute"),
        ("cron", "0 0 30 2 *", "UTC", "day-of-month"),
        ("cron", "0 0 0 8 * *", "UTC", "exactly 5"),
        ("cron", "0 0 31 2,4,6 *", "UTC", "day-of-month"),
        ("once", "soon", "UTC", "soon"),
        ("once", "2026-13-01T00:00:00Z", "UTC", "2026-13-01"),
        ("cron", "x" * 400, "UTC", "short text"),
    ],
)
def test_what_cannot_be_is_refused_with_its_value(kind, value, tz, word):
    """CAD-1, CAD-3."""
    with pytest.raises(InvalidInput, match=word):
        cadence.validate(cadence.parse(kind, value, tz), NOW)


@pytest.mark.parametrize(
    ("kind", "value"), [("interval", "60"), ("every", "90m"), ("cron", "* * * * *")]
)
def test_a_minute_is_often_enough(kind, value):
    """CAD-1."""
    cadence.validate(cadence.parse(kind, value), NOW)


def test_the_least_interval_holds_over_the_whole_cycle():
    """CAD-5."""
    late = at("2026-03-01T03:58:30+00:00")

    with pytest.raises(InvalidInput, match="again after 60 s"):
        cadence.validate(cronned("* 3 1 * *"), late, 300)
    cadence.validate(cronned("*/5 3 1 * *"), late, 300)


def test_a_day_that_never_comes_is_refused():
    with pytest.raises(InvalidInput, match=r"day-of-month|never runs"):
        cadence.validate(cronned("0 0 30W 2 *"), NOW)


def test_a_zone_may_not_lead_out_of_the_zones():
    for name in ("../../etc/passwd", "/etc/localtime", "", "Europe", None, 3):
        with pytest.raises(InvalidInput, match="IANA"):
            cadence.parse("cron", "0 8 * * *", name)


# --- when it runs -----------------------------------------------------------------------------


def test_a_time_in_another_zone_and_how_it_is_shown():
    """CAD-2."""
    assert runs(cronned("0 8 * * *", "Asia/Kolkata"), NOW, 1) == [at("2026-03-01T02:30:00+00:00")]
    shown = at("2026-03-01T13:00:00+00:00")
    assert cadence.format_in_timezone(shown, cronned("0 8 * * *", NEW_YORK)) == (
        "2026-03-01 08:00:00 EST"
    )
    every = cadence.parse("every", "60", "Asia/Kolkata")
    assert cadence.format_in_timezone(shown, every) == "2026-03-01 18:30:00 IST"


def test_weekdays_are_those_of_vixie():
    """CAD-3."""
    friday = at("2026-03-06T15:00:00+00:00")
    assert runs(cronned("0 9 * * 1-5", NEW_YORK), friday, 1) == [at("2026-03-09T13:00:00+00:00")]

    sundays = runs(cronned("0 9 * * 0"), NOW, 3)
    assert sundays == runs(cronned("0 9 * * 7"), NOW, 3) == runs(cronned("0 9 * * sun"), NOW, 3)
    assert {run.strftime("%a") for run in sundays} == {"Sun"}


def test_day_of_month_or_day_of_week_when_both_are_given():
    """CAD-3."""
    found = runs(cronned("0 0 13 * 5"), NOW, 2)

    assert found == [at("2026-03-06T00:00:00+00:00"), at("2026-03-13T00:00:00+00:00")]


@pytest.mark.parametrize(
    ("expression", "days"),
    [
        ("0 0 L * *", ["03-31", "04-30", "05-31"]),
        ("0 0 * * 5#2", ["03-13", "04-10", "05-08"]),
        ("0 0 * * 1L", ["03-30", "04-27", "05-25"]),
        ("0 0 15W * *", ["03-16", "04-15", "05-15"]),
        ("0 0 1W * *", ["03-02", "04-01", "05-01"]),
        ("0 0 31W * *", ["03-31", "04-30", "05-29"]),
        ("0 0 LW * *", ["03-31", "04-30", "05-29"]),
        ("0 0 15,15W * *", ["03-15", "03-16", "04-15"]),
    ],
)
def test_last_nth_and_nearest_days(expression, days):
    assert [run.strftime("%m-%d") for run in runs(cronned(expression), NOW, 3)] == days


def test_the_clock_jumps_and_nothing_is_lost_or_doubled():
    """CAD-4."""
    spring, autumn = at("2026-03-08T05:00:00+00:00"), at("2026-11-01T04:30:00+00:00")

    assert runs(cronned("30 2 * * *", NEW_YORK), spring, 2) == [
        at("2026-03-08T07:00:00+00:00"),
        at("2026-03-09T06:30:00+00:00"),
    ]
    assert runs(cronned("30 1 * * *", NEW_YORK), autumn, 2) == [
        at("2026-11-01T05:30:00+00:00"),
        at("2026-11-02T06:30:00+00:00"),
    ]
    assert runs(cronned("*/30 * * * *", NEW_YORK), autumn, 4) == [
        at(f"2026-11-01T{time}:00+00:00") for time in ("05:00", "05:30", "06:00", "06:30")
    ]


def test_within_the_second_pass_the_first_is_not_offered_again():
    """CAD-4: asked at 01:15 of the second pass, cronsim alone answers with a time gone by."""
    second_pass = at("2026-11-01T06:15:00+00:00")

    assert runs(cronned("30 1 * * *", NEW_YORK), second_pass, 1) == [
        at("2026-11-02T06:30:00+00:00")
    ]


def test_a_jump_of_half_an_hour_loses_nothing():
    """Lord Howe turns its clock back by 30 minutes: 01:45 is shown twice, and 02:00 comes late."""
    before = at("2026-04-04T14:30:00+00:00")

    found = runs(cronned("45 * * * *", "Australia/Lord_Howe"), before, 3)

    assert [run.strftime("%H:%M") for run in found] == ["14:45", "15:15", "16:15"]


def test_strictly_after_also_on_the_very_minute():
    noon = at("2026-03-01T12:00:00+00:00")

    assert runs(cronned("0 12 * * *"), noon, 1) == [noon + timedelta(days=1)]
    assert runs(cronned("0 12 * * *"), noon - timedelta(microseconds=1), 1) == [noon]


def test_an_interval_counts_from_the_planned_time_and_leaves_no_backlog():
    every = cadence.parse("every", "10m")
    planned = at("2026-03-01T10:00:00+00:00")

    assert cadence.next_run(every, planned + timedelta(minutes=3), planned) == (
        planned + timedelta(minutes=10)
    )
    assert cadence.next_run(every, planned + timedelta(hours=5, minutes=3), planned) == (
        planned + timedelta(hours=5, minutes=10)
    )
    assert cadence.next_run(every, planned - timedelta(days=1), planned) == (
        planned + timedelta(minutes=10)
    )


def test_once_is_over_when_it_is_over():
    once = cadence.parse("once", "2026-03-05 15:00", NEW_YORK)

    assert cadence.next_run(once, NOW) == at("2026-03-05T20:00:00+00:00")
    assert cadence.next_run(once, at("2026-03-05T20:00:00+00:00")) is None


def test_upcoming_runs_are_in_the_zone_of_the_cadence():
    found = cadence.list_next_runs(
        cronned("0 9 * * 1-5", NEW_YORK), at("2026-03-06T15:00:00+00:00"), 2
    )

    assert [run.isoformat() for run in found] == [
        "2026-03-09T09:00:00-04:00",
        "2026-03-10T09:00:00-04:00",
    ]


def test_far_away_is_never_and_not_an_error():
    end = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)

    assert cadence.next_run(cronned("0 0 1 1 *"), end) is None
    assert cadence.next_run(cronned("* * * * *"), end) is None
    assert cadence.next_run(cadence.parse("every", "1d"), end) is None


# --- texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            cronned("30 8 * * 1-5", "Europe/Berlin"),
            "At 08:30 on Monday through Friday (Europe/Berlin)",
        ),
        (cadence.parse("every", "90m"), "Every 1 hour 30 minutes"),
        (
            cadence.parse("once", "2026-03-05T20:00:00Z", NEW_YORK),
            "Once at 2026-03-05 15:00:00 EST",
        ),
    ],
)
def test_a_cadence_in_plain_words(given, told):
    assert cadence.describe(given) == told


def test_numbered_weekdays_come_with_a_warning():
    assert "0 = Sunday" in cadence.warn_of_numbering(cronned("0 9 * * 1-5"))
    assert "0 = Sunday" in cadence.warn_of_numbering(cronned("0 9 * * 5#2"))
    for plain in ("0 9 * * mon-fri", "0 9 * * *", "0 9 * * */2", "0 9 * * fri#2"):
        assert cadence.warn_of_numbering(cronned(plain)) is None


@pytest.mark.parametrize(
    "given",
    [
        cronned("0 8 * * *", NEW_YORK),
        cadence.parse("every", "3600", NEW_YORK),
        cadence.parse("once", "2026-03-05T20:00:00.000001Z"),
    ],
)
def test_json_gives_the_cadence_back(given):
    assert cadence.from_json(cadence.to_json(given)) == given


def test_the_shapes_of_the_json():
    assert cadence.to_json(cadence.parse("interval", "60")) == {
        "type": "interval",
        "every_secs": 60,
        "timezone": "UTC",
    }
    assert cadence.to_json(Cadence("cron", expression="0 8 * * *", tz=NEW_YORK)) == {
        "type": "cron",
        "expression": "0 8 * * *",
        "timezone": NEW_YORK,
    }


@pytest.mark.parametrize(
    "text", ["* * * *", "a b c d e", "1-0 * * * *", "*/0 * * * *", "5W * * * *"]
)
def test_a_malformed_expression_is_our_error(text):
    with pytest.raises(InvalidInput, match="cron expression"):
        cron.check(text)
