"""The verbs about tool use: what they print, and their exit codes."""

import json

import pytest
from command_line import ok, parsed, run

from ricordo.surfaces.cli.context import Verb
from ricordo.surfaces.cli.main import cli

LESSON = json.dumps(
    [
        {"name": tool, "arguments": {"path": f"{n}.py"}}
        for n in range(6)
        for tool in ("read", "edit")
    ]
)


def test_what_is_learnt_is_listed_suggested_used_and_forgotten():
    assert ok("macros", "learn", "-", stdin=LESSON) == "11\n"
    [macro] = [m for m in parsed("macros", "list") if m["trigger_tool"] == "read"]

    told = ok("macros", "suggest", "read", '{"path": "new.py"}').rstrip("\n").split("\t")
    assert told == [macro["id"], "0.61", "edit", '{"path": "new.py"}', ""]
    assert ok("macros", "use", macro["id"]) == f"{macro['id']}\t1\n"
    assert ok("macros", "list", "--tool", "read").split("\t")[2:4] == ["6/6", "1"]
    assert ok("macros", "forget", macro["id"]) == f"{macro['id']}\t6\n"
    assert run("macros", "use", macro["id"]).exit_code == 3
    assert ok("macros", "list", "--tool", "read") == ""


def test_a_lesson_that_is_no_json_is_a_usage_error():
    assert run("macros", "learn", "oops").exit_code == 2
    assert run("macros", "learn").exit_code == 2
    assert run("macros", "learn", '[{"tool": 1}]').exit_code == 2


def test_answers_are_added_checked_listed_and_removed():
    assert ok("approve", "add", "git", "push") == "allow\tgit push\n"
    assert ok("approve", "deny", "rm") == "deny\trm\n"

    assert ok("approve", "check", "git push origin").startswith("allow\t")
    for command, answer in (("git push; ls", "ask"), ("rm -rf /", "deny"), ("git pull", "ask")):
        result = run("approve", "check", command)
        assert (result.exit_code, result.stdout.split("\t")[0]) == (1, answer)
    assert [a["words"] for a in parsed("approve", "list")] == [["git", "push"], ["rm"]]
    assert ok("approve", "remove", "git push") == "git push\n"
    assert run("approve", "remove", "git push").exit_code == 3
    assert run("approve", "check", "git push origin").exit_code == 1


def test_words_that_begin_with_a_dash_stand_after_two_of_them():
    ok("approve", "add", "--", "ls", "-l")

    assert ok("approve", "check", "--", "ls", "-l", "x").startswith("allow\t")
    assert run("approve", "check", "ls x").exit_code == 1


def test_a_wildcard_is_a_usage_error():
    assert run("approve", "add", "*").exit_code == 2
    assert run("approve", "add", "git push; rm x").exit_code == 2


@pytest.mark.parametrize("name", ["macros", "approve"])
def test_every_inner_verb_has_help_that_ends_with_an_example(name):
    for inner, verb in cli.commands[name].commands.items():
        assert isinstance(verb, Verb)
        told = ok(name, inner, "--help")
        assert told.rstrip().endswith(verb.examples[-1])
        assert all(f"ricordo {name} {inner}" in example for example in verb.examples)
