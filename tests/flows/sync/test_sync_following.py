"""Sync: files and entries follow each other, whichever of them changed."""

from syncing import edit, names

import ricordo
from ricordo import Sync


def test_every_note_and_fact_gets_a_file(ana, notes):
    ana.remember("Prefers window seats", name="seat", tags=["travel"], aliases=["chair"])
    ana.fact("user", "dog_name", "Rex")

    done = ana.files.sync()

    assert done.written == ("notes/seat.md", "notes/user-dog_name.md")
    assert done.folder == str(notes.parent)
    assert "\n\nPrefers window seats\n" in (notes / "seat.md").read_text()
    assert "aliases: [chair]\ntags: [travel]\n" in (notes / "seat.md").read_text()
    assert "name: user/dog_name\n" in (notes / "user-dog_name.md").read_text()


def test_a_second_sync_does_nothing(ana, notes):
    ana.remember("Prefers window seats", name="seat")
    (notes / "by hand.md").write_text("Socks\n")
    ana.files.sync()
    before = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in notes.iterdir()}

    done = ana.files.sync()

    assert done == Sync("ana", str(notes.parent))
    assert done.is_clean
    assert before == {f.name: (f.read_bytes(), f.stat().st_mtime_ns) for f in notes.iterdir()}
    assert len(ana.history("by hand")) == 0


def test_saying_the_same_again_writes_no_file(ana, notes):
    ana.remember("Prefers window seats", name="seat")
    ana.files.sync()

    ana.remember("Prefers window seats", name="seat")

    assert ana.files.sync().is_clean


def test_a_changed_entry_rewrites_its_file(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()

    ana.write("seat", "Aisle")

    assert ana.files.sync().written == ("notes/seat.md",)
    assert (notes / "seat.md").read_text().endswith("\n\nAisle\n")


def test_an_edited_file_becomes_a_revision_said_by_the_user(ana, notes):
    ana.remember("Window", name="seat", tags=["travel"], importance=0.9, metadata={"a": 1})
    ana.files.sync()

    edit(notes / "seat.md", "Window", "Aisle, by the door")
    done = ana.files.sync()

    entry = ana.get("seat")
    assert done.revised == ("seat",)
    assert (entry.content, entry.origin, entry.source) == (
        "Aisle, by the door",
        "user",
        "notes/seat.md",
    )
    assert (entry.tags, entry.importance, entry.metadata) == (("travel",), 0.9, {"a": 1})
    assert [revision.content for revision in ana.history("seat")] == ["Window"]
    assert [hit.entry.name for hit in ana.recall("door")] == ["seat"]
    assert ana.files.sync().is_clean


def test_front_matter_is_followed_too(ana, notes):
    ana.remember("Window", name="seat", tags=["travel"], aliases=["chair", "stool"])
    ana.files.sync()

    edit(notes / "seat.md", "name: seat", "name: place")
    edit(notes / "seat.md", "[chair, stool]", "[stool, bench]")
    edit(notes / "seat.md", "[travel]", "[Flights, trains]")
    edit(notes / "seat.md", "category: core", "category: daily")
    done = ana.files.sync()

    entry = ana.get("place")
    assert done.revised == ("place",)
    assert set(entry.aliases) == {"stool", "bench"}
    assert (entry.tags, entry.category) == (("flights", "trains"), "daily")
    assert ana.get("seat") is None
    assert ana.get("chair") is None
    assert ana.files.sync().is_clean


def test_who_wrote_it_cannot_be_forged_in_a_file(ana, notes):
    (notes / "x.md").write_text("---\norigin: agent\nupdated: 1999-01-01\n---\n\nx\n")

    ana.files.sync()

    assert ana.get("x").origin == "user"
    assert ana.get("x").updated_at.year == 2026


def test_a_new_file_becomes_an_entry_and_is_given_its_uid(ana, notes):
    (notes / "trips").mkdir()
    (notes / "trips" / "Oslo.md").write_text("# Oslo\n\nIn May.\n")
    (notes / "named.md").write_text("---\nname: packing list\ntags:\n  - travel\n---\nSocks\n")

    done = ana.files.sync()

    assert done.created == ("packing list", "trips/Oslo")
    assert ana.get("trips/Oslo").content == "# Oslo\n\nIn May."
    assert ana.get("packing list").tags == ("travel",)
    assert f"uid: {ana.get('trips/Oslo').uid}\n" in (notes / "trips" / "Oslo.md").read_text()
    assert names(notes) == ["named.md", "trips"]
    assert ana.files.sync().is_clean


def test_a_memory_that_was_lost_is_made_again_from_its_files(ana, notes, base):
    ana.remember("Window", name="seat", tags=["travel"], aliases=["chair"], category="daily")
    ana.fact("user", "dog_name", "Rex")
    ana.files.sync()

    with ricordo.open(":memory:", embedder="none", config={"workspace": str(base)}) as other:
        space = other.space("ana")
        done = space.files.sync()

        assert done.created == ("seat", "user/dog_name")
        assert space.fact("user", "dog_name").content == "Rex"
        assert space.get("chair").tags == ("travel",)
        assert space.get("seat").category == "daily"
        assert space.files.sync().is_clean
    assert names(notes) == ["seat.md", "user-dog_name.md"]
