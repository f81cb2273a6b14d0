"""Listening: an ASGI app on a socket, until it is told to stop."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from ricordo.surfaces.quiet_log import Sparing

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn import Config

_GRACE_SECONDS = 3  # for answers under way; open streams are cut after it


def listen(app: "ASGIApp", host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. `ready` gets the address; port 0 takes one that is free."""
    import uvicorn

    from ricordo.surfaces.server.connections import Listener, find_bound

    config = configure(app, host, port)
    socket = Listener.around(config.bind_socket(), find_bound())
    socket.listen(config.backlog)  # whoever comes from now on waits and is not refused
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{socket.getsockname()[1]}")
    uvicorn.Server(config).run(sockets=[socket])


def configure(app: "ASGIApp", host: str, port: int) -> "Config":
    """How uvicorn serves: the same event loop and parser wherever it is installed."""
    import uvicorn

    from ricordo.surfaces.server.connections import TimedConnection

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="asyncio",  # accepts through our socket, which keeps descriptors back for files
        http=TimedConnection,
        log_level="warning",
        access_log=False,  # paths hold the names of entries
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        lifespan="on",
    )
    for name in ("asyncio", "uvicorn.error"):  # after the configuration, which sets them up
        logging.getLogger(name).addFilter(Sparing())
    return config
