"""The verbs of the memory as a whole: counts, checks, backups, and where the file lies."""

import json
import sqlite3
from pathlib import Path

import pytest
from command_line import fields, ok, parsed, run

import ricordo


def test_reading_makes_no_file(tmp_path):
    for args in (["list"], ["sessions"], ["spaces"], ["stats"], ["check"], ["recall", "x"]):
        ok(*args)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "args",
    [
        ["copy", "nope.db", "other.db"],
        ["backup", "other.db", "--db", "nope.db"],
        ["index", "--db", "nope.db"],
        ["export", "out.jsonl", "--db", "nope.db"],
        ["write", "seat", "x", "--db", "nope.db"],
        ["forget", "seat", "--yes", "--db", "nope.db"],
        ["erase", "seat", "--dry-run", "--db", "nope.db"],
        ["erase", "--everything", "--yes", "--db", "nope.db"],
        ["schedule", "pause", "x", "--db", "nope.db"],
        ["remind", "remove", "x", "--db", "nope.db"],
        ["macros", "forget", "x", "--db", "nope.db"],
    ],
    ids=" ".join,
)
def test_a_mistyped_memory_is_not_found_and_not_made(tmp_path, args):
    result = run(*args)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "there is no memory at 'nope.db'" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_check_says_that_there_is_no_memory_yet(tmp_path):
    assert "there is no memory" in run("check").stderr
    assert "all is well" not in run("check").stderr


def test_the_default_memory_is_made_in_the_data_folder_on_the_first_write(monkeypatch):
    monkeypatch.delenv("RICORDO_DB")
    path = Path(parsed("stats")["path"])
    assert run("get", "seat").exit_code == 3
    assert not path.parent.exists()

    ok("remember", "window", "--name", "seat")

    assert path.is_file()
    assert ok("get", "seat") == "window\n"


def test_spaces_are_listed_and_counted():
    ok("remember", "x", "--space", "ana")
    ok("remember", "y", "--space", "ben")

    assert parsed("spaces") == ["ana", "ben"]
    assert ok("spaces") == "ana\nben\n"
    assert parsed("stats")["entries"] == 2
    assert parsed("stats", "--space", "ana")["entries"] == 1
    assert list(parsed("stats")) == fields(ricordo.Stats)
    assert run("stats", "--space", "eve").exit_code == 3


def test_check_is_clean_and_quiet_on_stdout():
    ok("append", "trip", "user", "Oslo")

    result = run("check")

    assert (result.exit_code, result.stdout) == (0, "")
    assert "all is well" in result.stderr
    assert parsed("check") == []


def test_check_ends_with_1_when_the_log_was_changed(tmp_path):
    ok("append", "trip", "user", "Oslo")
    with sqlite3.connect(tmp_path / "agent.db") as raw:
        raw.execute("UPDATE events SET content = 'Rome'")
    raw.close()

    result = run("check", "--json")

    assert result.exit_code == 1
    assert list(json.loads(result.stdout)[0]) == fields(ricordo.Violation)
    assert run("check").stdout.startswith("chain\tdefault/trip\t")


@pytest.mark.parametrize("verb", ["check", "doctor", "list", "stats"])
def test_a_damaged_file_is_sent_to_salvage_and_not_round_in_a_circle(tmp_path, verb):
    ok("append", "trip", "user", "Oslo")
    damage(tmp_path / "agent.db")

    result = run(verb)

    assert result.exit_code == 1
    assert "ricordo salvage" in result.output
    assert "run: ricordo check" not in result.output


def test_a_backup_of_a_damaged_file_says_which_one_is(tmp_path):
    ok("append", "trip", "user", "Oslo")
    damage(tmp_path / "agent.db")

    result = run("backup", "copy.db")

    assert result.exit_code == 1
    assert "copy.db is damaged" not in result.stderr
    assert not (tmp_path / "copy.db").exists()


def damage(path: Path) -> None:
    """Overwrite the head of every page but the first."""
    with path.open("r+b") as file:
        for offset in range(4096, path.stat().st_size, 4096):
            file.seek(offset)
            file.write(b"\xff" * 200)


def test_a_backup_holds_the_same_and_overwrites_nothing(tmp_path):
    ok("remember", "window", "--name", "seat")
    copy = str(tmp_path / "copy.db")

    assert ok("backup", copy) == f"{copy}\n"
    assert ok("get", "seat", "--db", copy) == "window\n"
    assert run("backup", copy).exit_code == 2


def test_index_builds_anew_and_embeds_what_waits():
    ok("remember", "window", "--name", "seat")

    assert ok("index") == "1 chunks indexed\n"
    assert parsed("stats")["embedded"] == 1
    assert parsed("index", "--vectors") == {"chunks": 1}
    assert parsed("stats")["embedded"] == 1
    assert parsed("check") == []
