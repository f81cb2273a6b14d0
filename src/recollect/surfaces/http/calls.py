"""The registry over HTTP: the list of tools, and the call of one with its arguments as body."""

from typing import TYPE_CHECKING, Any

from recollect.model import Json
from recollect.surfaces.http.parameters import Parameter
from recollect.surfaces.http.problems import Problem
from recollect.surfaces.http.routes import Asked, Page, Route, listed, route

if TYPE_CHECKING:
    from recollect.surfaces.tools import ToolFailure

_STATUS = {"invalid_arguments": 400, "not_found": 404, "conflict": 409, "failed": 422}
_TOOLSET = Parameter("toolset", "string", "The toolset, or several apart by a comma.")
_SESSION = Parameter("session", "string", "The session that the tool works on.")
TOOLS = "/v1/spaces/{space}/tools"
CALL = f"{TOOLS}/{{tool}}"


def tools(asked: Asked) -> Page:
    """The tools of a toolset as MCP declares them; "default" unless given."""
    from recollect.surfaces.tools import registry

    return Page(registry.definitions(str(asked.given.get("toolset", "default")), "mcp"))


def call(asked: Asked) -> dict[str, Json]:
    """Call a tool; the body holds its arguments, and nothing in it names a space."""
    from recollect.surfaces.tools import ToolFailure, registry

    given: dict[str, Any] = dict(asked.given)
    try:
        tool = registry.get(asked.path["tool"], given.get("toolset"), asked.body)
        session = given.get("session", "default")
        result = registry.attempt(tool, asked.body, asked.space, session)
    except ToolFailure as failure:
        raise _problem(failure) from None
    return {"result": result}


def _problem(failure: "ToolFailure") -> Problem:
    """A failure as a problem, which holds the fields of the error as its toolset words it."""
    own = failure.shape if failure.is_shaped and isinstance(failure.shape, dict) else {}
    members = {"error": failure.kind, **own, "kind": failure.kind}
    return Problem(_STATUS.get(failure.kind, 422), failure.message, members=members)


def is_read_only(tool: str, toolset: str | None) -> bool:
    """Whether a tool changes nothing; one that is unknown does not."""
    from recollect.surfaces.tools import ToolFailure, registry

    try:
        return registry.get(tool, toolset).annotations.read_only
    except ToolFailure:
        return True


ROUTES: tuple[Route, ...] = (
    listed(TOOLS, tools, dict[str, Json], _TOOLSET),
    route(
        CALL,
        call,
        dict[str, Json],
        _SESSION,
        _TOOLSET,
        method="POST",
        takes="arguments",
        writes=True,
    ),
)
