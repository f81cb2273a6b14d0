"""Damaged files: cut, flipped, deleted. What is wrong is found, refused, or proven to do no harm.

SQLite alone takes a WAL that was cut for a shorter history. The commit counter beside the file (the
head) and the digests in it tell. Short: 40 of each kind. RICORDO_CRASH=all: ten times as many.
"""

import random
import shutil
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import history
import pytest

import ricordo
from ricordo import Memory
from ricordo.store.sqlite import file
from tier import report, tier

STEPS = 200
DAMAGES = tier(40, 400)
FLIPS = tier(100, 1_000)
FILES = ("", "-wal", "-head")


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory as a crash leaves it: the file, its WAL with many commits, and the head."""
    folder = tmp_path_factory.mktemp("crashed")
    stage = history.Stage(str(folder / "live.db"))
    for index in range(STEPS):
        stage.play(index)
        if index == STEPS // 2:  # from here on everything stays in the WAL
            writer = stage.memory._engine.store._open_writer().raw
            writer.execute("PRAGMA wal_autocheckpoint=0").fetchall()
    stage.memory.flush()
    for suffix in FILES:
        shutil.copy(f"{folder / 'live.db'}{suffix}", f"{folder / 'a.db'}{suffix}")
    stage.memory.close()
    return folder / "a.db"


@pytest.fixture(scope="module")
def closed(crashed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same memory, closed: one file."""
    path = tmp_path_factory.mktemp("closed") / "a.db"
    for suffix in FILES:
        shutil.copy(f"{crashed}{suffix}", f"{path}{suffix}")
    with ricordo.open(path, **history.OPTIONS) as memory:
        assert memory.check() == []
        assert history.state(memory) == history.states(STEPS)[STEPS]
    assert [left.name for left in path.parent.iterdir()] == ["a.db"]
    return path


def laid_out(source: Path, folder: Path, name: str, *, with_head: bool = True) -> Path:
    path = folder / name
    for suffix in FILES if with_head else FILES[:2]:
        if Path(f"{source}{suffix}").exists():
            shutil.copy(f"{source}{suffix}", f"{path}{suffix}")
    return path


def cut(path: Path, chance: random.Random) -> None:
    wal = Path(f"{path}-wal")
    wal.write_bytes(wal.read_bytes()[: chance.randrange(wal.stat().st_size)])


def flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def flip_wal(path: Path, chance: random.Random) -> None:
    flip(Path(f"{path}-wal"), chance)


def delete_wal(path: Path, chance: random.Random) -> None:
    Path(f"{path}-wal").unlink()


Harm = Callable[[Path, random.Random], None]


def verdict(path: Path) -> str:
    """What ricordo makes of a file: refused, found, harmless or silent."""
    try:
        with ricordo.open(path, **history.OPTIONS) as memory:
            if memory.check():
                return "found"
            same = history.state(memory) == history.states(STEPS)[STEPS]
            return "harmless" if same else "silent"
    except ricordo.RicordoError:
        return "refused"


@pytest.mark.parametrize(("harm", "times"), [(cut, DAMAGES), (flip_wal, DAMAGES), (delete_wal, 1)])
def test_a_wal_that_was_harmed_is_found_out(crashed, tmp_path, harm: Harm, times: int):
    chance = random.Random(5)
    seen: Counter[str] = Counter()
    for number in range(times):
        path = laid_out(crashed, tmp_path, f"{number}.db")
        harm(path, chance)
        seen[verdict(path)] += 1

    assert seen["silent"] == 0
    assert seen["found"] > 0
    report("7 damage", what=harm.__name__, files=times, **seen)


@pytest.mark.parametrize("harm", [cut, flip_wal, delete_wal])
def test_without_the_head_a_harmed_wal_goes_unnoticed(crashed, tmp_path, harm: Harm):
    """The control: this is what SQLite alone does."""
    chance = random.Random(5)
    seen: Counter[str] = Counter()
    for number in range(10):
        path = laid_out(crashed, tmp_path, f"{number}.db", with_head=False)
        harm(path, chance)
        seen[verdict(path)] += 1

    assert seen["silent"] > 5
    report("7 damage, control: no head", what=harm.__name__, files=10, **seen)


def test_what_was_lost_stays_on_record_until_it_is_accepted(crashed, tmp_path):
    path = laid_out(crashed, tmp_path, "a.db")
    delete_wal(path, random.Random(0))
    for turn in range(3):
        with ricordo.open(path, **history.OPTIONS) as memory:
            memory.space("ana").remember("life goes on", name=f"n{turn}")
            found = memory.check()
            assert [violation.rule for violation in found] == ["file"]
            assert "lost" in found[0].detail or "acknowledged" in found[0].detail

    Path(f"{path}-lost").unlink()

    with ricordo.open(path, **history.OPTIONS) as memory:
        assert memory.check() == []
    assert [left.name for left in tmp_path.iterdir()] == ["a.db"]


def promised(memory: Memory) -> Iterator[str]:
    """What events, entries and documents say: everything that has a digest."""
    for name in history.SPACES:
        space = memory.space(name)
        for info in space.sessions():
            for event in space.session(info.session).events():
                yield f"{event.seq} {event.role} {event.content} {event.metadata} {event.at}"
        for entry in space.entries(limit=1_000):
            yield f"{entry.id} {entry.content}"
        yield f"{[(document.uri, document.hash) for document in space.documents.list()]}"


@pytest.mark.timeout(tier(300, 1_500))
def test_a_flipped_bit_never_changes_what_was_said_unnoticed(closed, tmp_path):
    """Anywhere in the file; the rows alone are in test_seals.py."""
    chance = random.Random(8)
    seen: Counter[str] = Counter()
    unaided = 0
    for number in range(FLIPS):
        path = laid_out(closed, tmp_path, f"{number}.db")
        flip(path, chance)
        told = verdict(path)
        seen[told] += 1
        unaided += told in ("found", "refused") and is_fine_to_sqlite(path)
        path.unlink()

    assert seen["silent"] == 0
    assert seen["found"] > 0
    assert unaided > 0, "the control: SQLite's own check has to miss some of them"
    report("7 damage", what="flip", files=FLIPS, missed_by_integrity_check=unaided, **seen)


def is_fine_to_sqlite(path: Path) -> bool:
    import apsw

    try:
        raw = apsw.Connection(str(path))
        file._teach(raw)
        rows = raw.execute("PRAGMA integrity_check").fetchall()
        raw.close()
    except apsw.Error:
        return False
    return rows == [("ok",)]


def test_a_file_that_was_cut_is_found_out_or_refused(closed, tmp_path):
    """Zeros at the end of the last page are read as zeros: their loss is none."""
    chance = random.Random(2)
    content = closed.read_bytes()
    seen: Counter[str] = Counter()
    for number in range(DAMAGES):
        path = tmp_path / f"{number}.db"
        path.write_bytes(content[: chance.randrange(1, len(content))])
        seen[verdict(path)] += 1

    assert seen["silent"] == 0
    assert seen["found"] + seen["refused"] > DAMAGES // 2
    report("7 damage", what="cut file", files=DAMAGES, **seen)


def test_a_file_of_a_newer_ricordo_is_refused_untouched(closed, tmp_path):
    path = laid_out(closed, tmp_path, "a.db")
    content = bytearray(path.read_bytes())
    content[60:64] = struct.pack(">I", 999)
    path.write_bytes(content)

    with pytest.raises(ricordo.NewerSchema, match="999"):
        ricordo.open(path, embedder="hash")

    assert path.read_bytes() == content
