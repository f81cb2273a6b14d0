"""The verb keep: background work from the command line, and what it says of it."""

import json
import os
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import ROOT, command, ok, parsed, run

import ricordo


@pytest.fixture
def home(tmp_path):
    """Where the memory of the command line is."""
    return tmp_path / "agent.db"


def make_old(path) -> None:
    """A memory whose jobs are all overdue: it was first kept two days ago."""
    past = datetime.now(UTC) - timedelta(days=2)
    with ricordo.open(path, embedder="none", clock=lambda: past, keep=False) as memory:
        memory.space("default").remember("Prefers window seats", name="seat")
        memory.space("default").schedule("Water the plants", "in 1 hour", name="plants")
        memory.keeper.run_due()


def test_what_is_due_is_done_once(home):
    make_old(home)

    done = [job["name"] for job in parsed("keep", "--once")]

    assert done == ["summarize", "consolidate", "dream", "upkeep"]
    assert parsed("keep", "--once") == []
    assert "no job is due" in run("keep", "--once").stderr


def test_status_tells_the_jobs_and_changes_nothing(home):
    make_old(home)
    before = home.read_bytes()

    lines = ok("keep", "--status").splitlines()

    assert [line.split("\t")[0] for line in lines] == [
        "summarize",
        "consolidate",
        "dream",
        "sync",
        "upkeep",
        "backup",
    ]
    assert home.read_bytes() == before


def test_a_memory_that_is_not_there_is_not_made(home):
    ok("keep", "--status")
    ok("keep", "--once")

    assert not home.exists()


def test_with_run_due_goals_are_carried_out(home):
    make_old(home)

    ok("keep", "--once", "--run", "cat")

    with ricordo.open(home, embedder="none", keep=False) as memory:
        assert memory.space("default").schedules.runs("plants")[0].output == "Water the plants"


def test_a_command_that_takes_too_long_ends_with_its_children(home, tmp_path):
    make_old(home)
    child = tmp_path / "child"

    ok("keep", "--once", "--run", f"sleep 600 & echo $! > {child}; wait", "--timeout", "1")

    with ricordo.open(home, embedder="none", keep=False) as memory:
        assert memory.space("default").schedules.runs("plants")[0].status == "failed"
    assert not is_running(int(child.read_text()))


def is_running(pid: int) -> bool:
    """Whether a process lives, once the system has had time to end it."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
            if stat.rsplit(")", 1)[1].split()[0] == "Z":
                return False
        except (ProcessLookupError, FileNotFoundError):
            return False
    return True


def test_without_once_it_keeps_until_it_is_stopped(home):
    make_old(home)
    with subprocess.Popen(
        command("keep", "--db", str(home), "--embedder", "none", "--run", "cat"),
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stderr=subprocess.PIPE,
    ) as process:
        assert b"keeping" in process.stderr.readline()
        with ricordo.open(home, embedder="none", keep=False) as memory:
            wait_until(lambda: memory.space("default").schedules.runs("plants"))
            wait_until(lambda: any(j.name == "dream" and j.last_at for j in memory.keeper.status()))
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def wait_until(is_so) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline


def test_doctor_says_that_a_memory_is_new_and_when_its_first_job_runs(home, monkeypatch):
    def tell() -> tuple[str, str]:
        (told,) = [each for each in parsed("doctor")["findings"] if each["what"] == "keeper"]
        return told["state"], told["detail"]

    ok("remember", "window", "--name", "seat")
    state, unplanned = tell()
    assert state == "note"
    assert "no job is planned yet" in unplanned
    assert "summarize runs 2 minutes later; if nothing does, run: ricordo keep" in unplanned

    with ricordo.open(home, embedder="none", keep=False) as memory:
        memory.keeper.run_due()
        first = min(job.next_at for job in memory.keeper.status() if job.next_at)
    planned = tell()
    assert planned == ("ok", f"new, no job has run yet; first: summarize at {first:%Y-%m-%d %H:%M}")

    later = datetime.now(UTC) + timedelta(minutes=3)
    with ricordo.open(home, embedder="none", keep=False, clock=lambda: later) as memory:
        assert memory.keeper.run_due()
    assert tell()[1].startswith("next: ")

    for name in (
        "SUMMARIZE_MINUTES", "CONSOLIDATE_HOURS", "DREAM_HOURS", "SYNC_MINUTES", "UPKEEP_HOURS",
        "BACKUP_HOURS",
    ):  # fmt: skip
        monkeypatch.setenv(f"RICORDO_{name}", "0")
    assert tell() == ("ok", "the settings turn all jobs off")


def test_doctor_says_that_nobody_keeps_a_memory_and_what_failed(home, tmp_path):
    make_old(home)
    told = {each["what"]: each for each in parsed("doctor")["findings"]}
    assert told["keeper"]["state"] == "note"
    assert "overdue; run: ricordo keep" in told["keeper"]["detail"]

    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    with ricordo.open(home, embedder="none", keep=False) as memory:
        memory.keeper.run_due()
    config = {"backup_folder": str(blocked / "backups")}
    for days in (2, 4):  # planned, then tried
        at = datetime.now(UTC) + timedelta(days=days)
        with ricordo.open(home, config=config, clock=lambda at=at: at, keep=False) as later:
            later.keeper.run_due()

    found = json.loads(run("doctor", "--json").stdout)["findings"]
    told = [each for each in found if each["what"] == "keeper"]
    assert told[0]["state"] == "wrong"
    assert "backup failed 1 times" in told[0]["detail"]
