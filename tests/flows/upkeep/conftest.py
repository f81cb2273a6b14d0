"""A memory that is old enough for upkeep."""

import pytest
from ageing import SHORT_LIVED, consolidated

import ricordo
from ricordo.testing import Lab


@pytest.fixture
def aged(lab: Lab) -> ricordo.Memory:
    """A session with one consolidated and two other events, all of them 100 days old."""
    memory = lab.open(config=SHORT_LIVED)
    chat = memory.space("ana").session("trip")
    chat.append("user", "the tangerine is consolidated", importance=0.9)
    chat.append("assistant", "the marmalade is not")
    chat.append("user", "the apricot is not either", importance=0.2)
    lab.clock.advance(days=100)
    consolidated(memory.space("ana"))
    memory.flush()
    return memory
