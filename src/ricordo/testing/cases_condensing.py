"""Cases for contexts that do not hold the whole session: the rest is condensed and counted."""

from ricordo.handles.memory import Session
from ricordo.testing.lab import Lab

_EARLY = {
    3: "I am allergic to peanuts.",
    17: "My sister Petra lives in Bergen.",
    41: "We decided to ship on 14 May because of the audit.",
}


def _talk_long(chat: Session, count: int) -> None:
    """Early facts, and much talk after them."""
    talk = "Some talk about the weather and the garden, number {} of many, as people do"
    chat.extend(
        {"role": "user", "content": _EARLY.get(n, talk.format(n)), "importance": 0.5}
        for n in range(count)
    )


def case_what_does_not_fit_in_a_context_is_condensed(lab: Lab) -> None:
    """CTX-7"""
    chat = lab.space(embedder="none").session("s")
    _talk_long(chat, 400)

    shown = chat.context("", 2_000)

    assert all(fact in shown.text for fact in _EARLY.values())
    assert str(shown.messages[0]["content"]).startswith("Rolling session summary: ")
    assert 0 < shown.parts["summary"] <= 400
    assert len(shown.events) > 40
    assert (len(shown.events) + shown.covered, shown.omitted) == (400, 0)
    assert chat.summary() is None  # it is shown, not stored


def case_a_summary_is_continued_over_what_does_not_fit(lab: Lab) -> None:
    """CTX-7"""
    chat = lab.space(embedder="none").session("s")
    _talk_long(chat, 400)
    upto = chat.events()[199].seq
    chat.write_summary("They talked about Oslo.", upto, 0)

    shown = chat.context("", 2_000)

    front = str(shown.messages[0]["content"])
    assert "\n> They talked about Oslo.\n> " in front
    assert f"- [{upto + 1}-" in front
    assert "peanuts" not in front
    assert (len(shown.events) + shown.covered, shown.omitted) == (400, 0)


def case_what_notes_stand_for_is_not_condensed_again(lab: Lab) -> None:
    """CTX-7"""
    space = lab.space(embedder="none")
    chat = space.session("s")
    _talk_long(chat, 90)
    lab.clock.advance(hours=2)
    space.dreams.consolidate()
    notes = str(chat.context("", 100_000).messages[0]["content"])
    _talk_long(chat, 300)

    shown = chat.context("", 4_000)

    assert notes.startswith("Earlier in this session, from notes.")
    assert shown.messages[1]["content"] == notes
    first = chat.events()[90].seq
    lines = str(shown.messages[0]["content"]).splitlines()[2:]
    assert lines[0].startswith(f"> - [{first}-")
    assert (len(shown.events) + shown.covered, shown.omitted) == (390, 0)


def case_a_context_counts_what_it_leaves_out(lab: Lab) -> None:
    """CTX-7"""
    chat = lab.space(embedder="none").session("s")
    _talk_long(chat, 900)

    shown = chat.context("", 2_000)
    tri = chat.context("", 2_000, profile="tri")

    assert shown.omitted > 0
    assert len(shown.events) + shown.covered + shown.omitted == 900
    assert "are left out)" in shown.text
    assert (tri.covered, tri.omitted) == (0, 890)
    chat.compact(keep=5)
    small = chat.context("", 2_000)
    assert (len(small.events), small.covered, small.omitted) == (5, 895, 0)


def case_a_context_counts_right_whatever_becomes_of_the_log(lab: Lab) -> None:
    """CTX-7"""
    memory = lab.open(embedder="none", config={"event_days": 90})
    ana = memory.space("ana")
    chat = ana.session("s")
    _talk_long(chat, 650)
    chat.context("", 600)
    chat.delete()

    def count() -> tuple[int, int]:
        shown = chat.context("", 600)
        told = len(shown.events) + shown.covered + shown.omitted
        return told, sum(event.kind == "message" for event in chat.events())

    _talk_long(chat, 600)
    assert count() == (600, 600)
    chat.append("user", "the tangerine is consolidated", importance=0.9)
    _talk_long(chat, 99)
    assert count() == (700, 700)
    chat.append("user", "one more")
    assert count() == (701, 701)
    chat.truncate(chat.events()[-6].seq)
    chat.append("user", "instead of them")
    assert count() == (697, 697)
    chat.edit(chat.events()[-1].seq, "said otherwise")
    assert count() == (697, 697)
    lab.clock.advance(days=100)
    ana.dreams.consolidate(lambda *_: "a note", min_importance=0.7)
    assert count() == (697, 697)
    assert memory.maintain().removed["events"] == 1
    assert count() == (696, 696)
    chat.compact(keep=300)
    assert count() == (696, 696)
