"""Servers of the HTTP API: one that all tests only read from, and one that a test may change."""

import pytest
from http_space import furnish
from servers import running

import ricordo


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A furnished server; starting it once is enough for all who do not write to its space."""
    with running(tmp_path_factory.mktemp("http"), is_mem0=True) as server:
        furnish(server.memory().space("ana"))
        yield server


@pytest.fixture
def fresh(tmp_path):
    with running(tmp_path) as server:
        yield server


@pytest.fixture
def twin(tmp_path):
    """A memory to compare with, reached without HTTP."""
    with ricordo.open(tmp_path / "twin.db", embedder="hash") as memory:
        yield memory
