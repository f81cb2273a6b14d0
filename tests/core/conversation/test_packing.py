"""What is packed never costs more than the budget, and never without the newest message."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logs import call, event, logs

from ricordo.core.conversation.front import read_summary, show_summary
from ricordo.core.conversation.messages import groups
from ricordo.core.conversation.packing import (
    CUT,
    ContextPiece,
    Draft,
    align_start,
    clip,
    pack,
    tail,
)
from ricordo.core.conversation.plain_summary import condense, parse
from ricordo.core.text.token_cost import cost, estimate
from ricordo.errors import InvalidInput


def words(text):
    return len(text.split())


def draft(events, summary="", pieces=(), **rest):
    return Draft(summary, groups(events), (), True, pieces, **rest)


@given(
    logs(),
    st.integers(40, 400),
    st.text(max_size=300),
    st.lists(st.builds(ContextPiece, st.just("recalled"), st.text(max_size=80)), max_size=6),
    st.sampled_from([0.3, 0.6, 1.0]),
)
def test_a_context_never_exceeds_its_budget_and_never_loses_the_newest_message(
    events, budget, summary, pieces, share
):
    packed = pack(draft(events, summary, pieces, share=share), budget, estimate)

    assert packed.tokens <= budget
    assert packed.tokens == sum(cost(message, estimate) for message in packed.messages)
    messages = [e for e in events if e.kind == "message"]
    if messages:
        assert packed.events[-1] == messages[-1]


@given(logs(), st.integers(40, 400), st.integers(0, 3))
def test_the_same_holds_for_messages_chosen_one_by_one(events, budget, seed):
    found = groups(events)
    order = sorted(range(len(found) - 1), key=lambda n: (n * 7 + seed) % 5)
    packed = pack(Draft("", found, order, False), budget, estimate)

    assert packed.tokens <= budget
    assert [e.seq for e in packed.events if e.kind != "message"] == []


def test_a_counter_that_is_not_additive_is_obeyed_too():
    def odd(text):
        return len(text.split()) + 7 * text.count("\n")

    pieces = [ContextPiece("recalled", f"line {n}\nmore") for n in range(9)]
    packed = pack(draft([event(1)], "one\ntwo\nthree", pieces), 80, odd)

    assert packed.tokens <= 80


def test_the_order_is_summary_log_memory_newest():
    events = [event(n, f"m{n}") for n in range(1, 5)]
    packed = pack(draft(events, "so far", [ContextPiece("recalled", "found")]), 1_000, estimate)

    said = [str(message["content"]) for message in packed.messages]
    assert packed.messages[0] == show_summary("so far")
    assert said[1:4] == ["m1", "m2", "m3"]
    assert said[4].endswith("\nfound")
    assert said[5] == "m4"


def test_a_newest_message_that_is_too_long_keeps_its_beginning_and_its_end():
    long = event(1, "begin " + "middle " * 1_000 + "end")

    (message,) = pack(draft([long]), 50, estimate).messages

    assert message["content"].startswith("begin")
    assert message["content"].endswith("end")
    assert CUT in message["content"]


def test_long_results_of_the_newest_calls_are_cut_and_stay_with_them():
    events = [
        event(1, None, "assistant", tool_calls=[call("a")]),
        event(2, "data " * 5_000, "tool", tool_call_id="a"),
    ]

    packed = pack(draft(events), 120, estimate)

    assert [message["role"] for message in packed.messages] == ["assistant", "tool"]
    assert packed.tokens <= 120


def use_tool(seq, size):
    """A call and its result of about so many tokens."""
    return [
        event(seq, None, "assistant", tool_calls=[call(f"c{seq}")]),
        event(seq + 1, "data " * size, "tool", tool_call_id=f"c{seq}"),
    ]


@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize("size", [300, 5_000])
def test_what_the_user_asked_last_stands_before_the_results_of_tools(steps, size):
    events = [event(1, "Who owns it?")]
    for step in range(steps):
        events += use_tool(2 + 2 * step, size)

    packed = pack(draft(events, pins=["[pinned]\n> Answer in Dutch"]), 400, estimate)

    said = [message["content"] for message in packed.messages]
    assert said[0].endswith("Answer in Dutch")
    assert "Who owns it?" in said
    assert packed.events[0].seq == 1
    assert packed.events[-1] == events[-1]
    assert packed.tokens <= 400


def test_a_long_question_before_a_long_result_is_cut_to_a_quarter():
    events = [event(1, "begin " + "ask " * 2_000 + "end"), *use_tool(2, 5_000)]

    packed = pack(draft(events), 400, estimate)

    question = packed.messages[0]
    assert question["role"] == "user"
    assert CUT in question["content"]
    assert 60 < cost(question, estimate) <= 100


def test_a_question_that_fits_beside_the_newest_message_stays_whole():
    question = "ask " * 150
    packed = pack(draft([event(1, question), *use_tool(2, 10)]), 400, estimate)

    assert packed.messages[0]["content"] == question


def test_pins_keep_their_room_beside_a_newest_message_that_is_too_long():
    packed = pack(draft([event(1, "long " * 5_000)], pins=["> Answer in Dutch"]), 200, estimate)

    assert [message["role"] for message in packed.messages] == ["system", "user"]
    assert packed.tokens <= 200


def test_arguments_that_do_not_fit_become_words():
    huge = {"id": "a", "function": {"name": "write", "arguments": "x " * 5_000}}

    newest = event(1, None, "assistant", tool_calls=[huge])

    (message,) = pack(draft([newest]), 60, estimate).messages

    assert "tool_calls" not in message
    assert message["content"].startswith("tool write")


def test_a_budget_below_one_message_is_refused():
    with pytest.raises(InvalidInput, match="budget of 3 tokens"):
        pack(draft([event(1)]), 3, estimate)


def test_a_summary_that_is_cut_keeps_its_newest_lines():
    summary = "\n".join(f"line {n}" for n in range(100))
    packed = pack(draft([event(1)], summary), 120, estimate)

    assert "line 99" in packed.messages[0]["content"]
    assert "line 0\n" not in packed.messages[0]["content"]


def test_an_extractive_summary_that_is_cut_still_accounts_for_every_event():
    summary = condense("", [event(n, f"Fact {n} about Oslo") for n in range(1, 101)])
    packed = pack(draft([event(101)], summary), 300, estimate)

    lines = parse(read_summary(packed.messages[0]))
    told = [*lines.folded, *lines.recent]
    assert packed.parts["summary"] <= 150
    assert (told[0].first, told[-1].last) == (1, 100)
    assert all(one.last + 1 == after.first for one, after in pairwise(told))


def test_what_the_log_shows_is_not_recalled_beside_it():
    events = [event(1, "m1"), event(2, "m2")]
    pieces = [
        ContextPiece("recalled", "shown", 1),
        ContextPiece("salient", "a", 7),
        ContextPiece("salient", "b", 7),
    ]

    packed = pack(draft(events, "", pieces), 1_000, estimate)

    assert packed.pieces == (1,)


def test_salient_passages_are_limited_after_those_shown_are_left_out():
    pieces = [ContextPiece("salient", f"s{n}", n) for n in range(10, 0, -1)]

    packed = pack(draft([event(10)], "", pieces, most_salient=2), 1_000, estimate)

    assert [pieces[place].seq for place in packed.pieces] == [9, 8]


def test_the_window_moves_in_steps():
    starts = set()
    for size in range(60, 124):
        found = groups([event(n, "one two three") for n in range(1, size + 1)])
        starts.add(found[align_start(found, tail(found, 280, words))].first)

    assert 1 < len(starts) < 12


def test_a_clipped_text_ends_between_two_characters():
    family = "👨\u200d👩\u200d👧\u200d👦"

    for size in range(30):
        head, _, tail = clip(family * 5, size).partition(CUT)
        assert {head.replace(family, ""), tail.replace(family, "")} == {""}


@given(st.text(max_size=50), st.integers(0, 60))
def test_a_clipped_text_is_the_text_or_its_two_ends(text, size):
    cut = clip(text, size)

    assert cut == text or (len(cut) <= size + len(CUT) and CUT in cut)
