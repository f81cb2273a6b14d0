"""Entries: names, aliases, revisions, tags, and forgetting."""

import uuid
from enum import Enum

from ricordo.errors import Conflict, NameTaken, NotFound
from ricordo.testing.assertions import counts, names, raises
from ricordo.testing.lab import Lab, durable


class Pet(str, Enum):  # noqa: UP042 - told apart from text only by its own str()
    CAT = "kat"


@durable
def case_entry_ids_rise_and_are_never_used_again(lab: Lab) -> None:
    """ENT-1"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("a", name="a")
    b = space.remember("b", name="b", kind="archive")
    space.forget("a")
    space.forget("b")
    b = space.remember("b", name="b", kind="archive")

    space = lab.reopen(memory).space("ana")
    c = space.remember("c", name="c")

    assert (b.id, c.id) == (3, 4)
    assert space.get("b") == b
    assert space.get(b.uid) == space.get(3) == space.get("3") == b


def case_an_unnamed_entry_gets_a_name(lab: Lab) -> None:
    """ENT-1"""
    space = lab.space()

    entry = space.remember("Prefers window seats")

    assert entry.name.startswith("note-")
    uuid.UUID(entry.name.removeprefix("note-"))  # raises if it is none
    assert (entry.kind, entry.category, entry.origin, entry.importance) == (
        "note", "core", "agent", 0.5,
    )  # fmt: skip
    assert (entry.tags, entry.aliases, entry.source, entry.metadata) == ((), (), "", {})
    assert entry.expires_at is None
    assert entry.created_at == entry.updated_at
    assert space.get(entry.name) == space.get(entry.uid.upper()) == entry


def case_the_same_text_without_a_name_is_the_same_entry(lab: Lab) -> None:
    """ENT-22"""
    memory = lab.open()
    space = memory.space("ana")
    first = space.remember("Prefers window seats", tags=["travel"], origin="user")

    again = space.remember("Prefers window seats")

    assert (again.id, again.tags, again.origin) == (first.id, ("travel",), "user")
    assert again.updated_at > first.updated_at
    assert space.history(again) == []
    both = space.remember_many(["Likes tea", "Likes tea", "Prefers window seats"])
    assert both[0].id == both[1].id
    assert both[2].id == first.id
    assert len(space.entries()) == 2


def case_unnamed_texts_stay_apart_where_something_would_be_lost(lab: Lab) -> None:
    """ENT-22"""
    space = lab.space()
    first = space.remember("Prefers window seats", tags=["travel"])

    others = [
        space.remember("Prefers window seats", tags=["film"]),
        space.remember("Prefers window seats", category="daily"),
        space.remember("Prefers window seats", origin="web"),
        space.remember("Prefers window seats", "seat"),
        space.remember("Prefers window seats", tags=["travel"], replace=False),
    ]
    space.write(first, "Prefers aisle seats")
    new = space.remember("Prefers window seats", tags=["travel"])

    assert len({first.id, new.id, *(each.id for each in others)}) == 7
    assert space.get(first.id).content == "Prefers aisle seats"  # type: ignore[union-attr]
    over = space.remember("The code is 4711", ttl=60)
    lab.clock.advance(hours=1)
    assert space.remember("The code is 4711").id != over.id


def case_a_name_that_is_taken_is_refused_where_asked_for(lab: Lab) -> None:
    """ENT-2"""
    space = lab.space()
    first = space.remember("one", name="home", aliases=["house"])

    for name in ("home", "house"):
        with raises(NameTaken, name):
            space.remember("two", name=name, replace=False)

    assert space.entries() == [first]
    assert space.history("home") == []


def case_an_unknown_name_is_not_found_and_nothing_changes(lab: Lab) -> None:
    """ENT-2"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("one", name="home")
    before = counts(memory), space.entries()

    for attempt in (
        lambda: space.forget("hut"),
        lambda: space.write("hut", "x"),
        lambda: space.rename("hut", "x"),
        lambda: space.alias("hut", "x"),
        lambda: space.history("hut"),
        lambda: space.dreams.signals("hut"),
    ):
        with raises(NotFound, "hut", "ana"):
            attempt()

    assert (counts(memory), space.entries()) == before
    assert space.get("hut") is None
    assert space.get("hut", as_of=lab.clock()) is None


def case_an_alias_leads_to_the_same_entry(lab: Lab) -> None:
    """ENT-3"""
    space = lab.space()
    space.remember("Lisbon", name="home", aliases=["city"])
    entry = space.alias("city", "place")
    space.alias("home", "place")

    assert entry.name == "home"
    assert entry.aliases == ("city", "place")
    assert space.get("home") == space.get("city") == space.get("place") == entry
    assert space.remember("Porto", name="place").id == entry.id


