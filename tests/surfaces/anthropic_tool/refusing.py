"""How Anthropic's memory tool says no."""

import pytest

from ricordo.surfaces.anthropic.paths import MemoryRefused


def refused(call, *args) -> str:
    with pytest.raises(MemoryRefused) as caught:
        call(*args)
    return str(caught.value)
