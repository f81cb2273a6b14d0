"""`ricordo dream`: try, sweep, list, undo."""

import json

import command_line
import pytest

import ricordo


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A memory with one entry that was recalled thrice, and a workspace for it."""
    monkeypatch.setenv("RICORDO_WORKSPACE", str(tmp_path / "files"))
    path = tmp_path / "agent.db"
    with ricordo.open(path, embedder="none") as memory:
        space = memory.space("default")
        space.remember("Prefers window seats on night trains", name="seat")
        for query in ("window", "night", "trains"):
            space.recall(query, asker="user")
    return path


def run(path, *words, code=0):
    result = command_line.run("dream", "--db", str(path), *words)
    assert result.exit_code == code, result.output
    return result


def test_a_dry_run_prints_the_diff_and_changes_nothing(path, tmp_path):
    result = run(path, "--dry-run")

    assert "+- Prefers window seats" in result.stdout
    assert "1 would be promoted" in result.stderr
    assert not (tmp_path / "files").exists()


def test_a_sweep_is_listed_and_can_be_undone(path, tmp_path):
    assert "sweep 1: 1 promoted, 1 candidates, 0 promoted before" in run(path).stderr
    file = tmp_path / "files/default/MEMORY.md"
    assert "window seats" in file.read_text("utf-8")

    undone = run(path, "--undo", "1")

    assert "-- Prefers window seats" in undone.stdout
    assert "1 undone" in undone.stderr
    assert "window seats" not in file.read_text("utf-8")
    fields = run(path, "--list").stdout.strip().split("\t")
    assert (fields[0], fields[2:]) == ("1", ["1", "0", "0", "undone"])


def test_json_holds_the_whole_sweep(path):
    sweep = json.loads(run(path, "--json").stdout)

    assert sweep["promoted"][0]["entry"] == "seat"
    assert sweep["promoted"][0]["parts"]["relevance"] == 1
    assert (sweep["candidates"], sweep["duplicates"], sweep["dry_run"]) == (1, [], False)
    assert [each["id"] for each in json.loads(run(path, "--list", "--json").stdout)] == [1]


def test_what_cannot_be_is_told_by_the_exit_code(path):
    run(path, "--undo", "7", code=3)
    run(path)
    run(path, "--undo", "1")
    run(path, "--undo", "1", code=4)
    run(path, "--undo", "1", "--list", code=2)
