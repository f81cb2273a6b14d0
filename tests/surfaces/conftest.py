"""What surfaces share: a server of a test's own. This folder is where `servers` is found, too."""

import pytest


@pytest.fixture
def server(tmp_path):
    """A server over an empty memory, on a port of its own, until the test ends."""
    from servers import running  # needs the extras, which tools and hooks do not

    with running(tmp_path) as server:
        yield server
