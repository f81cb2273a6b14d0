"""A memory with neighbours of what is to be erased."""

import pytest
from canaries import NEIGHBOURS, Marked

import ricordo
from ricordo.testing import Lab


@pytest.fixture
def memory(lab: Lab) -> ricordo.Memory:
    """A memory with neighbours, written before and after what is to be erased."""
    memory = lab.open(embedder=Marked())
    space = memory.space("ana")
    for number, text in enumerate(NEIGHBOURS[:20]):
        space.remember(text, name=f"n{number}")
    return memory
