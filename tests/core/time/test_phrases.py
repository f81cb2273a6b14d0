"""Phrases: the whole grammar of times and cadences, and what it refuses."""

from datetime import UTC, datetime, timedelta

import pytest

from ricordo.core.time import phrases
from ricordo.errors import InvalidInput

NOW = datetime(2026, 3, 1, 12, 30, 15, tzinfo=UTC)  # a Sunday
BERLIN = "Europe/Berlin"
NEW_YORK = "America/New_York"


def cron(text):
    found = phrases.cadence(text, NOW)
    assert found.kind == "cron", found
    return found.expression


def once(text, tz="UTC", now=NOW):
    found = phrases.cadence(text, now, tz)
    assert found.kind == "once", found
    return found.at


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("daily at 6, 12 and 6 pm", "0 6,12,18 * * *"),
        ("weekends at noon, 6pm", "0 12,18 * * 0,6"),
        ("every Tuesday, Thursday at 2pm", "0 14 * * 2,4"),
        ("daily at 12am", "0 0 * * *"),
        ("weekdays at 8:30", "30 8 * * 1-5"),
        ("each 5m", "*/5 * * * *"),
        ("1 each 5m", "*/5 * * * *"),
        ("every 4 hours", "0 */4 * * *"),
    ],
)
def test_the_phrases_of_the_document(text, expression):
    """NLG-1."""
    assert cron(text) == expression


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("hourly", "0 * * * *"),
        ("Daily.", "0 0 * * *"),
        ("WEEKLY!", "0 0 * * 0"),
        (" monthly ?", "0 0 1 * *"),
        ("every 59 minutes", "*/59 * * * *"),
        ("every 1 min", "*/1 * * * *"),
        ("each 15 mins", "*/15 * * * *"),
        ("every 23h", "0 */23 * * *"),
        ("every 2 hrs", "0 */2 * * *"),
        ("every minute", "*/1 * * * *"),
        ("every day at 7", "0 7 * * *"),
        ("everyday at 07:15 pm", "15 19 * * *"),
        ("daily at midnight", "0 0 * * *"),
        ("daily at 6pm, 6 pm and 18", "0 18 * * *"),
        ("every weekday at 9am", "0 9 * * 1-5"),
        ("every weekend at 10:00", "0 10 * * 0,6"),
        ("on Monday at 9", "0 9 * * 1"),
        ("mon, wed and fri at 9 a.m.", "0 9 * * 1,3,5"),
        ("every sat & sun at noon", "0 12 * * 0,6"),
        ("fridays at 17:45", "45 17 * * 5"),
        ("30 8 * * 1-5", "30 8 * * 1-5"),
        ("0 9 * * mon-fri", "0 9 * * MON-FRI"),
        ("*/15 0-6 1,15 * *", "*/15 0-6 1,15 * *"),
    ],
)
def test_the_rest_of_the_recurring_grammar(text, expression):
    assert cron(text) == expression


@pytest.mark.parametrize(
    "text", ["never", "every 0m", "every 60m", "daily at 25:00", "daily at 6:15 and 7:30"]
)
def test_the_errors_of_the_document(text):
    """NLG-2."""
    with pytest.raises(InvalidInput):
        phrases.cadence(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "every",
        "every 24 hours",
        "every -5 minutes",
        "daily at",
        "daily at 13pm",
        "daily at 0am",
        "daily at 6:75",
        "blursday at 9",
        "every weekday",
        "at 9",
        "in",
        "in 0 minutes",
        "in five minutes or so",
        "in 999999999 weeks",
        "next",
        "next week",
        "tomorrow at 25",
        "tomorrow at 9 +99:00",
        "on February 30",
        "march 32, 2027",
        "2026-02-30",
        "2026-03-05 15",
        "0 0 0 1 1 ?",
        "0 0 9 * * 1-5",
        "* * * *",
        "99 * * * *",
        "x" * 501,
        None,
        5,
    ],
)
def test_anything_else_is_an_error_and_never_a_guess(text):
    with pytest.raises(InvalidInput):
        phrases.cadence(text, NOW)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tomorrow 9am CEST", "9am cest"),
        ("tomorrow at noon in Berlin", "noon in berlin"),
        ("today 9:30 Europe/Berlin", "9:30 europe/berlin"),
        ("daily at 9 CEST", "9 cest"),
    ],
)
def test_a_zone_that_is_no_part_of_a_phrase_is_named_whole(text, told):
    with pytest.raises(InvalidInput, match=f"'{told}' is more than a time of day; give the zone"):
        phrases.cadence(text, NOW)


