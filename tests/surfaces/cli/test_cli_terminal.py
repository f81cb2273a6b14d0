"""The command on a terminal: it asks, shows a bar, and lets no control character through."""

import os
import subprocess

import pytest
from command_line import ROOT, command, ok, run


def on_terminal(*args: str, typed: bytes = b"", **env: str) -> tuple[int, str]:
    """Run with a terminal at all three ends; the exit code and all that was shown."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120", "TERM": "xterm"} | env
    with subprocess.Popen(
        command(*args), stdin=theirs, stdout=theirs, stderr=theirs, env=env
    ) as one:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        try:
            while block := os.read(ours, 4096):
                shown += block
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(ours)
    return one.returncode, shown.decode()


def test_stored_control_characters_do_not_reach_a_terminal():
    ok("remember", "red \x1b[31malert", "--name", "evil")

    for args in (["get", "evil"], ["list"], ["recall", "alert", "--explain"]):
        code, shown = on_terminal(*args, NO_COLOR="1")
        assert code == 0
        assert "red �[31malert" in shown
        assert "\x1b" not in shown
    assert ok("get", "evil") == "red \x1b[31malert\n"


def test_forget_asks_on_a_terminal_and_takes_no_for_an_answer():
    ok("remember", "window", "--name", "seat")

    code, shown = on_terminal("forget", "seat", typed=b"n\n")
    assert code == 1
    assert "Forget 'seat' ('window')?" in shown
    assert ok("get", "seat") == "window\n"

    assert on_terminal("forget", "seat", typed=b"y\n")[0] == 0
    assert run("get", "seat").exit_code == 3


def test_long_work_shows_a_bar_on_a_terminal_only():
    ok("remember", "window", "--name", "seat")

    assert "100%" in on_terminal("index")[1]
    assert "100%" not in on_terminal("index", "--quiet")[1]
    assert run("index").stderr == ""
