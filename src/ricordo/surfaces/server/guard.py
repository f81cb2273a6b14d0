"""The guard in front of a server: checks a request before anything else reads it.

Pure ASGI. In this order: the Host is one of ours (a rebound name is not), the Origin is our own or
none, the token is known, a body is JSON, and it is not too long. It knows nothing of memories.

Instead of a token a page of ours sends the cookie of its login. A browser sends cookies by itself,
so more is asked of them: the request comes from our own page, and one that writes says so twice.
"""

import logging
import math
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from ricordo.errors import InvalidInput
from ricordo.surfaces.quiet_log import Gate
from ricordo.surfaces.server.logins import Logins
from ricordo.surfaces.server.problems import MEDIA, Problem
from ricordo.surfaces.server.shares import RATE, Rates
from ricordo.surfaces.server.tokens import Grant, Tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
BEARER = frozenset({"bearer"})
BODY_LIMIT = 4 * 1024 * 1024
GRANT = "ricordo.grant"
_DRAINED = 4 * BODY_LIMIT  # bytes of a refused body that are read and thrown away
_DRAIN_SECONDS = 10.0  # for all of it
_IDLE_SECONDS = 2.0  # in which some more has to come
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_READS = frozenset({"GET", "HEAD"})
LOGIN_PATH = "/v1"  # where the cookie of a login is sent, and the only place where it counts
_ASKED_HEADERS = "access-control-request-headers"
_SINGLE = (
    "host",
    "origin",
    "authorization",
    "cookie",
    "sec-fetch-site",
    "content-type",
    "content-length",
    "transfer-encoding",
    "access-control-request-method",
    _ASKED_HEADERS,
)
_log = logging.getLogger("ricordo.http")


class _HungUp(Exception):
    """The client disconnected before its whole body arrived."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What is allowed. `hosts` have no port; `origins` have a scheme: https://example.org."""

    hosts: frozenset[str] = LOOPBACK
    origins: frozenset[str] = frozenset()
    body_limit: int = BODY_LIMIT
    body_seconds: float = 60.0  # until the whole body must have arrived
    open_paths: frozenset[str] = frozenset({"/healthz"})
    schemes: frozenset[str] = BEARER  # words before a token in its header
    rate: float = RATE  # requests a second of one token; 0 for no limit


def is_host_allowed(host: str | None, rules: Rules) -> bool:
    """Whether a Host header names us; any valid port will do."""
    if not host:
        return False
    name, port = _split_port(host.lower())
    return name in rules.hosts and (port == "" or (port.isascii() and port.isdigit()))


def is_origin_allowed(origin: str | None, host: str, rules: Rules) -> bool:
    """Whether a page of this origin may ask: the server's own, or an allowed one.

    No Origin means no browser. Another port of the same machine is another origin.
    """
    if origin is None:
        return True
    scheme, separator, place = origin.lower().partition("://")
    own = bool(separator) and scheme in ("http", "https") and place == host.lower()
    return own or origin.lower() in rules.origins


def is_json(content_type: str | None) -> bool:
    """Whether a content type means JSON in UTF-8."""
    kind, *rest = (content_type or "").lower().split(";")
    parts = [part.strip() for part in rest]
    return kind.strip() == "application/json" and all(
        part.replace('"', "") in ("", "charset=utf-8") for part in parts
    )


def secret_of(authorization: str | None, schemes: frozenset[str] = BEARER) -> str | None:
    """The token of an Authorization header, or None."""
    scheme, _, secret = (authorization or "").partition(" ")
    return secret.strip() if scheme.lower() in schemes and secret.strip() else None


def name_cookie(host: str) -> str:
    """The name of the login's cookie: browsers share cookies between the ports of a machine."""
    port = _split_port(host.lower())[1]
    return f"ricordo-{port}" if port.isdigit() else "ricordo"


def cookie_of(cookies: str | None, name: str) -> str | None:
    """The value of a cookie; None if it is missing, or there twice."""
    pairs = (each.strip().partition("=") for each in (cookies or "").split(";"))
    found = [value for key, _, value in pairs if key == name]
    return found[0] if len(found) == 1 and found[0] else None


def is_own_page(headers: Mapping[str, str], method: str) -> bool:
    """Whether a browser says that a page of ours asks; for a write, its Origin has to say so too.

    Other ports of this machine are the same site and get the cookie, but another origin.
    """
    if headers.get("sec-fetch-site", "").lower() != "same-origin":
        return False
    origin, host = headers.get("origin"), headers.get("host", "")
    return method in _READS or (origin is not None and is_origin_allowed(origin, host, Rules()))


