"""Many processes on one file: nobody is told "locked", nothing is lost, everybody sees everything.

Short: 4 processes. RICORDO_CRASH=all: 16.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ricordo
from ricordo import Memory
from tier import report, tier

PROCESSES = tier(4, 16)
ROUNDS = tier(60, 250)
TURNS = tier(20, 200)
SCRIPT = Path(__file__).parent / "contending.py"


def crowd(mode: str, path: Path, processes: int, rounds: int) -> list[dict[str, Any]]:
    """Let processes loose on one file and wait for what they tell."""
    started = [
        subprocess.Popen(
            [sys.executable, str(SCRIPT), mode, str(path), f"w{number}", str(rounds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        for number in range(processes)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.communicate()[0]) for process in started]


@pytest.mark.timeout(tier(300, 1_200))
def test_processes_that_share_a_file_wait_for_each_other_and_lose_nothing(tmp_path):
    path = tmp_path / "a.db"

    told = crowd("careful", path, PROCESSES, ROUNDS)

    assert [error for each in told for error in each["errors"]] == []
    acknowledged = [tuple(pair) for each in told for pair in each["acknowledged"]]
    assert len(acknowledged) == len(set(acknowledged)) == PROCESSES * ROUNDS
    with ricordo.open(path, embedder="none") as memory:
        log = {(e.seq, e.content) for e in memory.space("shared").session("log").events()}
        assert log == set(acknowledged)
        assert [e.seq for e in memory.space("shared").session("log").events()] == list(
            range(1, len(acknowledged) + 1)
        )
        assert memory.check() == []
    worst = max(each["worst"] for each in told)
    report(
        "4 contention",
        processes=PROCESSES,
        acknowledged=len(acknowledged),
        errors=0,
        worst_wait_seconds=round(worst, 2),
    )


def test_processes_that_do_not_wait_are_told_locked(tmp_path):
    """The control: the same file without our way of beginning a transaction."""
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="none") as memory:
        memory.space("shared").remember("x")

    told = crowd("careless", path, 4, 200)

    errors = sum(each["errors"] for each in told)
    assert errors > 0
    report("4 contention, control: deferred, no timeout", processes=4, writes=800, locked=errors)


def say(memory: Memory, text: str) -> None:
    memory.space("ana").session("s").append("user", text)
    memory.space("ana").remember(text, name="latest")


def seen(memory: Memory, word: str) -> tuple[list[str], str, list[str]]:
    """What a process with warm caches finds: by recall, by name, and in working memory."""
    space = memory.space("ana")
    hits = [hit.text for hit in space.recall(word, mode="keyword", asker=None)]
    entry = space.get("latest")
    recent = [str(event.content) for event in space.session("s").recent(2)]
    return hits, "" if entry is None else entry.content, recent


def test_two_processes_with_warm_caches_see_each_other_at_once(lab):
    memory = lab.open()
    say(memory, "zero word0")
    with lab.team(memory) as other:
        other.ask(seen, "word0")
        seen(memory, "word0")
        for turn in range(1, TURNS):
            text, word = f"turn {turn} word{turn}", f"word{turn}"
            if turn % 2:
                say(memory, text)
                found = other.ask(seen, word)
            else:
                other.ask(say, text)
                found = seen(memory, word)

            hits, entry, recent = found
            assert hits[:1] == [text]
            assert entry == text
            assert recent[-1] == text
    report("4 caches", turns=TURNS, stale=0)
