"""A clock that stands at noon until a test moves it, and a memory that goes by it."""

import pytest
from noon import NOON


@pytest.fixture
def clock(lab):
    lab.clock.stop()
    lab.clock.at(NOON)
    return lab.clock


@pytest.fixture
def memory(lab, clock):
    return lab.open()


@pytest.fixture
def ana(memory):
    return memory.space("ana")
