"""A space with a workspace, for sweeps to write into."""

from pathlib import Path

import pytest
from sweeping import AT

import ricordo
from ricordo.testing import Lab


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def memory(lab: Lab, folder: Path) -> ricordo.Memory:
    lab.clock.at(AT)
    return lab.open(config={"workspace": str(folder)})


@pytest.fixture
def ana(memory: ricordo.Memory) -> ricordo.Space:
    return memory.space("ana")
