"""`ricordo tools`: listed, called and exported from the command line."""

import json

import pytest
from click.testing import CliRunner
from every_tool import EVERY

from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.tools import registry


def typed(tmp_path, *words: str):
    shared = ("--db", str(tmp_path / "agent.db"), "--embedder", "hash")
    return CliRunner().invoke(cli, ["tools", *words, *shared], prog_name="ricordo")


def test_tools_are_listed_by_toolset(tmp_path):
    every = typed(tmp_path).stdout.splitlines()
    some = typed(tmp_path, "list", "--toolset", "facts").stdout

    assert [line.split("\t")[:2] for line in every] == [[t.toolset, t.name] for t in EVERY]
    assert some.startswith("facts\tremember_fact\t")
    shown = json.loads(typed(tmp_path, "list", "--toolset", "facts", "--json").stdout)
    assert shown[0]["parameters"] == registry.get("remember_fact").parameters


def test_a_tool_is_called_from_the_command_line(tmp_path):
    kept = typed(tmp_path, "call", "remember", '{"content": "Prefers window seats"}')
    found = typed(tmp_path, "call", "recall", '{"query": "window"}')
    text = typed(tmp_path, "call", "recall", '{"query": "window"}', "--toolset", "entries")
    pad = typed(tmp_path, "call", "scratchpad_read", "--session", "trip")

    assert json.loads(kept.stdout)["id"] == 1
    assert json.loads(found.stdout)["hits"][0]["text"] == "Prefers window seats"
    assert text.stdout.endswith("Prefers window seats\n")
    assert json.loads(pad.stdout)["session_id"] == "trip"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("get", '{"name": "chair"}'), 3),
        (("get", "{}"), 2),
        (("get", "{"), 2),
        (("nothing",), 3),
        (("scratchpad_read",), 2),
        (("add", '{"name": "seat", "content": "x"}'), 4),
        (("save_memory", "{}"), 1),
        (("remember", "5"), 2),
        (("get", "{}", "--toolset", "nothing"), 2),
    ],
)
def test_a_call_that_fails_ends_with_the_code_of_its_kind(tmp_path, words, code):
    typed(tmp_path, "call", "add", '{"name": "seat", "content": "Window"}')

    assert typed(tmp_path, "call", *words).exit_code == code


def test_a_tool_that_needs_a_session_says_how_to_name_one(tmp_path):
    assert "--session" in typed(tmp_path, "call", "scratchpad_read").stderr


def test_definitions_are_exported(tmp_path):
    printed = json.loads(typed(tmp_path, "export", "--style", "mcp", "--toolset", "notes").stdout)

    assert printed == registry.definitions("notes", "mcp")
