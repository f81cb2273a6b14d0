"""The guard in front of a server: who is let in, decided before anything else looks at a request.

Pure ASGI. In this order: the Host is one of ours (a rebound name is not), the Origin is our own or
none, the token is known, a body is JSON, and it is not too long. It knows nothing of memories.
"""

import logging
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from ricordo.errors import InvalidInput
from ricordo.surfaces.server.problems import MEDIA, Problem
from ricordo.surfaces.server.tokens import Grant, Tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
BODY_LIMIT = 4 * 1024 * 1024
GRANT = "ricordo.grant"
_DRAINED = 4 * BODY_LIMIT  # bytes of a refused body that are read and thrown away
_DRAIN_SECONDS = 10.0  # for all of it
_IDLE_SECONDS = 2.0  # in which some more has to come
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_ASKED_HEADERS = "access-control-request-headers"
_SINGLE = (
    "host",
    "origin",
    "authorization",
    "content-type",
    "content-length",
    "access-control-request-method",
    _ASKED_HEADERS,
)
_log = logging.getLogger("ricordo.http")


class _HungUp(Exception):
    """The client went before all of its body was here."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What is let in. `hosts` are names without a port, `origins` are whole: https://example.org."""

    hosts: frozenset[str] = LOOPBACK
    origins: frozenset[str] = frozenset()
    body_limit: int = BODY_LIMIT
    body_seconds: float = 60.0  # in which all of a body has to be there
    open_paths: frozenset[str] = frozenset({"/healthz"})


def is_host_allowed(host: str | None, rules: Rules) -> bool:
    """Whether a Host header names us; the port does not matter, but has to be one."""
    if not host:
        return False
    name, port = _split_port(host.lower())
    return name in rules.hosts and (port == "" or (port.isascii() and port.isdigit()))


def is_origin_allowed(origin: str | None, host: str, rules: Rules) -> bool:
    """Whether a page of that origin may ask: one of the server itself, or one that was named.

    No Origin means no browser. Another port of the same machine is another origin.
    """
    if origin is None:
        return True
    scheme, separator, place = origin.lower().partition("://")
    own = bool(separator) and scheme in ("http", "https") and place == host.lower()
    return own or origin.lower() in rules.origins


def is_json(content_type: str | None) -> bool:
    """Whether a body says that it is JSON, in UTF-8 if it says more."""
    kind, *rest = (content_type or "").lower().split(";")
    parts = [part.strip() for part in rest]
    return kind.strip() == "application/json" and all(
        part.replace('"', "") in ("", "charset=utf-8") for part in parts
    )


