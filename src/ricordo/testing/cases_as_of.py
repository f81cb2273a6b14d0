"""Recall as of a time: what could have been found then, said as it was said then."""

from datetime import datetime, timedelta
from typing import Any

from ricordo import Memory
from ricordo.errors import InvalidInput
from ricordo.model import Hits, Mode
from ricordo.testing.assertions import names, raises, scores, texts
from ricordo.testing.lab import Lab

MODES: tuple[Mode, ...] = ("keyword", "vector", "hybrid")


def _let_pass(lab: Lab, memory: Memory) -> datetime:
    """The time until now, a day before all that follows; all texts have their vectors."""
    memory.flush()
    then = lab.clock()
    lab.clock.advance(days=1)
    return then


def case_recall_as_of_a_time_leaves_out_what_came_later(lab: Lab) -> None:
    """FLT-11"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("trip").append("user", "the boat leaves at nine")
    space.remember("a boat with a red sail", name="boat")
    space.ingest("A boat has a hull", uri="kb:boats")
    then = _let_pass(lab, memory)
    space.session("trip").append("user", "the boat was late")
    space.session("work").append("user", "the boat needs paint")
    space.remember("a boat with a motor", name="motor")
    space.ingest("A boat has a keel", uri="kb:keels")
    memory.flush()

    found = {"the boat leaves at nine", "a boat with a red sail", "A boat has a hull"}
    for mode in MODES:
        assert set(texts(space.recall("boat", 9, mode, as_of=then))) == found, mode
        assert len(space.recall("boat", 9, mode)) == 7, mode
        assert len(space.recall("boat", 9, mode, as_of=lab.clock())) == 7, mode
        assert space.recall("boat", 9, mode, as_of=then - timedelta(days=1)) == [], mode
    (hit,) = space.recall("boat", as_of=then, kinds=["message"])
    assert (hit.source.session, hit.source.seq_start) == ("trip", 1)
    assert set(texts(memory.recall("boat", ["ana"], as_of=then))) == found


def case_recall_as_of_a_time_gives_what_an_entry_said_then(lab: Lab) -> None:
    """FLT-11"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("lives in Lisbon", name="home", aliases=["city"], tags=["place"])
    memory.space("bob").remember("lives in Lisbon with a cat", name="home")
    first = _let_pass(lab, memory)
    space.write("home", "lives in Porto")
    memory.space("bob").write("home", "lives in Evora")
    second = _let_pass(lab, memory)
    space.remember("lives in Braga", name="home", tags=["other"])
    space.rename("home", "house")
    memory.flush()

    def recall(query: str, at: datetime | None, mode: Mode) -> Hits:
        return space.recall(query, 1, mode, as_of=at)

    for mode in MODES:
        for town, at, name in (
            ("Lisbon", first, "home"),
            ("Porto", second, "home"),
            ("Braga", None, "house"),
        ):
            (hit,) = recall(f"lives in {town}", at, mode)
            assert hit.text == f"lives in {town}", mode
            assert hit.source.name == name
            assert hit.entry == space.get("house", as_of=at)
    for at in (first, second):
        assert recall("Braga", at, "keyword") == []
    (hit,) = recall("lives in Lisbon", first, "hybrid")
    assert hit.entry is not None
    assert (hit.entry.revision, hit.entry.tags, hit.at) == (1, ("place",), hit.entry.updated_at)
    assert recall("house", first, "keyword") == []
    assert texts(recall("home", second, "keyword")) == ["lives in Porto"]


def case_recall_as_of_a_time_gives_what_recall_gave_then(lab: Lab) -> None:
    """FLT-11"""
    memory = lab.open()
    space = memory.space("ana")
    asked = ("where is the harbour?", "red paint", "the tenth", "old boats")
    gave: list[tuple[datetime, list[Any]]] = []
    long = " ".join(f"boat {n} lies in the old harbour and waits for paint" for n in range(40))
    for step in range(6):
        for n in range(step % 3, 12, 3):
            colour = ("red", "green", "blue")[(step + n) % 3]
            space.remember(f"boat {n} is {colour} and lies in harbour {step}", name=f"boat/{n}")
        space.remember(f"{long} {step}", name="long")
        memory.flush()
        at = lab.clock()
        found = [space.recall(query, 20, mode) for query in asked for mode in MODES]
        gave.append((at, [(texts(hits), names(hits), scores(hits)) for hits in found]))
        lab.clock.advance(hours=5)

    for at, answers in gave:
        found = [space.recall(query, 20, mode, as_of=at) for query in asked for mode in MODES]
        assert [(texts(hits), names(hits), scores(hits)) for hits in found] == answers


