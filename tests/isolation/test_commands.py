"""Nothing crosses a space on the command line: every verb is called in one space with all the
addresses of another. The verbs and what they take are read off the program itself.

An argument that is not known here fails the test until somebody says what to give for it, and a
call that is no more than wrong usage does not count.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from audit import watching
from click.testing import CliRunner
from neighbours import CANARY, WORDS, Neighbour, settle, told
from test_isolation import number

import ricordo
from ricordo import Space
from ricordo.surfaces.cli.main import cli
from tier import report

# Verbs that are not called, and why.
APART = {
    "claim": "takes what is due in the whole memory; each claim names its space",
    "finish": "about such a claim",
    "release": "likewise",
    "renew": "likewise",
    "completion": "a script for the shell; it opens no memory",
    "copy": "copies a whole memory, or the space that is named",
    "drop": "afterwards the space has another number; see test_http_spaces.py",
    "rename-space": "afterwards the space has another name; likewise",
    "encrypt": "writes the whole file again; see test_cli_encryption.py",
    "rekey": "likewise",
    "decrypt": "likewise",
    "demo": "makes a memory of its own",
    "eval": "measures a data set; it touches no memory",
    "install": "writes into the settings of other programs; it opens no memory",
    "mcp": "waits for a client; the tools it offers are called one by one",
    "run-due": "runs what is due in the whole memory",
    "salvage": "reads a damaged file whole",
    "serve": "waits for clients; its routes are in test_routes.py",
    "inspect": "likewise",
    "tokens add": "about a file of tokens",
    "tokens list": "likewise",
    "tokens remove": "likewise",
}
# Verbs about the whole memory: they may look at every space, and still show no text of one.
WHOLE = frozenset(
    {"backup", "check", "doctor", "flush", "index", "keep", "maintain", "spaces", "stats"}
)

# Statements that a verb of one space runs for others too, and why.
FOR_ALL = {
    "stats.space": "how many chunks of the memory wait for a vector",
    "upkeep.holding": "whether bytes that an erasure finds are those of a row that stays",
}

ADDRESS = object()
GIVEN: dict[str, Any] = {
    "name": ADDRESS, "session": ADDRESS, "schedule": ADDRESS, "reminder": ADDRESS,
    "macro": ADDRESS, "archive": ADDRESS, "target": ADDRESS, "alias": "an alias", "new": "newer",
    "content": WORDS, "query": WORDS, "goal": WORDS, "cadence": "every day at 8:00",
    "category": "user", "key": "city", "role": "user", "tool": "bash", "words": "git",
    "command": "git status", "run": ADDRESS, "sweep": "1", "event": "UserPromptSubmit",
    "path": "given.txt", "file": "none.toml", "after": "0", "seq": "1", "n": "100",
}  # fmt: skip
# What some verbs need besides.
EXTRA: dict[str, list[Any]] = {
    "chat delete": ["--yes"],
    "chat truncate": ["--yes"],
    "erase": [ADDRESS, "--yes"],
    "forget": [ADDRESS, "--yes"],
    "keep": ["--once"],
    "macros learn": ["--session", "trip"],
    "remind add": ["--at", "in 3 days"],
    "schedule update": ["--goal", WORDS],
}
PATHS = {"backup": "copy.db", "export": "out.jsonl", "import": "in.jsonl"}
WORKSPACE = {"RICORDO_WORKSPACE": "files", "RICORDO_WORKSPACE_GIT": "true"}


def verbs(command: click.Command, before: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(before), command
        return
    for name, each in inner.items():
        yield from verbs(each, (*before, name))


def lines(verb: str, command: click.Command, address: str) -> tuple[list[str], bool]:
    """The words of a call; whether one of them is the address."""
    if verb == "tools call":
        return ["recall", json.dumps({"query": WORDS})], False
    if verb == "chat extend":
        return [address, "messages.jsonl"], True
    if verb == "chat fork":
        return [address, "another"], True
    if verb == "chat replace":
        return [address, "0", "messages.jsonl"], True
    given: list[Any] = []
    for argument in command.params:
        if isinstance(argument, click.Argument) and argument.required:
            name = str(argument.name)
            assert name in GIVEN, f"{verb} takes {name!r}: say in GIVEN what to give"
            given.append(PATHS.get(verb, GIVEN[name]))
    given += EXTRA.get(verb, [])
    return [address if word is ADDRESS else word for word in given], ADDRESS in given


@pytest.fixture
def path(tmp_path: Path) -> Path:
    Path("given.txt").write_text(WORDS)
    Path("none.toml").write_text("")
    Path("messages.jsonl").write_text(json.dumps({"role": "user", "content": WORDS}))
    return tmp_path / "a.db"


@pytest.fixture
def ana(path: Path) -> Neighbour:
    with ricordo.open(path, embedder="none") as memory:
        found = settle(memory, "ana")
        memory.space("kate").session("trip").append("user", "hers")
        memory.space("kate").remember("hers", name="own")
        memory.space("kate").exchange.export("in.jsonl")
    return found


def call(path: Path, space: str, words: list[str]) -> Any:
    ask = json.dumps({"prompt": WORDS, "session_id": "trip"})
    return CliRunner().invoke(
        cli,
        [*words, "--db", str(path), "--space", space, "--embedder", "none", "--json"],
        input=ask,
        env=WORKSPACE,
    )


def some(foreign: Neighbour) -> list[str]:
    """One address of each kind; the methods behind the verbs are called with all of them."""
    kinds: dict[str, str] = {}
    for address in foreign.addresses:
        text = str(address)
        shape = "".join("0" if sign.isalnum() and len(text) > 8 else sign for sign in text)
        kinds.setdefault(shape, text)
    return list(kinds.values())


def asked(path: Path, space: str, foreign: Neighbour) -> Iterator[tuple[str, str, int]]:
    """Every verb, what it printed and how it ended."""
    for verb, command in verbs(cli):
        if verb in APART:
            continue
        for address in some(foreign):
            words, is_addressed = lines(verb, command, address)
            done = call(path, space, [*verb.split(), *words])
            known = done.exception is None or isinstance(done.exception, SystemExit)
            assert known, (verb, words, done.exception)
            yield verb, done.output + done.stderr, done.exit_code
            if not is_addressed:
                break


def test_no_command_gives_or_changes_what_is_next_door(path, ana):
    with ricordo.open(path, embedder="none") as memory:
        before, kate = told(memory, "ana"), number(memory, "kate")
    count, worked, strangers = 0, set(), set()
    calls = asked(path, "kate", ana)
    while True:
        with watching() as watch:
            try:
                verb, said, code = next(calls)
            except StopIteration:
                break
        count += 1
        assert CANARY not in said, verb
        worked |= {verb} if code != 2 else set()  # 2: click did not understand the call
        if verb not in WHOLE:
            strangers |= {(verb, name) for name in watch.strangers(kate) if name not in FOR_ALL}

    assert {verb for verb, _ in verbs(cli)} - set(APART) - worked == set()
    assert strangers == set()
    assert CANARY not in Path("out.jsonl").read_text()
    with ricordo.open(path, embedder="none") as memory:
        assert told(memory, "ana") == before
        assert memory.check() == []
    assert count > 150
    report("6 isolation, commands", verbs=len(worked), calls=count, leaks=0)


def test_commands_that_ask_a_space_about_itself_show_the_canary(path, ana):
    """The control."""
    seen = {verb for verb, said, _ in asked(path, "ana", ana) if CANARY in said}

    assert len(seen) > 10  # some of the calls before have erased what others would show


def test_a_command_that_looks_next_door_is_caught(path, ana, monkeypatch):
    """The other control, a planted hole: entries are looked up in the first space there is."""
    get = Space.get

    def elsewhere(self: Space, *given: Any, **named: Any) -> object:
        return get(type(self)(self._engine, "ana"), *given, **named)

    monkeypatch.setattr(Space, "get", elsewhere)

    assert CANARY in call(path, "kate", ["get", "seat"]).output


def test_a_verb_whose_arguments_nobody_thought_of_fails_the_test():
    new = click.Command("new", params=[click.Argument(["neighbour"])])

    with pytest.raises(AssertionError, match="neighbour"):
        lines("new", new, "seat")
