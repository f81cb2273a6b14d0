"""Sync when both changed: a person's word is kept, and so is the other."""

from syncing import edit, told


def test_a_conflict_keeps_both(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()

    ana.write("seat", "Aisle, says the agent")
    edit(notes / "seat.md", "Window", "Middle, says the person")
    done = ana.files.sync()

    (copy,) = done.conflicts
    assert done.revised == ("seat",)
    assert ana.get("seat").content == "Middle, says the person"
    assert [r.content for r in ana.history("seat")] == ["Window", "Aisle, says the agent"]
    assert copy.startswith("notes/seat.conflict-2026-07-01-")
    assert "Aisle, says the agent" in (notes.parent / copy).read_text()
    assert "Middle, says the person" in (notes / "seat.md").read_text()
    assert ana.files.sync().is_clean
    assert told(ana) == {"seat": "Middle, says the person"}


def test_both_saying_the_same_is_no_conflict(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()

    ana.write("seat", "Aisle")
    edit(notes / "seat.md", "Window", "Aisle")
    done = ana.files.sync()

    assert (done.conflicts, done.written) == ((), ("notes/seat.md",))
    assert len(ana.history("seat")) == 1
    assert ana.files.sync().is_clean


def test_a_file_that_was_there_before_the_first_sync_keeps_both(ana, notes):
    ana.remember("Window", name="seat")
    (notes / "seat.md").write_text("Aisle\n")

    done = ana.files.sync()

    assert ana.get("seat").content == "Aisle"
    assert "Window" in (notes.parent / done.conflicts[0]).read_text()
    assert told(ana) == {"seat": "Aisle"}


def test_an_edited_file_whose_entry_was_forgotten_becomes_an_entry_again(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    edit(notes / "seat.md", "Window", "Aisle")

    ana.forget("seat")
    done = ana.files.sync()

    assert done.created == ("seat",)
    assert told(ana) == {"seat": "Aisle"}
    assert ana.files.sync().is_clean
