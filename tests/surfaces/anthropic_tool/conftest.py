"""An empty tree of memory files."""

import pytest

from ricordo.surfaces.anthropic_memory import MemoryTree


@pytest.fixture
def tree(space) -> MemoryTree:
    return MemoryTree(space)
