"""Sync: files and entries follow each other, a person's word is kept, a crash costs nothing."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import recollect
from recollect import InvalidInput, Sync
from recollect.flows import filing
from recollect.flows.sync import _Run
from recollect.store.workspaces import Workspaces
from recollect.workspace.files import Files

START = datetime(2026, 7, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def base(tmp_path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def memory(tmp_path, base) -> Iterator[recollect.Memory]:
    with recollect.open(
        tmp_path / "agent.db", embedder="none", clock=Clock(), config={"workspace": str(base)}
    ) as memory:
        yield memory
        assert memory.check() == []


@pytest.fixture
def ana(memory) -> recollect.Space:
    return memory.space("ana")


@pytest.fixture
def notes(base) -> Path:
    folder = base / "ana" / "notes"
    folder.mkdir(parents=True)
    return folder


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def names(folder: Path) -> list[str]:
    return sorted(inner.name for inner in folder.iterdir())


def told(space: recollect.Space) -> dict[str, str]:
    return {entry.name: entry.content for entry in space.entries()}


# --- one follows the other --------------------------------------------------------------------


def test_every_note_and_fact_gets_a_file(ana, notes):
    ana.remember("Prefers window seats", name="seat", tags=["travel"], aliases=["chair"])
    ana.fact("user", "dog_name", "Rex")

    done = ana.sync()

    assert done.written == ("notes/seat.md", "notes/user-dog_name.md")
    assert done.folder == str(notes.parent)
    assert "\n\nPrefers window seats\n" in (notes / "seat.md").read_text()
    assert "aliases: [chair]\ntags: [travel]\n" in (notes / "seat.md").read_text()
    assert "name: user/dog_name\n" in (notes / "user-dog_name.md").read_text()


def test_a_second_sync_does_nothing(ana, notes):
    ana.remember("Prefers window seats", name="seat")
    (notes / "by hand.md").write_text("Socks\n")
    ana.sync()
    before = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in notes.iterdir()}

    done = ana.sync()

    assert done == Sync("ana", str(notes.parent))
    assert done.is_clean
    assert before == {f.name: (f.read_bytes(), f.stat().st_mtime_ns) for f in notes.iterdir()}
    assert len(ana.history("by hand")) == 0


def test_saying_the_same_again_writes_no_file(ana, notes):
    ana.remember("Prefers window seats", name="seat")
    ana.sync()

    ana.remember("Prefers window seats", name="seat")

    assert ana.sync().is_clean


def test_a_changed_entry_rewrites_its_file(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()

    ana.write("seat", "Aisle")

    assert ana.sync().written == ("notes/seat.md",)
    assert (notes / "seat.md").read_text().endswith("\n\nAisle\n")


def test_an_edited_file_becomes_a_revision_said_by_the_user(ana, notes):
    ana.remember("Window", name="seat", tags=["travel"], importance=0.9, metadata={"a": 1})
    ana.sync()

    edit(notes / "seat.md", "Window", "Aisle, by the door")
    done = ana.sync()

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
    assert ana.sync().is_clean


def test_front_matter_is_followed_too(ana, notes):
    ana.remember("Window", name="seat", tags=["travel"], aliases=["chair", "stool"])
    ana.sync()

    edit(notes / "seat.md", "name: seat", "name: place")
    edit(notes / "seat.md", "[chair, stool]", "[stool, bench]")
    edit(notes / "seat.md", "[travel]", "[Flights, trains]")
    edit(notes / "seat.md", "category: core", "category: daily")
    done = ana.sync()

    entry = ana.get("place")
    assert done.revised == ("place",)
    assert set(entry.aliases) == {"stool", "bench"}
    assert (entry.tags, entry.category) == (("flights", "trains"), "daily")
    assert ana.get("seat") is None
    assert ana.get("chair") is None
    assert ana.sync().is_clean


def test_who_wrote_it_cannot_be_forged_in_a_file(ana, notes):
    (notes / "x.md").write_text("---\norigin: agent\nupdated: 1999-01-01\n---\n\nx\n")

    ana.sync()

    assert ana.get("x").origin == "user"
    assert ana.get("x").updated_at.year == 2026


def test_a_new_file_becomes_an_entry_and_is_given_its_uid(ana, notes):
    (notes / "trips").mkdir()
    (notes / "trips" / "Oslo.md").write_text("# Oslo\n\nIn May.\n")
    (notes / "named.md").write_text("---\nname: packing list\ntags:\n  - travel\n---\nSocks\n")

    done = ana.sync()

    assert done.created == ("packing list", "trips/Oslo")
    assert ana.get("trips/Oslo").content == "# Oslo\n\nIn May."
    assert ana.get("packing list").tags == ("travel",)
    assert f"uid: {ana.get('trips/Oslo').uid}\n" in (notes / "trips" / "Oslo.md").read_text()
    assert names(notes) == ["named.md", "trips"]
    assert ana.sync().is_clean


def test_a_memory_that_was_lost_is_made_again_from_its_files(ana, notes, base):
    ana.remember("Window", name="seat", tags=["travel"], aliases=["chair"], category="daily")
    ana.fact("user", "dog_name", "Rex")
    ana.sync()

    with recollect.open(":memory:", embedder="none", config={"workspace": str(base)}) as other:
        space = other.space("ana")
        done = space.sync()

        assert done.created == ("seat", "user/dog_name")
        assert space.fact("user", "dog_name").content == "Rex"
        assert space.get("chair").tags == ("travel",)
        assert space.get("seat").category == "daily"
        assert space.sync().is_clean
    assert names(notes) == ["seat.md", "user-dog_name.md"]


# --- both changed -----------------------------------------------------------------------------


def test_a_conflict_keeps_both(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()

    ana.write("seat", "Aisle, says the agent")
    edit(notes / "seat.md", "Window", "Middle, says the person")
    done = ana.sync()

    (copy,) = done.conflicts
    assert done.revised == ("seat",)
    assert ana.get("seat").content == "Middle, says the person"
    assert [r.content for r in ana.history("seat")] == ["Window", "Aisle, says the agent"]
    assert copy.startswith("notes/seat.conflict-2026-07-01-")
    assert "Aisle, says the agent" in (notes.parent / copy).read_text()
    assert "Middle, says the person" in (notes / "seat.md").read_text()
    assert ana.sync().is_clean
    assert told(ana) == {"seat": "Middle, says the person"}


def test_both_saying_the_same_is_no_conflict(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()

    ana.write("seat", "Aisle")
    edit(notes / "seat.md", "Window", "Aisle")
    done = ana.sync()

    assert (done.conflicts, done.written) == ((), ("notes/seat.md",))
    assert len(ana.history("seat")) == 1
    assert ana.sync().is_clean


def test_a_file_that_was_there_before_the_first_sync_keeps_both(ana, notes):
    ana.remember("Window", name="seat")
    (notes / "seat.md").write_text("Aisle\n")

    done = ana.sync()

    assert ana.get("seat").content == "Aisle"
    assert "Window" in (notes.parent / done.conflicts[0]).read_text()
    assert told(ana) == {"seat": "Aisle"}


def test_an_edited_file_whose_entry_was_forgotten_becomes_an_entry_again(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    edit(notes / "seat.md", "Window", "Aisle")

    ana.forget("seat")
    done = ana.sync()

    assert done.created == ("seat",)
    assert told(ana) == {"seat": "Aisle"}
    assert ana.sync().is_clean


# --- gone -------------------------------------------------------------------------------------


def test_a_deleted_file_comes_back(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    (notes / "seat.md").unlink()

    assert ana.sync().restored == ("notes/seat.md",)
    assert (notes / "seat.md").is_file()
    assert ana.sync().is_clean


def test_a_deleted_file_takes_its_entry_along_only_if_told_to(ana, notes):
    ana.remember("Window", name="seat")
    ana.remember("Rex", name="dog")
    ana.sync()
    (notes / "seat.md").unlink()

    done = ana.sync(delete=True)

    assert done.forgotten == ("seat",)
    assert told(ana) == {"dog": "Rex"}
    assert ana.sync(delete=True).is_clean


def test_a_deleted_file_whose_entry_changed_since_comes_back_all_the_same(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    (notes / "seat.md").unlink()
    ana.write("seat", "Aisle")

    assert ana.sync(delete=True).restored == ("notes/seat.md",)
    assert told(ana) == {"seat": "Aisle"}


def test_a_folder_that_is_not_there_forgets_nothing(ana, notes, base):
    ana.remember("Window", name="seat")
    ana.sync()
    (base / "ana").rename(base / "unmounted")

    done = ana.sync(delete=True)

    assert (done.restored, done.forgotten) == (("notes/seat.md",), ())
    assert told(ana) == {"seat": "Window"}


def test_a_forgotten_entry_takes_its_file_along(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()

    ana.forget("seat")
    ana.sync()

    assert names(notes) == []
    assert ana.sync().is_clean


def test_an_entry_past_its_time_takes_its_file_along(ana, notes):
    ana.remember("Window", name="seat", expires_at=START + timedelta(minutes=1))
    ana.sync()
    assert names(notes) == ["seat.md"]

    ana._engine.clock.now += timedelta(hours=1)

    assert ana.sync().removed == ("notes/seat.md",)
    assert names(notes) == []


# --- moved ------------------------------------------------------------------------------------


def test_a_file_that_a_person_moved_is_still_its_entrys(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    (notes / "travel").mkdir()
    (notes / "seat.md").rename(notes / "travel" / "my seat.md")

    assert ana.sync().moved == ("notes/travel/my seat.md",)
    assert ana.sync().is_clean

    ana.write("seat", "Aisle")
    assert ana.sync().written == ("notes/travel/my seat.md",)
    assert told(ana) == {"seat": "Aisle"}
    assert names(notes) == ["travel"]


def test_a_file_moved_and_edited_at_once_is_one_revision(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    edit(notes / "seat.md", "Window", "Aisle")
    (notes / "seat.md").rename(notes / "other.md")

    done = ana.sync()

    assert (done.revised, done.created, done.restored) == (("seat",), (), ())
    assert told(ana) == {"seat": "Aisle"}
    assert names(notes) == ["other.md"]


def test_two_files_that_swapped_their_names_keep_their_entries(ana, notes):
    ana.remember("Window", name="seat")
    ana.remember("Rex", name="dog")
    ana.sync()
    (notes / "seat.md").rename(notes / "aside")
    (notes / "dog.md").rename(notes / "seat.md")
    (notes / "aside").rename(notes / "dog.md")

    done = ana.sync()

    assert done.moved == ("notes/dog.md", "notes/seat.md")
    assert told(ana) == {"seat": "Window", "dog": "Rex"}
    assert ana.sync().is_clean


def test_a_renamed_entry_renames_its_file(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()

    ana.rename("seat", "place")

    assert ana.sync().moved == ("notes/place.md",)
    assert names(notes) == ["place.md"]
    assert ana.sync().is_clean


def test_a_copied_file_is_a_new_entry(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    (notes / "copy.md").write_bytes((notes / "seat.md").read_bytes())

    assert ana.sync().created == ("copy",)
    assert told(ana) == {"seat": "Window", "copy": "Window"}
    assert ana.sync().is_clean


def test_names_that_are_one_on_some_system_get_files_of_their_own(ana, notes):
    for name in ("Seat", "seat", "SEAT", "a/b", "a-b", "a:b", "../../x", "con", "日本", "..."):
        ana.remember(f"This is {name}", name=name)

    done = ana.sync()

    assert len({name.casefold() for name in names(notes)}) == len(done.written) == 10
    assert sorted(inner.name for inner in notes.parent.iterdir()) == ["notes"]
    assert ana.sync().is_clean


# --- bad files --------------------------------------------------------------------------------


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
    with recollect.open(":memory:", embedder="none", config=config) as memory:
        ana = memory.space("ana")
        ana.remember("Window", name="seat")
        ana.sync()
        notes = tmp_path / "w" / "ana" / "notes"
        for name in ("new.md", "seat.md"):
            (notes / name).write_bytes(body)

        done = ana.sync(delete=True)

        assert {refusal.path for refusal in done.refused} == {"notes/new.md", "notes/seat.md"}
        assert all(reason in refusal.reason for refusal in done.refused)
        assert told(ana) == {"seat": "Window"}
        assert names(notes) == ["new.md", "seat.md"]
        assert all((notes / name).read_bytes() == body for name in names(notes))


def test_a_bad_file_that_was_mended_is_taken_in(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    edit(notes / "seat.md", "kind: note", "mood: good")
    assert ana.sync().refused

    edit(notes / "seat.md", "mood: good\n", "")
    edit(notes / "seat.md", "Window", "Aisle")

    assert ana.sync().revised == ("seat",)


def test_a_name_that_is_taken_is_told(ana, notes):
    ana.remember("Window", name="seat")
    ana.remember("Rex", name="dog")
    ana.sync()

    edit(notes / "seat.md", "name: seat", "name: dog")
    done = ana.sync()

    assert "already names entry 'dog'" in done.refused[0].reason
    assert told(ana) == {"seat": "Window", "dog": "Rex"}


def test_links_and_files_that_are_no_notes_are_left_alone(ana, notes, tmp_path):
    (tmp_path / "secret.md").write_text("outside")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")
    (notes / "picture.png").write_bytes(b"\x89PNG")
    (notes.parent / "MEMORY.md").write_text("# MEMORY.md\n")
    (notes.parent / "DREAMS.md").write_text("# DREAMS.md\n")

    done = ana.sync()

    assert [(r.path, r.reason) for r in done.refused] == [("notes/link.md", "is a link")]
    assert told(ana) == {}
    assert (notes.parent / "MEMORY.md").read_text() == "# MEMORY.md\n"
    assert names(notes) == ["link.md", "picture.png"]


def test_an_archive_has_no_note(ana, notes):
    chat = ana.session("trip")
    chat.append("user", "Book me a flight to Oslo")
    chat.compact()

    ana.sync()

    assert names(notes) == []


# --- folders ----------------------------------------------------------------------------------


def test_a_folder_may_be_given_and_has_a_state_of_its_own(ana, notes, tmp_path):
    ana.remember("Window", name="seat")
    ana.sync()

    done = ana.sync(tmp_path / "vault")

    assert done.written == ("notes/seat.md",)
    assert (tmp_path / "vault" / "notes" / "seat.md").is_file()
    edit(tmp_path / "vault" / "notes" / "seat.md", "Window", "Aisle")
    assert ana.sync(tmp_path / "vault").revised == ("seat",)
    assert ana.sync().written == ("notes/seat.md",)
    assert ana.sync().is_clean
    assert ana.sync(tmp_path / "vault").is_clean


def test_the_folder_of_another_space_is_refused(ana, memory, base):
    memory.space("bob").remember("Secret", name="secret")
    memory.space("bob").sync()

    for folder in (base / "bob", base, base / "bob" / "notes", base / "ana" / ".." / "bob"):
        with pytest.raises(InvalidInput, match="not the one of space 'ana'"):
            ana.sync(folder)

    assert told(ana) == {}
    assert ana.sync(base / "ana").is_clean


def test_a_folder_swapped_for_a_link_to_another_space_is_refused(ana, memory, base):
    memory.space("bob").remember("Secret", name="secret")
    memory.space("bob").sync()
    (base / "ana").symlink_to(base / "bob")

    with pytest.raises(InvalidInput, match="is a link"):
        ana.sync()

    assert told(ana) == {}


def test_without_a_workspace_a_folder_is_asked_for():
    with (
        recollect.open(":memory:", embedder="none") as memory,
        pytest.raises(InvalidInput, match="has no workspace"),
    ):
        memory.space("ana").sync()


def test_spaces_do_not_see_each_others_files(memory, base):
    for name in ("ana", "Ana", "bob"):
        memory.space(name).remember(f"I am {name}", name="me")
        memory.space(name).sync()

    assert len(list(base.iterdir())) == 3
    assert told(memory.space("Ana")) == {"me": "I am Ana"}


# --- reading and writing files ----------------------------------------------------------------


@pytest.mark.parametrize("path", ["../bob/MEMORY.md", "/etc/passwd", "a/../../x", ".git/config"])
def test_files_are_read_and_written_inside_the_folder_only(ana, memory, path):
    memory.space("bob").write_file("MEMORY.md", "Secret")

    with pytest.raises(InvalidInput):
        ana.read_file(path)
    with pytest.raises(InvalidInput):
        ana.write_file(path, "x")

    assert ana.files() == []
    assert memory.space("bob").read_file("MEMORY.md") == "Secret"


def test_an_agent_cannot_speak_for_the_user_by_writing_a_note(ana):
    for path in ("notes/x.md", "Notes/x.md", "notes/deep/x.md"):
        with pytest.raises(InvalidInput, match="is a note"):
            ana.write_file(path, "The user said so")


def test_what_is_written_to_a_file_can_be_kept(ana):
    with pytest.raises(InvalidInput, match="NUL"):
        ana.write_file("plan.md", "a\0b")

    assert ana.files() == []


# --- crashes ----------------------------------------------------------------------------------


class Crash(BaseException):
    """The process ends here."""


def crashing(monkeypatch, at: int) -> list[int]:
    """End the process before the n-th step that changes something: a file, a row or an entry."""
    count = [0]

    def guarded(function):
        def step(*args, **rest):
            count[0] += 1
            if count[0] == at:
                raise Crash
            return function(*args, **rest)

        return step

    monkeypatch.setattr(Files, "write", guarded(Files.write))
    monkeypatch.setattr(Files, "remove", guarded(Files.remove))
    monkeypatch.setattr(Workspaces, "put", guarded(Workspaces.put))
    monkeypatch.setattr(Workspaces, "delete", guarded(Workspaces.delete))
    return count


def prepared(path: Path, base: Path) -> recollect.Memory:
    """A memory and a folder in which everything that can happen is about to."""
    memory = recollect.open(path, embedder="none", clock=Clock(), config={"workspace": str(base)})
    ana = memory.space("ana")
    for name in ("same", "edited", "changed", "both", "deleted", "renamed", "moved", "gone"):
        ana.remember(f"This is {name}", name=name)
    ana.sync()
    notes = base / "ana" / "notes"
    edit(notes / "edited.md", "This is", "A person says")
    ana.write("changed", "The agent says changed")
    edit(notes / "both.md", "This is", "A person says")
    ana.write("both", "The agent says both")
    (notes / "deleted.md").unlink()
    ana.rename("renamed", "fresh name")
    (notes / "moved.md").rename(notes / "elsewhere.md")
    (notes / "new.md").write_text("Brand new\n")
    (notes / "twin.md").write_bytes((notes / "same.md").read_bytes())
    kept = (notes / "gone.md").read_bytes()
    ana.forget("gone")
    (notes / "gone.md").write_bytes(kept)  # as if forgetting had been cut short
    ana.remember("Brand new entry", name="made")
    return memory


EXPECTED = {
    "same": "This is same",
    "edited": "A person says edited",
    "changed": "The agent says changed",
    "both": "A person says both",
    "deleted": "This is deleted",
    "fresh name": "This is renamed",
    "moved": "This is moved",
    "new": "Brand new",
    "twin": "This is same",
    "made": "Brand new entry",
}


def settled(memory: recollect.Memory, base: Path) -> None:
    """Nothing is lost, nothing is there twice, and nothing is left to do."""
    ana = memory.space("ana")
    ana.sync()
    notes = base / "ana" / "notes"
    assert told(ana) == EXPECTED
    assert len(ana.history("edited")) == 1
    assert [r.content for r in ana.history("both")] == ["This is both", "The agent says both"]
    copies = [name for name in names(notes) if "conflict" in name]
    assert len(copies) == 1
    assert "The agent says both" in (notes / copies[0]).read_text()
    assert len(names(notes)) == len(EXPECTED) + 1
    for entry in ana.entries():
        held = [each for each in notes.rglob("*.md") if f"uid: {entry.uid}\n" in each.read_text()]
        assert len([each for each in held if "conflict" not in each.name]) == 1, entry.name
    assert not (notes / "renamed.md").exists()
    assert not (notes / "gone.md").exists()
    assert ana.sync().is_clean
    assert memory.check() == []


def steps_of_a_sync(tmp_path: Path, monkeypatch) -> int:
    with prepared(tmp_path / "count.db", tmp_path / "count") as memory, monkeypatch.context() as m:
        count = crashing(m, -1)
        memory.space("ana").sync()
        settled(memory, tmp_path / "count")
        return count[0]


def test_a_crash_at_any_step_loses_nothing_and_makes_nothing_twice(tmp_path, monkeypatch):
    steps = steps_of_a_sync(tmp_path, monkeypatch)
    assert steps > 15

    for at in range(1, steps + 1):
        base = tmp_path / f"w{at}"
        memory = prepared(tmp_path / f"{at}.db", base)
        with memory, monkeypatch.context() as patch:
            crashing(patch, at)
            with pytest.raises(Crash):
                memory.space("ana").sync()
        # Only what is on the disk is left.
        with recollect.open(
            tmp_path / f"{at}.db", embedder="none", config={"workspace": str(base)}
        ) as again:
            settled(again, base)


def test_a_file_that_is_edited_while_a_sync_runs_is_not_written_over(ana, notes, monkeypatch):
    ana.remember("Window", name="seat")
    ana.sync()
    ana.write("seat", "Aisle")
    write_files = _Run._write_files

    def late(run):
        edit(notes / "seat.md", "Window", "Middle")
        write_files(run)

    with monkeypatch.context() as patch:
        patch.setattr(_Run, "_write_files", late)
        assert ana.sync().written == ()

    assert "Middle" in (notes / "seat.md").read_text()
    assert len(ana.sync().conflicts) == 1
    assert told(ana) == {"seat": "Middle"}


def test_an_entry_that_changes_after_a_crash_is_no_conflict_with_our_own_file(
    ana, notes, monkeypatch
):
    ana.remember("Window", name="seat")
    ana.sync()
    ana.write("seat", "Aisle")
    with monkeypatch.context() as patch:
        crashing(patch, 3)  # the intent is noted, the file is written, the row does not say so yet
        with pytest.raises(Crash):
            ana.sync()
    assert "Aisle" in (notes / "seat.md").read_text()

    ana.write("seat", "Middle")
    done = ana.sync()

    assert (done.written, done.conflicts) == (("notes/seat.md",), ())
    assert told(ana) == {"seat": "Middle"}


def test_an_entry_that_changes_while_its_file_is_taken_in_is_not_written_over(
    ana, notes, monkeypatch
):
    ana.remember("Window", name="seat")
    ana.sync()
    edit(notes / "seat.md", "Window", "Middle")
    take = filing.take

    def late(*given):
        ana.write("seat", "Aisle")
        return take(*given)

    with monkeypatch.context() as patch:
        patch.setattr(filing, "take", late)
        assert ana.sync().revised == ()
    done = ana.sync()

    assert "Aisle" in (notes.parent / done.conflicts[0]).read_text()
    assert told(ana) == {"seat": "Middle"}


def test_two_syncs_at_once_do_the_work_once(ana, notes):
    for number in range(20):
        ana.remember(f"Entry {number}", name=f"entry {number}")
        (notes / f"file {number}.md").write_text(f"File {number}")
    done: list[Sync] = []
    threads = [threading.Thread(target=lambda: done.append(ana.sync())) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sum(len(each.created) for each in done) == 20
    assert sum(len(each.written) for each in done) == 20
    assert len(told(ana)) == len(names(notes)) == 40


def test_what_was_erased_does_not_come_back_with_an_old_file(ana, notes):
    ana.remember("Window", name="seat")
    ana.sync()
    kept = (notes / "seat.md").read_bytes()
    ana.erase("seat")
    (notes / "seat.md").write_bytes(kept)

    assert "was erased" in ana.sync().refused[0].reason
    assert told(ana) == {}
    assert names(notes) == ["seat.md"]
