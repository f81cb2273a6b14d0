"""A space whose workspace keeps a history."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from histories import opened

import recollect


@pytest.fixture
def base(tmp_path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def memory(base) -> Iterator[recollect.Memory]:
    with opened(base) as memory:
        yield memory


@pytest.fixture
def ana(memory) -> recollect.Space:
    return memory.space("ana")
