"""Listening: an ASGI app on a socket, until it is told to stop."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_GRACE_SECONDS = 3  # for answers under way; open streams are cut after it


def listen(app: "ASGIApp", host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. `ready` gets the address; port 0 takes one that is free."""
    import uvicorn

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,  # paths hold the names of entries
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        lifespan="on",
    )
    socket = config.bind_socket()
    socket.listen(config.backlog)  # whoever comes from now on waits and is not refused
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{socket.getsockname()[1]}")
    uvicorn.Server(config).run(sockets=[socket])
