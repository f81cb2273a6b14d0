"""Anthropic's SDK runs our memory tool, awaited or not."""

import asyncio
import subprocess
import sys

import pytest

import ricordo


def test_the_sdk_runs_our_tool(space):
    pytest.importorskip("anthropic")
    from anthropic.lib.tools import ToolError

    from ricordo.surfaces.anthropic.sdk import RicordoMemoryTool

    tool = RicordoMemoryTool(space, cache_control={"type": "ephemeral"})

    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }
    made = tool.call({"command": "create", "path": "/memories/a.txt", "file_text": "one"})
    assert made == "File created successfully at: /memories/a.txt"
    with pytest.raises(ToolError, match="already exists"):
        tool.call({"command": "create", "path": "/memories/a.txt", "file_text": "two"})
    with pytest.raises(ToolError, match="file_text is missing"):
        tool.call({"command": "create", "path": "/memories/b.txt"})
    with pytest.raises(ToolError, match=r"path is 5; give text"):
        tool.call({"command": "delete", "path": 5})
    assert tool.clear_all_memory() == "All memory cleared"


def test_the_async_tool_does_the_same(space):
    pytest.importorskip("anthropic")
    from anthropic.lib.tools import ToolError

    from ricordo.surfaces.anthropic.sdk import AsyncRicordoMemoryTool

    async def run() -> list[object]:
        tool = AsyncRicordoMemoryTool(space)
        path = "/memories/a.txt"
        told = [
            await tool.call({"command": "create", "path": path, "file_text": "one\n"}),
            await tool.call({"command": "view", "path": path, "view_range": [1, 1]}),
            await tool.call(
                {"command": "str_replace", "path": path, "old_str": "one", "new_str": "two"}
            ),
            await tool.call(
                {"command": "insert", "path": path, "insert_line": 0, "insert_text": "zero"}
            ),
            await tool.call({"command": "rename", "old_path": path, "new_path": "/memories/b"}),
            await tool.call({"command": "delete", "path": "/memories/b"}),
            await tool.clear_all_memory(),
        ]
        with pytest.raises(ToolError, match="does not exist"):
            await tool.call({"command": "view", "path": path})
        return told

    told = asyncio.run(run())

    assert told[1] == "Here's the content of /memories/a.txt with line numbers:\n     1\tone"
    assert told[-2:] == ["Successfully deleted /memories/b", "All memory cleared"]


def test_without_the_sdk_the_install_line_is_named(tmp_path):
    (tmp_path / "anthropic.py").write_text("raise ImportError('not here')", encoding="utf-8")
    script = (
        "import ricordo\n"
        "try:\n    import ricordo.surfaces.anthropic.sdk\n"
        "except ricordo.Unavailable as error:\n    print(error)\n"
    )
    source = str(ricordo.__path__[0]) + "/.."

    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": f"{tmp_path}:{source}"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert 'pip install "ricordo[anthropic]"' in done.stdout
