"""Names of archives, and a log as Markdown."""

import pytest
from logs import START, call, event

from ricordo.core.conversation.compaction import file_name, markdown, next_name, plain_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Fix bug #123: crash on startup!", "fix-bug-123-crash-on-startup"),
        ("a...b---c   d", "a-b-c-d"),
        ("x" * 100, "x" * 50),
        ("!@#", ""),
        ("Zürich", "zurich"),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_a_name_is_made_of_letters_digits_and_dashes(text, name):
    """ARC-4"""
    assert plain_name(text) == name


def test_numbers_rise_above_the_highest_that_counts():
    """ARC-1"""
    assert next_name("oslo", []) == "oslo-1"
    assert next_name("oslo", ["oslo-1", "oslo-02", "oslo-x", "oslo-7-8", "other-9"]) == "oslo-2"
    assert next_name("oslo", ["oslo-9", "oslo-10"]) == "oslo-11"


def test_a_file_is_named_by_day_and_name_or_by_the_time():
    """ARC-4"""
    assert file_name("Fix bug", START) == "2024-03-01-fix-bug.md"
    assert file_name("!@#", START) == "2024-03-01-conversation-1200.md"


def test_a_transcript_holds_what_people_and_assistants_said():
    """ARC-5"""
    events = [
        event(1, "x" * 2_000),
        event(2, "y" * 2_001, "assistant"),
        event(3, None, "assistant", tool_calls=[call("a")]),
        event(4, "sunny", "tool", tool_call_id="a"),
        event(5, [{"odd": 1}], "user"),
        event(6, None, "system", kind="marker"),
        event(7, "hi", name="Ana"),
    ]

    parts = markdown("oslo-1", events, START).split("\n\n")

    assert parts[:3] == ["# oslo-1", "Archived: 2024-03-01 12:00 UTC", "---"]
    assert parts[3] == "**User**: " + "x" * 2_000
    assert parts[4] == "**Assistant**: " + "y" * 2_000 + "..."
    assert parts[5:] == ["**Ana**: hi\n"]
