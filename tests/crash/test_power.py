"""Power loss, in a model: what was written but not synced is dropped, half dropped, or torn.

Everything before a file's last sync is on disk; of what came later a random part is, in sectors
of 512 bytes. The model knows no lost directory entries and no disk that lies about sync.
Short: 150 cuts, 25 of an encrypted file. RICORDO_CRASH=all: 2,000 each.
"""

import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import history
import pytest
from disks import SECTOR, Operation, RecordingDisk, on_disk

import ricordo
from ricordo.store.sqlite import driver
from ricordo.store.sqlite.commit_counter import CommitCounter, Mark
from tier import report, tier

STEPS = 150
CUTS = tier(150, 2_000)
CONTROLS = tier(50, 500)
ENCRYPTED = tier(25, 2_000)
WAYS = ("drop", "half", "sectors")
_names = count()


class Recording(NamedTuple):
    log: list[Operation]
    marks: list[Mark]  # what the head said after each acknowledged step


def record(path: Path, durability: str) -> Recording:
    """A history on a disk that remembers everything; acknowledgements stand in the log."""
    name = f"recording{next(_names)}"
    disk = RecordingDisk(name)
    marks: list[Mark] = []
    with on_disk(disk, name):
        stage = history.Stage(str(path), durability=durability)
        for index in range(STEPS):
            stage.play(index)
            marks.append(CommitCounter(str(path)).read() or Mark("", 0))
            disk.log.append(Operation("acknowledge", "", index + 1))
        stage.memory.close()
    return Recording(disk.log, marks)


def survivors(log: list[Operation], way: str, chance: random.Random) -> Iterator[Operation]:
    """The operations that reached the disk before the power went."""
    synced = {op.file: number for number, op in enumerate(log) if op.what == "sync"}
    for number, op in enumerate(log):
        if op.what in ("sync", "acknowledge"):
            continue
        is_durable = number < synced.get(op.file, -1) or op.what == "delete"
        if is_durable or (way == "half" and chance.random() < 0.5):
            yield op
        elif way == "sectors" and op.what == "write":
            yield from torn(op, chance)


def torn(op: Operation, chance: random.Random) -> Iterator[Operation]:
    start = 0
    while start < len(op.data):
        end = min(len(op.data), start + SECTOR - (op.offset + start) % SECTOR)
        if chance.random() < 0.6:
            yield op._replace(offset=op.offset + start, data=op.data[start:end])
        start = end


def rebuild(path: Path, operations: Iterator[Operation]) -> None:
    """The files as the disk holds them after the cut."""
    held: dict[str, bytearray] = {}
    for op in operations:
        if op.what == "delete":
            held.pop(op.file, None)
            continue
        content = held.setdefault(op.file, bytearray())
        if op.what == "truncate":
            del content[op.offset :]
        else:
            content.extend(bytes(max(0, op.offset + len(op.data) - len(content))))
            content[op.offset : op.offset + len(op.data)] = op.data
    for suffix, content in held.items():
        Path(f"{path}{suffix}").write_bytes(content)


class Cut(NamedTuple):
    verdict: str  # "", "lost" or "broken"
    is_noticed: bool  # check() says so by itself


def cut(recording: Recording, path: Path, chance: random.Random) -> Cut:
    """Cut the power somewhere in the history and see what a memory opened afterwards shows."""
    end = chance.randrange(len(recording.log) // 10, len(recording.log))
    log = recording.log[:end]
    done = max((op.offset for op in log if op.what == "acknowledge"), default=0)
    rebuild(path, survivors(log, chance.choice(WAYS), chance))
    if done:  # the head as it stood: the strictest case, since it may also lag
        CommitCounter(str(path)).note(recording.marks[done - 1])
    states = history.states(STEPS + 1)
    try:
        with ricordo.open(path, **history.OPTIONS) as memory:
            found = memory.check()
            seen = history.state(memory)
    except Exception:  # noqa: BLE001 - a control may break anything; at "full" it is a failure
        return Cut("broken", True)
    is_shorter = bool(found) and "were acknowledged" in found[0].detail  # by signals or vectors
    if any(violation.rule != "file" for violation in found) or len(found) > 1:
        return Cut("broken", True)
    if is_shorter or seen not in states[done : done + 2]:
        return Cut("lost", bool(found))
    return Cut("", False)


def cuts(folder: Path, durability: str, number: int) -> list[Cut]:
    recording = record(folder / "recorded.db", durability)
    chance = random.Random(7)
    made = []
    for turn in range(number):
        path = folder / f"{turn}.db"
        made.append(cut(recording, path, chance))
        for left in folder.glob(f"{turn}.db*"):
            left.unlink()
    return made


@pytest.mark.timeout(tier(300, 1_500))
def test_what_was_acknowledged_survives_a_power_cut(tmp_path):
    made = cuts(tmp_path, "full", CUTS)

    assert [cut for cut in made if cut.verdict] == []
    report("3 power, full", cuts=CUTS, lost=0, broken=0)


@pytest.mark.timeout(tier(300, 1_500))
def test_so_it_does_on_an_encrypted_file(tmp_path, monkeypatch):
    monkeypatch.setenv("RICORDO_KEY", "0f1e2d3c" * 8)

    made = cuts(tmp_path, "full", ENCRYPTED)

    assert [cut for cut in made if cut.verdict] == []
    report("3 power, full, encrypted", cuts=ENCRYPTED, lost=0, broken=0)


@pytest.mark.timeout(tier(300, 1_500))
def test_normal_durability_loses_the_last_commits_in_a_power_cut_and_says_so(tmp_path):
    """The first control. The file stays whole, and check() reports every loss by the head."""
    made = cuts(tmp_path, "normal", CONTROLS)

    lost = [cut for cut in made if cut.verdict == "lost"]
    assert lost
    assert all(cut.is_noticed for cut in lost)
    assert not any(cut.verdict == "broken" for cut in made)
    report("3 power, control: normal", cuts=CONTROLS, lost=len(lost), noticed=len(lost))


@pytest.mark.timeout(tier(300, 1_500))
def test_a_disk_that_is_never_synced_loses_or_breaks_the_memory(tmp_path, monkeypatch):
    """The second control: without syncs most cuts have to do harm."""
    monkeypatch.setitem(driver._DURABILITY, "off", "OFF")

    made = cuts(tmp_path, "off", CONTROLS)

    bad = [cut for cut in made if cut.verdict]
    assert len(bad) > CONTROLS // 2
    broken = sum(cut.verdict == "broken" for cut in bad)
    report("3 power, control: off", cuts=CONTROLS, lost=len(bad) - broken, broken=broken)
