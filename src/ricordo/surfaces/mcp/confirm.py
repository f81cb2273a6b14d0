"""Confirm: ask the user before a call deletes several things, if the host can ask.

Each tool that deletes more than it names is listed here, with a count of what it would delete. A
host that cannot ask relies on the tool's annotations: they say that it is destructive.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from ricordo.model import Json

if TYPE_CHECKING:
    from ricordo.handles.memory import Space
    from ricordo.surfaces.tools import Tool

QUESTION = "confirm"
MANY = 2  # deletions in one call that need the user's consent
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Remove it", "default": False}},
    "required": ["confirm"],
}


def removes(tool: "Tool", given: Mapping[str, Json], space: "Space", session: str) -> int:
    """How many things a call would delete without naming each."""
    if (tool.toolset, tool.name) == ("notes", "scratchpad_clear"):
        return len(space.session(session).scratchpad())
    if (tool.toolset, tool.name) == ("anthropic", "memory") and given.get("command") == "delete":
        return _below(str(given.get("path", "")), space)
    return 0


def _below(path: str, space: "Space") -> int:
    """The files in a directory; the tool itself refuses a bad path."""
    from ricordo.surfaces.anthropic.paths import MemoryRefused, parse_path

    try:
        real = parse_path(path).real
    except MemoryRefused:
        return 0
    return len(space.entries(prefix=f"{real}/", limit=1_000))


def can_ask(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the host shows forms to its user."""
    declared = ctx.session.client_capabilities
    asking = None if declared is None else declared.elicitation
    return asking is not None and (asking.form is not None or asking.url is None)


async def ask_user(
    ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams, count: int
) -> bool | InputRequiredResult:
    """The user's answer: yes, no, or a question to ask first."""
    message = f"{params.name} permanently deletes {count} things at once. Continue?"
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return _is_yes(await ctx.session.elicit_form(message, _FORM, ctx.request_id))
    answer = (params.input_responses or {}).get(QUESTION)
    # The state is sealed with the name and arguments of the call: an answer without it, or to
    # another call, does not count.
    if isinstance(answer, ElicitResult) and params.request_state == QUESTION:
        return _is_yes(answer)
    form = ElicitRequestFormParams(message=message, requested_schema=_FORM)
    return InputRequiredResult(
        input_requests={QUESTION: ElicitRequest(params=form)}, request_state=QUESTION
    )


def _is_yes(answer: ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get("confirm") is True
