"""Times as people say them: parts of hours, the time before the day, and a time of day alone."""

from datetime import UTC, datetime

import pytest

from ricordo.core.time import phrases
from ricordo.errors import InvalidInput

NOW = datetime(2026, 11, 18, 17, 10, tzinfo=UTC)  # a Wednesday, 18:10 in Berlin


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("in half an hour", "2026-11-18T17:40"),
        ("in an hour and a half", "2026-11-18T18:40"),
        ("in a quarter of an hour", "2026-11-18T17:25"),
        ("noon tomorrow", "2026-11-19T11:00"),
        ("at 9am tomorrow", "2026-11-19T08:00"),
        ("8:30 pm next Friday", "2026-11-20T19:30"),
        ("18:00", "2026-11-19T17:00"),
        ("at 18:30", "2026-11-18T17:30"),
        ("7pm", "2026-11-18T18:00"),
        ("midnight", "2026-11-18T23:00"),
    ],
)
def test_a_time_is_understood_as_it_is_said(said, at):
    assert phrases.instant(said, NOW, "Europe/Berlin") == datetime.fromisoformat(f"{at}+00:00")


def test_a_time_of_day_alone_is_no_cadence_and_a_wrong_one_is_refused():
    with pytest.raises(InvalidInput, match="18:00"):
        phrases.cadence("18:00", NOW)
    with pytest.raises(InvalidInput, match="25"):
        phrases.instant("25:00", NOW)
