"""Entries and the five operations: plain text, as the documents have it."""

import pytest

from ricordo.surfaces.tools import ToolFailure, registry


def test_entries_are_remembered_recalled_and_forgotten_in_plain_text(calling):
    entries = calling("entries")

    assert entries("remember", name="home", content="Lisbon, near the river") == "remembered: home"
    assert entries("remember", name="work", content="an office by the river") == "remembered: work"
    text = entries("recall", query="river")
    assert "\n---\n" in text
    assert "## home\nLisbon, near the river" in text
    assert entries("recall", query="river", limit=1).count("##") == 1
    assert entries("forget", name="home") == "forgot: home"
    assert entries("forget", name="home") == "no entry named: home"


def test_nothing_found_is_said_in_words(calling):
    assert calling("entries")("recall", query="river") == "no memories found"


def test_aliases_are_replaced_when_given_and_kept_when_not(calling, space):
    entries = calling("entries")
    entries("remember", name="home", content="Lisbon", aliases=["city", "flat"])

    entries("remember", name="home", content="Porto")
    assert set(space.get("home").aliases) == {"city", "flat"}
    entries("remember", name="home", content="Porto", aliases=["flat", "nest"])

    assert set(space.get("home").aliases) == {"flat", "nest"}
    assert space.get("city") is None
    assert space.get("nest").name == "home"
    entries("remember", name="home", content="Porto", aliases=[])
    assert space.get("home").aliases == ()


def test_remember_refuses_the_name_of_an_archive_and_anothers_alias(calling, space):
    chat = space.session("trip")
    chat.append("user", "hello")
    archive = chat.compact()
    entries = calling("entries")
    entries("remember", name="home", content="Lisbon", aliases=["city"])

    assert entries.refused("remember", name=archive.name, content="x").kind == "conflict"
    assert (
        entries.refused("remember", name="work", content="x", aliases=["city"]).kind == "conflict"
    )
    assert space.get("work") is None


def test_bad_arguments_of_entries_are_plain_text(calling, space):
    failure = calling("entries").refused("remember", name="home")
    with pytest.raises(ToolFailure) as broken:
        registry.call("recall", "{", space, toolset="entries")

    assert failure.shape == failure.message
    assert failure.message.startswith("invalid arguments: content")
    assert broken.value.message.startswith("invalid arguments: ")


def test_the_five_operations(calling, space):
    operations = calling("operations")

    assert operations("add", name="home", content="Lisbon") == "added: home (id 1)"
    assert operations("alias", name="home", alias="city") == "aliased: city -> home"
    assert operations("write", name="city", content="Porto") == "wrote: city"
    assert operations("rename", name="home", new="nest") == "renamed: home -> nest"
    entry = space.get("city")
    assert (entry.name, entry.content, entry.id) == ("nest", "Porto", 1)
    assert space.get("home") is None
    assert operations("remove", name="city") == "removed: city"
    assert space.entries() == []


def test_operations_refuse_what_exists_and_what_does_not(calling, space):
    operations = calling("operations")
    operations("add", name="home", content="Lisbon")
    operations("add", name="work", content="Office")
    operations("alias", name="work", alias="desk")

    assert "already exists" in operations.refused("add", name="home", content="x").message
    assert "already exists" in operations.refused("add", name="desk", content="x").message
    for name, rest in (
        *(("rename", {"new": "x"}), ("alias", {"alias": "x"}), ("write", {"content": "x"})),
        ("remove", {}),
    ):
        assert "not found" in operations.refused(name, name="nowhere", **rest).message
    assert operations.refused("rename", name="home", new="desk").kind == "conflict"
    assert operations.refused("alias", name="home", alias="desk").kind == "conflict"
    assert {entry.content for entry in space.entries()} == {"Lisbon", "Office"}


def test_operations_go_by_names_not_by_numbers(calling):
    operations = calling("operations")
    operations("add", name="home", content="Lisbon")

    assert operations.refused("remove", name="1").kind == "not_found"


def test_an_archive_can_be_written_by_the_operations(calling, space):
    chat = space.session("trip")
    chat.append("user", "hello")
    archive = chat.compact()

    calling("operations")("write", name=archive.name, content="They said hello.")

    assert space.get(archive.name).content == "They said hello."


def test_add_takes_a_kind_and_alias_takes_a_name_from_another_entry(calling, space):
    operations = calling("operations")
    operations("add", name="trip-2026", content="Ana flew to Oslo", kind="archive")
    operations("add", name="home", content="Lisbon")
    operations("add", name="flat", content="Third floor")
    operations("alias", name="home", alias="city")

    assert operations.refused("alias", name="flat", alias="city").kind == "conflict"
    operations("alias", name="flat", alias="city", rebind=True)

    assert space.get("trip-2026").kind == "archive"
    assert space.get("home").kind == "note"
    assert (space.get("city").name, space.get("home").aliases) == ("flat", ())
    assert operations.refused("add", name="x", content="x", kind="fact").kind == "invalid_arguments"
