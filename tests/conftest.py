"""What all tests share: settings of hypothesis, and a memory that is checked when the test ends."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

import ricordo
from ricordo.testing import Lab

settings.register_profile("ricordo", deadline=None, derandomize=True)
settings.load_profile("ricordo")


@pytest.fixture
def lab(tmp_path) -> Iterator[Lab]:
    """Memories in files of their own."""
    count = iter(range(100))
    with Lab(lambda: str(tmp_path / f"memory{next(count)}.db")) as lab:
        yield lab


@pytest.fixture
def memory(lab: Lab) -> ricordo.Memory:
    """An empty memory in a file, with the hash embedder."""
    return lab.open()


@pytest.fixture
def space(memory: ricordo.Memory) -> ricordo.Space:
    return memory.space("ana")
