"""Backup while others write: every copy is whole and holds what was acknowledged before it began.

Short: 10 copies. RICORDO_CRASH=all: 40.
"""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import ricordo
from ricordo import Memory
from ricordo.store.sqlite import file
from tier import report, tier

COPIES = tier(10, 40)


class Writer:
    """A thread that writes for as long as the test lasts; checkpoints happen all the time."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.acknowledged = 0
        self._thread.start()

    def _write(self) -> None:
        session = self._memory.space("ana").session("log")
        while not self._is_over.is_set():
            session.append("user", f"line {self.acknowledged} " + "word " * 40)
            self.acknowledged += 1

    def close(self) -> None:
        self._is_over.set()
        self._thread.join()


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Memory, Writer]]:
    settings = file._settings

    def eager(raw: apsw.Connection, role: str) -> None:
        settings(raw, role)
        raw.execute("PRAGMA wal_autocheckpoint=20").fetchall()

    monkeypatch.setattr(file, "_settings", eager)
    memory = ricordo.open(tmp_path / "a.db", embedder="none", durability="normal")
    memory.space("ana").session("log").append("user", "first")
    writer = Writer(memory)
    yield memory, writer
    writer.close()
    memory.close()


def events(path: Path) -> int:
    with ricordo.open(path, embedder="none") as copy:
        assert copy.check() == []
        return len(copy.space("ana").session("log").events())


@pytest.mark.timeout(tier(300, 900))
def test_a_backup_under_load_is_whole_and_restores_by_being_opened(busy, tmp_path):
    memory, writer = busy
    for number in range(COPIES):
        acknowledged = writer.acknowledged + 1
        path = tmp_path / f"copy{number}.db"

        memory.backup(path)

        assert events(path) >= acknowledged
        with ricordo.open(path, embedder="none") as restored:
            restored.space("ana").session("log").append("user", "goes on here")
        assert not Path(f"{path}-wal").exists()
        path.unlink()
    report("8 backup", copies=COPIES, whole=COPIES, written_meanwhile=writer.acknowledged)


def test_a_copied_file_is_not_a_backup(busy, tmp_path):
    """The control: the file alone, copied by the operating system while it is written.

    A checkpoint may have made one copy whole, or a few; they go on until one is not.
    """
    _, writer = busy
    copies = bad = 0
    while copies < COPIES or not bad:
        acknowledged = writer.acknowledged + 1
        path = tmp_path / f"copy{copies}.db"
        shutil.copy(tmp_path / "a.db", path)
        copies += 1
        try:
            bad += events(path) < acknowledged
        except (ricordo.RicordoError, AssertionError):
            bad += 1

    report("8 backup, control: cp", copies=copies, broken_or_incomplete=bad)


def test_a_backup_ends_although_others_never_stop_writing(lab, tmp_path):
    """Each step sees the same state; commits in between do not begin the copy anew."""
    memory = lab.open()
    session = memory.space("ana").session("log")
    session.extend([{"role": "user", "content": f"{n} " + "word " * 2_000} for n in range(600)])
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        session.append("user", "meanwhile")
        assert len(seen) < 100, "the copy begins anew with every commit"

    memory.backup(tmp_path / "copy.db", progress)

    assert len(seen) > 2
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert len({total for _, total in seen}) == 1
    assert events(tmp_path / "copy.db") == 600


def test_a_memory_that_is_damaged_gives_no_backup(lab, tmp_path):
    memory = lab.open()
    memory.space("ana").session("s").append("user", "as it was")
    store = memory._engine.store
    store.write(lambda tx: tx._connection.raw.execute("UPDATE events SET content = 'changed'"))
    lab.forget(memory)

    with pytest.raises(ricordo.Corrupt, match="was changed"):
        memory.backup(tmp_path / "copy.db")

    assert not (tmp_path / "copy.db").exists()
    memory.close()
