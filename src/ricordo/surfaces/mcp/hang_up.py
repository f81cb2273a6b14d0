"""Hang up: what came with an answer that nobody reads is due again."""

import math
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
from mcp.server import ServerRequestContext

if TYPE_CHECKING:
    from ricordo.handles.memory import Space
    from ricordo.model import Reminder

Answer = TypeVar("Answer")


async def answer_reader(
    ctx: ServerRequestContext[Any, Any],
    run: "Callable[[], Awaitable[Answer]]",
    space: "Callable[[], Space]",
    delivered: "list[Reminder]",
) -> Answer:
    """Run a request that fills `delivered`; put that back if the client has gone or cancelled."""
    try:
        return await run()
    finally:
        # A worker thread runs to its end even if the request was cancelled meanwhile.
        is_cancelled = anyio.current_effective_deadline() == -math.inf
        with anyio.CancelScope(shield=True):
            if delivered and (is_cancelled or await _is_gone(ctx)):
                await anyio.to_thread.run_sync(lambda: space().reminders.put_back(delivered))


async def _is_gone(ctx: ServerRequestContext[Any, Any]) -> bool:
    return ctx.request is not None and await ctx.request.is_disconnected()
