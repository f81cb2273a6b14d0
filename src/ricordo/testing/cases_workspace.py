"""The workspace: entries and files follow each other, whatever the store; spaces stay apart."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ricordo.errors import InvalidInput
from ricordo.handles.memory import Space
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name).resolve()


def _read_notes(space: Space) -> dict[str, str]:
    return {entry.name: entry.content for entry in space.entries()}


def case_entries_and_files_follow_each_other(lab: Lab) -> None:
    """WSP-4: a note is written, edited by a person, written again, and then both are in step."""
    with _folder() as folder:
        space = lab.space(config={"workspace": str(folder)})
        space.remember("Window", name="seat", tags=["travel"])
        space.fact("user", "dog", "Rex")
        assert space.files.sync().written == ("notes/seat.md", "notes/user-dog.md")

        file = folder / "ana" / "notes" / "seat.md"
        file.write_text(file.read_text(encoding="utf-8").replace("Window", "Aisle"), "utf-8")
        (file.parent / "new.md").write_text("Brand new", "utf-8")
        done = space.files.sync()

        assert (done.revised, done.created) == (("seat",), ("new",))
        assert _read_notes(space) == {"seat": "Aisle", "user/dog": "Rex", "new": "Brand new"}
        assert [revision.content for revision in space.history("seat")] == ["Window"]
        assert space.files.sync().is_clean


def case_a_conflict_keeps_both_sides(lab: Lab) -> None:
    """WSP-5: what a person wrote becomes the entry; what the entry said is kept twice."""
    with _folder() as folder:
        space = lab.space(config={"workspace": str(folder)})
        space.remember("Window", name="seat")
        space.files.sync()
        file = folder / "ana" / "notes" / "seat.md"
        file.write_text(file.read_text(encoding="utf-8").replace("Window", "Middle"), "utf-8")
        space.write("seat", "Aisle")

        done = space.files.sync()

        assert _read_notes(space) == {"seat": "Middle"}
        assert [r.content for r in space.history("seat")] == ["Window", "Aisle"]
        kept = (folder / "ana" / done.conflicts[0]).read_text(encoding="utf-8")
        assert kept.endswith("Aisle\n")
        assert space.files.sync().is_clean


def case_what_is_forgotten_is_gone_from_the_files(lab: Lab) -> None:
    """WSP-6: an entry takes its file along; a deleted file takes its entry only if told to."""
    with _folder() as folder:
        space = lab.space(config={"workspace": str(folder)})
        for name in ("kept", "forgotten", "deleted"):
            space.remember(f"This is {name}", name=name)
        space.files.sync()

        space.forget("forgotten")
        (folder / "ana" / "notes" / "deleted.md").unlink()
        assert space.files.sync().restored == ("notes/deleted.md",)
        (folder / "ana" / "notes" / "deleted.md").unlink()
        assert space.files.sync(delete=True).forgotten == ("deleted",)

        assert space.files.list() == ["notes/kept.md"]
        assert set(_read_notes(space)) == {"kept"}


def case_files_of_two_spaces_stay_apart(lab: Lab) -> None:
    """WSP-1"""
    with _folder() as folder:
        memory = lab.open(config={"workspace": str(folder)})
        for name in ("ana", "Ana", "bob"):
            memory.space(name).remember(f"I am {name}", name="me")
            memory.space(name).files.sync()

        for path in ("../bob/notes/me.md", "/etc/passwd", "notes/../../bob/notes/me.md"):
            with raises(InvalidInput, "path"):
                memory.space("ana").files.read(path)
        with raises(InvalidInput, "bob"):
            memory.space("ana").files.sync(folder / "bob")

        assert {path.name.partition("~")[0] for path in folder.iterdir()} == {"ana", "bob"}
        assert len(list(folder.iterdir())) == 3
        assert _read_notes(memory.space("Ana")) == {"me": "I am Ana"}
        assert memory.space("ana").files.sync().is_clean