def case_filters_see_what_an_entry_was_at_the_time(lab: Lab) -> None:
    """FLT-11"""
    memory = lab.open()
    space = memory.space("ana")
    start = lab.clock()
    space.remember(
        "the plan is red", name="old/plan", category="work", tags=["draft", "one"],
        origin="user", metadata={"year": 2001, "by": {"name": "Kim"}, "seen": [1, None]},
    )  # fmt: skip
    space.remember("the plan stays", name="other", category="home", metadata={"year": 2001})
    then = _let_pass(lab, memory)
    space.remember(
        "the plan is blue", name="old/plan", category="home", tags=["final"],
        origin="agent", metadata={"year": 2020},
    )  # fmt: skip
    space.rename("old/plan", "new/plan")

    def recall(**given: Any) -> set[str]:
        return set(texts(space.recall("plan", as_of=then, **given)))

    red, stays = {"the plan is red"}, {"the plan stays"}
    only_red: list[dict[str, Any]] = [
        {"category": "work"}, {"tags": ["draft", "one"]}, {"origins": ["user"]},
        {"prefix": "old/"}, {"exclude": "other"},
        {"where": {"by.name": "Kim"}}, {"where": {"seen": None}}, {"where": {"seen": {"$gte": 1}}},
        {"where": {"by": {"$exists": True}}}, {"where": {"$not": {"by": {"$exists": False}}}},
        {"where": {"year": {"$gt": 2000, "$lt": 2002}, "by.name": {"$in": ["Kim", "Lee"]}}},
    ]  # fmt: skip
    for given in only_red:
        assert recall(**given) == red, given
    assert recall(category="home") == recall(exclude=["new/plan"]) == stays
    both: list[dict[str, Any]] = [{"year": {"$lte": 2001}}, {"year": 2001}, {"year": {"$ne": 2020}}]
    for where in both:
        assert recall(where=where) == red | stays, where
    assert recall(kinds=["note"], since=start, until=then) == red | stays
    nothing: list[dict[str, Any]] = [
        {"tags": ["final"]}, {"tags": ["draft", "final"]}, {"prefix": "new/"}, {"session": "trip"},
        {"kinds": ["fact"]}, {"until": start}, {"since": then}, {"origins": ["web"]},
        {"uri": "kb:"}, {"where": {"year": 2020}}, {"where": {"year": "2001"}},
    ]  # fmt: skip
    for given in nothing:
        assert recall(**given) == set(), given


def case_recall_as_of_a_time_gives_nothing_back_that_is_gone(lab: Lab) -> None:
    """FLT-11"""
    memory = lab.open()
    space = memory.space("ana")
    soon = lab.clock() + timedelta(hours=3)
    for name in ("forgotten", "erased", "muted", "kept"):
        space.remember(f"the {name} plan", name=name)
    space.remember("the plan of today", name="today", expires_at=soon)
    space.remember("the plan as ever", name="ever")
    then = _let_pass(lab, memory)
    space.remember("the plan as ever", name="ever", embed_name=False)  # it says the same
    for name in ("forgotten", "erased", "muted", "kept"):
        space.write(name, f"another {name} text")
    space.forget("forgotten")
    space.forget("erased", erase=True)
    space.remember("another muted text", name="muted", mute=True)

    assert set(names(space.recall("plan", 9, as_of=then))) == {"kept", "today", "ever"}
    assert set(names(space.recall("plan", 9, as_of=soon))) == {"kept", "ever"}


def case_recall_as_of_a_time_leaves_no_signal(lab: Lab) -> None:
    """FLT-12"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("lives in Lisbon", name="home")
    then = _let_pass(lab, memory)
    space.write("home", "lives in Porto")

    assert space.recall("Lisbon", as_of=then, asker="user")

    assert space.dreams.signals("home") == []
    assert space.recall("Lisbon", mode="keyword") == []


def case_an_explanation_as_of_a_time(lab: Lab) -> None:
    """FLT-12"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("lives in Lisbon", name="home")
    then = _let_pass(lab, memory)
    space.write("home", "lives in Porto")
    space.session("trip").append("user", "Lisbon it was")

    was = space.explain("Lisbon", "home", mode="keyword", as_of=then)
    assert (was.verdict, was.rank) == ("found", 1)
    assert space.explain("Lisbon", "home", mode="keyword").verdict == "unmatched"
    assert space.explain("Porto", "home", mode="keyword", as_of=then).verdict == "unmatched"
    assert space.explain("Lisbon", "trip#1", as_of=then).verdict == "filtered"


def case_profiles_that_do_not_look_back_refuse_a_time(lab: Lab) -> None:
    """FLT-12"""
    space = lab.space()
    space.remember("lives in Lisbon", name="home")

    for profile in ("minmax", "rrf", "two_tier", "bm25"):
        with raises(InvalidInput, repr(profile), "as_of", "'default'"):
            space.recall("Lisbon", profile=profile, as_of="yesterday")
    assert space.recall("Lisbon", as_of="yesterday") == []
    assert texts(space.recall("Lisbon", as_of=lab.clock())) == ["lives in Lisbon"]
