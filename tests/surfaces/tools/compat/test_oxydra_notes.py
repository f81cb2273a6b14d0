"""Notes and the scratchpad: their tools as the documents have them."""

import re

import pytest
from toolset_runtime import UNKNOWN

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


# --- 001: notes ---------------------------------------------------------------------------------


def test_a_note_is_saved_under_an_id_of_its_own(calling, space):
    saved = calling("notes")("memory_save", content="Prefers window seats", tags=[" Travel "])

    assert set(saved) == {"note_id", "message"}
    assert re.fullmatch(f"note-{UUID}", saved["note_id"])
    entry = space.get(saved["note_id"])
    assert entry is not None
    assert (entry.content, entry.tags, entry.source) == (
        "Prefers window seats",
        ("travel",),
        "memory_save",
    )


def test_memory_search_gives_notes_with_their_ids_and_scores(calling):
    notes = calling("notes")
    note_id = notes("memory_save", content="Prefers window seats", tags=["travel"])["note_id"]

    found = notes("memory_search", query="window seats")

    assert [note["note_id"] for note in found] == [note_id]
    assert set(found[0]) == {
        *("note_id", "text", "score", "source", "tags", "created_at", "updated_at"),
        "schema_version",
    }
    assert found[0]["source"] == "user_memory"
    assert found[0]["tags"] == ["travel"]


def test_memory_search_leaves_conversations_out_unless_asked(calling, space):
    notes = calling("notes")
    space.session("trip").append("user", "I like window seats")
    notes("memory_save", content="Owns a boat")

    without = notes("memory_search", query="window seats", top_k=20)
    with_them = notes("memory_search", query="window seats", include_conversation=True)

    assert {note["source"] for note in without} == {"user_memory"}
    said = next(note for note in with_them if note["source"] == "conversation")
    assert said["note_id"] == ""
    assert said["text"] == "I like window seats"


def test_memory_search_needs_every_tag(calling):
    notes = calling("notes")
    both = notes("memory_save", content="plan a", tags=["project-a", "workflow"])["note_id"]
    notes("memory_save", content="plan b", tags=["project-b", "workflow"])

    found = notes("memory_search", query="plan", tags=["PROJECT-A", "workflow"])

    assert [note["note_id"] for note in found] == [both]
    assert notes("memory_search", query="plan", tags=["project-a", "project-b"]) == []


def test_memory_search_clamps_what_is_too_many(calling):
    notes = calling("notes")
    for number in range(25):
        notes("memory_save", content=f"seat number {number}")

    assert len(notes("memory_search", query="seat", top_k=100)) == 20
    assert len(notes("memory_search", query="seat")) == 5


def test_updating_a_note_keeps_its_id_its_birth_and_its_tags(calling, space, lab):
    notes = calling("notes")
    note_id = notes("memory_save", content="Prefers window seats", tags=["travel"])["note_id"]
    born = space.get(note_id).created_at
    lab.clock.advance(hours=1)

    updated = notes("memory_update", note_id=note_id, content="Prefers aisle seats")

    entry = space.get(note_id)
    assert updated["note_id"] == note_id
    assert (entry.content, entry.tags, entry.created_at) == (
        "Prefers aisle seats",
        ("travel",),
        born,
    )
    assert entry.updated_at > born


def test_of_two_notes_that_say_the_same_only_one_goes(calling):
    notes = calling("notes")
    first, second = (notes("memory_save", content="Owns a boat")["note_id"] for _ in range(2))

    notes("memory_delete", note_id=first)

    assert [note["note_id"] for note in notes("memory_search", query="boat")] == [second]


@pytest.mark.parametrize("name", ["memory_update", "memory_delete"])
def test_an_unknown_note_is_execution_failed(calling, name):
    args = {"note_id": f"note-{UNKNOWN}"} | ({"content": "x"} if name == "memory_update" else {})

    failure = calling("notes").refused(name, **args)

    assert failure.shape == {
        "error": "ExecutionFailed",
        "tool": name,
        "message": failure.message,
    }
    assert UNKNOWN in failure.message


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("memory_search", {}),
        ("memory_search", {"query": " "}),
        ("memory_search", {"query": "x", "top_k": "five"}),
        ("memory_save", {}),
        ("memory_save", {"content": " \n"}),
        ("memory_update", {"note_id": "note-1"}),
        ("memory_update", {"note_id": "note-1", "content": ""}),
        ("memory_delete", {}),
        ("scratchpad_write", {"items": "one"}),
        ("schedule_create", {"goal": "x", "cadence_type": "cron"}),
    ],
)
def test_missing_and_malformed_arguments_are_invalid_arguments(calling, name, args):
    failure = calling("notes,schedules").refused(name, **args)

    assert failure.shape["error"] == "InvalidArguments"
    assert failure.shape["tool"] == name


def test_a_note_is_not_found_by_a_number_or_another_kind_of_entry(calling, space):
    space.remember("first", "one")
    space.fact("user", "dog", "Rex")

    assert calling("notes").refused("memory_delete", note_id="1").kind == "not_found"
    assert calling("notes").refused("memory_delete", note_id="user/dog").kind == "not_found"
    assert len(space.entries()) == 2


# --- 001: scratchpad ----------------------------------------------------------------------------


def test_the_scratchpad_is_read_written_and_cleared(calling):
    pad = calling("notes")

    assert pad("scratchpad_read") == {
        "session_id": "trip",
        "items": [],
        "updated_at": None,
        "item_count": 0,
    }
    written = pad("scratchpad_write", items=[" book ", "", "pay"])
    assert (written["updated"], written["item_count"]) == (True, 2)
    assert set(written) == {"updated", "item_count", "message"}
    assert pad("scratchpad_write", items=["book", "pay"])["updated"] is False
    read = pad("scratchpad_read")
    assert (read["items"], read["item_count"]) == (["book", "pay"], 2)
    assert read["updated_at"].endswith("+00:00")
    assert pad("scratchpad_clear")["cleared"] is True
    assert pad("scratchpad_clear")["cleared"] is False


def test_the_scratchpad_of_another_session_is_not_seen(calling):
    calling("notes")("scratchpad_write", items=["book"])

    assert calling("notes", "other")("scratchpad_read")["items"] == []


@pytest.mark.parametrize("items", [["x"] * 33, ["x" * 241], [], [" "]])
def test_the_limits_of_the_scratchpad_hold(calling, items):
    pad = calling("notes")
    pad("scratchpad_write", items=["book"])

    assert pad.refused("scratchpad_write", items=items).shape["error"] == "InvalidArguments"
    assert pad("scratchpad_read")["items"] == ["book"]


def test_a_full_scratchpad_in_any_script_is_taken(calling):
    written = calling("notes")(
        "scratchpad_write", items=["é" * 239 + str(n % 10) for n in range(32)]
    )

    assert written["item_count"] == 32


@pytest.mark.parametrize("name", ["scratchpad_read", "scratchpad_clear"])
def test_without_a_session_the_scratchpad_is_execution_failed(calling, name):
    assert calling("notes", None).refused(name).shape["error"] == "ExecutionFailed"
