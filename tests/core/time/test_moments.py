"""When something was, as people say it."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from ricordo.core.time.moments import read_moment
from ricordo.errors import InvalidInput

NOW = datetime(2026, 3, 29, 21, 30, tzinfo=UTC)  # a Sunday; in Berlin summer time has just begun


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("now", "2026-03-29T21:30"),
        ("today", "2026-03-29T00:00"),
        (" Yesterday ", "2026-03-28T00:00"),
        ("2 days ago", "2026-03-27T21:30"),
        ("an hour ago", "2026-03-29T20:30"),
        ("Last  Week", "2026-03-22T21:30"),
        ("7d", "2026-03-22T21:30"),
        ("90m", "2026-03-29T20:00"),
        ("+2w", "2026-04-12T21:30"),
        ("2026-03-01", "2026-03-01T00:00"),
        ("2026-03-01T09:30+01:00", "2026-03-01T08:30"),
        ("2026-03-01 09:30Z", "2026-03-01T09:30"),
    ],
)
def test_a_time_is_read_as_people_say_it(text, expected):
    assert read_moment(text, NOW) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


def test_a_day_begins_at_midnight_of_its_place_whatever_the_clock_does():
    berlin = ZoneInfo("Europe/Berlin")

    assert read_moment("today", NOW, berlin) == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert read_moment("yesterday", NOW, ZoneInfo("Asia/Tokyo")) == datetime(
        2026, 3, 28, 15, tzinfo=UTC
    )


@pytest.mark.parametrize("text", ["", "lately", "5", "2026-13-01", "999999w", "last year", "-7d"])
def test_what_is_not_understood_is_refused_with_the_forms(text):
    with pytest.raises(InvalidInput, match="yesterday, 7d or 2 days ago"):
        read_moment(text, NOW)
