"""Tools on a space that is empty: `calling("notes")` calls those of one toolset."""

import pytest
from toolset_runtime import Calling


@pytest.fixture
def calling(space):
    return lambda toolset, session="trip": Calling(space, toolset, session)
