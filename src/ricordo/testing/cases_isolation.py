"""Isolation: nothing crosses a space, and a session's filter holds."""

from collections.abc import Callable
from uuid import UUID

from ricordo import Space
from ricordo.errors import InvalidInput, NotFound
from ricordo.model import PROFILE_NAMES
from ricordo.testing.assertions import names, raises, scores, texts
from ricordo.testing.lab import Lab


def case_an_entry_is_recalled_in_its_own_space_only(lab: Lab) -> None:
    """ISO-1"""
    memory = lab.open()
    entry = memory.space("ana").remember("lives in Madrid")
    memory.space("kate").remember("likes rain")
    memory.flush()

    assert UUID(entry.uid).version == 7
    assert texts(memory.space("ana").recall("Madrid", mode="keyword")) == ["lives in Madrid"]
    for mode in ("keyword", "vector", "hybrid"):
        assert "lives in Madrid" not in texts(memory.space("kate").recall("Madrid", mode=mode))
    assert memory.space("nobody").recall("Madrid") == []


def case_one_name_in_two_spaces_is_two_entries(lab: Lab) -> None:
    """ISO-2"""
    memory = lab.open()
    ana, kate = memory.space("ana"), memory.space("kate")
    ana.remember("blue", name="color", aliases=["tint"])
    kate.remember("green", name="color", aliases=["tint"])

    ana.forget("tint")

    assert ana.get("color") is None
    assert ana.entries() == []
    assert [entry.content for entry in kate.entries()] == ["green"]
    assert texts(kate.recall("color", mode="keyword")) == ["green"]
    assert kate.get("tint") == kate.get("color")


def case_a_uid_of_another_space_is_an_unknown_one(lab: Lab) -> None:
    """ISO-3"""
    memory = lab.open()
    uid = memory.space("ana").remember("mine", name="mine").uid
    kate = memory.space("kate")
    kate.remember("hers", name="hers")
    kate.forget("hers")

    assert kate.get(uid) is None
    for address in (uid, 1, "1", "mine"):
        for attempt in _verbs(kate, address):
            with raises(NotFound, repr(address), "kate"):
                attempt()
    assert memory.space("ana").get(uid) is not None


def _verbs(space: Space, address: str | int) -> list[Callable[[], object]]:
    return [
        lambda: space.forget(address),
        lambda: space.write(address, "x"),
        lambda: space.rename(address, "x"),
        lambda: space.alias(address, "x"),
        lambda: space.history(address),
        lambda: space.entries(after=address),
        lambda: space.dreams.signals(address),
    ]


def case_a_session_of_another_space_is_an_unknown_one(lab: Lab) -> None:
    """ISO-3"""
    memory = lab.open()
    memory.space("ana").session("trip").append("user", "hello")
    kate = memory.space("kate")
    kate.session("own").append("user", "hi")

    assert kate.session("trip").events() == kate.session("trip").recent() == []
    with raises(NotFound, "trip", "kate"):
        kate.session("trip").delete()
    assert [event.content for event in memory.space("ana").session("trip").events()] == ["hello"]


def case_equal_texts_of_two_spaces_stay_apart(lab: Lab) -> None:
    """ISO-4"""
    memory = lab.open()
    for name in ("ana", "kate"):
        memory.space(name).remember("the same words", name=name)
    memory.flush()

    for name in ("ana", "kate"):
        for mode in ("keyword", "vector", "hybrid"):
            assert names(memory.space(name).recall("the same words", mode=mode)) == [name]


def case_many_rows_elsewhere_change_neither_hits_nor_scores(lab: Lab) -> None:
    """ISO-5, ISO-6"""
    alone, crowded = lab.open(), lab.open()
    lines = [f"the red fox number {n} runs" + " far" * (n % 4) for n in range(20)]
    for memory in (alone, crowded):
        memory.space("ana").session("s").extend([_user(line) for line in lines])
        memory.space("ana").remember("a red fox in a note", name="note")
    crowd = [f"red fox red fox {n} number number runs" for n in range(300)]
    crowded.space("kate").session("s").extend([_user(line) for line in crowd])
    for memory in (alone, crowded):
        memory.flush()

    for profile in PROFILE_NAMES:
        for mode in ("keyword", "vector", "hybrid"):
            found = [
                memory.space("ana").recall("red fox number 7", limit=20, mode=mode, profile=profile)
                for memory in (alone, crowded)
            ]
            assert texts(found[0]) == texts(found[1]), (profile, mode)
            assert scores(found[0]) == scores(found[1]), (profile, mode)
    assert len(crowded.space("ana").recall("red fox", limit=21)) == 21


def case_nearer_texts_of_another_session_do_not_starve_one(lab: Lab) -> None:
    """ISO-8, HYB-5"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("busy").extend([_user(f"harbour harbour {n}") for n in range(300)])
    space.session("quiet").extend([_user(f"a long walk to the harbour {n}") for n in range(5)])
    memory.flush()

    for profile in ("default", "minmax", "rrf", "two_tier"):
        hits = space.recall("harbour", limit=5, session="quiet", profile=profile)
        assert {hit.source.session for hit in hits} == {"quiet"}, profile
        assert len(hits) == 5, profile


def case_deleting_in_one_space_leaves_the_other_whole(lab: Lab) -> None:
    """ISO-2, SES-3"""
    memory = lab.open()
    for name in ("ana", "kate"):
        memory.space(name).session("s").append("user", "same words in both")
    memory.flush()
    before = memory.space("kate").stats()

    memory.space("ana").session("s").delete()

    after = memory.space("kate").stats()
    assert (after.events, after.chunks, after.embedded) == (before.events, before.chunks, 1)
    assert texts(memory.space("kate").recall("same words")) == ["same words in both"]
    assert memory.space("ana").recall("same words") == []


def case_spaces_are_listed_by_name(lab: Lab) -> None:
    """ISO-1"""
    memory = lab.open()
    assert memory.spaces() == []
    memory.space("zoe")
    for name in ("kate", "ana"):
        memory.space(name).remember("x")

    assert memory.spaces() == ["ana", "kate"]


def case_spaces_are_listed_in_pages_and_by_prefix(lab: Lab) -> None:
    """ISO-1"""
    memory = lab.open()
    for name in ("team-b", "ana", "team-a", "team-ä", "Team-a", "team"):
        memory.space(name).remember("x")

    assert memory.spaces(limit=2) == ["Team-a", "ana"]
    assert memory.spaces(limit=2, after="ana") == ["team", "team-a"]
    assert memory.spaces("team-") == ["team-a", "team-b", "team-ä"]
    assert memory.spaces("team-", 1, after="team-a") == ["team-b"]
    assert memory.spaces("nobody") == []
    with raises(InvalidInput, "limit"):
        memory.spaces(limit=-1)


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}
