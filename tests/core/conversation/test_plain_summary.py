"""The extractive summary: newest kept, old folded, every seq accounted for."""

import re

from hypothesis import given
from hypothesis import strategies as st
from logs import call, event, logs

from ricordo.core.conversation.plain_summary import (
    HEADING,
    LIMIT,
    Use,
    condense,
    how_many,
    is_due,
    line,
    outline,
    parse,
)


def covered(text):
    """Every seq that a line of the summary stands for."""
    found = re.findall(r"^- \[(\d+)(?:-(\d+))?\]", text, re.MULTILINE)
    return [n for first, last in found for n in range(int(first), int(last or first) + 1)]


def test_one_line_per_event_under_the_heading():
    text = condense("", [event(1, "  Book   a flight\nplease "), event(2, "Done", "assistant")])

    assert text == f"{HEADING}\n- [1] user: Book a flight please\n- [2] assistant: Done"


def test_a_line_is_cut_at_a_hundred_and_eighty_characters():
    assert line(event(1, "x" * 180)).text == "user: " + "x" * 180
    assert line(event(1, "x" * 181)).text == "user: " + "x" * 180 + "..."


def test_an_event_without_text_names_its_tools_or_says_so():
    called = event(1, None, "assistant", tool_calls=[call("a"), call("b", "search")])

    assert line(called).text == "assistant: (called weather, search)"
    assert line(event(1, None)).text == "user: (no text)"


def test_two_hundred_batches_keep_the_newest_and_account_for_everything():
    """SUM-5"""
    text, seq = "", 0
    for batch in range(200):
        events = [event(seq + n + 1, f"Fact {batch}-{n} about Oslo") for n in range(30)]
        seq += 30
        text = condense(text, events)
        assert len(text) <= LIMIT
        assert all(f"Fact {batch}-{n} " in text for n in range(20, 30))
        assert covered(text) == list(range(1, seq + 1))


def test_a_text_written_by_somebody_else_is_carried_along():
    text = condense("Ana is planning a trip.", [event(1, "hello")])

    assert text.startswith("Ana is planning a trip.\n")
    for n in range(2, 300):
        text = condense(text, [event(n, f"message {n} " + "x" * 100)])
    assert text.startswith("Ana is planning a trip.\n")
    assert "message 299" in text


@given(st.lists(logs(), min_size=1, max_size=6), st.integers(120, 2_000))
def test_no_limit_is_passed_and_no_seq_forgotten(batches, limit):
    text, seq = "", 0
    for batch in batches:
        events = []
        for each in batch:
            seq += 1
            events.append(event(seq, each.content, each.role, tool_calls=each.tool_calls))
        text = condense(text, events, limit)
        assert len(text) <= limit
        assert covered(text) == list(range(1, seq + 1))


@given(logs())
def test_a_summary_can_be_taken_apart_and_put_together(events):
    text = condense("", events)

    assert str(parse(text)) == text


def test_it_is_time_strictly_above_the_trigger():
    """SUM-3"""
    assert not is_due(Use(0, [33, 33, 33], 100), 4, 0.8)
    assert not is_due(Use(0, [20] * 4, 100), 4, 0.8)
    assert is_due(Use(1, [20] * 4, 100), 4, 0.8)


def test_the_oldest_are_condensed_until_the_target_leaving_two():
    """SUM-3"""
    assert how_many(Use(0, [20] * 5, 100), 0.5) == 3
    assert how_many(Use(0, [10] * 9, 100), 0.5) == 4
    assert how_many(Use(90, [10] * 9, 100), 0.5) == 7
    assert how_many(Use(0, [99], 100), 0.5) == 0


def test_many_events_at_once_are_folded_into_runs_of_the_same_length():
    text = condense("", [event(n, f"Fact {n} about Oslo and its harbour") for n in range(1, 401)])

    sizes = [line.last - line.first + 1 for line in parse(text).folded]
    assert len(sizes) > 4
    assert max(sizes) <= min(sizes[:-1])


def test_an_outline_has_a_line_each_or_one_for_each_run():
    lines = [line(event(n, f"Fact {n} about Oslo and its harbour")) for n in range(1, 101)]

    short, whole = outline(lines, 1_000), outline(lines, 100_000)

    assert whole.splitlines() == [str(one) for one in lines]
    assert covered(short) == list(range(1, 101))
    assert 3 < len(short.splitlines()) < 10
    assert len(short) <= 1_000
