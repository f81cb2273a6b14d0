"""Conditions on metadata: of entries, documents and messages, in lists and in recall."""

from collections.abc import Mapping
from typing import Any

from ricordo import Space
from ricordo.errors import InvalidInput
from ricordo.testing.assertions import names, raises, texts
from ricordo.testing.lab import Lab

BIG = 2**60
FILMS: dict[str, Mapping[str, Any]] = {
    "alien": {"year": 1979, "lang": "en", "cast": ["Weaver", "Hurt"], "seen": True},
    "amelie": {"year": 2001, "lang": "fr", "by": {"name": "Jeunet", "age": 48}, "seen": False},
    "brazil": {"year": 1985.5, "lang": "en", "note": None, "id": BIG + 1},
    "cure": {"lang": "ja", "id": BIG, "year": "1997"},
    "drive": {},
}


def _fill(space: Space) -> None:
    for name, metadata in FILMS.items():
        space.remember(f"the film {name}", name=name, metadata=dict(metadata))


def case_entries_are_listed_by_their_metadata(lab: Lab) -> None:
    """FLT-6"""
    space = lab.space()
    _fill(space)

    def find(where: Mapping[str, Any]) -> set[str]:
        return {entry.name for entry in space.entries(where=where)}

    assert find({"lang": "en"}) == {"alien", "brazil"}
    assert find({"lang": "en", "year": {"$gt": 1980}}) == {"brazil"}
    assert find({"year": {"$gte": 1979, "$lte": 1985.5}}) == {"alien", "brazil"}
    assert find({"year": {"$lt": 1979}}) == set()
    assert find({"year": {"$gt": "1990"}}) == {"cure"}  # texts are compared with texts
    assert find({"cast": "Hurt"}) == {"alien"}
    assert find({"by.name": "Jeunet"}) == {"amelie"}
    assert find({"by.age": {"$lt": 50}}) == {"amelie"}
    assert find({"lang": {"$in": ["fr", "ja", "no"]}}) == {"amelie", "cure"}
    assert find({"lang": {"$in": []}}) == set()
    assert find({"seen": True}) == {"alien"}
    assert find({"seen": 1}) == set()
    assert find({"note": None}) == {"brazil"}
    assert find({"id": BIG}) == {"cure"}
    assert find({"id": {"$gt": BIG}}) == {"brazil"}
    assert find({}) == set(FILMS)


def case_conditions_are_negated_and_combined(lab: Lab) -> None:
    """FLT-6"""
    space = lab.space()
    _fill(space)

    def find(where: Mapping[str, Any]) -> set[str]:
        return {entry.name for entry in space.entries(where=where)}

    assert find({"lang": {"$ne": "en"}}) == {"amelie", "cure", "drive"}
    assert find({"lang": {"$nin": ["en", "ja"]}}) == {"amelie", "drive"}
    assert find({"by": {"$exists": True}}) == {"amelie"}
    assert find({"lang": {"$exists": False}}) == {"drive"}
    assert find({"year": {"$not": {"$gt": 1980}}}) == {"alien", "cure", "drive"}
    assert find({"$or": [{"lang": "ja"}, {"year": 1979}]}) == {"alien", "cure"}
    assert find({"$or": [{"lang": "ja"}, {"$not": {"lang": "en"}}]}) == {"amelie", "cure", "drive"}
    assert find({"$and": [{"lang": "en"}, {"seen": {"$ne": True}}]}) == {"brazil"}
    assert find({"$not": {"$or": [{"lang": "en"}, {"lang": "fr"}]}}) == {"cure", "drive"}


def case_conditions_go_with_all_other_filters_of_a_list(lab: Lab) -> None:
    """FLT-6"""
    space = lab.space()
    for name in ("a/1", "a/2", "b/1"):
        space.remember(f"the text of {name}", name=name, tags=[name[2]], metadata={"room": name[0]})

    def find(**given: Any) -> list[str]:
        return [entry.name for entry in space.entries(**given)]

    assert find(where={"room": "a"}, tags=["1"]) == ["a/1"]
    assert find(where={"room": {"$ne": "b"}}, exclude=["a/1"]) == ["a/2"]
    assert find(where={"room": "a"}, prefix="b") == []
    assert find(where={"room": "a"}, limit=1, offset=1) == ["a/1"]
    assert find(where={"room": "a"}, after="a/2") == ["a/1"]


