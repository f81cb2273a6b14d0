"""The server over stdin and stdout; hosts start it. Only messages go to stdout."""

import os
import signal
from types import FrameType

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server

from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.mcp.server import build, quieten
from ricordo.surfaces.server.lazy_memory import LazyMemory

_FIRST_LOOK_SECONDS = 10.0


def serve(opening: LazyMemory, reach: ConnectionScope) -> None:
    """Serve one client until it disconnects, then close the memory."""
    quieten()

    def stop(number: int, _: FrameType | None) -> None:
        # A thread waits for stdin and cannot be woken, so the process ends at once. The memory is
        # closed by now, and there is nothing else to save.
        opening.close()
        os._exit(128 + number)

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, stop)
    anyio.run(_run, opening, reach)


async def _run(opening: LazyMemory, reach: ConnectionScope) -> None:
    server, _ = build(opening, lambda _: reach)
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(_open_later, opening)
        await server.run(read, write, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _open_later(opening: LazyMemory) -> None:
    """A memory has work to do by itself, also if no tool is ever called; the handshake is first."""
    await anyio.sleep(_FIRST_LOOK_SECONDS)
    await anyio.to_thread.run_sync(opening.open_if_kept)
