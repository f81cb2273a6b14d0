"""The server over stdin and stdout; hosts start it. Only messages go to stdout."""

import os
import signal
from types import FrameType

import anyio
from mcp.server.stdio import stdio_server

from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.mcp.server import build, quieten
from ricordo.surfaces.server.lazy_memory import LazyMemory


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
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
