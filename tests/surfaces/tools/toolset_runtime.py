"""What stands between a model and its tools: calls by toolset, and a worker for schedules."""

import pytest

import ricordo
from ricordo.surfaces.tools import ToolFailure, registry

UNKNOWN = "0198c0de-0000-7000-8000-000000000000"


class Calling:
    """Tools of one toolset on one space, as a runtime calls them."""

    def __init__(self, space: ricordo.Space, toolset: str, session: str | None = "trip") -> None:
        self.space, self.toolset, self.session = space, toolset, session

    def __call__(self, tool: str, /, **args):
        return registry.call(tool, args, self.space, self.session, self.toolset)

    def refused(self, tool: str, /, **args) -> ToolFailure:
        with pytest.raises(ToolFailure) as caught:
            self(tool, **args)
        return caught.value


def finished(memory: ricordo.Memory, lab, output: str) -> None:
    lab.clock.advance(days=2)
    for claim in memory.claim(5, "worker"):
        memory.finish(claim, ricordo.Run(output=output, turns=2, cost=0.5))