def case_recall_by_metadata_of_entries_documents_and_messages(lab: Lab) -> None:
    """FLT-7"""
    space = lab.space()
    chat = space.session("trip")
    chat.append("user", "the boat is red", metadata={"user": "ana"})
    chat.append("user", "the boat is blue", metadata={"user": "ben"})
    chat.append("user", "the boat is old")
    space.remember("a boat with a sail", name="boat", metadata={"user": "ana"})
    space.ingest("A boat has a hull", uri="kb:boats", metadata={"user": "ben"})

    def find(where: Mapping[str, Any], **rest: Any) -> set[str]:
        return set(texts(space.recall("boat", mode="keyword", where=where, **rest)))

    assert find({"user": "ana"}) == {"the boat is red", "a boat with a sail"}
    assert find({"user": "ben"}) == {"the boat is blue", "A boat has a hull"}
    assert find({"user": {"$exists": False}}) == {"the boat is old"}
    assert find({"user": {"$ne": "ana"}}, kinds=["message"]) == {
        "the boat is blue",
        "the boat is old",
    }
    assert find({"user": "nobody"}) == set()


def case_every_profile_and_mode_keeps_to_the_conditions(lab: Lab) -> None:
    """FLT-7"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("the plan is red", name="red", metadata={"n": 1})
    space.remember("the plan is blue", name="blue", metadata={"n": 2})
    memory.flush()

    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):
        assert names(space.recall("plan", profile=profile, where={"n": {"$gt": 1}})) == ["blue"]
        assert space.recall("plan", profile=profile, where={"n": 3}) == []
    for mode in ("keyword", "vector", "hybrid"):
        assert names(space.recall("plan", mode=mode, where={"n": {"$ne": 2}})) == ["red"]


def case_conditions_follow_what_metadata_says_now(lab: Lab) -> None:
    """FLT-8"""
    space = lab.space()
    space.remember("a plan", name="plan", metadata={"state": "open", "n": 1})
    chat = space.session("trip")
    chat.append("user", "about the plan", metadata={"state": "open"})

    space.remember("a plan", name="plan", metadata={"state": "done"})

    assert space.entries(where={"state": "open"}) == []
    assert space.entries(where={"n": 1}) == []
    assert names(space.recall("plan", where={"state": "done"})) == ["plan"]
    space.write("plan", "another plan")
    assert len(space.entries(where={"state": "done"})) == 1
    space.forget("plan")
    chat.delete()
    assert space.recall("plan", where={"state": {"$in": ["open", "done"]}}) == []


def case_conditions_see_their_own_space_alone(lab: Lab) -> None:
    """FLT-8"""
    memory = lab.open()
    one, two = memory.space("one"), memory.space("two")
    one.remember("mine", name="mine", metadata={"k": "v"})
    two.remember("yours", name="yours", metadata={"k": "v"})

    assert [entry.name for entry in one.entries(where={"k": "v"})] == ["mine"]
    assert names(two.recall("yours", where={"k": "v"})) == ["yours"]
    assert two.entries(where={"k": {"$ne": "v"}}) == []


def case_conditions_that_cannot_be_read_are_refused(lab: Lab) -> None:
    """FLT-9"""
    space = lab.space()
    _fill(space)
    refused: list[tuple[Any, str]] = [
        ({"year": {"$gtt": 3}}, "did you mean"),
        ({"$xor": []}, "did you mean $or"),
        ({"$or": []}, "give a list of conditions"),
        ({"year": {"$gt": True}}, "give a number or text"),
        ({"by": {"name": "x"}}, "write by.name"),
        ({"cast": ["Hurt"]}, "$in"),
        ({"seen": {"$exists": "yes"}}, "true or false"),
        ({"lang": "x" * 300}, "300 characters"),
        ({"year": float("nan")}, "finite"),
        ({3: 4}, "keys are text"),
        ("lang=en", "give keys with values"),
    ]
    for where, told in refused:
        with raises(InvalidInput, told):
            space.entries(where=where)
        with raises(InvalidInput, told):
            space.recall("film", where=where)


def case_filters_choose_what_to_forget(lab: Lab) -> None:
    """FLT-10"""
    space = lab.space()
    _fill(space)
    space.remember("a draft", name="draft", tags=["draft"])
    kept = {entry.name for entry in space.entries()}

    planned = space.forget(where={"year": {"$lt": 1990}}, dry_run=True)

    assert set(planned.entries) == {"alien", "brazil"}
    assert planned.dry_run
    assert planned.removed["entries"] == 2
    assert {entry.name for entry in space.entries()} == kept
    done = space.forget(where={"year": {"$lt": 1990}})
    assert set(done.entries) == {"alien", "brazil"}
    assert space.forget(tags=["draft"], prefix="x").entries == ()
    assert space.forget(tags=["draft"]).entries == ("draft",)
    assert {entry.name for entry in space.entries()} == {"amelie", "cure", "drive"}
    assert space.forget(prefix="c", erase=True).entries == ("cure",)
    assert space.recall("cure", mode="keyword") == []
    empty: list[dict[str, Any]] = [{}, {"where": {}}, {"tags": []}]
    for given in empty:
        with raises(InvalidInput, "nothing says what to forget"):
            space.forget(**given)
    with raises(InvalidInput, "not both"):
        space.forget("amelie", tags=["draft"])
    assert len(space.entries()) == 2
