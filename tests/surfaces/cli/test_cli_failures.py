"""Failures on the command line: one line, the exit code of their kind, and nothing touched."""

import json

import pytest
from command_line import ok, run


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["get", "nope"], 3),
        (["history", "nope"], 3),
        (["write", "nope", "x"], 3),
        (["rename", "nope", "x"], 3),
        (["alias", "nope", "x"], 3),
        (["forget", "nope", "--yes"], 3),
        (["forget", "nope"], 3),
        (["list", "--after", "nope"], 3),
        (["remember", "x", "--name", "seat", "--no-replace"], 4),
        (["rename", "tea", "seat"], 4),
        (["append", "trip", "user", "x", "--seq", "1"], 4),
        (["remember", " "], 2),
        (["remember", "x", "--importance", "7"], 2),
        (["remember", "x", "--metadata", "{"], 2),
        (["remember", "x", "--metadata", "[1]"], 2),
        (["recall", "x", "--profile", "magic"], 2),
        (["recall", "x", "--limit", "-1"], 2),
        (["recall", "x", "--mode", "magic"], 2),
        (["recall", "x", "--embedder", "magic"], 2),
        (["recall", "x", "--mode", "vector", "--embedder", "none"], 1),
        (["get", "x", "--space", " "], 2),
        (["get", "x", "--db", "missing/folder/agent.db"], 2),
        (["get", "x", "--db", "magic://host"], 1),
        (["remember"], 2),
        (["dance"], 2),
        (["--dance"], 2),
        (["recall", "x", "--dance"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_a_failure_is_one_line_and_its_exit_code(args, code):
    ok("remember", "window", "--name", "seat")
    ok("remember", "green", "--name", "tea")
    ok("append", "trip", "user", "Oslo")

    plain, document = run(*args), run(*args, "--json")

    assert (plain.exit_code, document.exit_code) == (code, code), plain.output
    assert plain.stdout == document.stdout == ""
    assert plain.stderr.startswith("ricordo: ")
    assert plain.stderr.count("\n") == 1
    error = json.loads(document.stderr)["error"]
    assert list(error) == ["type", "message"]
    assert error["message"] in plain.stderr


def test_a_directory_in_place_of_the_file_is_refused(tmp_path):
    result = run("list", "--db", str(tmp_path))

    assert result.exit_code == 2
    assert "is a directory" in result.stderr


def test_a_foreign_file_is_refused_and_left_alone(tmp_path):
    foreign = tmp_path / "letter.txt"
    foreign.write_text("dear memory, " * 20)

    for args in (["list"], ["remember", "x"], ["check"], ["stats"]):
        assert run(*args, "--db", str(foreign)).exit_code == 1

    assert foreign.read_text() == "dear memory, " * 20