def case_a_name_is_the_same_composed_and_decomposed(lab: Lab) -> None:
    """ENT-3"""
    composed, decomposed = "Schl\u00fcssel", "Schlu\u0308ssel"
    space = lab.space()
    entry = space.remember("At Ms Hoermann's", name=composed, aliases=["cl\u00e9"])

    assert space.get(decomposed) == space.get("cle\u0301") == entry
    assert space.remember("In the drawer", name=decomposed).id == entry.id
    assert space.alias(composed, decomposed).aliases == ("cl\u00e9",)
    assert space.rename(composed, decomposed).name == decomposed
    space.remember("Key of the cellar", name="cellar")
    assert space.alias("cellar", "cle\u0301", rebind=True).aliases == ("cle\u0301",)
    assert space.get("cl\u00e9") == space.get("cellar")


def case_forgetting_an_entry_frees_its_aliases(lab: Lab) -> None:
    """ENT-3"""
    space = lab.space()
    space.remember("Lisbon", name="home", aliases=["city"])

    space.forget("home")

    assert space.get("city") is None
    assert space.remember("Porto", name="city").name == "city"


def case_an_alias_that_clashes_is_refused(lab: Lab) -> None:
    """ENT-3"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("Lisbon", name="home", aliases=["city"])
    space.remember("desk 4", name="work", aliases=["office"])
    before = space.entries(), counts(memory)

    for alias in ("home", "city"):
        with raises(NameTaken, alias, "home"):
            space.alias("work", alias)
        with raises(NameTaken, alias, "home"):
            space.remember("desk 5", name="work", aliases=[alias])
        with raises(NameTaken, alias):
            space.remember("new", name="brand-new", aliases=["fresh", alias])
        with raises(NameTaken, alias):
            space.rename("work", alias)

    assert (space.entries(), counts(memory)) == before
    assert space.history("work") == []


def case_an_alias_moves_only_when_told_to(lab: Lab) -> None:
    """ENT-3"""
    space = lab.space()
    space.remember("Lisbon", name="home", aliases=["city"])
    space.remember("Oslo", name="birthplace")

    moved = space.alias("birthplace", "city", rebind=True)

    assert moved.aliases == ("city",)
    assert space.get("city") == moved
    with raises(NameTaken, "home"):
        space.alias("birthplace", "home", rebind=True)


def case_a_renamed_entry_is_found_by_its_new_name(lab: Lab) -> None:
    """ENT-4"""
    space = lab.space()
    old = space.remember("Lisbon", name="domicile")

    new = space.rename("domicile", "residence")

    assert (new.id, new.uid, new.created_at) == (old.id, old.uid, old.created_at)
    assert space.get("domicile") is None
    for profile in ("default", "bm25", "two_tier"):
        assert names(space.recall("residence", profile=profile, mode="keyword")) == ["residence"]
        assert space.recall("domicile", profile=profile, mode="keyword") == []


def case_an_old_name_may_stay_as_an_alias(lab: Lab) -> None:
    """ENT-4"""
    space = lab.space()
    space.remember("Lisbon", name="home", aliases=["city"])

    kept = space.rename("home", "house", keep=True)
    promoted = space.rename("house", "city", keep=True)

    assert set(kept.aliases) == {"home", "city"}
    assert promoted.name == "city"
    assert set(promoted.aliases) == {"home", "house"}
    assert space.rename("city", "city") == promoted


def case_an_archive_is_written_on_purpose_only(lab: Lab) -> None:
    """ENT-5"""
    space = lab.space()
    space.remember("chapter one", name="log", kind="archive")

    for kind in ("note", "archive", "fact"):
        with raises(Conflict, "log"):
            space.remember("chapter two", name="log", kind=kind)
    written = space.write("log", "chapter one, corrected")

    assert written.kind == "archive"
    assert written.content == "chapter one, corrected"
    assert [revision.content for revision in space.history("log")] == ["chapter one"]


def case_writing_keeps_what_is_left_out(lab: Lab) -> None:
    """ENT-6, ENT-8, ENT-10"""
    space = lab.space()
    old = space.remember(
        "tea", name="drink", category="taste", tags=["food"], aliases=["beverage"],
        origin="user", source="chat", importance=0.9, metadata={"a": 1},
    )  # fmt: skip

    for new in (space.write("drink", "coffee"), space.remember("cocoa", name="drink")):
        assert (new.id, new.uid, new.created_at) == (old.id, old.uid, old.created_at)
        assert new.updated_at > old.updated_at
        assert (new.tags, new.metadata, new.category) == (("food",), {"a": 1}, "taste")
        assert (new.origin, new.source, new.importance) == ("user", "chat", 0.9)
        assert new.aliases == ("beverage",)
    assert [revision.content for revision in space.history("drink")] == ["tea", "coffee"]


def case_writing_changes_what_is_given(lab: Lab) -> None:
    """ENT-10"""
    space = lab.space()
    space.remember("tea", name="drink", tags=["food"], metadata={"a": 1})

    new = space.remember("tea", name="drink", tags=[], metadata={}, importance=0, category="x")

    assert (new.tags, new.metadata, new.importance, new.category) == ((), {}, 0.0, "x")
    assert space.entries(tags=["food"]) == []
    assert [(old.tags, old.metadata) for old in space.history("drink")] == [(("food",), {"a": 1})]


def case_saying_the_same_again_moves_only_the_time(lab: Lab) -> None:
    """ENT-12"""
    space = lab.space()
    old = space.remember("tea", name="drink")

    new = space.remember("tea", name="drink")

    assert new.updated_at > old.updated_at
    assert new.created_at == old.created_at
    assert space.history("drink") == []
    assert len(space.entries()) == 1


def case_two_entries_of_one_text_live_on_their_own(lab: Lab) -> None:
    """ENT-7"""
    space = lab.space()
    for name in ("one", "two", "three"):
        space.remember("the harbour at night", name=name)

    space.write("one", "something else")
    space.forget("two")

    assert names(space.recall("harbour", mode="keyword")) == ["three"]


def case_a_text_of_another_type_is_kept_as_text(lab: Lab) -> None:
    """ENT-5"""
    space = lab.space()

    space.remember("y", name=Pet.CAT, category=Pet.CAT)

    entry = space.get("kat")
    assert entry is not None
    assert (entry.name, entry.category) == ("kat", "kat")


def case_forgetting_leaves_nothing_behind(lab: Lab) -> None:
    """ENT-9"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("the harbour " * 80, name="place", aliases=["spot"], tags=["sea"])
    space.write("place", "the harbour at night " * 60)
    memory.flush()
    space.recall("harbour", asker="user")
    memory.flush()

    receipt = space.forget("spot")

    assert receipt.target == "place"
    assert receipt.space == "ana"
    assert receipt.removed == {
        "entries": 1, "names": 2, "revisions": 1, "chunks": 3, "words": 3, "embeddings": 3,
        "signals": 1,
    }  # fmt: skip
    for mode in ("keyword", "vector", "hybrid"):
        assert space.recall("harbour", mode=mode) == []
    stats = space.stats()
    assert (stats.entries, stats.chunks, stats.embedded, stats.signals) == (0, 0, 0, 0)
    assert not (space.entries())
    assert not (space.entries(tags=["sea"]))
    assert not (space.dreams.signals())
    with raises(NotFound, "place"):
        space.forget("place")


