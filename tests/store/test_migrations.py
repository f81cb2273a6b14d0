"""Migrations: older files are brought up to date, newer and edited ones are refused unharmed."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import apsw
import pytest

import ricordo
from ricordo.store import migrate
from ricordo.store.migrate import Migration
from ricordo.store.sqlite import file

KNOWN = migrate.load("sqlite")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory of the present schema."""
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").remember("the red fox", name="fox")
    return path


def change(path: Path, sql: str) -> None:
    raw = apsw.Connection(str(path))
    raw.execute(sql).fetchall()
    raw.close()


def version(path: Path) -> int:
    raw = apsw.Connection(str(path))
    found = raw.execute("PRAGMA user_version").fetchall()[0][0]
    raw.close()
    return found


def teach(monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """Let ricordo know further migrations."""
    extra = tuple(
        Migration(len(KNOWN) + place, f"more{place}", sql) for place, sql in enumerate(more, 1)
    )
    monkeypatch.setattr(migrate, "load", lambda _: KNOWN + extra)


def test_a_new_file_has_every_migration_with_its_digest(path):
    raw = apsw.Connection(str(path))

    assert file.read_applied(raw) == {item.number: item.digest for item in KNOWN}
    assert raw.execute("PRAGMA application_id").fetchall() == [(file.APPLICATION_ID,)]
    raw.close()
    assert version(path) == len(KNOWN)


def test_a_newer_schema_is_refused_untouched(path):
    change(path, f"PRAGMA user_version={len(KNOWN) + 1}")
    content = path.read_bytes()

    for options in ({}, {"read_only": True}):
        with pytest.raises(ricordo.NewerSchema, match=f"schema {len(KNOWN) + 1}.*newer"):
            ricordo.open(path, embedder="hash", **options)

    assert path.read_bytes() == content
    assert [item.name for item in path.parent.iterdir()] == ["a.db"]


def test_a_file_that_became_newer_while_open_is_refused(path):
    memory = ricordo.open(path, embedder="hash")
    change(path, f"PRAGMA user_version={len(KNOWN) + 1}")
    change(path, f"INSERT INTO migrations VALUES ({len(KNOWN) + 1}, 'later', 'x')")

    with pytest.raises(ricordo.NewerSchema):
        memory.space("ana").remember("x")
    memory.close()

    assert version(path) == len(KNOWN) + 1


def test_an_edited_migration_is_refused(path):
    change(path, "UPDATE migrations SET digest = 'other' WHERE number = 1")

    memory = ricordo.open(path, embedder="hash")
    with pytest.raises(ricordo.Corrupt, match=r"migration 1 .* was edited"):
        memory.space("ana").remember("x")
    memory.close()

    change(path, f"UPDATE migrations SET digest = '{KNOWN[0].digest}' WHERE number = 1")
    with ricordo.open(path, embedder="hash") as memory:
        assert [entry.name for entry in memory.space("ana").entries()] == ["fox"]


def test_an_older_file_is_migrated_by_its_first_reader(path, monkeypatch):
    teach(
        monkeypatch, "CREATE TABLE more (a); INSERT INTO more VALUES (1);", "ALTER TABLE more ADD b"
    )

    with ricordo.open(path, embedder="hash") as memory:
        assert [entry.name for entry in memory.space("ana").entries()] == ["fox"]
        memory.space("ana").remember("x")
        assert memory.check() == []

    assert version(path) == len(KNOWN) + 2
    raw = apsw.Connection(str(path))
    assert raw.execute("SELECT a, b FROM more").fetchall() == [(1, None)]
    raw.close()
    monkeypatch.undo()
    with pytest.raises(ricordo.NewerSchema):
        ricordo.open(path, embedder="hash")


def test_an_older_file_opened_to_be_read_says_what_to_do(path, monkeypatch):
    teach(monkeypatch, "CREATE TABLE more (a)")
    memory = ricordo.open(path, embedder="hash", read_only=True)

    with pytest.raises(ricordo.StoreError, match="without read_only"):
        memory.space("ana").entries()
    memory.close()

    assert version(path) == len(KNOWN)


def test_migrating_twice_changes_nothing(path, monkeypatch):
    teach(monkeypatch, "CREATE TABLE more (a)")
    for _ in range(2):
        with ricordo.open(path, embedder="hash") as memory:
            memory.space("ana").get("fox")
    content = path.read_bytes()

    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").get("fox")

    assert path.read_bytes() == content


def test_a_migration_that_fails_leaves_the_older_schema(path, monkeypatch):
    teach(monkeypatch, "CREATE TABLE more (a); INSERT INTO nowhere VALUES (1);")

    memory = ricordo.open(path, embedder="hash")
    with pytest.raises(ricordo.StoreError, match="nowhere"):
        memory.space("ana").remember("x")
    memory.close()

    assert version(path) == len(KNOWN)
    monkeypatch.undo()
    with ricordo.open(path, embedder="hash") as memory:
        assert [entry.name for entry in memory.space("ana").entries()] == ["fox"]
        assert memory.check() == []


KILLED = """
    import os, signal, sys, ricordo
    from ricordo.store.sqlite import file as sqlite_file
    moment = int(sys.argv[2])
    steps = iter(range(100))
    def step():
        if next(steps) == moment:
            os.kill(os.getpid(), signal.SIGKILL)
    found, begin, apply = sqlite_file._prepare_new_file, sqlite_file.begin, sqlite_file._apply
    sqlite_file._prepare_new_file = lambda raw: (step(), found(raw), step())[1]
    sqlite_file.begin = lambda raw: (step(), begin(raw), step())[1]
    sqlite_file._apply = lambda raw, item: (step(), apply(raw, item), step())[1]
    memory = ricordo.open(sys.argv[1], embedder="none")
    memory.space("ana").remember("x", name="x")
    step()
    memory.close()
    print("done")
"""


def test_a_kill_at_any_step_of_making_a_file_leaves_one_that_opens(tmp_path):
    for moment in range(100):
        path = tmp_path / f"{moment}.db"
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(KILLED), str(path), str(moment)],
            env={"PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
        with ricordo.open(path, embedder="none") as memory:
            names = [entry.name for entry in memory.space("ana").entries()]
            memory.space("ana").remember("y", name="y")
            assert memory.check() == []
        assert version(path) == len(KNOWN)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert names in ([], ["x"])
    assert moment >= 6
    assert done.stdout == "done\n"
    assert names == ["x"]
