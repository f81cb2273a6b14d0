"""The whole server: metrics around the guard around the API, MCP and the other routes."""

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server import ServerRequestContext
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ricordo.errors import RicordoError
from ricordo.handles.telemetry import measure_queues
from ricordo.surfaces.faults import Reports
from ricordo.surfaces.http import metrics, openapi
from ricordo.surfaces.http.api import (
    ROUTE,
    Api,
    answer_of,
    check_reach,
    query_of,
    raw_path,
)
from ricordo.surfaces.http.calls import choose_toolset
from ricordo.surfaces.http.inspector import Inspector, list_open_paths
from ricordo.surfaces.http.parameters import Parameter, read_query
from ricordo.surfaces.http.reads import hide_url
from ricordo.surfaces.http.routes import decode
from ricordo.surfaces.mcp.http_sessions import BoundedSessions
from ricordo.surfaces.mcp.scope import KEY, ConnectionScope
from ricordo.surfaces.mcp.server import RequestHandler, build
from ricordo.surfaces.server import logs
from ricordo.surfaces.server.guard import GRANT, Guard, Rules
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.logins import Logins
from ricordo.surfaces.server.problems import FAILED, Problem
from ricordo.surfaces.server.streams import end_with
from ricordo.surfaces.server.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from ricordo.surfaces.http.routes import Route as ApiRoute

