"""The command line of a workspace."""

import json
from pathlib import Path

import pytest
from command_line import ok, run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("RICORDO_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setenv("RICORDO_WORKSPACE_GIT", "true")
    return tmp_path / "workspace" / "default"


def test_a_note_goes_to_its_file_and_back(folder):
    ok("remember", "Window", "--name", "seat")
    assert ok("sync") == "written\tnotes/seat.md\n"

    file = folder / "notes" / "seat.md"
    file.write_text(file.read_text().replace("Window", "Aisle"))

    assert ok("sync") == "revised\tseat\n"
    assert ok("get", "seat") == "Aisle\n"
    assert ok("sync") == ""


def test_what_was_left_alone_is_told_beside_the_result(folder):
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "odd.md").write_text("---\nmood: good\n---\nx")

    result = run("sync")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "notes/odd.md was skipped: its front matter has the key 'mood'" in result.stderr
    told = json.loads(ok("sync", "--json"))
    assert told["refused"][0]["path"] == "notes/odd.md"


def test_a_deleted_file_is_forgotten_on_wish(folder):
    ok("remember", "Window", "--name", "seat")
    ok("sync")
    (folder / "notes" / "seat.md").unlink()
    assert ok("sync") == "restored\tnotes/seat.md\n"
    (folder / "notes" / "seat.md").unlink()

    assert ok("sync", "--delete") == "forgotten\tseat\n"
    assert run("get", "seat").exit_code == 3


def test_another_folder_may_be_named(tmp_path):
    ok("remember", "Window", "--name", "seat")

    ok("sync", "--folder", "vault")

    assert (tmp_path / "vault" / "notes" / "seat.md").is_file()


def test_files_are_written_listed_and_printed():
    ok("files", "plan.md", "--write", "Go to Oslo")

    assert ok("files") == "plan.md\n"
    assert ok("files", "plan.md") == "Go to Oslo\n"
    assert json.loads(ok("files", "--json")) == ["plan.md"]
    assert run("files", "none.md").exit_code == 3
    assert run("files", "../agent.db").exit_code == 2
    assert run("files", "--write", "x").exit_code == 2


def test_checkpoints_are_made_and_shown():
    ok("files", "plan.md", "--write", "one")
    made = ok("checkpoint", "before the trip")
    assert made.endswith("\tcheckpoint: before the trip\n")
    again = run("checkpoint")
    assert (again.exit_code, again.stdout) == (0, "")
    assert "nothing has changed" in again.stderr
    assert ok("checkpoint", "--json") == "null\n"

    ok("append", "trip", "user", "Hello")
    ok("files", "plan.md", "--write", "two")
    closed = ok("chat", "close", "trip").strip()

    lines = [line.split("\t") for line in ok("checkpoints").splitlines()]
    assert [line[3] for line in lines] == [
        "session-close: trip",
        "checkpoint: before the trip",
        "workspace init",
    ]
    assert lines[0][0] == closed
    assert lines[0][2] == "default"
    shown = ok("checkpoints", "--limit", "2", "--diff")
    assert "-one" in shown
    assert "+two" in shown
    assert ok("chat", "close", "trip") == ""


@pytest.mark.parametrize("limit", ["0", "-1", "101"])
def test_a_number_of_checkpoints_that_cannot_be_given_is_refused(limit):
    assert run("checkpoints", "--limit", limit).exit_code == 2


def test_a_context_shows_files_unless_they_are_not_wanted():
    ok("append", "trip", "user", "Hello")
    ok("files", "plan.md", "--write", "Go to Oslo")

    assert "> Go to Oslo" in ok("chat", "context", "trip")
    assert "Oslo" not in ok("chat", "context", "trip", "--no-files")


def test_without_a_workspace_it_is_said_what_to_do(monkeypatch):
    monkeypatch.delenv("RICORDO_WORKSPACE")

    for words in (["sync"], ["checkpoint"], ["files", "a.md"]):
        result = run(*words)
        assert result.exit_code == 2
        assert "set workspace to a folder" in result.stderr
    assert ok("files") == ""
    assert ok("checkpoints") == ""
