"""Call a tool for a client: first the user's consent if needed, then the registry.

A failure reaches the model as text that it can act on; an internal error goes to the log.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
from mcp import types
from mcp.server import ServerRequestContext

from ricordo.errors import RicordoError
from ricordo.surfaces.mcp import confirm
from ricordo.surfaces.mcp.hang_up import answer_reader
from ricordo.surfaces.mcp.notices import Notices
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.mcp.touched import Write, name_terms
from ricordo.surfaces.output import dumps
from ricordo.surfaces.server.audit import AuditLog, describe_target
from ricordo.surfaces.server.health import Health
from ricordo.surfaces.server.tokens import READS_ONLY

if TYPE_CHECKING:
    from ricordo.handles.memory import Space
    from ricordo.model import Reminder
    from ricordo.surfaces.tools import Tool, ToolFailure
    from ricordo.surfaces.tools.registry import ToolAnswer

BEAT_SECONDS = 1.0  # between progress reports of a long call
BROKEN = "the memory failed; see its log"
_log = logging.getLogger("ricordo.mcp")

Context = ServerRequestContext[Any, Any]
Answer = TypeVar("Answer")


class Caller:
    """Calls tools, and notifies those who watch what they changed."""

    def __init__(self, notices: Notices, health: Health, audit: AuditLog | None = None) -> None:
        self._notices = notices
        self._health = health
        self._audit = audit

    async def call(
        self,
        ctx: Context,
        params: types.CallToolRequestParams,
        reach: ConnectionScope,
        space: "Callable[[], Space]",
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Answer one tools/call."""
        from ricordo.surfaces.tools import Bound, ToolFailure, registry
        from ricordo.surfaces.tools.registry import ToolAnswer

        given = params.arguments or {}
        try:
            tool = registry.get(params.name, reach.toolset)
        except ToolFailure as failure:
            return _failure_result(params.name, failure)
        except RicordoError as error:  # there is no such toolset
            return _failure_result(params.name, registry.report(params.name, error))
        if reach.read_only and not tool.annotations.read_only:
            refusal = ToolFailure(READS_ONLY)
            return _failure_result(tool, registry.word_failure(refusal, tool))
        try:
            word = await _word(ctx, params, tool, reach, space)
            if isinstance(word, types.InputRequiredResult):
                return word
            if not word:
                refusal = ToolFailure("the user declined; nothing was deleted")
                return _failure_result(tool, registry.word_failure(refusal, tool))

            delivered: list[Reminder] = []

            def work() -> "ToolAnswer":
                bound = Bound(space(), reach.session, reach.channel)
                with self._health.observe(tool):
                    if reach.read_only:  # bringing up a reminder would mark it as delivered
                        with reach.quiet:
                            return ToolAnswer(registry.attempt(tool, given, bound), [])
                    answer = registry.attempt_with_due(tool, given, bound)
                delivered.extend(answer.delivered)
                if self._audit is not None and not tool.annotations.read_only:
                    target = describe_target({}, given, answer.result)
                    self._audit.note(reach.token, reach.space, tool.name, target, reach.request)
                return answer

            async with reach.turn:
                run = partial(_with_signs, ctx, params.name, work)
                answer = await answer_reader(ctx, run, space, delivered)
        except ToolFailure as failure:
            return _failure_result(tool, failure)
        except RicordoError as error:  # there is no such space, or the memory cannot be opened
            return _failure_result(
                tool, registry.word_failure(registry.report(params.name, error), tool)
            )
        except Exception:  # noqa: BLE001  the boundary: a client never sees internal errors
            _log.exception("tool %s failed", params.name)
            return _failure_result(tool, registry.word_failure(ToolFailure(BROKEN), tool))
        if not tool.annotations.read_only:
            terms = partial(name_terms, given, answer.result, reach.session)
            await self._notices.wrote(reach.space, lambda: Write(terms(), tool.is_sweeping))
        return _result(tool, answer)


async def _word(
    ctx: Context,
    params: types.CallToolRequestParams,
    tool: "Tool",
    reach: ConnectionScope,
    space: "Callable[[], Space]",
) -> bool | types.InputRequiredResult:
    """Whether to continue: ask the user if much would be deleted and the host can ask."""
    if not tool.annotations.destructive or not confirm.can_ask(ctx):
        return True

    def count() -> int:
        return confirm.removes(tool, params.arguments or {}, space(), reach.session)

    many = await anyio.to_thread.run_sync(count)
    return True if many < confirm.MANY else await confirm.ask_user(ctx, params, many)


async def _with_signs(ctx: Context, name: str, work: Callable[[], Answer]) -> Answer:
    """Run on a worker thread; a client that asked for progress gets a report each second."""
    if "progress_token" not in (ctx.meta or {}):
        return await anyio.to_thread.run_sync(work)
    outcome: list[Answer | Exception] = []

    def run_and_keep() -> None:
        try:
            outcome.append(work())
        except Exception as error:  # noqa: BLE001  raised again below, outside of the task group
            outcome.append(error)

    async with anyio.create_task_group() as group:
        group.start_soon(_beat, ctx, name)
        await anyio.to_thread.run_sync(run_and_keep)
        group.cancel_scope.cancel()
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    return outcome[0]


async def _beat(ctx: Context, name: str) -> None:
    seconds = 0.0
    while True:
        await ctx.session.report_progress(seconds, None, f"{name} is running")
        await anyio.sleep(BEAT_SECONDS)
        seconds += BEAT_SECONDS


def _result(tool: "Tool", answer: "ToolAnswer") -> types.CallToolResult:
    """The result as text, and as structured content if the tool has a schema for it.

    Due reminders stand in both, under `due`: a host may show a model either of them.
    """
    from ricordo.surfaces.tools.export import is_object

    result = answer.result | {"due": answer.due} if answer.due else answer.result
    text = result if isinstance(result, str) else dumps(result)
    structured = None
    if tool.result is not None:
        structured = result if is_object(tool.result) else {"result": result}
    content: list[types.ContentBlock] = [types.TextContent(text=text)]
    return types.CallToolResult(content=content, structured_content=structured)


def _failure_result(tool: "Tool | str", failure: "ToolFailure") -> types.CallToolResult:
    """A failure in the shape of its toolset, or as text that begins with the tool's name."""
    from ricordo.surfaces.tools.validate import complaint

    shape = failure.shape
    if not failure.is_shaped:
        shape = f"{tool if isinstance(tool, str) else tool.name}: {failure.message}"
    content = types.TextContent(text=shape if isinstance(shape, str) else dumps(shape))
    promised = None if isinstance(tool, str) else tool.result
    # A host may check structured content against the result's schema, even if it is an error.
    is_promised = promised is not None and complaint(promised, shape) is None
    return types.CallToolResult(
        content=[content], structured_content=shape if is_promised else None, is_error=True
    )
