"""Every tool of every toolset, and what comes out when one is called."""

import json

import ricordo
from ricordo.surfaces.tools import Tool, ToolFailure, registry
from ricordo.surfaces.tools.validate import complaint

EVERY = [tool for toolset in registry.toolsets() for tool in registry.toolset(toolset)]


def label(tool: Tool) -> str:
    return f"{tool.toolset}.{tool.name}"


def call(tool: Tool, args: object, space: ricordo.Space, session: str | None = "trip"):
    return registry.call(tool.name, args, space, session, tool.toolset)  # type: ignore[arg-type]


def outcome(tool: Tool, args: object, space: ricordo.Space):
    """The result, or the failure."""
    try:
        return call(tool, args, space)
    except ToolFailure as failure:
        return failure


def assert_promised(tool: Tool, result: object) -> None:
    assert json.dumps(result, ensure_ascii=False).encode()
    if tool.result is None:
        assert isinstance(result, str)
    else:
        assert complaint(tool.result, result) is None
