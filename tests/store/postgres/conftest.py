"""Memories on PostgreSQL. The server is that of `postgres_server`, started once per process."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ricordo
from ricordo.testing import Lab

sys.path.append(str(Path(__file__).parent.parent))  # where the servers for tests are

from postgres_server import GivenServer, shared


@pytest.fixture
def url() -> str:
    """A memory that nobody has written to yet."""
    return shared().url()


@pytest.fixture
def lab() -> Iterator[Lab]:
    server = shared()
    with Lab(server.url) as lab:
        yield lab
    if isinstance(server, GivenServer):
        server.empty()


@pytest.fixture
def memory(lab: Lab) -> ricordo.Memory:
    return lab.open()
