"""Servers for tests: a real one on a loopback port, and the bare words to ask it with."""

import contextlib
import http.client
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import ricordo
from ricordo.surfaces.http.app import ServeOptions, compose
from ricordo.surfaces.mcp.notices import Notices
from ricordo.surfaces.mcp.scope import ConnectionScope
from ricordo.surfaces.server.guard import Rules
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.tokens import Tokens

SOURCE = Path(ricordo.__file__).parent.parent
ERAS = ("auto", "legacy")


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Running:
    """A server that runs in this process, on a port of its own."""

    port: int
    tokens: Tokens
    opening: LazyMemory
    path: Path
    token: str = field(repr=False)
    notices: Notices = field(repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> ricordo.Memory:
        return self.opening.memory()

    def raw(
        self, method: str, path: str, headers: list[tuple[str, str]], body: bytes = b""
    ) -> Reply:
        """Send exactly these headers; nothing is added but the length."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            link.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                link.putheader(name, value)
            if body and not any(name.lower() == "transfer-encoding" for name, _ in headers):
                link.putheader("Content-Length", str(len(body)))
            # In one piece: who refuses the head alone resets a connection that is still sent to.
            parts: list[bytes] = []
            link.connect()
            link.send = parts.append  # type: ignore[method-assign, assignment]
            link.endheaders(body or None)
            link.sock.sendall(b"".join(parts))
            reply = link.getresponse()
            return Reply(reply.status, {k.lower(): v for k, v in reply.getheaders()}, reply.read())
        finally:
            link.close()

    def ask(
        self,
        method: str,
        path: str,
        given: object = None,
        token: str | None = None,
        *,
        accept: bool = False,
        session: str | None = None,
    ) -> Reply:
        """A request as a well-behaved client sends it; `accept` and `session` are for MCP."""
        headers = [
            ("Host", f"127.0.0.1:{self.port}"),
            ("Authorization", f"Bearer {self.token if token is None else token}"),
        ]
        body = b""
        if given is not None:
            body = given if isinstance(given, bytes) else json.dumps(given).encode()
        if method in ("POST", "PUT"):
            headers.append(("Content-Type", "application/json"))
        if accept:
            headers.append(("Accept", "application/json, text/event-stream"))
        if session is not None:
            headers.append(("Mcp-Session-Id", session))
        return self.raw(method, path, headers, body)

    def get(self, path: str, token: str | None = None) -> Any:
        reply = self.ask("GET", path, token=token)
        assert reply.status == 200, reply.body
        return reply.json

    def call(self, space: str, tool: str, token: str | None = None, **given: object) -> Any:
        reply = self.ask("POST", f"/v1/spaces/{space}/tools/{tool}", given, token)
        assert reply.status == 200, reply.body
        return reply.json["result"]


@contextlib.contextmanager
def running(
    folder: Path,
    rules: Rules | None = None,
    reach: ConnectionScope | None = None,
    *,
    is_mem0: bool = False,
    makes_spans: bool = False,
) -> Iterator[Running]:
    """A server over a memory in a folder, until the block ends."""
    tokens = Tokens(folder / "tokens.json")
    path = folder / "agent.db"
    opening = LazyMemory(lambda: ricordo.open(path, embedder="hash"))
    scope = reach or ConnectionScope("default")
    serving = ServeOptions(
        tokens, scope, rules or Rules(), is_mem0=is_mem0, makes_spans=makes_spans
    )
    own = socket.socket()
    own.bind(("127.0.0.1", 0))
    own.listen()  # from here on clients wait for the server instead of being refused
    app, desk = compose(opening, serving)
    config = uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]})
    thread.start()
    try:
        port = own.getsockname()[1]
        yield Running(port, tokens, opening, path, tokens.ensure().token, desk.notices)
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        own.close()


def environment() -> dict[str, str]:
    """The environment of a child: ours, with the sources and no settings of somebody else."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RICORDO_")}
    return {**kept, "PYTHONPATH": str(SOURCE), "RICORDO_EMBEDDER": "hash"}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "ricordo", *words]


def over_stdio(path: Path, mode: str, *words: str, **rest: Any) -> Client:
    """A real client of a real process."""
    program, *arguments = command("mcp", "--db", str(path), *words)
    started = StdioServerParameters(command=program, args=arguments, env=environment())
    return Client(stdio_client(started), mode=mode, **rest)


@contextlib.asynccontextmanager
async def over_http(server: Running, mode: str, place: str = "/mcp", **rest: Any) -> Any:
    """A real client over a real socket."""
    token = rest.pop("token", server.token)
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(
            streamable_http_client(f"{server.url}{place}", http_client=http), mode=mode, **rest
        ) as client,
    ):
        yield client
