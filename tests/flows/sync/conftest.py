"""A space with a workspace: whatever a sync does to it, it is sound at the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from syncing import Clock

import ricordo


@pytest.fixture
def base(tmp_path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def memory(tmp_path, base) -> Iterator[ricordo.Memory]:
    with ricordo.open(
        tmp_path / "agent.db", embedder="none", clock=Clock(), config={"workspace": str(base)}
    ) as memory:
        yield memory
        assert memory.check() == []


@pytest.fixture
def ana(memory) -> ricordo.Space:
    return memory.space("ana")


@pytest.fixture
def notes(base) -> Path:
    folder = base / "ana" / "notes"
    folder.mkdir(parents=True)
    return folder
