"""The command line answers alike to like mistakes, in words that fit every surface."""

import os
import sqlite3

import pytest
from click.testing import CliRunner, Result

from recollect.surfaces.cli import cli


@pytest.fixture(autouse=True)
def environment(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("RECOLLECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "agent.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "hash")
    monkeypatch.chdir(tmp_path)


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, prog_name="recollect")


def ok(*args: str, stdin: str | bytes | None = None) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


# salvage


@pytest.mark.parametrize("held", [b"", b"Dear memory, how are you?", b"x" * 50_000])
def test_a_file_that_is_no_memory_is_not_salvaged(tmp_path, held):
    (tmp_path / "letter").write_bytes(held)

    result = run("salvage", "letter", "saved.db")

    assert result.exit_code == 1
    assert "nothing in 'letter' can be read as a memory" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["letter"]


def test_a_healthy_file_of_another_program_is_not_salvaged(tmp_path):
    with sqlite3.connect(tmp_path / "places.db") as raw:
        raw.execute("CREATE TABLE places (id INTEGER PRIMARY KEY, url TEXT, title TEXT)")
        raw.executemany("INSERT INTO places (url, title) VALUES (?, ?)", [("a", "b")] * 500)
    raw.close()

    assert run("salvage", "places.db", "saved.db").exit_code == 1
    assert [file.name for file in tmp_path.iterdir()] == ["places.db"]


def test_a_healthy_memory_is_salvaged_whole(tmp_path):
    ok("remember", "window", "--name", "seat")
    ok("salvage", "agent.db", "saved.db")

    assert ok("get", "seat", "--db", "saved.db") == "window\n"
