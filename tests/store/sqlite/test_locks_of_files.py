"""Locks of the system on the file of a memory: nothing that Python opens and closes takes them."""

import os
from pathlib import Path

import pytest

import ricordo

LOCKS = Path("/proc/locks")

pytestmark = pytest.mark.skipif(not LOCKS.exists(), reason="this system does not list locks")


def locks(path: Path) -> int:
    """How many locks this process holds on a file."""
    lines = [line.split() for line in LOCKS.read_text().splitlines()]
    inode, me = str(path.stat().st_ino), str(os.getpid())
    return sum(words[4] == me and words[5].split(":")[-1] == inode for words in lines)


def test_a_second_handle_of_one_process_leaves_the_locks_of_the_first(tmp_path):
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="none") as first:
        first.space("ana").remember("x", name="x")
        assert locks(path) == 1

        with ricordo.open(path, embedder="none") as second:
            second.space("ana").remember("y", name="y")
            assert locks(path) == 1

        assert locks(path) == 1


def test_a_scan_for_what_was_erased_leaves_the_locks(tmp_path):
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="none") as memory:
        memory.space("ana").remember("a rare heron", name="x")

        receipt = memory.space("ana").forget("x", erase=True)

        assert receipt.remnants == 0
        assert locks(path) == 1
