"""Files of Anthropic's memory tool are notes of the space, also through the registry."""

import pytest
from refusing import refused

from ricordo.surfaces.anthropic.tree import MemoryTree
from ricordo.surfaces.tools import ToolFailure, registry

# --- files are notes ----------------------------------------------------------------------------


def test_recall_finds_files_and_forget_removes_them(tree):
    tree.create("/memories/seat.md", "Prefers window seats")

    entry = tree.space.recall("window seats")[0].entry
    assert (entry.name, entry.kind, entry.category, entry.origin) == (
        *("/memories/seat.md", "note", "memories", "agent"),
    )
    tree.space.forget("/memories/seat.md")

    assert refused(tree.delete, "/memories/seat.md") == "The path /memories/seat.md does not exist"


def test_other_entries_are_no_files(tree):
    tree.space.remember("Lisbon", "home", aliases=["/memories/home"])
    tree.space.fact("/memories", "dog", "Rex")

    assert tree.view("/memories").endswith("4K\t/memories")
    assert "does not exist" in refused(tree.view, "/memories/home")
    assert refused(tree.create, "/memories/home", "x") == "File /memories/home already exists"
    assert tree.space.get("home").content == "Lisbon"


def test_clearing_takes_the_files_and_nothing_else(tree):
    tree.create("/memories/a/b.txt", "x")
    tree.space.remember("Lisbon", "home")

    assert tree.clear() == "All memory cleared"
    assert [entry.name for entry in tree.space.entries()] == ["home"]


def test_two_spaces_have_two_trees(memory):
    ana, ben = MemoryTree(memory.space("ana")), MemoryTree(memory.space("ben"))
    ana.create("/memories/a.txt", "secret")

    assert ben.view("/memories").endswith("4K\t/memories")
    assert ben.create("/memories/a.txt", "x") == "File created successfully at: /memories/a.txt"
    ben.delete("/memories/a.txt")
    assert ana.view("/memories/a.txt").endswith("\tsecret")


# --- whatever a model sends ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"command": "view"}, "path is missing"),
        ({"command": "create", "path": "/memories/a"}, "file_text is missing"),
        (
            {"command": "insert", "path": "/memories/a", "insert_text": "x"},
            "insert_line is missing",
        ),
        ({"command": "rename", "old_path": "/memories/a"}, "new_path is missing"),
        ({"command": "create", "path": "/memories/a", "file_text": "\x00"}, "NUL"),
        ({"command": "delete", "path": "/memories/a"}, "does not exist"),
    ],
)
def test_the_tool_of_the_registry_words_refusals_for_the_model(space, args, told):
    with pytest.raises(ToolFailure) as caught:
        registry.call("memory", args, space, toolset="anthropic")

    assert told in caught.value.message


def test_a_replacement_without_a_new_text_takes_the_old_one_away(space):
    MemoryTree(space).create("/memories/a.txt", "one two")

    args = {"command": "str_replace", "path": "/memories/a.txt", "old_str": " two"}
    registry.call("memory", args, space, toolset="anthropic")

    assert space.get("/memories/a.txt").content == "one"
