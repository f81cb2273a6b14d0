"""A disk that fails once, or for good, at any read, write, sync or truncate.

The call that meets the fault raises an error of ours or succeeds; then the file is whole, shows
exactly the acknowledged steps or one more, and the memory works on if the disk does.
Short: 10 points of each kind of fault. RICORDO_CRASH=all: 150.
"""

import random
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import history
import pytest
from disks import Fault, FaultyDisk, on_disk

import ricordo
from tier import report, tier

FIRST, STEPS = 60, 24  # the steps before are taken on a healthy disk
POINTS = tier(10, 150)  # of each kind of fault
LIES = tier(20, 120)
KINDS = [
    (operation, way, is_sticky)
    for operation, ways in {
        "write": ("error", "full", "torn"), "sync": ("error",), "read": ("error",),
        "truncate": ("error",),
    }.items()
    for way in ways
    for is_sticky in (False, True)
]  # fmt: skip
_names = count()


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that has come some way."""
    path = tmp_path_factory.mktemp("healthy") / "a.db"
    stage = history.Stage(str(path))
    for index in range(FIRST):
        stage.play(index)
    stage.memory.close()
    return path


class Trial:
    """One run of steps on a disk that fails, and what became of it."""

    def __init__(self, healthy: Path, folder: Path, fault: Fault | None) -> None:
        self.path = folder / f"{next(_names)}.db"
        shutil.copy(healthy, self.path)
        self.done = FIRST
        self.failure: ricordo.RicordoError | None = None
        name = f"faulty{next(_names)}"
        self.disk = FaultyDisk(name, fault)
        with on_disk(self.disk, name):
            self._run()

    def _run(self) -> None:
        stage = history.Stage(str(self.path))
        try:
            stage.memory.stats()
            self.disk.is_armed = True
            for index in range(FIRST, FIRST + STEPS):
                stage.play(index)
                self.done += 1
        except ricordo.RicordoError as error:
            self.failure = error
        except Exception:
            if fault_of(self.disk) != "lie":  # anything but an error of ours is a failure
                raise
        fault = self.disk.fault
        if self.failure is not None and fault is not None and not fault.is_sticky:
            assert self.holds(history.state(stage.memory)), "it does not work on after one fault"
        try:
            stage.memory.close()
        except ricordo.RicordoError:
            assert self.disk.has_failed

    def holds(self, seen: str) -> bool:
        """Whether a state is that of the acknowledged steps, or with the one that failed."""
        states = history.states(FIRST + STEPS + 1)
        return seen in (states[self.done], states[self.done + 1] if self.failure else None)

    def verdict(self) -> str:
        """What is wrong with the file afterwards, on a healthy disk; '' if nothing is."""
        try:
            with ricordo.open(self.path, **history.OPTIONS) as memory:
                found = memory.check()
                if found:
                    return str(found[0])
                return "" if self.holds(history.state(memory)) else "acknowledged steps are missing"
        except Exception as error:  # noqa: BLE001 - a disk that lies may break anything
            return repr(error)


def fault_of(disk: FaultyDisk) -> str:
    return "" if disk.fault is None else disk.fault.way


def points(healthy: Path, folder: Path, operation: str) -> Iterator[int]:
    """Which operations to let fail."""
    total = Trial(healthy, folder, None).disk.counts[operation]
    chance = random.Random(operation)
    chosen = range(1, total + 1)
    yield from sorted(chance.sample(chosen, min(POINTS, total)))


@pytest.mark.timeout(tier(300, 1_500))
@pytest.mark.parametrize(("operation", "way", "is_sticky"), KINDS)
def test_a_failing_disk_loses_nothing_and_breaks_nothing(
    healthy, tmp_path, operation, way, is_sticky
):
    tried = failed = 0
    for number in points(healthy, tmp_path, operation):
        trial = Trial(healthy, tmp_path, Fault(operation, number, way, is_sticky))
        tried += trial.disk.has_failed
        failed += trial.failure is not None

        assert trial.verdict() == "", (operation, way, number)
        trial.path.unlink()

    assert tried > 0
    report("2 faults", kind=f"{operation} {way}", sticky=is_sticky, points=tried, refused=failed)


def test_a_disk_that_lies_is_found_out(healthy, tmp_path):
    """The control: writes that silently do not happen have to show."""
    total = Trial(healthy, tmp_path, None).disk.counts["write"]
    numbers = random.Random(1).sample(range(1, total + 1), LIES)

    wrong = [
        verdict
        for number in numbers
        if (verdict := Trial(healthy, tmp_path, Fault("write", number, "lie", True)).verdict())
    ]

    assert len(wrong) > LIES // 2
    report("2 faults, control: writes that do not happen", points=LIES, violations=len(wrong))
