"""The registry over HTTP: the list of tools, and the call of one with its arguments as body."""

from typing import Any

from recollect.model import Json
from recollect.surfaces.http.parameters import Parameter
from recollect.surfaces.http.problems import Problem
from recollect.surfaces.http.routes import Asked, Route

_STATUS = {"invalid_arguments": 400, "not_found": 404, "conflict": 409, "failed": 422}
_TOOLSET = Parameter("toolset", "string", "The toolset, or several apart by a comma.")
_SESSION = Parameter("session", "string", "The session that the tool works on.")
TOOLS = "/v1/spaces/{space}/tools"
CALL = f"{TOOLS}/{{tool}}"


def tools(asked: Asked) -> list[Json]:
    """The tools of a toolset as MCP declares them; "default" unless given."""
    from recollect.surfaces.tools import registry

    return registry.definitions(str(asked.given.get("toolset", "default")), "mcp")


def call(asked: Asked) -> dict[str, Json]:
    """Call a tool; the body holds its arguments, and nothing in it names a space."""
    from recollect.surfaces.tools import ToolFailure, registry

    given: dict[str, Any] = dict(asked.given)
    try:
        result = registry.call(
            asked.path["tool"],
            asked.body,
            asked.space,
            given.get("session", "default"),
            given.get("toolset"),
        )
    except ToolFailure as failure:
        raise Problem(_STATUS.get(failure.kind, 422), failure.message, failure.kind) from None
    return {"result": result}


def is_read_only(tool: str, toolset: str | None) -> bool:
    """Whether a tool changes nothing; one that is unknown does not."""
    from recollect.surfaces.tools import ToolFailure, registry

    try:
        return registry.get(tool, toolset).annotations.read_only
    except ToolFailure:
        return True


ROUTES = (
    Route(
        "GET",
        TOOLS,
        "tools",
        " ".join((tools.__doc__ or "").split()),
        tools,
        list[Json],
        parameters=(_TOOLSET,),
    ),
    Route(
        "POST",
        CALL,
        "call",
        " ".join((call.__doc__ or "").split()),
        call,
        dict[str, Json],
        parameters=(_SESSION, _TOOLSET),
        takes="arguments",
        writes=True,
    ),
)
