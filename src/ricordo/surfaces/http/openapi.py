"""The OpenAPI document, made from the table of routes and the registry; nothing is repeated."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ricordo import __version__
from ricordo.model import PARTS, Json
from ricordo.surfaces.faults import FAULTS, KINDS, WORDS
from ricordo.surfaces.http.calls import CALL
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import Route
from ricordo.surfaces.http.schemas import page_of, schema_of
from ricordo.surfaces.server import problems

if TYPE_CHECKING:
    from ricordo.surfaces.tools import Registry, Tool

_PROBLEM: dict[str, Json] = {
    "type": "object",
    "description": "An error (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "error": {"type": "string"},
        "kind": {"enum": list(KINDS), "description": "The kind of a tool's failure."},
        "tool": {"type": "string"},
        "message": {"type": "string"},
    },
}

_PARTS: dict[str, Json] = {
    "type": "object",
    "description": "The parts of a score: one figure each; they add up to the score.",
    "properties": {
        name: {"type": "number", "title": part.label, "description": part.sentence}
        for name, part in PARTS.items()
    },
    "additionalProperties": {"type": "number"},
}
_DUE: dict[str, Json] = {
    "type": "array",
    "items": {"type": "object"},
    "description": "Reminders to bring up now, each delivered once: id, text, at, cue.",
}
_WITH_PARTS = {"Hit": ("parts",), "Explanation": ("parts", "last_parts")}


def document(routes: Sequence[Route], registry: "Registry") -> dict[str, Json]:
    """The whole document."""
    found: dict[str, Json] = {"Problem": _PROBLEM}
    paths: dict[str, dict[str, Json]] = {}
    for route in routes:
        if route.path != CALL:
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, found)
    called = next(route for route in routes if route.path == CALL)
    for name in registry.names():
        tools = [tool for each in registry.toolsets() for tool in registry.toolset(each)]
        same = [tool for tool in tools if tool.name == name]
        path = called.path.replace("{tool}", name)
        paths[path] = {"post": _tool(called, same)}
    _describe_parts(found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ricordo",
            "version": __version__,
            "description": "Memory for AI agents.",
        },
        "security": [{"token": []}],
        "paths": {**paths, **_plain()},
        "components": {
            "schemas": found,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe_parts(found: dict[str, Json]) -> None:
    """Let every field that holds parts of a score refer to the table of them."""
    found["Parts"] = _PARTS
    for kind, fields in _WITH_PARTS.items():
        found[kind]["properties"] |= {
            field: {"$ref": "#/components/schemas/Parts"} for field in fields
        }


def _operation(route: Route, found: dict[str, Json]) -> dict[str, Json]:
    schema = page_of(route.gives, found) if route.is_list else schema_of(route.gives, found)
    told: dict[str, Json] = {
        "operationId": route.name,
        "summary": route.told,
        "parameters": _in_path(route),
        "responses": _responses(schema),
    }
    if route.takes == "query":
        told["parameters"] += _in_query(route.parameters)
    else:
        told["requestBody"] = _body(_as_object(route.parameters, is_open=route.is_foreign))
    return told


def _tool(route: Route, tools: "Sequence[Tool]") -> dict[str, Json]:
    """A tool's operation; several toolsets may have a tool of this name."""
    own = [piece for piece in _in_path(route) if piece["name"] != "tool"]
    bodies = [dict(tool.parameters) for tool in tools]
    results = [dict(tool.result or {}) for tool in tools]
    shown = {"result": _any(results), "due": _DUE}
    schema = {"type": "object", "required": ["result"], "properties": shown}
    toolsets = ", ".join(tool.toolset for tool in tools)
    return {
        "operationId": f"call_{tools[0].name}",
        "summary": tools[0].purpose,
        "description": f"In the toolsets: {toolsets}.",
        "parameters": own + _in_query(route.parameters),
        "requestBody": _body(_any(bodies)),
        "responses": _responses(schema),
    }


def _any(schemas: list[dict[str, Json]]) -> dict[str, Json]:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _in_path(route: Route) -> list[dict[str, Json]]:
    names = [piece[1:-1] for piece in route.pieces if piece.startswith("{")]
    shape = {"type": "string", "minLength": 1}
    return [{"name": n, "in": "path", "required": True, "schema": shape} for n in names]


def _in_query(parameters: Iterable[Parameter]) -> list[dict[str, Json]]:
    return [
        {
            "name": each.name,
            "in": "query",
            "required": each.required,
            "description": each.told,
            "schema": each.schema(),
        }
        for each in parameters
    ]


def _as_object(parameters: Iterable[Parameter], *, is_open: bool) -> dict[str, Json]:
    declared = list(parameters)
    return {
        "type": "object",
        "additionalProperties": is_open,
        "required": [each.name for each in declared if each.required],
        "properties": {each.name: {**each.schema(), "description": each.told} for each in declared},
    }


def _body(schema: dict[str, Json]) -> dict[str, Json]:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _responses(schema: dict[str, Json]) -> dict[str, Json]:
    content = {problems.MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    refused = {"description": "A problem; see its status.", "content": content}
    ours = dict.fromkeys(str(fault.status) for fault in FAULTS if fault.is_of_the_server)
    own: dict[str, Json] = {
        status: {"description": _kinds_of(int(status)), "content": content} for status in ours
    }
    own["503"]["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    done = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    return {"200": done, "4XX": refused, **own, "5XX": refused}


def _kinds_of(status: int) -> str:
    """What a server status means: the kinds of faults behind it."""
    kinds = dict.fromkeys(fault.kind for fault in FAULTS if fault.status == status)
    return f"The memory: {' or '.join(kinds)}."


def _plain() -> dict[str, Json]:
    """The paths beside the API."""
    alive = {
        "type": "object",
        "required": ["status"],
        "properties": {
            "status": {"enum": ["ok", "degraded"]},
            "reason": {"enum": list(WORDS), "description": "Why writes fail."},
            "detail": {"type": "string"},
        },
    }
    text = {
        "200": {"description": "Done.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    }
    return {
        "/healthz": {
            "get": {
                "operationId": "health",
                "summary": "Whether reads and writes work; needs no token.",
                "security": [],
                "responses": _responses(alive),
            }
        },
        "/metrics": {
            "get": {
                "operationId": "metrics",
                "summary": "Counters in Prometheus' text format.",
                "responses": text,
            }
        },
    }
