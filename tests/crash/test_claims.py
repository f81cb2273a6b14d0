"""Four workers on one file, killed at random: nothing is missed, nothing is run twice.

The exception is a run whose worker died in the middle of it: that one is run again after its lease.
RICORDO_CRASH=all takes 1,000 schedules and 40 kills; the default a fifth of that.
"""

import os
import random
import signal
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import ricordo
from ricordo import Settings

IS_WHOLE = os.environ.get("RICORDO_CRASH") == "all"
SCHEDULES, KILLS = (1_000, 40) if IS_WHOLE else (200, 8)
WORKERS = 4
SPACES = 5
SCRIPT = Path(__file__).parent / "claiming.py"


class Line(NamedTuple):
    what: str
    worker: str
    schedule: str
    fence: int


class Crew:
    """The workers, and the pipe through which they tell what they do."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read, self._write = os.pipe()
        self.lines = os.fdopen(self._read, encoding="ascii")
        self._alive: dict[str, subprocess.Popen[bytes]] = {}
        self._hired = 0

    def hire(self) -> None:
        self._hired += 1
        name = f"w{self._hired}"
        self._alive[name] = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(self._path), name, str(self._write)],
            pass_fds=(self._write,),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def kill(self, chance: random.Random) -> str:
        name = chance.choice(sorted(self._alive))
        process = self._alive.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return name

    def dismiss(self, name: str) -> int:
        """Wait for a worker that said it is done; how many are left."""
        process = self._alive.pop(name, None)  # None: killed when it had just said so
        assert process is None or process.wait() == 0
        return len(self._alive)

    def close(self) -> None:
        for process in self._alive.values():
            process.kill()
            process.wait()
        os.close(self._write)
        self.lines.close()


def prepare(path: Path) -> set[str]:
    """Schedules that have been due for an hour, in several spaces."""
    past = datetime.now(UTC) - timedelta(hours=2)
    settings = Settings(max_schedules=SCHEDULES)
    with ricordo.open(path, embedder="none", clock=lambda: past, config=settings) as memory:
        spaces = [memory.space(f"s{number}") for number in range(SPACES)]
        made = [spaces[n % SPACES].schedule(f"goal {n}", "in 1 hour") for n in range(SCHEDULES)]
    return {schedule.id for schedule in made}


def work_through(path: Path, seed: int) -> tuple[list[Line], set[str]]:
    """What the workers told, and who of them was killed."""
    chance = random.Random(seed)
    crew, told, killed = Crew(path), [], set()
    every = SCHEDULES * 2 // (KILLS + 2)  # lines between two kills
    try:
        for _ in range(WORKERS):
            crew.hire()
        for text in crew.lines:
            what, worker, schedule, fence = text.split()
            if what == "over" and crew.dismiss(worker) == 0:
                return told, killed
            if what == "over":
                continue
            told.append(Line(what, worker, schedule, int(fence)))
            if len(killed) < KILLS and len(told) > (len(killed) + chance.random()) * every:
                killed.add(crew.kill(chance))
                crew.hire()
        raise AssertionError("the ledger ended before the work did")
    finally:
        crew.close()


def test_workers_that_are_killed_lose_nothing_and_repeat_only_what_they_had_begun(tmp_path):
    """SCH-5, and the claims of reminders by the same means."""
    path = tmp_path / "agent.db"
    made = prepare(path)

    told, killed = work_through(path, seed=11)

    begun = defaultdict(list)
    for line in told:
        if line.what == "begin":
            begun[line.schedule].append(line)
    assert set(begun) == made, "a schedule was missed"
    assert len(killed) == KILLS
    again = {schedule: lines for schedule, lines in begun.items() if len(lines) > 1}
    ended = {(line.schedule, line.fence) for line in told if line.what == "end"}
    for schedule, lines in again.items():
        assert all(line.worker in killed for line in lines[:-1]), (schedule, lines)
        assert not any((schedule, line.fence) in ended for line in lines[:-1])
        fences = [line.fence for line in lines]
        assert fences == sorted(set(fences))
    assert len(again) <= KILLS
    with ricordo.open(path, embedder="none") as memory:
        for name in memory.spaces():
            space = memory.space(name)
            assert space.schedules.count(status="completed") == SCHEDULES // SPACES
            for offset in range(0, SCHEDULES // SPACES, 50):
                for schedule in space.schedules.list(limit=50, offset=offset):
                    assert len(space.schedules.runs(schedule)) == 1
        assert memory.check() == []