class Body:
    """The body of a request as it arrives."""

    def __init__(self, scope: "Scope", receive: "Receive") -> None:
        self.receive = receive
        self.is_ended = False
        # Such a client sends nothing until the server tells it to continue; the first read does.
        self._is_held_back = (b"expect", b"100-continue") in scope["headers"]

    async def next(self) -> "Message":
        self._is_held_back = False
        message = await self.receive()
        self.is_ended = not message.get("more_body", False)
        return message

    async def is_drained(self) -> bool:
        """Read and discard the rest of a body, within limits; whether all of it was read.

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
    """Passes on what the rules allow, with the client's grant in the scope under `GRANT`."""

    def __init__(
        self,
        app: "ASGIApp",
        tokens: Tokens,
        rules: Rules | None = None,
        logins: Logins | None = None,
    ) -> None:
        self.app = app
        self.tokens = tokens
        self.rules = rules or Rules()
        self.logins = logins
        self._rates = Rates(self.rules.rate)
        self._gate = Gate()

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
            return  # nobody waits for an answer
        else:
            await self.app(scope, receive, send)

    def _check_place(self, headers: Mapping[str, str]) -> None:
        host, origin = headers.get("host"), headers.get("origin")
        if not is_host_allowed(host, self.rules):
            raise Problem(421, f"host {host!r} is not allowed; start the server with --allow-host")
        if not is_origin_allowed(origin, host or "", self.rules):
            raise Problem(
                403, f"origin {origin!r} is not allowed; start the server with --allow-origin"
            )

    def _admit(self, scope: "Scope", headers: Mapping[str, str]) -> Grant | None:
        if scope["path"] in self.rules.open_paths:
            return None
        grant = self._find_grant(scope, headers)
        if grant is None:
            raise Problem(401, "no valid token; send the header Authorization: Bearer TOKEN")
        if wait := self._rates.admit(grant.digest or grant.name):
            told = f"this token sends more than {self.rules.rate:g} requests a second; slow down"
            raise Problem(429, told, headers={"Retry-After": str(math.ceil(wait))})
        is_written = scope["method"] not in _READS and "authorization" not in headers
        with_body = scope["method"] in _WITH_BODY or is_written
        if with_body and not is_json(headers.get("content-type")):
            raise Problem(
                415, "the request body must be JSON; send the header Content-Type: application/json"
            )
        return grant

    def _find_grant(self, scope: "Scope", headers: Mapping[str, str]) -> Grant | None:
        """The grant of the token, or without one that of the login behind the cookie."""
        secret = secret_of(headers.get("authorization"), self.rules.schemes)
        if "authorization" in headers or self.logins is None:
            return None if secret is None else self._look_up(self.tokens.grant, secret)
        cookie = cookie_of(headers.get("cookie"), name_cookie(headers.get("host", "")))
        if cookie is None or not str(scope["path"]).startswith(f"{LOGIN_PATH}/"):
            return None
        if not is_own_page(headers, scope["method"]):
            told = "a login works in the inspector's own page alone; elsewhere send a token"
            raise Problem(403, told)
        return self._look_up(self.logins.grant, cookie)

    def _look_up(self, find: Callable[[str], Grant | None], secret: str) -> Grant | None:
        try:
            return find(secret)
        except (InvalidInput, OSError) as error:
            held_back = self._gate.admit(str(error))
            if held_back is not None:
                _log.warning("all requests are refused: %s (%s more)", error, held_back)
            raise Problem(503, "the server cannot read its tokens; see its log") from error

    async def _bound_body(self, headers: Mapping[str, str], given: "Body") -> "Receive":
        """Read the body in time and return a replay of it. Even a GET may have one."""
        try:
            with anyio.fail_after(self.rules.body_seconds):
                return await self._whole(headers, given)
        except TimeoutError as error:
            raise Problem(408, "the request body came too late; send it without delay") from error

    async def _whole(self, headers: Mapping[str, str], given: "Body") -> "Receive":
        """Read the body up to its limit."""
        limit = self.rules.body_limit
        too_long = Problem(413, f"the request body is longer than {limit} bytes")
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
    """The headers that decide, each at most once: programs differ in which of two they use."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in _SINGLE:
            if key in found:
                raise Problem(400, f"the header {key} was sent twice; send it once")
            found[key] = value.decode("latin-1")
    if "transfer-encoding" in found and "content-length" in found:
        # A proxy that believes the other one would take the rest for a request of somebody else.
        told = "the body has two lengths; send Content-Length or Transfer-Encoding"
        raise Problem(400, told, headers={"Connection": "close"})
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
    """Add headers that let a page of this origin read the answer."""
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
    """Answer a preflight request, which a browser sends first and without the token."""
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
    headers += [(k.lower().encode(), v.encode()) for k, v in problem.headers.items()]
    if not stays:
        headers.append((b"connection", b"close"))
    if problem.status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="ricordo"'))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
