"""Export: the definition of a tool for other runtimes."""

from collections.abc import Callable, Mapping
from copy import deepcopy

from ricordo.errors import InvalidInput
from ricordo.model import Json
from ricordo.surfaces.tools.schema import MOST_ITEMS
from ricordo.surfaces.tools.tool import Tool

STYLES = ("openai", "anthropic", "mcp")
_DEEPEST = 2  # levels of a result whose fields are listed


def definition(tool: Tool, style: str) -> dict[str, Json]:
    """One tool in one style, as a copy that the caller may change."""
    if style not in _STYLES:
        raise InvalidInput(f"unknown style {style!r}; use one of {', '.join(STYLES)}")
    return deepcopy(_STYLES[style](tool))


def _parameters(tool: Tool) -> dict[str, Json]:
    """The schema of the arguments. A model does not need the common limit of every list."""
    found = {
        name: {k: v for k, v in each.items() if (k, v) != ("maxItems", MOST_ITEMS)}
        for name, each in tool.parameters["properties"].items()
    }
    return {**tool.parameters, "properties": found}


def output(tool: Tool) -> dict[str, Json] | None:
    """The outline of a result, with an object at its root, as MCP requires; None for text.

    A host may put it before a model, so it holds the fields and their types and no more. What a
    tool promises in full is its `result`.
    """
    if tool.result is None:
        return None
    if is_object(tool.result):
        return _outline(tool.result)
    whole = {"type": "object", "properties": {"result": dict(tool.result)}}
    return _outline(whole) | {"required": ["result"]}


def _outline(schema: Mapping[str, Json], depth: int = 0) -> dict[str, Json]:
    """A schema without bounds and descriptions; an object in a list is just an object."""
    told: dict[str, Json] = {key: schema[key] for key in ("type", "enum") if key in schema}
    if "anyOf" in schema:
        told["anyOf"] = [_outline(each, depth) for each in schema["anyOf"]]
    if "items" in schema:
        told["items"] = _outline(schema["items"], depth + 1)
    if "properties" in schema and depth < _DEEPEST:
        inner = schema["properties"]
        told["properties"] = {name: _outline(inner[name], depth + 1) for name in inner}
    return told


def is_object(schema: Mapping[str, Json]) -> bool:
    """Whether values of the schema are objects; MCP gets others under `result`."""
    return schema.get("type") == "object"


def _openai(tool: Tool) -> dict[str, Json]:
    function = {
        "name": tool.name,
        "description": tool.purpose,
        "parameters": _parameters(tool),
    }
    return {"type": "function", "function": function}


def _anthropic(tool: Tool) -> dict[str, Json]:
    if tool.builtin is not None:
        return {"type": tool.builtin, "name": tool.name}
    return {
        "name": tool.name,
        "description": tool.purpose,
        "input_schema": _parameters(tool),
    }


def _mcp(tool: Tool) -> dict[str, Json]:
    hints = tool.annotations
    told: dict[str, Json] = {
        "name": tool.name,
        "description": tool.purpose,
        "inputSchema": _parameters(tool),
        "annotations": {
            "readOnlyHint": hints.read_only,
            "destructiveHint": hints.destructive,
            "idempotentHint": hints.idempotent,
            "openWorldHint": hints.open_world,
        },
    }
    schema = output(tool)
    return told if schema is None else told | {"outputSchema": schema}


_STYLES: dict[str, Callable[[Tool], dict[str, Json]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": _mcp,
}