def secret_of(authorization: str | None) -> str | None:
    """The token of an Authorization header, or None."""
    scheme, _, secret = (authorization or "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" and secret.strip() else None


class Body:
    """The body of a request as it comes in."""

    def __init__(self, scope: "Scope", receive: "Receive") -> None:
        self.receive = receive
        self.is_ended = False
        # Such a client sends nothing before it is told to go on, which the first read does.
        self._is_held_back = (b"expect", b"100-continue") in scope["headers"]

    async def next(self) -> "Message":
        self._is_held_back = False
        message = await self.receive()
        self.is_ended = not message.get("more_body", False)
        return message

    async def is_drained(self) -> bool:
        """Whether all of it is read; if it is not endless, what is left is read and thrown away.

        A connection that is closed with something unread is reset, and a client that is still
        sending never sees why. Who sends it drop by drop is not waited for.
        """
        left = 0 if self._is_held_back else _DRAINED
        with anyio.move_on_after(_DRAIN_SECONDS) as all_of_it:
            while not self.is_ended and left > 0:
                with anyio.move_on_after(_IDLE_SECONDS) as some_more:
                    left -= len((await self.next()).get("body", b"")) or 1
                if some_more.cancelled_caught or all_of_it.cancel_called:
                    break
        return self.is_ended


class Guard:
    """Lets in what the rules allow. Who it is stands in the scope under `GRANT`."""

    def __init__(self, app: "ASGIApp", tokens: Tokens, rules: Rules | None = None) -> None:
        self.app = app
        self.tokens = tokens
        self.rules = rules or Rules()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._http(scope, receive, send)

    async def _http(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        body = Body(scope, receive)
        try:
            headers = _single(scope)
            self._check_place(headers)
            origin = headers.get("origin", "")
            if origin.lower() in self.rules.origins:
                send = _readable(origin, send)
                if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
                    await _preflight(headers, send)
                    return
            scope[GRANT] = self._admit(scope, headers)
            receive = await self._bound_body(headers, body)
        except Problem as problem:
            await _refuse(problem, send, stays=await body.is_drained())
        except _HungUp:
            return  # nobody is left to be answered
        else:
            await self.app(scope, receive, send)

    def _check_place(self, headers: Mapping[str, str]) -> None:
        host, origin = headers.get("host"), headers.get("origin")
        if not is_host_allowed(host, self.rules):
            raise Problem(
                421, f"host {host!r} is not served here; start the server with --allow-host"
            )
        if not is_origin_allowed(origin, host or "", self.rules):
            raise Problem(
                403, f"origin {origin!r} may not ask; start the server with --allow-origin"
            )

    def _admit(self, scope: "Scope", headers: Mapping[str, str]) -> Grant | None:
        if scope["path"] in self.rules.open_paths:
            return None
        grant = self._grant(headers.get("authorization"))
        if grant is None:
            raise Problem(401, "no valid token; send the header Authorization: Bearer TOKEN")
        if scope["method"] in _WITH_BODY and not is_json(headers.get("content-type")):
            raise Problem(
                415, "the body has to be JSON; send the header Content-Type: application/json"
            )
        return grant

    def _grant(self, authorization: str | None) -> Grant | None:
        secret = secret_of(authorization)
        try:
            return None if secret is None else self.tokens.grant(secret)
        except (InvalidInput, OSError) as error:
            _log.warning("nobody is let in: %s", error)
            raise Problem(503, "the server cannot read its tokens; its log says why") from error

    async def _bound_body(self, headers: Mapping[str, str], given: "Body") -> "Receive":
        """The body, if it comes in time, and given out again. A GET may have one too."""
        try:
            with anyio.fail_after(self.rules.body_seconds):
                return await self._whole(headers, given)
        except TimeoutError as error:
            raise Problem(408, "the body did not come in time; send it at once") from error

    async def _whole(self, headers: Mapping[str, str], given: "Body") -> "Receive":
        """The body, read as far as it is allowed to go."""
        limit = self.rules.body_limit
        too_long = Problem(413, f"the body is longer than {limit} bytes")
        told = headers.get("content-length", "0")
        if not (told.isascii() and told.isdigit()) or int(told[:20]) > limit:
            raise too_long
        body = bytearray()
        while True:
            message = await given.next()
            if message["type"] != "http.request":
                raise _HungUp
            body += message.get("body", b"")
            if len(body) > limit:
                raise too_long
            if given.is_ended:
                break
        whole = {"type": "http.request", "body": bytes(body), "more_body": False}
        return _replay([whole], given.receive)


def _single(scope: "Scope") -> dict[str, str]:
    """The headers that decide, each at most once: two of a kind are read differently by others."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in _SINGLE:
            if key in found:
                raise Problem(400, f"the header {key} stands there twice")
            found[key] = value.decode("latin-1")
    return found


def _split_port(host: str) -> tuple[str, str]:
    if host.startswith("["):
        name, bracket, rest = host.partition("]")
        return name + bracket, rest.removeprefix(":") if rest.startswith(":") else rest and "?"
    name, separator, port = host.partition(":")
    return name, port if not separator or port else "?"


def _replay(messages: list[MutableMapping[str, Any]], receive: "Receive") -> "Receive":
    async def again() -> "Message":
        return messages.pop(0) if messages else await receive()

    return again


def _readable(origin: str, send: "Send") -> "Send":
    """Answers that the browser lets a page of that origin read."""
    told = [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"mcp-session-id"),
        (b"vary", b"origin"),
    ]

    async def answer(message: "Message") -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *told]}
        await send(message)

    return answer


async def _preflight(headers: Mapping[str, str], send: "Send") -> None:
    """A browser asks first, and without the token, whether a page may send what it wants to."""
    told = [
        (b"access-control-allow-methods", b"GET, POST, DELETE"),
        (b"access-control-allow-headers", headers.get(_ASKED_HEADERS, "").encode("latin-1")),
        (b"access-control-max-age", b"600"),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": told})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(problem: Problem, send: "Send", *, stays: bool) -> None:
    body = problem.body()
    headers = [
        (b"content-type", MEDIA.encode()),
        (b"content-length", str(len(body)).encode()),
    ]
    if not stays:
        headers.append((b"connection", b"close"))
    if problem.status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="ricordo"'))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
