"""kill -9 at any moment: nothing acknowledged is lost, and what was under way is there or is not.

Short: 100 kills. RICORDO_CRASH=all: 1,000.
"""

import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import history
import pytest

import ricordo
from tier import report, tier

KILLS = tier(100, 1_000)
BIRTHS = tier(25, 200)
CONTROLS = tier(25, 100)
CHECK_EVERY = 10  # kills; check() reads everything
NURSERY = Path(__file__).parent / "nursery.py"


class Nursery:
    """Where writers come from."""

    def __init__(self, ledger: Path) -> None:
        os.mkfifo(ledger)
        self._ledger = ledger
        self._process = subprocess.Popen(
            [sys.executable, str(NURSERY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self._said() == "ready"

    def raise_and_kill(
        self, path: Path, first: int, chance: random.Random, order: str = "late"
    ) -> int:
        """Let a writer go on from a step and kill it; how many steps were acknowledged in all."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\t{first}\t{self._ledger}\t{order}\n")
        self._process.stdin.flush()
        child = int(self._said())
        wanted = 1 + chance.randrange(24)
        with self._ledger.open("rb", buffering=0) as lines:
            said = lines.read(1)
            while said.count(b"\n") < wanted and b"over" not in said:
                said += lines.read(64)
            select.select([], [], [], chance.random() * 0.003)  # anywhere in the step under way
            os.kill(child, signal.SIGKILL)
            while rest := lines.read(4_096):
                said += rest
        told = [line for line in said.decode().split("\n")[:-1] if line != "over"]
        return int(told[-1]) + 1

    def raise_and_kill_young(self, path: Path, chance: random.Random) -> None:
        """Kill a writer while it makes its memory, or soon after."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\t0\t{self._ledger}\tlate\n")
        self._process.stdin.flush()
        child = int(self._said())
        with self._ledger.open("rb", buffering=0) as lines:
            select.select([], [], [], chance.random() * 0.06)
            os.kill(child, signal.SIGKILL)
            while lines.read(4_096):
                pass

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    nursery = Nursery(tmp_path / "ledger")
    yield nursery
    nursery.close()


class Outcome(NamedTuple):
    acknowledged: int
    lost: int
    unacknowledged: int  # steps that show although nobody was told


def torment(nursery: Nursery, folder: Path, kills: int, order: str) -> Outcome:
    """Kill again and again, and compare with the history after each kill."""
    expected = history.states(history.LENGTH)
    chance = random.Random(9)
    path, first = folder / "0.db", 0
    total = lost = extra = 0
    for kill in range(kills):
        done = nursery.raise_and_kill(path, first, chance, order)
        total += done - first
        with ricordo.open(path, **history.OPTIONS) as memory:
            seen = history.state(memory)
            if kill % CHECK_EVERY == 0 or kill == kills - 1:
                assert memory.check() == []
        if seen == expected[done]:
            first = done
        elif done < history.LENGTH and seen == expected[done + 1]:
            first, extra = done + 1, extra + 1
        else:
            lost += 1
            first = history.LENGTH
        if first >= history.LENGTH - 1:
            path, first = folder / f"{kill + 1}.db", 0
    return Outcome(total, lost, extra)


@pytest.mark.timeout(tier(300, 1_500))
def test_a_killed_writer_loses_nothing_that_it_acknowledged(nursery, tmp_path):
    """The state is exactly that after the acknowledged steps, or with the one under way."""
    outcome = torment(nursery, tmp_path, KILLS, "late")

    assert outcome.lost == 0
    assert outcome.acknowledged > KILLS
    assert outcome.unacknowledged <= KILLS
    report("1 kill", kills=KILLS, **outcome._asdict())


@pytest.mark.timeout(tier(300, 600))
def test_a_memory_whose_maker_was_killed_is_no_ruin(nursery, tmp_path):
    chance = random.Random(4)
    young = 0
    for number in range(BIRTHS):
        path = tmp_path / f"{number}.db"
        nursery.raise_and_kill_young(path, chance)
        with ricordo.open(path, **history.OPTIONS) as memory:
            young += not memory.spaces()
            memory.space("ana").remember("goes on", name="kept")
            assert memory.check() == []

    assert young > 0
    report("1 kill, while the file is made", kills=BIRTHS, before_the_first_commit=young)


def test_the_ledger_shows_the_loss_of_a_writer_that_acknowledges_too_early(nursery, tmp_path):
    """The control: told before the commit, some of what was told has to be missing."""
    outcome = torment(nursery, tmp_path, CONTROLS, "early")

    assert outcome.lost > 0
    report("1 kill, control: acknowledged early", kills=CONTROLS, **outcome._asdict())
