"""Sync and files that cannot be used: told, left alone, and taken in once mended."""

import pytest
from syncing import edit, names, told

import ricordo


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"---\nmood: good\n---\nx", "the key 'mood'"),
        (b"---\nname: seat\n", "does not end"),
        (b"caf\xe9", "not UTF-8"),
        (b"a\0b", "NUL"),
        (b"", "blank"),
        (b"---\nname: seat\n---\n  \n", "blank"),
        (b"x" * 1_001, "limit is 1,000"),
        (b"---\nkind: archive\n---\nx", "kind is 'archive'"),
        (b"---\nkind: fact\nname: dog\n---\nx", "kind is 'fact'"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_and_left_alone(tmp_path, body, reason):
    config = {"workspace": str(tmp_path / "w"), "max_text": 1_000}
    with ricordo.open(":memory:", embedder="none", config=config) as memory:
        ana = memory.space("ana")
        ana.remember("Window", name="seat")
        ana.files.sync()
        notes = tmp_path / "w" / "ana" / "notes"
        for name in ("new.md", "seat.md"):
            (notes / name).write_bytes(body)

        done = ana.files.sync(delete=True)

        assert {refusal.path for refusal in done.refused} == {"notes/new.md", "notes/seat.md"}
        assert all(reason in refusal.reason for refusal in done.refused)
        assert told(ana) == {"seat": "Window"}
        assert names(notes) == ["new.md", "seat.md"]
        assert all((notes / name).read_bytes() == body for name in names(notes))


def test_a_bad_file_that_was_mended_is_taken_in(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    edit(notes / "seat.md", "kind: note", "mood: good")
    assert ana.files.sync().refused

    edit(notes / "seat.md", "mood: good\n", "")
    edit(notes / "seat.md", "Window", "Aisle")

    assert ana.files.sync().revised == ("seat",)


def test_a_name_that_is_taken_is_told(ana, notes):
    ana.remember("Window", name="seat")
    ana.remember("Rex", name="dog")
    ana.files.sync()

    edit(notes / "seat.md", "name: seat", "name: dog")
    done = ana.files.sync()

    assert "already names entry 'dog'" in done.refused[0].reason
    assert told(ana) == {"seat": "Window", "dog": "Rex"}


def test_links_and_files_that_are_no_notes_are_left_alone(ana, notes, tmp_path):
    (tmp_path / "secret.md").write_text("outside")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")
    (notes / "picture.png").write_bytes(b"\x89PNG")
    (notes.parent / "MEMORY.md").write_text("# MEMORY.md\n")
    (notes.parent / "DREAMS.md").write_text("# DREAMS.md\n")

    done = ana.files.sync()

    assert [(r.path, r.reason) for r in done.refused] == [("notes/link.md", "is a link")]
    assert told(ana) == {}
    assert (notes.parent / "MEMORY.md").read_text() == "# MEMORY.md\n"
    assert names(notes) == ["link.md", "picture.png"]


def test_an_archive_has_no_note(ana, notes):
    chat = ana.session("trip")
    chat.append("user", "Book me a flight to Oslo")
    chat.compact()

    ana.files.sync()

    assert names(notes) == []
