"""A host with a project, whose memory is not there before the first hook runs."""

import pytest
from coding_host import Host


@pytest.fixture
def host(tmp_path):
    return Host(tmp_path)