def case_the_past_of_a_forgotten_entry_is_forgotten_too(lab: Lab) -> None:
    """ENT-9"""
    space = lab.space()
    space.remember("secret", name="a")
    at = lab.clock()
    space.rename("a", "b")
    space.forget("b")

    assert space.get("a", as_of=at) is None
    assert space.get("b", as_of=at) is None
    space.remember("new", name="a")
    assert space.history("a") == []


def case_entries_are_listed_newest_first_and_filtered(lab: Lab) -> None:
    """ENT-11"""
    space = lab.space()
    space.remember("1", name="a/1", category="daily", tags=["x", "y"])
    space.remember("2", name="a/2", tags=["x"])
    space.remember("3", name="b/3", kind="archive")
    space.fact("user", "dog", "Rex")
    space.write("a/1", "1 again")

    def names_by(**by: object) -> list[str]:
        return [entry.name for entry in space.entries(**by)]  # type: ignore[arg-type]

    assert names_by() == ["a/1", "user/dog", "b/3", "a/2"]
    assert names_by(category="daily") == ["a/1"]
    assert names_by(kind="archive") == ["b/3"]
    assert names_by(kind="fact") == ["user/dog"]
    assert names_by(prefix="a/") == ["a/1", "a/2"]
    assert names_by(prefix="%") == []
    assert names_by(tags=["X"]) == ["a/1", "a/2"]
    assert names_by(tags=["x", "y"]) == ["a/1"]
    assert names_by(limit=2) == ["a/1", "user/dog"]
    assert names_by(limit=0) == []
    assert names_by(limit=2, after="user/dog") == ["b/3", "a/2"]


def case_pages_of_entries_neither_skip_nor_repeat(lab: Lab) -> None:
    """ENT-11"""
    space = lab.space()
    lab.clock.stop()
    for n in range(7):
        space.remember(str(n), name=f"n{n}")
    seen: list[str] = []
    after: str | None = None

    while page := space.entries(limit=3, after=after):
        seen += [entry.name for entry in page]
        after = page[-1].name

    assert seen == [f"n{n}" for n in reversed(range(7))]
