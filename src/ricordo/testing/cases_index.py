"""Chunks and the index: how texts are cut, distinguished, and indexed again."""

from ricordo import Space
from ricordo.model import PROFILE_NAMES
from ricordo.testing.assertions import names, texts
from ricordo.testing.lab import Lab


def case_the_same_text_in_a_session_is_one_chunk(lab: Lab) -> None:
    """CHK-1"""
    space = lab.space()
    chat = space.session("s")
    chat.append("user", "the same line")
    chat.append("user", "the same\t\n line ")
    chat.extend([{"role": "user", "content": text} for text in ("new line", "new line")])

    hits = space.recall("line", limit=10, mode="keyword")

    assert {(hit.source.seq_start, hit.source.seq_end) for hit in hits} == {(1, 2), (3, 4)}
    assert (space.stats().events, space.stats().chunks) == (4, 2)
    assert len(chat.events()) == 4


def case_what_is_said_again_on_another_day_is_found_by_its_time(lab: Lab) -> None:
    """CHK-1"""
    space = lab.space()
    chat = space.session("s")
    first = chat.append("user", "deploy the website").at
    lab.clock.advance(days=30)
    again = chat.append("user", "deploy the website").at

    hits = space.recall("deploy", since=again)

    assert [(hit.at, hit.source.seq_start) for hit in hits] == [(again, 2)]
    assert [hit.at for hit in space.recall("deploy", until=again)] == [first]
    assert [hit.at for hit in space.recall("deploy")] == [again, first]


def case_the_same_text_in_two_sessions_is_two_chunks(lab: Lab) -> None:
    """CHK-1"""
    space = lab.space()
    for name in ("one", "two"):
        space.session(name).append("user", "the same line")

    space.session("one").delete()

    hits = space.recall("same line")
    assert [(hit.source.session, hit.source.seq_end) for hit in hits] == [("two", 1)]


def case_a_long_text_is_cut_into_overlapping_windows(lab: Lab) -> None:
    """CHK-2"""
    for letter in ("a", "🦊"):
        for length, count in ((640, 1), (641, 2), (1184, 2), (1185, 3), (1500, 3)):
            space = lab.space()
            text = "".join(letter if n % 7 else chr(0x4E00 + n) for n in range(length))
            space.session("s").append("user", text)
            space.remember(text)
            assert space.stats().chunks == 2 * count, (letter, length)


def case_a_blank_message_has_no_chunk(lab: Lab) -> None:
    """CHK-3"""
    space = lab.space()
    contents: tuple[str | list[object], ...] = ("", "  \n\t ", [])
    for content in contents:
        space.session("s").append("user", content)

    assert (space.stats().events, space.stats().chunks) == (3, 0)


def case_a_called_tool_is_found_by_its_name(lab: Lab) -> None:
    """CHK-4"""
    space = lab.space()
    _call(space, {"name": "book_flight", "arguments": '{"city": "Oslo"}'})
    _call(space, {"name": "list_hotels", "arguments": None})

    assert texts(space.recall("book_flight", mode="keyword")) == [
        'tool book_flight arguments {"city": "Oslo"}'
    ]
    assert texts(space.recall("list hotels", mode="keyword")) == ["tool list_hotels invocation"]
    assert len(space.recall("Oslo", mode="keyword")) == 1


def case_arguments_of_tools_can_be_kept_out_of_the_index(lab: Lab) -> None:
    """CHK-4"""
    space = lab.space(config={"index_tool_arguments": False})
    _call(space, {"name": "login", "arguments": {"password": "hunter2"}})

    assert space.recall("hunter2", mode="keyword") == []
    assert space.recall("hunter2", profile="two_tier") == []
    assert len(space.recall("login", mode="keyword")) == 1


def case_every_part_of_a_long_text_is_found(lab: Lab) -> None:
    """CHK-2"""
    space = lab.space()
    words = [f"w{n}x" for n in range(400)]
    space.remember(" ".join(words), name="long")

    for word in words[::37]:
        hits = space.recall(word, mode="keyword")
        assert names(hits) == ["long"]
        assert word in hits[0].text


def case_indexing_anew_changes_no_answer(lab: Lab) -> None:
    """ENT-2"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("s").extend([{"role": "user", "content": f"red fox {n}"} for n in range(5)])
    space.remember("a red fox", name="fox", tags=["animal"], aliases=["reynard"])
    memory.space("kate").remember("another fox")
    memory.flush()

    def answers() -> list[object]:
        return [
            [(hit.text, round(hit.score, 6)) for hit in space.recall("fox 3", profile=profile)]
            for profile in PROFILE_NAMES
        ] + [space.recall("animal", profile="rrf", mode="keyword", asker=None)]

    before, seen = answers(), []
    count = memory.index(lambda done, total: seen.append((done, total)), vectors=True)
    memory.flush()

    assert count == 7
    assert seen[-1] == (7, 7)
    assert answers() == before
    assert memory.stats().embedded == 7


def case_stats_count_what_is_there(lab: Lab) -> None:
    """ISO-2"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("s").append("user", "one")
    space.remember("two")
    memory.space("kate").remember("three")
    memory.flush()
    space.recall("two", mode="keyword")

    stats, whole = space.stats(), memory.stats()

    assert (stats.spaces, stats.sessions, stats.events, stats.entries) == (1, 1, 1, 1)
    assert (stats.chunks, stats.embedded, stats.failed, stats.signals) == (2, 2, 0, 1)
    assert (whole.spaces, whole.entries, whole.chunks, whole.embedded) == (2, 2, 3, 3)
    assert stats.model == whole.model == "deterministic-hash-v1"


def _call(space: Space, function: dict[str, object]) -> None:
    space.session("s").append("assistant", tool_calls=[{"id": "c", "function": function}])
