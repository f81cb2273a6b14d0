"""Summaries under way: races between processes, what a summarizer may do, what stays whole."""

import pytest

from ricordo.errors import InvalidInput, StaleEpoch


def talk(chat, count):
    return chat.extend([{"role": "user", "content": f"message {n} " * 9} for n in range(count)])


def compact_there(memory, round):
    """Compact in another process; what came of it."""
    try:
        return memory.space("ana").session("trip").compact("race").name
    except StaleEpoch:
        return "told"
    except InvalidInput:
        return "nothing left"


def test_compactions_in_two_processes_lose_nothing(lab):
    """SUM-4, ARC-6: one wins, the other is told, and every event is in exactly one archive."""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    said = []
    outcomes = []
    with lab.team(memory) as team:
        for round in range(8):
            said += talk(chat, 5)
            team.start(compact_there, round)
            outcomes += [compact_there(memory, round), team.answer()]
    names = [name for name in outcomes if name.startswith("race-")]

    assert len(names) == len(set(names)) == 8
    assert {name for name in outcomes if not name.startswith("race-")} <= {"told", "nothing left"}
    assert chat.summary().epoch == 8
    told = [event for name in names for event in chat.expand(name)]
    assert sorted((e for e in told if e.kind == "message"), key=lambda e: e.seq) == said


def test_a_summarizer_that_appends_does_not_hang_and_loses_nothing(space):
    chat = space.session("trip")
    talk(chat, 10)

    def eager(previous, events):
        chat.append("assistant", "I am summarising")
        return "so far"

    assert chat.summarize(200, summarizer=eager, safety=0).applied
    assert chat.summary().upto <= 8
    assert len([m for m in chat.restore(10_000) if m["content"] == "I am summarising"]) >= 1


@pytest.mark.parametrize("answer", ["", "  \n", None, 7, "bad \0 text"])
def test_an_answer_that_cannot_be_kept_changes_nothing(space, answer):
    chat = space.session("trip")
    talk(chat, 10)

    with pytest.raises(InvalidInput):
        chat.summarize(200, summarizer=lambda _previous, _events: answer, safety=0)
    assert chat.summary() is None


@pytest.mark.parametrize(
    "terms",
    [{"trigger": 1.5}, {"target": -0.1}, {"min_events": 0}, {"used": -1}, {"trigger": "high"}],
)
def test_terms_out_of_range_are_refused(space, terms):
    with pytest.raises(InvalidInput):
        space.session("trip").summarize(1_000, **terms)


def test_a_refused_summary_leaves_no_trace(lab):
    memory = lab.open()
    ana = memory.space("ana")
    for name in ("first", "second"):
        ana.session(name).append("user", "hello")
    before = ana.sessions()

    assert not ana.session("first").write_summary("late", 1, 9).applied
    assert not ana.session("ghost").write_summary("late", 0, 9).applied
    assert not memory.space("nobody").session("ghost").write_summary("late", 0, 9).applied

    assert ana.sessions() == before
    assert memory.spaces() == ["ana"]


def test_repeated_summaries_stay_short_and_cover_the_log(space):
    """SUM-5"""
    chat = space.session("trip")
    for _ in range(30):
        talk(chat, 20)
        chat.summarize(1_500, safety=0)

    summary = chat.summary()
    assert len(summary.text) <= 4_000
    assert summary.upto >= 600 - 20
    assert f"[{summary.upto}] user: message" in summary.text
    assert summary.text.splitlines()[1].startswith("- [1-")


def test_use_counts_what_is_not_in_the_log(space):
    chat = space.session("trip")
    talk(chat, 4)

    assert chat.summarize(10_000) is None
    assert chat.summarize(10_000, used=8_000).applied


def test_a_call_is_not_parted_from_its_result_by_a_summary(space):
    chat = space.session("trip")
    talk(chat, 6)
    call = {"id": "a", "function": {"name": "weather", "arguments": "{}"}}
    for _ in range(4):
        chat.append("assistant", tool_calls=[call])
        chat.append("tool", "sunny " * 40, tool_call_id="a")
    chat.append("user", "thanks")
    for budget in (300, 400, 500, 600):
        chat.summarize(budget, safety=0)
        upto = chat.summary().upto
        left = [event for event in chat.events() if event.seq > upto]
        assert left[0].role != "tool"


def test_an_export_takes_earlier_summaries_along(memory, tmp_path):
    """SUM-6"""
    chat = memory.space("ana").session("trip")
    talk(chat, 4)
    for epoch, text in enumerate(("one", "two", "three")):
        chat.write_summary(text, epoch + 1, epoch)

    memory.space("ana").exchange.export(tmp_path / "ana.jsonl")
    memory.space("copy").exchange.import_file(tmp_path / "ana.jsonl")

    there = memory.space("copy").session("trip").summaries()
    assert [(s.epoch, s.upto, s.text, s.at) for s in there] == [
        (s.epoch, s.upto, s.text, s.at) for s in chat.summaries()
    ]
    assert memory.check() == []


def test_erasing_a_session_erases_its_earlier_summaries(memory):
    chat = memory.space("ana").session("trip")
    talk(chat, 4)
    chat.write_summary("the jabberwock was here", 1, 0)
    chat.write_summary("it has gone", 2, 1)

    receipt = chat.erase()

    assert (receipt.removed["past_summaries"], receipt.remnants) == (1, 0)
    assert memory.check() == []
