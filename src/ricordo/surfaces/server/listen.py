"""Listening: an ASGI app on a socket, until a signal stops it."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from ricordo.surfaces.quiet_log import Sparing

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn import Config

_GRACE_SECONDS = 3  # to finish answers; then open streams are closed


def listen(app: "ASGIApp", host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT. `ready` gets the address; port 0 picks a free port."""
    import uvicorn

    from ricordo.surfaces.server.allocator import return_large_blocks
    from ricordo.surfaces.server.connections import Listener, find_bound

    return_large_blocks()  # before the first request, which loads the model and fills the views
    config = configure(app, host, port)
    socket = Listener.around(config.bind_socket(), find_bound())
    socket.listen(config.backlog)  # from now on a client waits instead of being refused
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{socket.getsockname()[1]}")
    uvicorn.Server(config).run(sockets=[socket])


def configure(app: "ASGIApp", host: str, port: int) -> "Config":
    """The settings of uvicorn: the same event loop and parser in every installation."""
    import uvicorn

    from ricordo.surfaces.server.connections import TimedConnection

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="asyncio",  # accepts through our socket, which reserves descriptors for files
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
