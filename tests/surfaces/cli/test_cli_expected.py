"""What people expect of a command line: Ctrl-C, wrong words, unexpected errors, completion."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import click
import pytest
from click.testing import CliRunner
from command_line import ROOT, command, ok, parsed, process, run

import ricordo
from ricordo.flows.conversation import context
from ricordo.flows.recall.profiles import PROFILES as KNOWN_PROFILES
from ricordo.surfaces.cli.complete import CONTEXT_PROFILES, RECALL_PROFILES
from ricordo.surfaces.cli.main import TRACE, Ricordo

# words from elsewhere


@pytest.mark.parametrize(
    ("guess", "verb"),
    [
        ("search", "ricordo recall"),
        ("query", "ricordo recall"),
        ("add", "ricordo remember"),
        ("store", "ricordo remember"),
        ("delete", "ricordo forget NAME"),
        ("remove", "ricordo chat delete SESSION"),
        ("update", "ricordo write"),
        ("ls", "ricordo list"),
        ("facts", "ricordo list --kind fact"),
        ("users", "ricordo spaces"),
        ("messages", "ricordo show SESSION"),
        ("reindex", "ricordo index"),
        ("upcoming", "ricordo remind list or ricordo schedule list"),
        ("reminders", "ricordo remind list"),
        ("delete-all", "ricordo erase"),
    ],
)
def test_a_verb_of_other_programs_is_answered_with_ours(guess, verb):
    result = run(guess, "seat")

    assert result.exit_code == 2
    assert f"No such command {guess!r}. Did you mean" in result.stderr
    assert verb in result.stderr


@pytest.mark.parametrize(
    ("line", "option"),
    [
        (["recall", "x", "--top-k", "3"], "--limit"),
        (["recall", "x", "-k", "3"], "--limit"),
        (["list", "--user", "ana"], "--space"),
        (["chat", "context", "trip", "--max-tokens", "9"], "--budget"),
        (["forget", "seat", "-y"], "--yes"),
    ],
)
def test_an_option_of_other_programs_is_answered_with_ours(line, option):
    result = run(*line)

    assert result.exit_code == 2
    assert f"Did you mean {option}?" in result.stderr


def test_an_option_that_the_verb_lacks_is_not_suggested():
    assert "--budget" not in run("recall", "x", "--max-tokens", "9").stderr


def test_help_is_a_verb_too():
    assert ok("help") == ok("--help")
    assert ok("help", "recall") == ok("recall", "--help")


@pytest.mark.parametrize("verb", ["finish", "renew", "release"])
def test_an_empty_claim_means_that_nothing_was_due(verb):
    result = run(verb, "-", stdin="")

    assert result.exit_code == 3
    assert result.stderr == "ricordo: no claim: nothing was due\n"
    assert run("claim").stderr == "ricordo: nothing is due\n"


# unexpected errors


def stumble(json: bool) -> str:
    return ["one", "two"][7 + json]


def fail(*words: str):
    """A command line of which one verb has a bug."""
    group = Ricordo("ricordo")
    option = click.Option(["--json"], is_flag=True)
    group.add_command(click.Command("stumble", params=[option], callback=stumble))
    return CliRunner().invoke(group, ["stumble", *words], prog_name="ricordo")


def test_an_unexpected_error_is_one_line_that_asks_for_a_report(monkeypatch):
    result = fail()

    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "unexpected IndexError: list index out of range" in result.stderr
    assert "please report it" in result.stderr
    monkeypatch.setenv(TRACE, "1")
    assert "Traceback (most recent call last)" in fail().stderr


def test_an_unexpected_error_is_a_document_with_json():
    error = json.loads(fail("--json").stderr)["error"]

    assert error["type"] == "IndexError"
    assert "please report it" in error["message"]


# Ctrl-C

# A shell has what it starts in the background ignore Ctrl-C, and so these tests with it.
HEARING = (
    *(sys.executable, "-c"),
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    "os.execv(sys.argv[1], sys.argv[1:])",
)


@contextmanager
def embedding_server(at_second: Callable[[], None]) -> Iterator[str]:
    """A server of vectors for two-word texts; something happens when it is asked a second time."""

    class Handler(BaseHTTPRequestHandler):
        asked: ClassVar[list[int]] = []

        def do_POST(self):
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            self.asked.append(len(texts))
            if sum(self.asked) > 40:
                at_second()
            data = [{"index": n, "embedding": [1.0, 0.0]} for n in range(len(texts))]
            body = json.dumps({"data": data}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Not on the terminal of the tests."""

    with HTTPServer(("127.0.0.1", 0), Handler) as listener:
        threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.server_port}/v1#two"
        listener.shutdown()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent another way there")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_says_what_is_done_and_what_goes_on(tmp_path, options):
    (tmp_path / "kb").mkdir()
    for number in range(400):
        (tmp_path / "kb" / f"{number}.md").write_text(f"Page {number}")
    ok("ingest", "kb", "--embedder", "none")
    running: list[subprocess.Popen[bytes]] = []
    once = [lambda: running[0].send_signal(signal.SIGINT)]

    def interrupt() -> None:
        while once:
            once.pop()()

    with embedding_server(interrupt) as url:
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        line = [*HEARING, *command("ingest", "kb", "--embedder", url, *options)]
        with subprocess.Popen(line, env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as one:
            running.append(one)
            told = one.communicate(timeout=60)[1].decode()

    assert one.returncode == 130
    assert "stopped; 400 documents are in; " in told
    assert " of 400 chunks have their vectors; ricordo flush makes the rest" in told
    assert "Traceback" not in told
    assert len(parsed("documents")) == 400
    if options:
        assert json.loads(told)["error"]["type"] == "KeyboardInterrupt"


# what a shell offers


def offer(*words: str) -> set[str]:
    """What the shell is told for the last word of a line."""
    line = " ".join(["ricordo", *words])
    env = {"_RICORDO_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    done = process(env=env, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, b"")
    return {line.split(",", 1)[1] for line in done.stdout.decode().split()}


@pytest.fixture
def filled(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        space = memory.space("default")
        space.remember("window", name="seat")
        space.remember("green", name="tea")
        space.session("trip").append("user", "Oslo")
        space.ingest("Page", uri="doc://page")
        space.schedule("Send it", "every day at 8:00", name="report")
        memory.space("ana").remember("aisle", name="chair")


def test_the_shell_offers_names_sessions_spaces_and_profiles(filled):
    assert offer("get", "se") == {"seat"}
    assert offer("forget", "") >= {"seat", "tea"}
    assert offer("get", "--space", "ana", "c") == {"chair"}
    assert offer("get", "--space", "a") == {"ana"}
    assert offer("show", "") == {"trip"}
    assert offer("chat", "context", "tr") == {"trip"}
    assert offer("recall", "x", "--session", "") == {"trip"}
    assert offer("recall", "x", "--exclude", "t") == {"tea", "trip"}
    assert offer("recall", "x", "--profile", "r") == {"rrf"}
    assert offer("documents", "doc") == {"doc://page"}
    assert offer("schedule", "show", "") == {"report"}


def test_the_shell_is_offered_nothing_where_nothing_can_be_read(tmp_path):
    assert offer("get", "se") == set()
    assert not (tmp_path / "agent.db").exists()
    (tmp_path / "agent.db").write_text("dear memory, " * 20)

    assert offer("get", "se") == set()


def test_completion_does_not_wait_for_standard_input(filled):
    assert "--name" in offer("remember", "-", "--n")


def test_the_offered_profiles_are_those_that_there_are():
    assert set(RECALL_PROFILES) <= set(KNOWN_PROFILES)
    assert CONTEXT_PROFILES == context.PROFILES


@pytest.mark.parametrize("words", [("recall", "tea"), ("list",), ("sessions",)])
def test_a_space_that_was_never_written_to_is_told_from_one_without_hits(words):
    ok("remember", "Likes tea", "--space", "ana")

    missing = run(*words, "--space", "anna")
    there = run(*words, "--space", "ana")

    assert (missing.exit_code, missing.stdout) == (0, "")
    assert "nothing was written to space 'anna' yet; there is 'ana'" in missing.stderr
    assert "yet" not in there.stderr


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process stays what it was")
def test_a_reminder_says_when_it_comes_on_the_clock_of_this_machine(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        told = run("remind", "add", "Call the bank", "--at", "2030-03-01T09:00")
        known = run("remind", "add", "Call the bank", "--at", "2030-03-01T09:00", "--quiet")
    finally:
        monkeypatch.undo()
        time.tzset()

    assert "that is 2030-03-01 18:00 on the clock of this machine; --tz" in told.stderr
    assert told.stdout.endswith("\t2030-03-01 09:00:00\n")
    assert known.stderr == ""
