"""Filters by name: what to leave out, how names and URIs begin, and where a page starts."""

from typing import Any

from ricordo.errors import InvalidInput
from ricordo.testing.assertions import names, raises, texts
from ricordo.testing.lab import Lab


def case_excluded_sessions_and_entries_are_not_recalled(lab: Lab) -> None:
    """FLT-1"""
    space = lab.space()
    trip, work = space.session("trip"), space.session("work")
    trip.append("user", "the boat leaves at nine")
    work.append("user", "the boat needs paint")
    boat = space.remember("a boat with a red sail", name="boat", aliases=["ship"])
    space.ingest("A boat has a hull", uri="kb:boats")

    def recall(exclude: Any) -> set[str]:
        return set(texts(space.recall("boat", mode="keyword", exclude=exclude)))

    everything = recall(None)
    assert len(everything) == 4
    assert everything - recall(trip) == {"the boat leaves at nine"}
    assert everything - recall(["work", "ship"]) == {
        "the boat needs paint",
        "a boat with a red sail",
    }
    assert everything - recall(boat) == {"a boat with a red sail"}
    assert everything - recall("kb:boats") == {"A boat has a hull"}
    assert recall(["nobody"]) == everything
    assert recall([]) == everything
    with raises(InvalidInput, "is not a name"):
        recall(3.5)


def case_every_profile_and_mode_leaves_out_what_is_excluded(lab: Lab) -> None:
    """FLT-1"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("the plan is red", name="red")
    space.remember("the plan is blue", name="blue")
    memory.flush()

    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):
        assert names(space.recall("plan", profile=profile, exclude=["red"])) == ["blue"]
    for mode in ("keyword", "vector", "hybrid"):
        assert names(space.recall("plan", mode=mode, exclude=["red"])) == ["blue"]


def case_recall_by_the_beginning_of_a_uri_or_of_a_name(lab: Lab) -> None:
    """FLT-2"""
    memory = lab.open()
    space, other = memory.space("one"), memory.space("two")
    space.ingest("A boat has a hull", uri="kb:ships/boats")
    space.ingest("A boat on a lake", uri="kb:lakes")
    other.ingest("A boat elsewhere", uri="kb:ships/boats")
    space.remember("the boat of Kim", name="kim/boat")
    space.remember("the boat of Kimberly", name="kimberly/boat", aliases=["kim/other"])
    space.remember("the boat at the end", name="kim/\U0010ffff")

    assert texts(space.recall("boat", uri="kb:ships/")) == ["A boat has a hull"]
    assert len(space.recall("boat", uri="kb:")) == 2
    assert set(names(space.recall("boat", prefix="kim/"))) == {"kim/boat", "kim/\U0010ffff"}
    assert len(space.recall("boat", prefix="kim")) == 3
    assert space.recall("boat", prefix="kim", uri="kb:") == []
    assert space.recall("boat", prefix="nobody") == []
    with raises(InvalidInput, "prefix is empty"):
        space.recall("boat", prefix="")


def case_pages_of_hits_follow_each_other(lab: Lab) -> None:
    """FLT-3"""
    space = lab.space()
    for place in ("Oslo", "Bergen", "Tromso", "Moss", "Hamar", "Bodo"):
        space.remember(f"a harbour in {place}", name=place)

    whole = names(space.recall("harbour", limit=6, mode="keyword"))
    second = names(space.recall("harbour", limit=2, offset=2, mode="keyword"))
    past = space.recall("harbour", limit=2, offset=6, mode="keyword")

    assert second == names(space.recall("harbour", limit=4, mode="keyword"))[2:]
    assert len(whole) == 6
    assert past == []
    with raises(InvalidInput, "offset"):
        space.recall("harbour", offset=-1)


def case_lists_of_entries_leave_out_and_skip(lab: Lab) -> None:
    """FLT-4"""
    space = lab.space()
    for name in ("a/1", "a/2", "b/1", "b/2"):
        space.remember(f"the text of {name}", name=name, tags=[name[0]], category=name[2])

    def list_names(**given: Any) -> list[str]:
        return [entry.name for entry in space.entries(**given)]

    assert list_names(exclude=["b/2", "a/1"]) == ["b/1", "a/2"]
    assert list_names(offset=1, limit=2) == ["b/1", "a/2"]
    assert list_names(prefix="a/", exclude="a/1") == ["a/2"]
    assert list_names(tags=["b"], offset=1) == ["b/1"]
    assert list_names(category="2", exclude=["a/2"]) == ["b/2"]
    assert list_names(offset=4) == []


def case_an_exact_name_is_neither_an_id_nor_a_citation(lab: Lab) -> None:
    """FLT-5"""
    space = lab.space()
    entry = space.remember("first", name="seat", aliases=["chair"])
    space.session("trip").append("user", "hello there")

    assert space.get(str(entry.id)) == entry
    for other in (str(entry.id), entry.uid, "trip#0"):
        assert space.get(other, exact=True) is None
        assert space.get(other, as_of=lab.clock(), exact=True) is None
    assert space.get("chair", exact=True) == entry
    assert space.get(entry.id, exact=True) == entry
