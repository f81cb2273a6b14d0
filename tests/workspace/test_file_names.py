"""Names of files and folders: no two are one, on any system."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.errors import InvalidInput
from ricordo.workspace.files import Files, fold, folder_of
from ricordo.workspace.paths import part_reason

BASE = Path("/base")


# --- no two are one ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("notes/seat.md", "notes/Seat.md"),
        ("notes/seat.md", "NOTES/other.md"),
        ("straße.md", "STRASSE.md"),
        ("ﬁn.md", "fin.md"),
        ("K.md", "k.md"),
        ("ΣΑΣ.md", "σας.md"),
    ],
)
def test_a_path_that_some_system_takes_for_another_is_refused(root, one, other):
    Files(root).write(one, "one")

    for fresh in (Files(root), Files(root)):
        with pytest.raises(InvalidInput, match="only in case or form"):
            fresh.write(other, "other")

    assert Files(root).list() == [one]
    assert Files(root).read(one) == "one"


def test_collisions_are_seen_although_somebody_else_made_the_file(files, root):
    files.write("a.md", "x")
    (root / "Seat.md").write_text("by hand")
    os.utime(root, ns=(0, 0))

    with pytest.raises(InvalidInput, match=r"differs from 'Seat\.md'"):
        files.write("seat.md", "x")


def test_a_name_is_free_again_once_its_twin_is_gone(files):
    files.write("Seat.md", "x")
    files.remove("Seat.md")

    files.write("seat.md", "y")

    assert files.list() == ["seat.md"]


def test_names_on_the_disk_that_are_not_allowed_are_told_with_the_reason(files, root):
    files.write("notes/a.md", "x")
    (root / "notes" / "con.md").write_text("x")
    (root / "notes" / unicodedata.normalize("NFD", "café.md")).write_text("x")

    scan = files.scan("notes")

    assert scan.files == ["notes/a.md"]
    assert {each.reason for each in scan.refused} == {
        "names a device",
        "is not in Unicode's composed form (NFC)",
    }


# --- the folder of a space --------------------------------------------------------------------


def test_a_plain_name_is_its_own_folder():
    assert folder_of(BASE, "ana") == BASE / "ana"
    assert folder_of(BASE, "team-7_x") == BASE / "team-7_x"


ODD = [
    "ana", "Ana", "ANA", "aná", "ana\u0301", "ａｎａ", "ana ",
    " ana", "ana.", "ana/", "/ana", "../ana", "..", ".", "...", "ana\\", "ana\n",
    "con", "CON", "nul", ".git", "a" * 60, "a" * 61, "a" * 512, "-ana", "_ana", "~", "ana~", "日本",
    "\u202eana", "ana\u200b", "straße", "strasse", "STRASSE", "space", "%41na", "ana%", "🙂",
]  # fmt: skip


def test_no_two_spaces_share_a_folder_on_any_system():
    folders = {name: folder_of(BASE, name).name for name in dict.fromkeys(ODD)}

    assert len({fold(folder) for folder in folders.values()}) == len(folders)


@pytest.mark.parametrize("name", ODD)
def test_a_space_lies_right_below_the_base_whatever_its_name(name):
    folder = folder_of(BASE, name)

    assert folder.parent == BASE
    assert part_reason(folder.name) is None
    assert not folder.name.startswith(".")
    assert fold(folder.name) == folder.name


@given(st.sets(st.text(min_size=1, max_size=20), min_size=2))
def test_folders_are_as_many_as_names(names):
    encodable = {name for name in names if name.isascii() or not _has_surrogates(name)}

    assert len({fold(folder_of(BASE, name).name) for name in encodable}) == len(encodable)


def _has_surrogates(name: str) -> bool:
    return any(unicodedata.category(character) == "Cs" for character in name)
