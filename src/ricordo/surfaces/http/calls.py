"""The registry over HTTP: list the tools, and call one with its arguments as the body."""

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ricordo.model import Json
from ricordo.surfaces.faults import STATUSES
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import Page, RequestContext, Route, list_route, route
from ricordo.surfaces.mcp.touched import Write, name_terms
from ricordo.surfaces.server.problems import Problem, retry_headers
from ricordo.surfaces.server.tokens import READS_ONLY

if TYPE_CHECKING:
    from ricordo.surfaces.server.tokens import Grant
    from ricordo.surfaces.tools import Tool, ToolFailure

_TOOLSET = Parameter("toolset", "string", "The toolset, or several, separated by commas.")
_SESSION = Parameter("session", "string", "The session that the tool works on.")
_CHANNEL = Parameter("channel", "string", "Where the conversation takes place; goes to schedules.")
TOOLS = "/v1/spaces/{space}/tools"
CALL = f"{TOOLS}/{{tool}}"


def tools(asked: RequestContext) -> Page:
    """List the tools of a toolset as MCP declares them; default: "default"."""
    from ricordo.surfaces.tools import registry

    toolset = choose_toolset(asked.grant, asked.given.get("toolset"), "default")
    found = registry.definitions(str(toolset), "mcp")
    if asked.grant.read_only:
        readers = {
            tool.name for tool in registry.toolset(str(toolset)) if tool.annotations.read_only
        }
        found = [each for each in found if each["name"] in readers]
    return Page(found)


def choose_toolset(grant: "Grant", given: object, default: str | None) -> str | None:
    """The toolset of a request: the given one if the token offers it, else the token's own."""
    if given is None:
        return grant.toolset or default
    if not grant.offers(str(given)):
        told = f"this token has no toolset {given!r}; use {grant.toolset!r}"
        raise Problem(403, told)
    return str(given)


def call(asked: RequestContext) -> dict[str, Json]:
    """Call a tool; the body holds its arguments, and the space comes from the URL."""
    from ricordo.surfaces.tools import Bound, ToolFailure, registry

    given: dict[str, Any] = dict(asked.given)
    try:
        toolset = choose_toolset(asked.grant, given.get("toolset"), None)
        tool = registry.get(asked.path["tool"], toolset, asked.body)
        if asked.grant.read_only and not tool.annotations.read_only:
            raise Problem(403, READS_ONLY)
        session = given.get("session", "default")
        bound = Bound(asked.space, session, given.get("channel"))
        with asked.health.observe(tool):
            if asked.grant.read_only:  # bringing up a reminder would mark it as delivered
                return {"result": registry.attempt(tool, asked.body, bound)}
            answer = registry.attempt_with_due(tool, asked.body, bound)
            if answer.delivered:
                asked.undo.append(partial(asked.space.reminders.put_back, answer.delivered))
    except ToolFailure as failure:
        raise _problem(failure) from None
    return {"result": answer.result} | ({"due": answer.due} if answer.due else {})


def _problem(failure: "ToolFailure") -> Problem:
    """A failure as a problem, with the fields that its toolset gives to errors."""
    own = failure.shape if failure.is_shaped and isinstance(failure.shape, dict) else {}
    members = {"error": failure.kind, **own, "kind": failure.kind}
    headers = retry_headers(failure.kind)
    return Problem(STATUSES[failure.kind], failure.message, headers=headers, members=members)


def find_writer(path: Mapping[str, str], given: Mapping[str, str], body: bytes) -> "Tool | None":
    """The tool of a completed call, if it writes."""
    from ricordo.surfaces.tools import registry

    tool = registry.get(path["tool"], given.get("toolset"), body.decode())
    return None if tool.annotations.read_only else tool


def name_write(tool: "Tool", given: Mapping[str, str], body: bytes, answer: bytes) -> Write:
    """What a call touched, by its arguments and its result."""
    from ricordo.surfaces.tools.validate import read

    session = given.get("session", "default")
    return Write(name_terms(read(body.decode()), json.loads(answer), session), tool.is_sweeping)


ROUTES: tuple[Route, ...] = (
    list_route(TOOLS, tools, dict[str, Json], _TOOLSET),
    route(
        CALL,
        call,
        dict[str, Json],
        _SESSION,
        _TOOLSET,
        _CHANNEL,
        method="POST",
        takes="arguments",
        writes=True,
    ),
)
