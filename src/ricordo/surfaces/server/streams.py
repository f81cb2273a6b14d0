"""Streams: an answer that goes on ends when whoever asked for it may no longer ask."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOK_SECONDS = 1.0  # between two looks at the tokens, while an answer goes on
_log = logging.getLogger("ricordo.http")


def end_with(is_valid: Callable[[], bool], app: "ASGIApp") -> "ASGIApp":
    """The app, whose answer is ended in good order once `is_valid` says no."""

    async def run(scope: "Scope", receive: "Receive", send: "Send") -> None:
        is_begun = is_whole = False

        async def note(message: "Message") -> None:
            nonlocal is_begun, is_whole
            is_begun = True
            is_body = message["type"] == "http.response.body"
            is_whole = is_body and not message.get("more_body", False)
            await send(message)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_watch, is_valid, tasks.cancel_scope)
            await app(scope, receive, note)
            tasks.cancel_scope.cancel()
        if is_begun and not is_whole:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return run


async def _watch(is_valid: Callable[[], bool], answering: anyio.CancelScope) -> None:
    while True:
        await anyio.sleep(LOOK_SECONDS)
        try:
            is_over = not is_valid()
        except Exception:  # noqa: BLE001  tokens that cannot be read open nothing
            is_over = True
        if is_over:
            _log.info("a stream ends with its token")
            answering.cancel()
            return
