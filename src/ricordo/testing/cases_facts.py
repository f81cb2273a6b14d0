"""Facts: one value per category and key, with what was said before."""

from ricordo import Space
from ricordo.errors import Conflict, InvalidInput
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab


def case_the_last_statement_of_a_fact_holds(lab: Lab) -> None:
    """ENT-12"""
    space = lab.space()
    space.fact("user", "dog_name", "Rex")
    first = space.fact("user", "dog_name", "Bella")
    again = space.fact("user", "dog_name", "Bella")

    assert first is not None
    assert again is not None
    assert again.updated_at > first.updated_at
    assert [entry.content for entry in space.entries(kind="fact")] == ["Bella"]
    assert [revision.content for revision in space.history("user/dog_name")] == ["Rex"]


def case_a_fact_is_an_entry_named_by_category_and_key(lab: Lab) -> None:
    """ENT-12"""
    space = lab.space()

    fact = space.fact("user", "dog_name", "Rex", source="chat", tags=["pets"])

    assert fact is not None
    assert (fact.kind, fact.category, fact.name) == ("fact", "user", "user/dog_name")
    assert space.get("user/dog_name") == space.fact("user", "dog_name") == fact
    assert space.fact("user", "cat_name") is None
    assert space.fact("pets", "dog_name") is None
    assert space.recall("Rex", kinds=["fact"], mode="keyword")[0].entry == fact


def case_spellings_of_a_key_are_one_key(lab: Lab) -> None:
    """ENT-13"""
    space = lab.space()
    for n, key in enumerate(("dog name", "Dog-Name", "dog_name", " DOG  NAME! ")):
        space.fact("user", key, str(n))

    assert _facts(space) == {"user/dog_name": "3"}


def case_a_preferred_thing_is_the_thing_itself(lab: Lab) -> None:
    """ENT-13"""
    space = lab.space()
    space.fact("user", "editor", "vim")
    space.fact("user", "preferred_editor", "emacs")
    space.fact("user", "birthday", "1 May")
    space.fact("user", "carlos_birthday", "2 June")

    assert _facts(space) == {
        "user/editor": "emacs",
        "user/birthday": "1 May",
        "user/carlos_birthday": "2 June",
    }


def case_a_fact_that_was_renamed_is_found_by_its_key(lab: Lab) -> None:
    """ENT-13"""
    space = lab.space()
    space.fact("user", "city", "Oslo")
    space.rename("user/city", "hometown", keep=True)

    found = space.fact("user", "city")
    assert found is not None
    assert (found.name, found.content) == ("hometown", "Oslo")
    again = space.fact("user", "current_city", "Bergen")
    assert again is not None
    assert again.id == found.id


def case_a_dreamt_fact_does_not_replace_a_stated_one(lab: Lab) -> None:
    """ENT-14"""
    space = lab.space()
    space.fact("user", "dog_name", "Rex", origin="user")
    space.fact("user", "cat_name", "Tom", origin="dream")

    with raises(Conflict, "dog_name", "user"):
        space.fact("user", "dog_name", "Bella", origin="dream")
    space.fact("user", "cat_name", "Kit", origin="dream")

    assert _facts(space) == {"user/dog_name": "Rex", "user/cat_name": "Kit"}


def case_no_value_of_a_fact_means_deletion(lab: Lab) -> None:
    """ENT-15"""
    space = lab.space()

    for value in ("none", "n/a", "null", "deleted"):
        space.fact("user", "pet", value)
        found = space.fact("user", "pet")
        assert found is not None
        assert found.content == value
    with raises(InvalidInput, "blank"):
        space.fact("user", "pet", "")


def case_a_note_and_a_fact_do_not_share_a_name(lab: Lab) -> None:
    """ENT-12"""
    space = lab.space()
    space.remember("a note", name="user/dog")

    with raises(Conflict, "user/dog"):
        space.fact("user", "dog", "Rex")

    assert [entry.kind for entry in space.entries()] == ["note"]


def case_a_consolidated_fact_never_overrules_one_that_was_stated(lab: Lab) -> None:
    """ENT-14"""
    space = lab.space()
    space.fact("user", "city", "Rome", origin="user")
    space.fact("user", "pet", "cat", source="consolidation")

    with raises(Conflict, "user/city"):
        space.fact("user", "city", "Oslo", source="consolidation")
    space.fact("user", "pet", "dog", source="consolidation")

    assert _facts(space) == {"user/city": "Rome", "user/pet": "dog"}


def case_a_fact_past_its_time_is_not_there(lab: Lab) -> None:
    """ENT-11"""
    space = lab.space()
    space.remember("Rex", "user/dog", kind="fact", category="user", expires_at=lab.clock())

    assert space.fact("user", "dog") is None


def _facts(space: Space) -> dict[str, str]:
    return {entry.name: entry.content for entry in space.entries(kind="fact")}
