"""A space whose workspace keeps a history."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from histories import opened

import ricordo


@pytest.fixture
def base(tmp_path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def memory(base) -> Iterator[ricordo.Memory]:
    with opened(base) as memory:
        yield memory


@pytest.fixture
def ana(memory) -> ricordo.Space:
    return memory.space("ana")