def test_an_error_lists_every_accepted_form():
    with pytest.raises(InvalidInput) as raised:
        phrases.cadence("whenever you like", NOW)

    assert "whenever you like" in str(raised.value)
    for form in phrases.FORMS:
        assert form in str(raised.value)


def test_every_form_that_is_listed_is_accepted():
    """What an error recommends has to work, the brackets of optional parts aside."""
    for text in (
        "every 5 minutes",
        "every other day",
        "every 3 weeks",
        "tomorrow",
        "next Tuesday at 3pm",
        "in 2 hours",
        "in 1 day and 30 minutes",
        "in 45 seconds",
        "tonight at 9pm EST",
        "on March 5th, 2027 at 3pm",
        "on March 5th",
        "2026-03-05T15:00:00Z",
        "2026-03-05 15:00",
        "3/5/2026 3:00 pm",
        "March 5 2026 15:00",
    ):
        assert phrases.cadence(text, NOW)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("every other day", 2),
        ("every second day", 2),
        ("Every 3 days.", 3),
        ("each two weeks", 14),
        ("every other week", 14),
    ],
)
def test_runs_that_are_days_apart_count_from_now(text, days):
    found = phrases.cadence(text, NOW)

    assert (found.kind, found.seconds) == ("every", days * 86_400)


def test_days_apart_with_a_time_of_day_are_refused_with_the_way_out():
    with pytest.raises(InvalidInput, match="leave 'at 9am' out, or name days"):
        phrases.cadence("every other day at 9am", NOW)
    with pytest.raises(InvalidInput, match="at least 1"):
        phrases.cadence("every 0 days", NOW)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("next Tuesday", datetime(2026, 3, 3, 9, tzinfo=UTC)),
        ("next sunday", datetime(2026, 3, 8, 9, tzinfo=UTC)),  # today is one
        ("this Friday at 3pm", datetime(2026, 3, 6, 15, tzinfo=UTC)),
        ("on next sat at noon", datetime(2026, 3, 7, 12, tzinfo=UTC)),
        ("tomorrow", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("in two hours", NOW + timedelta(hours=2)),
        ("in one week and three days", NOW + timedelta(days=10)),
        ("in thirty minutes", NOW + timedelta(minutes=30)),
    ],
)
def test_words_that_people_use_for_a_near_time(text, at):
    assert once(text) == at
    assert phrases.instant(text, NOW) == at


def test_the_next_day_is_that_of_the_zone():
    late = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)  # a Tuesday in Berlin

    assert once("next Tuesday at 9", BERLIN, late) == datetime(2026, 3, 10, 8, tzinfo=UTC)


# --- one-shots --------------------------------------------------------------------------------