HUNG_UP = 499  # the status in the metrics of a request whose client did not wait for the answer
_log = logging.getLogger("ricordo.http")
_CHOSEN = (
    Parameter("toolset", "string", "The tools of the connection."),
    Parameter("session", "string", "The session of the connection."),
    Parameter("channel", "string", "Where the conversation takes place."),
)


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Options of a server. `reach` is the default scope of an MCP client; with `logins` the server
    has the inspector; `is_mem0` adds the API of mem0, over the space of `reach`; with `makes_spans`
    each request is a span of OpenTelemetry."""

    tokens: Tokens
    reach: ConnectionScope = field(default_factory=lambda: ConnectionScope("default"))
    rules: Rules = field(default_factory=Rules)
    logins: Logins | None = None
    is_mem0: bool = False
    makes_spans: bool = False


def application(opening: LazyMemory, serving: ServeOptions) -> "ASGIApp":
    """The server as one ASGI app. It closes the memory when it ends."""
    return compose(opening, serving)[0]


def compose(opening: LazyMemory, serving: ServeOptions) -> "tuple[ASGIApp, RequestHandler]":
    """The same, with what answers MCP in it."""
    server, desk = build(opening, _reach, serving.tokens.audit)
    is_valid = (serving.logins or serving.tokens).is_valid
    mem0_space = serving.reach.space if serving.is_mem0 else None
    api = Api(opening, desk.notices.wrote, serving.tokens, is_valid, mem0_space)
    return mount(server, api, opening, serving), desk


def mount(server: Server[Any], api: Api, opening: LazyMemory, serving: ServeOptions) -> "ASGIApp":
    """The same for an MCP server that is built already."""
    manager = BoundedSessions(server, serving.rules.body_limit)
    counted = metrics.Metrics(manager.count)
    opening.watch(counted.steps)
    beside = ServerProbes(opening, counted, api.routes)
    door = McpRouter(api, AuthContextMiddleware(manager.handle_request), serving)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with manager.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.to_thread.run_sync, opening.open_if_kept)
            yield

    routes = [
        Route("/healthz", beside.health),
        Route("/metrics", beside.metrics),
        Route("/openapi.json", beside.document),
    ]
    if serving.logins is not None:
        routes += Inspector(serving.logins).list_routes()
    handlers: dict[Any, Any] = {
        HTTPException: _answer_refusal,
        Exception: _answer_failure,
    }  # as Starlette has it
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.router.default = door  # not a pattern: a path may hold anything, line breaks too
    return MetricsMiddleware(_guard(_trace(app, serving), serving), counted)


def _trace(app: "ASGIApp", serving: ServeOptions) -> "ASGIApp":
    if not serving.makes_spans:
        return app
    from ricordo.surfaces.http.request_spans import RequestSpans

    return RequestSpans(app)


def _guard(app: "ASGIApp", serving: ServeOptions) -> Guard:
    rules = serving.rules
    if serving.logins is not None:
        rules = replace(rules, open_paths=rules.open_paths | list_open_paths())
    if serving.is_mem0:
        rules = replace(rules, schemes=rules.schemes | {"token"})
    return Guard(app, serving.tokens, rules, serving.logins)


async def _answer_refusal(_: Request, error: HTTPException) -> Response:
    return answer_of(Problem(error.status_code, error.detail, headers=error.headers))


async def _answer_failure(_: Request, __: Exception) -> Response:
    return answer_of(Problem(500, FAILED))


def _reach(ctx: ServerRequestContext[Any, Any]) -> ConnectionScope:
    """The reach of the very request: also within a session each one is looked at."""
    assert ctx.request is not None
    found = ctx.request.scope[KEY]
    assert isinstance(found, ConnectionScope)
    return found


class McpRouter:
    """Leads to the MCP server at /mcp and /mcp/SPACE, and else to the API."""

    def __init__(self, api: Api, mcp: "ASGIApp", serving: ServeOptions) -> None:
        self._api = api
        self._mcp = mcp
        self._reach = serving.reach
        self._tokens = serving.tokens

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        pieces = raw_path(scope).strip("/").split("/")
        if pieces[0] != "mcp" or len(pieces) > 2:
            await self._api(scope, receive, send)
            return
        try:
            scope[KEY] = self._choose_scope(scope, pieces[1:])
        except Problem as problem:
            await answer_of(problem)(scope, receive, send)
            return
        scope[ROUTE] = "/mcp"
        grant = scope[GRANT]
        # A session of the older protocol belongs to the token that opened it.
        token = AccessToken(token="", client_id=grant.name, scopes=[], subject=grant.space)
        scope["user"] = AuthenticatedUser(token)
        still = partial(self._tokens.is_valid, grant)
        await end_with(still, self._mcp)(scope, receive, send)

    def _choose_scope(self, scope: "Scope", pieces: list[str]) -> ConnectionScope:
        """What the token and the URL choose; the token has the last word."""
        grant = scope[GRANT]
        space = decode(pieces[0]) if pieces else grant.space or self._reach.space
        check_reach(grant, space)
        given: dict[str, Any] = read_query(query_of(scope), _CHOSEN)
        toolset = choose_toolset(grant, given.get("toolset"), self._reach.toolset)
        try:
            from ricordo.surfaces.tools import registry

            registry.toolset(str(toolset))
        except RicordoError as error:
            raise Problem(404, str(error), type(error).__name__) from error
        session = given.get("session", self._reach.session)
        channel = given.get("channel", self._reach.channel)
        return ConnectionScope(
            space,
            str(toolset),
            session,
            channel,
            read_only=grant.read_only,
            token=grant.name,
            request=logs.REQUEST.get(),
            share=self._api.shares.find(grant.name),
        )


class ServerProbes:
    """Routes beside the API: health, metrics and the OpenAPI document."""

    def __init__(
        self, opening: LazyMemory, counted: metrics.Metrics, routes: "Sequence[ApiRoute]"
    ) -> None:
        self._opening = opening
        self._routes = routes
        self._counted = counted
        self._reports = Reports(_log)

    async def health(self, request: Request) -> Response:
        """Whether requests can be answered: the memory is looked into, on a worker thread."""
        request.scope[ROUTE] = "/healthz"
        try:
            await anyio.to_thread.run_sync(self._opening.check)
        except RicordoError as error:
            self._reports.add("health", error)
            return answer_of(Problem(503, "the memory cannot be opened; see the server's log"))
        except RuntimeError:
            return answer_of(Problem(503, "the server is shutting down"))
        trouble = await self._opening.health.look()
        if trouble is None:
            return JSONResponse({"status": "ok"})
        # 200: reads work, and removing the server would not make writes work.
        told = {"status": "degraded", "reason": trouble.reason, "detail": trouble.detail}
        return JSONResponse(told)

    async def document(self, request: Request) -> Response:
        from ricordo.surfaces.tools import registry

        request.scope[ROUTE] = "/openapi.json"
        return JSONResponse(openapi.document(self._routes, registry))

    async def metrics(self, request: Request) -> Response:
        request.scope[ROUTE] = "/metrics"
        bound = request.scope[GRANT].space
        is_writable = await self._opening.health.look() is None
        text = await anyio.to_thread.run_sync(self._text, bound, is_writable)
        return Response(text, media_type=metrics.MEDIA)

    def _text(self, bound: str | None, is_writable: bool) -> str:
        """A token of one space gets no figures about requests: most concern other spaces."""
        state = metrics.MemoryState(is_writable=is_writable)
        with suppress(RicordoError):  # as of a space without a first write
            memory = self._opening.memory()
            if bound is not None:
                return metrics.render_stats(hide_url(memory.space(bound).stats(), bound))
            waiting = measure_queues(memory).writes
            state = replace(state, jobs=memory.keeper.status(), writes_waiting=waiting)
            state = replace(state, stats=memory.stats())
        return "" if bound is not None else self._counted.text(state)


class MetricsMiddleware:
    """Notes every answer, those of the guard included."""

    def __init__(self, app: "ASGIApp", counted: metrics.Metrics) -> None:
        self._app = app
        self._counted = counted

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = HUNG_UP  # if it ends without an answer, the client is gone
        given = (value for name, value in scope["headers"] if name == logs.HEADER.encode())
        id = logs.choose_id(next(given, b"").decode("latin-1"))
        token = logs.REQUEST.set(id)

        async def note_status(message: "Message") -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": _add_headers(message.get("headers", ()), id)}
            await send(message)

        try:
            await self._app(scope, receive, note_status)
        except ClientDisconnect:
            status = HUNG_UP
        except Exception:
            status = 500
            raise
        finally:
            if status == HUNG_UP:
                _log.debug("a client hung up before its answer")
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            route = scope.get(ROUTE, "unread" if status == HUNG_UP else "refused")
            seconds = time.perf_counter() - start
            self._counted.note(route, method, status, seconds)
            _log_answer(scope, route, method, status, seconds)
            logs.REQUEST.reset(token)


def _add_headers(given: "Iterable[tuple[bytes, bytes]]", id: str) -> list[tuple[bytes, bytes]]:
    """The id of the request; and no cache keeps an answer, which may hold texts of a memory."""
    told = [*given, (logs.HEADER.encode(), id.encode())]
    if not any(name == b"cache-control" for name, _ in told):
        told.append((b"cache-control", b"no-store"))
    return told


def _log_answer(scope: "Scope", route: str, method: str, status: int, seconds: float) -> None:
    """One line for each request at the level info: its route, which holds no names."""
    if _log.isEnabledFor(logging.INFO):
        grant = scope.get(GRANT)
        told = {"method": method, "route": route, "status": status, "ms": round(seconds * 1e3, 1)}
        told |= {"token": None if grant is None else grant.name}
        _log.info("request", extra={logs.FIELDS: told})


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
