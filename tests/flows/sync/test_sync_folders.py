"""Sync and its folders: one for each space, and files read and written inside it only."""

import pytest
from syncing import edit, told

import ricordo
from ricordo import InvalidInput

# --- folders ----------------------------------------------------------------------------------


def test_a_folder_may_be_given_and_has_a_state_of_its_own(ana, notes, tmp_path):
    ana.remember("Window", name="seat")
    ana.files.sync()

    done = ana.files.sync(tmp_path / "vault")

    assert done.written == ("notes/seat.md",)
    assert (tmp_path / "vault" / "notes" / "seat.md").is_file()
    edit(tmp_path / "vault" / "notes" / "seat.md", "Window", "Aisle")
    assert ana.files.sync(tmp_path / "vault").revised == ("seat",)
    assert ana.files.sync().written == ("notes/seat.md",)
    assert ana.files.sync().is_clean
    assert ana.files.sync(tmp_path / "vault").is_clean


def test_the_folder_of_another_space_is_refused(ana, memory, base):
    memory.space("bob").remember("Secret", name="secret")
    memory.space("bob").files.sync()

    for folder in (base / "bob", base, base / "bob" / "notes", base / "ana" / ".." / "bob"):
        with pytest.raises(InvalidInput, match="not the one of space 'ana'"):
            ana.files.sync(folder)

    assert told(ana) == {}
    assert ana.files.sync(base / "ana").is_clean


def test_a_folder_swapped_for_a_link_to_another_space_is_refused(ana, memory, base):
    memory.space("bob").remember("Secret", name="secret")
    memory.space("bob").files.sync()
    (base / "ana").symlink_to(base / "bob")

    with pytest.raises(InvalidInput, match="is a link"):
        ana.files.sync()

    assert told(ana) == {}


def test_without_a_workspace_a_folder_is_asked_for():
    with (
        ricordo.open(":memory:", embedder="none") as memory,
        pytest.raises(InvalidInput, match="has no workspace"),
    ):
        memory.space("ana").files.sync()


def test_spaces_do_not_see_each_others_files(memory, base):
    for name in ("ana", "Ana", "bob"):
        memory.space(name).remember(f"I am {name}", name="me")
        memory.space(name).files.sync()

    assert len(list(base.iterdir())) == 3
    assert told(memory.space("Ana")) == {"me": "I am Ana"}


# --- reading and writing files ----------------------------------------------------------------


@pytest.mark.parametrize("path", ["../bob/MEMORY.md", "/etc/passwd", "a/../../x", ".git/config"])
def test_files_are_read_and_written_inside_the_folder_only(ana, memory, path):
    memory.space("bob").files.write("MEMORY.md", "Secret")

    with pytest.raises(InvalidInput):
        ana.files.read(path)
    with pytest.raises(InvalidInput):
        ana.files.write(path, "x")

    assert ana.files.list() == []
    assert memory.space("bob").files.read("MEMORY.md") == "Secret"


def test_an_agent_cannot_speak_for_the_user_by_writing_a_note(ana):
    for path in ("notes/x.md", "Notes/x.md", "notes/deep/x.md"):
        with pytest.raises(InvalidInput, match="is a note"):
            ana.files.write(path, "The user said so")


def test_what_is_written_to_a_file_can_be_kept(ana):
    with pytest.raises(InvalidInput, match="NUL"):
        ana.files.write("plan.md", "a\0b")

    assert ana.files.list() == []
