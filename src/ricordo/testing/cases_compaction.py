"""Compaction and restore: an archive stands for a part of the log, and nothing is lost."""

from ricordo.errors import InvalidInput, NotFound, StaleEpoch
from ricordo.model import Event
from ricordo.testing.assertions import names, raises
from ricordo.testing.cases_conversation import one_each, talk
from ricordo.testing.lab import Lab, durable


def case_archives_are_numbered_and_stay_within_reach(lab: Lab) -> None:
    """ARC-1"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    space.remember("not a number", name="oslo-02")
    talk(chat, 6, "fjord")
    first = chat.compact("Oslo")
    talk(chat, 4, "glacier")
    second = chat.compact("Oslo")
    chat.append("user", "and now?")
    memory.flush()

    assert (first.name, second.name) == ("oslo-1", "oslo-2")
    assert (first.kind, first.category) == ("archive", "conversation")
    assert "oslo-2" in names(space.recall("glacier deep", kinds=["archive"]))
    assert "oslo-1" in names(space.recall("fjord deep", kinds=["archive"]))
    replayed = chat.replay()
    assert replayed[0]["role"] == "user"
    assert replayed[0]["content"] == second.content
    assert replayed[1:] == [{"role": "user", "content": "and now?"}]
    markers = [event for event in chat.events() if event.kind == "marker"]
    assert [(m.metadata or {})["archive_name"] for m in markers] == ["oslo-1", "oslo-2"]


def case_nothing_is_lost_by_compaction(lab: Lab) -> None:
    """ARC-1"""
    space = lab.space()
    chat = space.session("trip")
    talk(chat, 8)
    before = chat.events()
    archive = chat.compact(keep=2)

    assert chat.expand(archive.name) == before[:6]
    assert [message["content"] for message in chat.replay()[1:]] == [e.content for e in before[6:]]
    assert [event for event in chat.events() if event.kind == "message"] == before
    summary = chat.summary()
    assert summary is not None
    assert (summary.upto, summary.epoch, summary.text) == (6, 1, archive.content)
    with raises(NotFound, "nothing"):
        chat.expand("nothing")


def case_a_missing_archive_leaves_a_visible_gap(lab: Lab) -> None:
    """ARC-2"""
    space = lab.space()
    chat = space.session("trip")
    talk(chat, 4)
    archive = chat.compact()
    chat.append("user", "still there?")
    space.forget(archive.name)

    replayed = chat.replay()

    assert archive.name in str(replayed[0]["content"])
    assert "missing" in str(replayed[0]["content"])
    assert replayed[1]["content"] == "still there?"
    again = chat.compact()
    assert again.name != archive.name


def case_an_archive_that_was_renamed_is_replayed(lab: Lab) -> None:
    """ARC-2"""
    space = lab.space()
    chat = space.session("s")
    chat.append("user", "shall we go to Oslo?", importance=0.9)
    archive = chat.compact("oslo", summarizer=lambda _, __: "They plan a trip")
    space.rename(archive.name, "our trip")
    space.remember("a secret of somebody else", name=archive.name)
    lab.clock.advance(days=30)
    assert space.dreams.consolidate().events == 1

    assert chat.replay() == [{"role": "user", "content": archive.content}]


def case_a_failing_summarizer_leaves_the_history_whole(lab: Lab) -> None:
    """ARC-3"""
    space = lab.space()
    chat = space.session("trip")
    talk(chat, 4)

    def fail(_previous: str, _events: object) -> str:
        raise InvalidInput("no idea")

    for attempt in (fail, lambda _previous, _events: " "):
        with raises(InvalidInput):
            chat.compact(summarizer=attempt)
    assert [event.kind for event in chat.events()] == ["message"] * 4
    assert chat.summary() is None
    assert space.entries(kind="archive") == []
    with raises(InvalidInput, "nothing to compact"):
        chat.compact(keep=4)


def case_of_two_compactions_one_is_told_and_nothing_is_written(lab: Lab) -> None:
    """ARC-3, SUM-4"""
    space = lab.space()
    chat = space.session("trip")
    talk(chat, 4)

    def compact_meanwhile(_previous: str, _events: object) -> str:
        chat.append("user", "meanwhile")
        chat.compact("quick")
        return "late"

    with raises(StaleEpoch, "trip"):
        chat.compact("slow", summarizer=compact_meanwhile)
    assert [entry.name for entry in space.entries(kind="archive")] == ["quick-1"]
    assert sum(event.kind == "marker" for event in chat.events()) == 1


def case_two_archives_of_one_day_and_name_are_both_kept(lab: Lab) -> None:
    """ARC-6"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    talk(chat, 100, "fjord")
    chat.append("user", "the secret harbour is Reine")
    first = chat.compact("Notes")
    talk(chat, 2)
    second = chat.compact("Notes")
    memory.flush()

    assert first.name != second.name
    found = space.recall("secret harbour", limit=5, category="conversation")
    assert first.name in names(found)
    assert space.get(first.aliases[0]) == first


