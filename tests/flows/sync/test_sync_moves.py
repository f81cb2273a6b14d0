"""Sync when files or entries are gone, moved, renamed or copied."""

from datetime import timedelta

from syncing import START, edit, names, told

# --- gone -------------------------------------------------------------------------------------


def test_a_deleted_file_comes_back(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    (notes / "seat.md").unlink()

    assert ana.files.sync().restored == ("notes/seat.md",)
    assert (notes / "seat.md").is_file()
    assert ana.files.sync().is_clean


def test_a_deleted_file_takes_its_entry_along_only_if_told_to(ana, notes):
    ana.remember("Window", name="seat")
    ana.remember("Rex", name="dog")
    ana.files.sync()
    (notes / "seat.md").unlink()

    done = ana.files.sync(delete=True)

    assert done.forgotten == ("seat",)
    assert told(ana) == {"dog": "Rex"}
    assert ana.files.sync(delete=True).is_clean


def test_a_deleted_file_whose_entry_changed_since_comes_back_all_the_same(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    (notes / "seat.md").unlink()
    ana.write("seat", "Aisle")

    assert ana.files.sync(delete=True).restored == ("notes/seat.md",)
    assert told(ana) == {"seat": "Aisle"}


def test_a_folder_that_is_not_there_forgets_nothing(ana, notes, base):
    ana.remember("Window", name="seat")
    ana.files.sync()
    (base / "ana").rename(base / "unmounted")

    done = ana.files.sync(delete=True)

    assert (done.restored, done.forgotten) == (("notes/seat.md",), ())
    assert told(ana) == {"seat": "Window"}


def test_a_forgotten_entry_takes_its_file_along(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()

    ana.forget("seat")
    ana.files.sync()

    assert names(notes) == []
    assert ana.files.sync().is_clean


def test_an_entry_past_its_time_takes_its_file_along(ana, notes):
    ana.remember("Window", name="seat", expires_at=START + timedelta(minutes=1))
    ana.files.sync()
    assert names(notes) == ["seat.md"]

    ana._engine.clock.now += timedelta(hours=1)

    assert ana.files.sync().removed == ("notes/seat.md",)
    assert names(notes) == []


# --- moved ------------------------------------------------------------------------------------


def test_a_file_that_a_person_moved_is_still_its_entrys(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    (notes / "travel").mkdir()
    (notes / "seat.md").rename(notes / "travel" / "my seat.md")

    assert ana.files.sync().moved == ("notes/travel/my seat.md",)
    assert ana.files.sync().is_clean

    ana.write("seat", "Aisle")
    assert ana.files.sync().written == ("notes/travel/my seat.md",)
    assert told(ana) == {"seat": "Aisle"}
    assert names(notes) == ["travel"]


def test_a_file_moved_and_edited_at_once_is_one_revision(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    edit(notes / "seat.md", "Window", "Aisle")
    (notes / "seat.md").rename(notes / "other.md")

    done = ana.files.sync()

    assert (done.revised, done.created, done.restored) == (("seat",), (), ())
    assert told(ana) == {"seat": "Aisle"}
    assert names(notes) == ["other.md"]


def test_two_files_that_swapped_their_names_keep_their_entries(ana, notes):
    ana.remember("Window", name="seat")
    ana.remember("Rex", name="dog")
    ana.files.sync()
    (notes / "seat.md").rename(notes / "aside")
    (notes / "dog.md").rename(notes / "seat.md")
    (notes / "aside").rename(notes / "dog.md")

    done = ana.files.sync()

    assert done.moved == ("notes/dog.md", "notes/seat.md")
    assert told(ana) == {"seat": "Window", "dog": "Rex"}
    assert ana.files.sync().is_clean


def test_a_renamed_entry_renames_its_file(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()

    ana.rename("seat", "place")

    assert ana.files.sync().moved == ("notes/place.md",)
    assert names(notes) == ["place.md"]
    assert ana.files.sync().is_clean


def test_a_copied_file_is_a_new_entry(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    (notes / "copy.md").write_bytes((notes / "seat.md").read_bytes())

    assert ana.files.sync().created == ("copy",)
    assert told(ana) == {"seat": "Window", "copy": "Window"}
    assert ana.files.sync().is_clean


def test_names_that_are_one_on_some_system_get_files_of_their_own(ana, notes):
    for name in ("Seat", "seat", "SEAT", "a/b", "a-b", "a:b", "../../x", "con", "日本", "..."):
        ana.remember(f"This is {name}", name=name)

    done = ana.files.sync()

    assert len({name.casefold() for name in names(notes)}) == len(done.written) == 10
    assert sorted(inner.name for inner in notes.parent.iterdir()) == ["notes"]
    assert ana.files.sync().is_clean
