"""Contexts from a real memory: the budget holds, the newest message is always there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ricordo
from ricordo.core.conversation.front import read_summary
from ricordo.core.text.token_cost import cost, estimate
from ricordo.errors import InvalidInput

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=300)


@settings(max_examples=30)
@given(
    said=st.lists(TEXT, min_size=1, max_size=20),
    notes=st.lists(TEXT.filter(str.strip), max_size=4),
    query=st.none() | TEXT,
    budget=st.integers(30, 1_500),
    profile=st.sampled_from(["default", "tri"]),
)
def test_a_context_never_exceeds_its_budget_and_never_loses_the_newest_message(
    said, notes, query, budget, profile
):
    with ricordo.open(":memory:", embedder="hash") as memory:
        space = memory.space("ana")
        chat = space.session("trip")
        for text in said:
            chat.append("user", text, importance=0.9)
        for text in notes:
            space.remember(text)
        chat.write_scratchpad(["keep going"])

        context = chat.context(query, budget, profile=profile)

    assert context.tokens <= budget
    assert context.tokens == sum(cost(message, estimate) for message in context.messages)
    assert context.events[-1].content == said[-1]
    newest = context.messages[-1]["content"]
    assert newest == said[-1] or newest.partition(" […] ")[0] == said[-1][: newest.index(" […] ")]


def test_the_front_is_the_same_whatever_is_asked(space, memory):
    chat = space.session("trip")
    for n in range(200):
        chat.append("user", f"message {n} about the ferry to Reine")
    chat.write_summary("They plan a ferry.", 100, 0)
    space.remember("The ferry is MS Polarlys", name="ferry")
    memory.flush()

    one = chat.context("ferry", 1_000).messages
    chat.write_scratchpad(["something new"])
    two = chat.context("Reine and other things", 1_000).messages

    assert one[:-2] == two[:-2]
    assert one[-2] != two[-2]
    assert one[-1] == two[-1]


def test_a_context_writes_nothing_to_the_log_and_works_read_only(lab, memory):
    chat = memory.space("ana").session("trip")
    chat.extend([{"role": "user", "content": f"ferry {n}"} for n in range(5)])
    chat.compact(keep=2)
    memory.flush()
    before = chat.events()
    reader = lab.share(memory, read_only=True).space("ana").session("trip")

    assert reader.context("ferry", 500).events[-1] == before[-2]
    assert len(reader.replay()) == 3
    assert reader.restore(500)
    assert chat.events() == before


def test_a_reader_condenses_what_does_not_fit_as_well(lab, memory):
    chat = memory.space("ana").session("trip")
    chat.extend([{"role": "user", "content": f"ferry {n} to Reine"} for n in range(200)])
    reader = lab.share(memory, read_only=True).space("ana").session("trip")

    shown = reader.context("", 1_000)

    assert shown == chat.context("", 1_000)
    assert shown.covered == 200 - len(shown.events) > 0
    assert reader.restore(1_000)[0]["content"].startswith("Rolling session summary: ")
    assert reader.summary() is None


def test_what_an_archive_says_is_not_recalled_beside_the_same_summary(space, memory):
    chat = space.session("trip")
    chat.extend([{"role": "user", "content": f"ferry {n} to Reine"} for n in range(5)])
    archive = chat.compact()
    chat.append("user", "and the ferry?")
    memory.flush()

    context = chat.context("ferry Reine", 1_000)

    assert archive.content == read_summary(context.messages[0])
    assert archive.name not in [hit.source.name for hit in context.hits]


def test_parts_add_up_to_about_the_whole(space):
    chat = space.session("trip")
    chat.extend([{"role": "user", "content": f"ferry {n}"} for n in range(9)])
    context = chat.context("ferry", 1_000)

    assert sum(context.parts.values()) <= context.tokens
    assert context.parts["newest"] > 0


@pytest.mark.parametrize("budget", [0, -5, 1.5, "many", True])
def test_a_budget_is_a_whole_number_above_zero(space, budget):
    with pytest.raises(InvalidInput, match="budget"):
        space.session("trip").context("", budget)
    with pytest.raises(InvalidInput, match="budget"):
        space.session("trip").restore(budget)


@pytest.mark.parametrize(
    "limits",
    [{"recent": 0}, {"salient": -1}, {"limit": 10**6}, {"min_importance": 2}, {"min_cosine": "x"}],
)
def test_limits_that_make_no_sense_are_refused(space, limits):
    with pytest.raises(InvalidInput):
        space.session("trip").context("", 100, **limits)
