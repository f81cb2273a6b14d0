"""A memory that is left alone for a month, with two processes beside it, one of which is killed.

Everything that a memory has to do is done by then, each thing once.
"""

import os
import subprocess
import sys
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

import keeping

import ricordo

PATIENCE_SECONDS = 120
TALK = [
    "We compared the ferries to Bergen and decided on the one that leaves at nine. " * 4,
    "The cabin on the upper deck has a window, and breakfast is part of the price. " * 4,
    "I live in Bergen. The harbour is a short walk from the flat. " * 4,
]


def start(folder: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, keeping.__file__, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def end(process: "subprocess.Popen[bytes]") -> None:
    process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0


def wait_until(is_so) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline


def is_all_done(memory: ricordo.Memory, folder: Path) -> bool:
    """Whether nothing is due at the time that the clock shows."""
    now = keeping.FileClock(folder / "clock")()
    jobs = [job for job in memory.keeper.status() if job.can_run]
    return all(
        job.next_at is not None and job.next_at > now and not job.owner for job in jobs
    ) and (not memory.space("ana").schedules.due())


def fill(memory: ricordo.Memory) -> None:
    ana = memory.space("ana")
    chat = ana.session("trip")
    chat.extend({"role": "user", "content": f"{n}. {TALK[n % 3]}"} for n in range(60))
    ana.remember("Prefers window seats on night trains", name="seat")
    for query in ("window seat", "night trains", "which seats?"):
        ana.recall(query, mode="keyword", asker="user")
    ana.schedule("Send the report", "every day at 8:00", name="report")
    ana.remind("Call the bank", at="in 3 days")
    memory.flush()


def test_a_month_alone(tmp_path: Path):
    clock = tmp_path / "clock"
    keeping.set_clock(clock, timedelta(0))
    (tmp_path / "files").mkdir()
    memory = ricordo.open(
        tmp_path / "agent.db",
        embedder="hash",
        clock=keeping.FileClock(clock),
        config=keeping.settings(tmp_path),
        keep=False,
    )
    fill(memory)
    first, second = start(tmp_path), start(tmp_path)
    wait_until(lambda: is_all_done(memory, tmp_path))

    passed = timedelta(0)
    for step, days in enumerate([1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4]):
        if step == 5:
            first.kill()
            first.communicate()
        if step == 8:
            first = start(tmp_path)
        passed += timedelta(days=days)
        keeping.set_clock(clock, passed)
        wait_until(lambda: is_all_done(memory, tmp_path))
    end(first)
    end(second)

    ana = memory.space("ana")
    assert passed == timedelta(days=30)
    assert ana.session("trip").summary() is not None
    assert ana.get("consolidated-trip-1") is not None
    assert [promotion.entry for promotion in ana.dreams.promotions()] == ["seat"]
    assert (tmp_path / "reminders").read_text().splitlines() == ["Call the bank"]
    assert Counter((tmp_path / "runs").read_text().splitlines()) == {"report": 12}  # one a step
    assert len(list((tmp_path / "backups").glob("*.db"))) == 3
    assert ana.files.checkpoints()
    assert {job.name: job.error for job in memory.keeper.status() if job.error} == {}
    assert memory.check() == []
    memory.close()
