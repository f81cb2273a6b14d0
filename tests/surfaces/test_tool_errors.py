"""What the tools refuse, and how: by id and not by name, in the shape of their document."""

import pytest

from recollect.surfaces.tools import ToolFailure, registry


def refused(space, tool, toolset=None, /, **args) -> ToolFailure:
    with pytest.raises(ToolFailure) as caught:
        registry.call(tool, args, space, "trip", toolset)
    return caught.value


# --- 001: notes go by their ids -----------------------------------------------------------------


@pytest.mark.parametrize("address", ["seat", "chair", "uid", "/memories/seat.md"])
def test_a_note_is_neither_updated_nor_deleted_by_its_name(space, address):
    entry = space.remember("Prefers window seats", "seat", aliases=["chair"])
    space.remember("aisle", "/memories/seat.md")
    note_id = entry.uid if address == "uid" else address

    for tool, rest in (("memory_update", {"content": "x"}), ("memory_delete", {})):
        failure = refused(space, tool, note_id=note_id, **rest)
        assert failure.shape["error"] == "ExecutionFailed"
        assert failure.shape["tool"] == tool
    assert len(space.entries()) == 2
    assert space.get("seat").content == "Prefers window seats"


def test_what_memory_search_shows_can_be_updated_and_deleted(space):
    space.remember("Prefers window seats", "seat")
    registry.call("memory_save", {"content": "window shopping"}, space)

    found = registry.call("memory_search", {"query": "window"}, space)
    for note in found:
        registry.call("memory_update", {"note_id": note["note_id"], "content": "door"}, space)
    assert {entry.content for entry in space.entries()} == {"door"}
    assert space.get("seat").content == "door"
    for note in found:
        registry.call("memory_delete", {"note_id": note["note_id"]}, space)

    assert space.entries() == []


def test_the_id_of_a_fact_is_not_that_of_a_note(space):
    fact = space.fact("user", "dog", "Rex")

    failure = refused(space, "memory_delete", note_id=f"note-{fact.uid}")

    assert failure.kind == "not_found"
    assert space.entries() == [fact]


# --- 002: reminders -----------------------------------------------------------------------------


@pytest.mark.parametrize("session_id", ["", " ", "a\0b", "x" * 5_000])
@pytest.mark.parametrize("tool", ["forge_reminder", "schedule_reminder"])
def test_a_bad_session_id_of_a_reminder_is_named(space, tool, session_id):
    args = {"at": "10m", "message": "x", "source_plugin": "mail", "recipient": "ana"}

    failure = refused(space, tool, **args, session_id=session_id)

    assert failure.kind == "invalid_arguments"
    assert failure.message.startswith("session_id ")
    assert space.reminders() == []
    assert "a bad session id" in registry.get(tool).errors