def case_archives_go_with_their_session(lab: Lab) -> None:
    """ARC-1, SES-3"""
    space = lab.space()
    chat = space.session("trip")
    talk(chat, 4)
    archive = chat.compact()
    chat.write_scratchpad(["x"])

    receipt = chat.delete()

    assert (receipt.removed["entries"], receipt.removed["summaries"]) == (1, 1)
    assert receipt.removed["scratchpads"] == 1
    assert space.get(archive.name) is None
    assert chat.summary() is None
    assert chat.replay() == []


def _calls(*ids: str) -> list[dict[str, object]]:
    return [{"id": id, "function": {"name": "weather", "arguments": "{}"}} for id in ids]


def case_restoring_keeps_calls_with_their_results(lab: Lab) -> None:
    """RST-1"""
    chat = lab.space().session("trip")
    talk(chat, 10)
    chat.append("assistant", tool_calls=_calls("a", "b"))
    chat.append("tool", "sunny", tool_call_id="a")
    chat.append("tool", "rainy", tool_call_id="b")
    chat.append("user", "thanks")

    assert [m["role"] for m in chat.restore(19, tokens=one_each)] == ["user"]
    whole = chat.restore(24, tokens=one_each)
    assert [m["role"] for m in whole] == ["assistant", "tool", "tool", "user"]
    everything = chat.restore(10_000)
    assert len(everything) == 14
    assert [m["content"] for m in everything[:2]] == ["fjord 0 is deep", "fjord 1 is deep"]


def case_restoring_puts_the_summary_in_front(lab: Lab) -> None:
    """RST-1"""
    chat = lab.space().session("trip")
    talk(chat, 10)
    chat.write_summary("They spoke of fjords", 8, 0)

    restored = chat.restore(60)

    assert restored[0]["role"] == "system"
    front = str(restored[0]["content"])
    assert front.startswith("Rolling session summary: ")
    assert front.endswith("\n> They spoke of fjords")
    assert restored[-1]["content"] == "fjord 9 is deep"


@durable
def case_a_conversation_survives_closing_at_any_point(lab: Lab) -> None:
    """ARC-1, SUM-2"""
    memory = lab.open()
    said: list[Event] = []
    for step in range(6):
        chat = memory.space("ana").session("trip")
        said += chat.extend([{"role": "user", "content": f"step {step} {n}"} for n in range(3)])
        if step % 2:
            chat.compact()
        else:
            chat.summarize(30, tokens=one_each, safety=0)
        memory = lab.reopen(memory)
    chat = memory.space("ana").session("trip")

    assert [event for event in chat.events() if event.kind == "message"] == said
    archives = memory.space("ana").entries(kind="archive")
    told = [event for archive in reversed(archives) for event in chat.expand(archive.name)]
    assert [event for event in told if event.kind == "message"] == said


def case_restoring_condenses_what_does_not_fit(lab: Lab) -> None:
    """RST-1"""
    chat = lab.space(embedder="none").session("s")
    chat.append("user", "I am allergic to peanuts.")
    chat.extend(
        {"role": "user", "content": f"Some talk about the weather, {n}"} for n in range(399)
    )

    restored = chat.restore(2_000)

    assert str(restored[0]["content"]).startswith("Rolling session summary: ")
    assert "I am allergic to peanuts." in str(restored[0]["content"])
    assert restored[-1]["content"] == "Some talk about the weather, 398"
    assert 40 < len(restored) < 400


def case_one_setting_is_the_budget_of_every_context(lab: Lab) -> None:
    """RST-1"""
    memory = lab.open(embedder="none", config={"context_budget": 600})
    chat = memory.space("ana").session("s")
    chat.extend({"role": "user", "content": f"Some talk about the weather, {n}"} for n in range(60))

    shown = chat.context("")

    assert shown.budget == 600
    assert shown.covered > 0
    assert chat.restore() == chat.restore(600)
    done = chat.summarize()
    assert done is not None
    assert done.applied
