"""Listening: an ASGI app on a socket, until a signal stops it."""

import errno
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ricordo.errors import InvalidInput
from ricordo.surfaces.quiet_log import Sparing

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn import Config

    from ricordo.surfaces.server.connections import Crowd

_GRACE_SECONDS = 3  # to finish answers; then open streams are closed


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where to listen: a host and a port, or the path of a socket; with a certificate, over TLS."""

    host: str = "127.0.0.1"
    port: int = 0
    socket: str | None = None
    cert: str | None = None
    key: str | None = None

    def check(self) -> None:
        """Refuse what cannot be listened at, before anything else is done."""
        if (self.cert is None) != (self.key is None):
            raise InvalidInput("--cert and --key belong together; give both, or neither")
        for what, path in (("--cert", self.cert), ("--key", self.key)):
            if path is not None and not os.access(path, os.R_OK):
                raise InvalidInput(f"{what} {path!r} cannot be read; give a file in PEM form")
        if self.socket is not None and not hasattr(socket, "AF_UNIX"):
            raise InvalidInput("--socket needs Unix sockets, which this system lacks; use --port")


def listen(
    app: "ASGIApp", address: ListenAddress, ready: Callable[[str], None], log_level: str = "warning"
) -> None:
    """Serve until SIGTERM or SIGINT. `ready` gets the URL; port 0 picks a free port."""
    from ricordo.surfaces.server.allocator import return_large_blocks
    from ricordo.surfaces.server.connections import Crowd, Listener, find_bound
    from ricordo.surfaces.server.logs import set_up
    from ricordo.surfaces.server.stopping import Stoppable

    return_large_blocks()  # before the first request, which loads the model and fills the views
    crowd = Crowd()
    config = configure(app, address, crowd)
    own = Listener.around(bind(address), find_bound(), crowd)
    set_up(log_level)
    own.listen()  # from now on a client waits instead of being refused
    ready(_show(address, own.getsockname()))
    Stoppable(config).run(sockets=[own])


def configure(app: "ASGIApp", address: ListenAddress, crowd: "Crowd | None" = None) -> "Config":
    """The settings of uvicorn: the same event loop and parser in every installation."""
    import uvicorn

    from ricordo.surfaces.server.connections import ACCEPTED_AT_ONCE, Crowd, TimedConnection

    config = uvicorn.Config(
        app,
        host=address.host,
        port=address.port,
        ssl_certfile=address.cert,
        ssl_keyfile=address.key,
        loop="asyncio",  # accepts through our socket, which reserves descriptors for files
        http=TimedConnection.around(Crowd() if crowd is None else crowd),
        backlog=ACCEPTED_AT_ONCE,
        log_config=None,  # see logs.py
        access_log=False,  # paths hold the names of entries
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        lifespan="on",
    )
    for name in ("asyncio", "uvicorn.error"):  # after the configuration, which sets them up
        logging.getLogger(name).addFilter(Sparing())
    return config


def bind(address: ListenAddress) -> socket.socket:
    """A socket at the address. A path that a server left behind is taken over, and only its owner
    can connect to it."""
    if address.socket is None:
        return _bind_port(address)
    path = Path(address.socket)
    if path.exists() and not path.is_socket():
        raise InvalidInput(f"--socket {str(path)!r} is there and not a socket; choose another path")
    found = socket.socket(socket.AF_UNIX)
    if path.exists():
        try:
            found.connect(str(path))
        except OSError:
            path.unlink()  # nobody listens
        else:
            raise InvalidInput(f"another server listens at {str(path)!r}; choose another path")
        finally:
            found.close()
        found = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        found.bind(str(path))
    finally:
        os.umask(before)
    return found


def _bind_port(address: ListenAddress) -> socket.socket:
    """A socket at a port. uvicorn would end the process with a bare errno if it is taken."""
    found = socket.socket(socket.AF_INET6 if ":" in address.host else socket.AF_INET)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((address.host, address.port))
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            what = f"port {address.port} is in use at {address.host}, perhaps by another server"
            raise InvalidInput(f"{what}; choose another with --port, or 0 for a free one") from None
        what = f"{address.host} port {address.port} cannot be listened at ({error.strerror})"
        raise InvalidInput(f"{what}; choose others with --host and --port") from None
    return found


def _show(address: ListenAddress, name: Any) -> str:
    """The URL of a server."""
    if address.socket is not None:
        return f"unix:{Path(address.socket).absolute()}"
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{'http' if address.cert is None else 'https'}://{host}:{name[1]}"
