"""A memory on a medium that nobody can write to is read as it lies there."""

import os

import pytest

import ricordo
from ricordo.errors import StoreError


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "agent.db"
    with ricordo.open(path, embedder="hash") as memory:
        memory.space("ana").remember("The hangar is in Friedrichshafen", name="hangar")
    return path


@pytest.fixture
def freeze(monkeypatch):
    """From now on the file system says that it is read-only."""
    asked = os.statvfs

    def read_only(where):
        found = asked(where)
        return os.statvfs_result((*found[:8], found.f_flag | os.ST_RDONLY, *found[9:]))

    return lambda: monkeypatch.setattr(os, "statvfs", read_only)


def test_it_is_read_without_a_file_beside_it(path, freeze):
    freeze()

    with ricordo.open(path, embedder="hash") as memory:
        ana = memory.space("ana")

        assert ana.get("hangar").content == "The hangar is in Friedrichshafen"
        assert ana.recall("hangar")[0].entry.name == "hangar"
        assert memory.check() == []
        assert list(path.parent.iterdir()) == [path]


def test_a_log_that_holds_the_newest_is_never_passed_over(path, freeze):
    writer = ricordo.open(path, embedder="hash")
    writer.space("ana").remember("The tower is in Lindau", name="tower")
    freeze()

    with ricordo.open(path, embedder="hash", read_only=True) as memory:
        assert memory.space("ana").get("tower") is not None
    writer.close()


def test_it_refuses_to_be_written_to(path, freeze):
    freeze()

    with (
        ricordo.open(path, embedder="hash") as memory,
        pytest.raises(StoreError, match="is read-only"),
    ):
        memory.space("ana").remember("more")


def test_a_system_that_cannot_tell_has_no_frozen_memories(path, monkeypatch):
    monkeypatch.delattr(os, "statvfs")

    with ricordo.open(path, embedder="hash") as memory:
        assert memory.space("ana").remember("more").content == "more"
