"""Sync when something comes in between: a crash, an edit, another sync or an erasure."""

import threading
from pathlib import Path

import pytest
from syncing import Clock, edit, names, told

import ricordo
from ricordo import Sync
from ricordo.flows.sync import apply_file
from ricordo.flows.sync.sync import _Run
from ricordo.store.tables.workspaces import Workspaces
from ricordo.workspace.files import Files


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


def prepared(path: Path, base: Path) -> ricordo.Memory:
    """A memory and a folder in which everything that can happen is about to."""
    memory = ricordo.open(path, embedder="none", clock=Clock(), config={"workspace": str(base)})
    ana = memory.space("ana")
    for name in ("same", "edited", "changed", "both", "deleted", "renamed", "moved", "gone"):
        ana.remember(f"This is {name}", name=name)
    ana.files.sync()
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


def settled(memory: ricordo.Memory, base: Path) -> None:
    """Nothing is lost, nothing is there twice, and nothing is left to do."""
    ana = memory.space("ana")
    ana.files.sync()
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
    assert ana.files.sync().is_clean
    assert memory.check() == []


def steps_of_a_sync(tmp_path: Path, monkeypatch) -> int:
    with prepared(tmp_path / "count.db", tmp_path / "count") as memory, monkeypatch.context() as m:
        count = crashing(m, -1)
        memory.space("ana").files.sync()
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
                memory.space("ana").files.sync()
        # Only what is on the disk is left.
        with ricordo.open(
            tmp_path / f"{at}.db", embedder="none", config={"workspace": str(base)}
        ) as again:
            settled(again, base)


def test_a_file_that_is_edited_while_a_sync_runs_is_not_written_over(ana, notes, monkeypatch):
    ana.remember("Window", name="seat")
    ana.files.sync()
    ana.write("seat", "Aisle")
    write_files = _Run._write_files

    def late(run):
        edit(notes / "seat.md", "Window", "Middle")
        write_files(run)

    with monkeypatch.context() as patch:
        patch.setattr(_Run, "_write_files", late)
        assert ana.files.sync().written == ()

    assert "Middle" in (notes / "seat.md").read_text()
    assert len(ana.files.sync().conflicts) == 1
    assert told(ana) == {"seat": "Middle"}


def test_an_entry_that_changes_after_a_crash_is_no_conflict_with_our_own_file(
    ana, notes, monkeypatch
):
    ana.remember("Window", name="seat")
    ana.files.sync()
    ana.write("seat", "Aisle")
    with monkeypatch.context() as patch:
        crashing(patch, 3)  # the intent is noted, the file is written, the row does not say so yet
        with pytest.raises(Crash):
            ana.files.sync()
    assert "Aisle" in (notes / "seat.md").read_text()

    ana.write("seat", "Middle")
    done = ana.files.sync()

    assert (done.written, done.conflicts) == (("notes/seat.md",), ())
    assert told(ana) == {"seat": "Middle"}


def test_an_entry_that_changes_while_its_file_is_taken_in_is_not_written_over(
    ana, notes, monkeypatch
):
    ana.remember("Window", name="seat")
    ana.files.sync()
    edit(notes / "seat.md", "Window", "Middle")
    take = apply_file.take

    def late(*given):
        ana.write("seat", "Aisle")
        return take(*given)

    with monkeypatch.context() as patch:
        patch.setattr(apply_file, "take", late)
        assert ana.files.sync().revised == ()
    done = ana.files.sync()

    assert "Aisle" in (notes.parent / done.conflicts[0]).read_text()
    assert told(ana) == {"seat": "Middle"}


def test_two_syncs_at_once_do_the_work_once(ana, notes):
    for number in range(20):
        ana.remember(f"Entry {number}", name=f"entry {number}")
        (notes / f"file {number}.md").write_text(f"File {number}")
    done: list[Sync] = []
    threads = [threading.Thread(target=lambda: done.append(ana.files.sync())) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sum(len(each.created) for each in done) == 20
    assert sum(len(each.written) for each in done) == 20
    assert len(told(ana)) == len(names(notes)) == 40


def test_what_was_erased_does_not_come_back_with_an_old_file(ana, notes):
    ana.remember("Window", name="seat")
    ana.files.sync()
    kept = (notes / "seat.md").read_bytes()
    ana.forget("seat", erase=True)
    (notes / "seat.md").write_bytes(kept)

    assert "was erased" in ana.files.sync().refused[0].reason
    assert told(ana) == {}
    assert names(notes) == ["seat.md"]
