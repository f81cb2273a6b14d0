"""Help and documentation of the command line: complete, and true."""

import re
import shlex

import pytest
from command_line import ROOT, ok, run

import ricordo
from ricordo.surfaces.cli.context import Verb
from ricordo.surfaces.cli.main import cli

VERBS = sorted(cli.commands)


@pytest.mark.parametrize("name", VERBS)
def test_the_help_of_every_verb_ends_with_an_example(name):
    verb = cli.commands[name]
    assert isinstance(verb, Verb)
    assert verb.examples

    told = ok(name, "--help")

    assert told.rstrip().endswith(verb.examples[-1])
    assert all(f"ricordo {name}" in example for example in verb.examples)
    assert all(option in told for option in ("--db", "--space", "--json", "--quiet", "--embedder"))


def test_help_alone_lists_every_verb():
    assert all(re.search(rf"^  {name} ", ok(), re.MULTILINE) for name in VERBS)
    assert ok() == ok("--help") == ok("-h")


def test_the_version_is_the_packages():
    assert ok("--version").split()[-1] == ricordo.__version__


def documentation() -> str:
    return (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def test_every_verb_and_option_is_documented():
    text = documentation()
    headings = set(re.findall(r"^## ([\w-]+)$", text, re.MULTILINE))

    assert set(VERBS) <= headings
    for name in VERBS:
        for option in cli.commands[name].params:
            for flag in option.opts:
                assert not flag.startswith("--") or flag in text, f"{name} {flag}"


def test_every_documented_command_runs(tmp_path):
    blocks = re.findall(r"```sh\n(.*?)```", documentation(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) > 30

    for line in lines:
        feed, _, typed = line.rpartition(" | ")
        words = shlex.split(typed)
        assert words[0] == "ricordo", line
        result = run(*words[1:], stdin=shlex.split(feed)[1] + "\n" if feed else None)
        assert result.exit_code == 0, f"{line}: {result.output}"
