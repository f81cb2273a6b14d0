"""Spaces of `ricordo.aio` in the surfaces: served where somebody awaits, else refused at once."""

import anyio
import pytest

import ricordo.aio
from ricordo.errors import InvalidInput
from ricordo.surfaces.anthropic.tree import MemoryTree
from ricordo.surfaces.tools import registry

TOOLS = sorted(
    {(tool.toolset, tool.name) for t in registry.toolsets() for tool in registry.toolset(t)}
)


def within(tmp_path, work):
    """Do something with an awaitable space."""

    async def main():
        async with ricordo.aio.open(tmp_path / "agent.db", embedder="none") as memory:
            return await work(memory.space("ana"))

    return anyio.run(main)


def test_no_tool_takes_an_awaitable_space(tmp_path):
    async def work(space):
        for toolset, name in TOOLS:
            with pytest.raises(InvalidInput, match="to_thread"):
                registry.call(name, {}, space, "trip", toolset)

    within(tmp_path, work)


def test_a_call_that_is_refused_does_nothing(tmp_path):
    async def work(space):
        with pytest.raises(InvalidInput, match="on a thread"):
            registry.call("save_memory", {"key": "k", "content": "c"}, space)
        with pytest.raises(InvalidInput, match="async tool"):
            MemoryTree(space)
        return await space.entries()

    assert within(tmp_path, work) == []


def test_the_async_memory_tool_takes_an_awaitable_space(tmp_path):
    sdk = pytest.importorskip("ricordo.surfaces.anthropic.sdk", exc_type=ImportError)
    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818ViewCommand,
    )

    async def work(space):
        tool = sdk.AsyncRicordoMemoryTool(space)
        path = "/memories/seat.md"
        made = await tool.create(
            BetaMemoryTool20250818CreateCommand(command="create", path=path, file_text="window\n")
        )
        seen = await tool.view(BetaMemoryTool20250818ViewCommand(command="view", path=path))
        with pytest.raises(InvalidInput, match="async tool"):
            sdk.RicordoMemoryTool(space)
        return made, seen, await space.get(path)

    made, seen, entry = within(tmp_path, work)

    assert made == "File created successfully at: /memories/seat.md"
    assert "window" in seen
    assert entry.content == "window\n"