def test_one_shots_are_absolute_instants_with_their_year():
    """NLG-3."""
    assert once("in 30 seconds") == NOW + timedelta(seconds=30)
    assert once("on March 5th at 3pm", NEW_YORK) == datetime(2026, 3, 5, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("in 10 minutes", 600),
        ("after 2 hours and 30 minutes", 9_000),
        ("in 1 week, 2 days", 9 * 86_400),
        ("in 1h30m", 5_400),
        ("in 1 day 2 hrs 3 mins 4 secs", 93_784),
        ("in an hour", 3_600),
        ("in a day and a minute", 86_460),
    ],
)
def test_relative_times_to_the_second(text, seconds):
    assert once(text) == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("tomorrow at 9am", "2026-03-02T08:00Z"),
        ("tomorrow 9am", "2026-03-02T08:00Z"),
        ("today at 18:45", "2026-03-01T17:45Z"),
        ("tonight at 8", "2026-03-01T19:00Z"),
        ("tonight at midnight", "2026-03-01T23:00Z"),
        ("tomorrow at noon", "2026-03-02T11:00Z"),
        ("tomorrow at 9am EST", "2026-03-02T14:00Z"),
        ("tomorrow at 9 PDT", "2026-03-02T16:00Z"),
        ("tomorrow at 9:00 UTC", "2026-03-02T09:00Z"),
        ("tomorrow at 9:00z", "2026-03-02T09:00Z"),
        ("tomorrow at 9pm +05:30", "2026-03-02T15:30Z"),
        ("today at 23:00 -0300", "2026-03-02T02:00Z"),
    ],
)
def test_near_days_on_the_clock_of_the_zone_or_of_the_phrase(text, instant):
    assert once(text, BERLIN) == datetime.fromisoformat(instant)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-05T15:00:00+01:00",
        "2026-03-05t14:00:00Z",
        "2026-03-05T14:00Z",
        "2026-03-05 15:00",
        "2026-03-05T15:00",
        "2026-03-05 15:00:00",
        "2026/03/05 15:00",
        "2026/3/5 15:00:00",
        "05.03.2026 15:00",
        "3/5/2026 3:00 PM",
        "2026-03-05 3:00 pm",
        "2026-03-05 3pm",
        "Mar 5 2026 15:00",
        "March 5 2026 15:00",
        "Mar 5, 2026 3:00 pm",
        "March 5 2026 3:00pm",
        "March 5, 2026 at 3pm",
        "on March 5th at 15:00",
    ],
)
def test_one_instant_in_all_its_absolute_forms(text):
    assert once(text, BERLIN) == datetime(2026, 3, 5, 14, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["2026-03-05", "2026/03/05", "5. 3. 2026", "March 5", "on mar 5th"]
)
def test_a_bare_date_is_its_midnight(text):
    assert once(text, BERLIN) == datetime(2026, 3, 4, 23, tzinfo=UTC)


def test_a_date_with_two_readings_is_refused_with_both():
    with pytest.raises(InvalidInput, match="may be 2027-03-05 or 2027-05-03"):
        once("5/3/2027 15:00")

    assert once("13/3/2027 15:00") == datetime(2027, 3, 13, 15, tzinfo=UTC)
    assert once("3/13/2027 15:00") == datetime(2027, 3, 13, 15, tzinfo=UTC)
    assert once("5/5/2027 15:00") == datetime(2027, 5, 5, 15, tzinfo=UTC)


def test_a_month_and_day_gone_by_mean_next_year():
    assert once("February 3rd at 9am") == datetime(2027, 2, 3, 9, tzinfo=UTC)
    assert once("February 29") == datetime(2028, 2, 29, tzinfo=UTC)


def test_a_time_that_comes_twice_is_the_earlier_and_one_in_the_gap_is_refused():
    assert once("2026-11-01 1:30 am", NEW_YORK) == datetime(2026, 11, 1, 5, 30, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="does not exist in America/New_York"):
        once("2026-03-08 2:30 am", NEW_YORK)


# --- times of reminders -----------------------------------------------------------------------


@pytest.mark.parametrize(("text", "seconds"), [("10m", 600), ("2h", 7_200), ("1d", 86_400)])
def test_a_bare_duration_counts_from_now(text, seconds):
    """REM-3."""
    assert phrases.instant(text, NOW) == NOW + timedelta(seconds=seconds)


def test_a_time_may_be_said_in_words_but_not_recur():
    assert phrases.instant("tomorrow 9am", NOW) == datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert phrases.instant("2020-01-01T00:00:00Z", NOW).year == 2020
    with pytest.raises(InvalidInput, match="10m, 2h or 1d"):
        phrases.instant("daily at 9", NOW)
