"""The command on a terminal: it asks, shows a bar, and lets no control character through."""

import os
import subprocess

import pytest
from command_line import ROOT, command, ok, run

import ricordo
from ricordo.surfaces.columns import count_cells


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


def test_a_table_on_a_terminal_is_aligned_and_cuts_texts_to_two_lines():
    ok("remember", "Prefers the window seat on every train. " * 20, "--name", "seat")
    ok("remember", "短い文です。" * 60, "--name", "日本")

    lines = on_terminal("list", NO_COLOR="1", COLUMNS="80")[1].splitlines()

    place = lines[0].index("text")
    assert lines[0].split() == ["name", "kind", "category", "written", "text"]
    assert len(lines) == 5
    assert max(count_cells(line) for line in lines) <= 80
    assert lines[1].startswith("日本  note")
    assert lines[3][place:].startswith("Prefers the")
    assert lines[4][:place].strip() == ""
    assert lines[2].endswith("…")
    assert lines[4].endswith("…")
    assert "\t" not in "".join(lines)
    assert all(line.count("\t") == 4 for line in ok("list").splitlines())


def test_what_may_not_be_cut_is_whole_on_a_terminal():
    ok("append", "trip", "user", "All of this is to be read. " * 20)

    shown = on_terminal("show", "trip", COLUMNS="60")[1]

    assert " ".join(shown.split()).count("read.") == 20
    assert "…" not in shown


def test_nothing_is_drawn_on_a_terminal_where_nothing_was_found():
    assert on_terminal("list") == (0, "")


def test_a_recall_on_a_terminal_says_what_it_embeds_first(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        memory.space("default").remember("window", name="seat")

    code, shown = on_terminal("flush", NO_COLOR="1")

    assert code == 0
    assert "embedding" in shown
    assert "1/1" in shown
    assert "1 of 1 chunks embedded" in shown


def test_stats_says_what_waits_for_its_vector():
    ok("remember", "window", "--name", "seat")

    assert "1 chunks wait for their vectors; ricordo flush" in run("stats").stderr
    ok("flush")
    assert run("stats").stderr == ""
