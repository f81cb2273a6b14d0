"""An empty tree of memory files."""

import pytest

from ricordo.surfaces.anthropic.tree import MemoryTree


@pytest.fixture
def tree(space) -> MemoryTree:
    return MemoryTree(space)
