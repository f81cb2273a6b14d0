"""The API as an ASGI app: reads a request, runs its route on a worker thread, writes the answer."""

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import parse_qsl

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from ricordo.errors import RicordoError
from ricordo.model import Json
from ricordo.surfaces.faults import Reports
from ricordo.surfaces.http import calls, claims, learning, log, reads, upkeep, writes
from ricordo.surfaces.http.change_stream import (
    MOST,
    PAGE,
    answer_stream,
    read_last_id,
    wants_stream,
)
from ricordo.surfaces.http.mem0.routes import ROUTES as MEM0_ROUTES
from ricordo.surfaces.http.parameters import read_body, read_known, read_query
from ricordo.surfaces.http.routes import RequestContext, Route, RouteMatch, find
from ricordo.surfaces.mcp.touched import Write, name_terms
from ricordo.surfaces.output import dumps
from ricordo.surfaces.server.audit import describe_target
from ricordo.surfaces.server.guard import GRANT
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.logs import REQUEST
from ricordo.surfaces.server.problems import FAILED, MEDIA, Problem, problem_of
from ricordo.surfaces.server.shares import Shares
from ricordo.surfaces.server.streams import end_with
from ricordo.surfaces.server.tokens import READS_ONLY, Grant, Tokens

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

ROUTES: tuple[Route, ...] = (
    *reads.ROUTES,
    *writes.ROUTES,
    *log.ROUTES,
    *claims.ROUTES,
    *learning.ROUTES,
    *upkeep.ROUTES,
    *calls.ROUTES,
)
ROUTE = "ricordo.route"  # where the route of a request is noted in its scope
_FOREIGN = frozenset(route.path for route in MEM0_ROUTES)
THREADS = 8
_log = logging.getLogger("ricordo.http")

Wrote = Callable[[str, Callable[[], Write]], Awaitable[None]]


class Api:
    """Answers requests under /v1. It calls `wrote` with each space that was written to."""

    def __init__(
        self,
        opening: LazyMemory,
        wrote: Wrote,
        tokens: Tokens,
        is_valid: Callable[[Grant], bool] | None = None,
        mem0_space: str | None = None,
    ) -> None:
        """`is_valid` says whether a grant still holds, while a stream goes on. With `mem0_space`
        it also answers as mem0, from that space for tokens that are bound to none."""
        self._opening = opening
        self._tokens = tokens
        self._wrote = wrote
        self._reports = Reports(_log)
        self._limiter: anyio.CapacityLimiter | None = None
        self.shares = Shares()
        self._is_valid = is_valid or (lambda _: True)
        self._mem0_space = mem0_space
        self.routes = ROUTES if mem0_space is None else (*ROUTES, *MEM0_ROUTES)
        self._streams: Counter[str] = Counter()  # open ones, by the name of the token

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        request = Request(scope, receive)
        undo: list[Callable[[], object]] = []
        try:
            if scope["method"] == "GET" and wants_stream(scope):
                found = find(self.routes, "GET", raw_path(scope))
                if found.route.streams:
                    await self._stream(found, scope, receive, send)
                    return
            response = await self._answer(scope, await request.body(), undo)
        except Problem as problem:
            is_plain = scope.get(ROUTE) in _FOREIGN
            response = answer_of(problem, "application/json" if is_plain else MEDIA)
        if not await request.is_disconnected():
            await response(scope, receive, send)
        elif undo:  # nobody waits for an answer: what it would have delivered is due again
            await anyio.to_thread.run_sync(self._undo, undo)

    async def _stream(
        self, found: RouteMatch, scope: "Scope", receive: "Receive", send: "Send"
    ) -> None:
        """Answer with the items of a list as they come, as long as the token holds."""
        scope[ROUTE] = found.route.path
        grant, items = scope[GRANT], query_of(scope)
        check_reach(grant, found.path.get("space"))
        given = dict(items)
        seen = read_last_id(scope) or given.pop("seen", None)
        wanted = [*given.items(), *([] if "limit" in given else [("limit", str(PAGE))])]
        if self._streams[grant.name] >= MOST:
            raise Problem(429, f"this token has {MOST} streams open; close one of them first")

        async def look() -> list[dict[str, Json]]:
            text = await self._run(lambda: self._work(found, grant, wanted, b"", []), grant)
            page: list[dict[str, Json]] = json.loads(text)["items"]
            return page

        self._streams[grant.name] += 1  # before anything is awaited: many may come at once
        try:
            first = await look()  # what is wrong with the request is said before the stream begins
            answer = answer_stream(look, seen if seen else (first[0]["id"] if first else None))
            await end_with(partial(self._is_valid, grant), answer)(scope, receive, send)
        finally:
            self._streams[grant.name] -= 1

    def _place(self, found: RouteMatch, grant: Grant) -> RouteMatch:
        """A route with its space: where the path names none, that of the token or the server."""
        if not found.route.is_foreign:
            return found
        space = grant.space or str(self._mem0_space)
        return RouteMatch(found.route, {**found.path, "space": space})

    async def _run(self, work: Callable[[], bytes], grant: Grant) -> bytes:
        """Run on a worker thread, within the share of the token."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(THREADS)
        async with self.shares.find(grant.name):
            return await anyio.to_thread.run_sync(work, limiter=self._limiter)

    def _undo(self, undo: list[Callable[[], object]]) -> None:
        try:
            for each in undo:
                each()
        except RicordoError as error:
            self._reports.add("an answer that nobody waited for", error)

    async def _answer(
        self, scope: "Scope", body: bytes, undo: list[Callable[[], object]]
    ) -> Response:
        grant = scope[GRANT]
        found = self._place(find(self.routes, scope["method"], raw_path(scope)), grant)
        scope[ROUTE] = found.route.path
        check_reach(grant, found.path.get("space"))
        _check_write(grant, found.route)
        items = query_of(scope)
        text = await self._run(lambda: self._work(found, grant, items, body, undo), grant)
        given = _with_toolset(dict(items), grant)
        name = _name_write(found, given, body, text) if found.route.writes else None
        if name is not None:
            await self._wrote(found.path["space"], name)
        return Response(text, media_type="application/json")

    def _work(
        self,
        found: RouteMatch,
        grant: Grant,
        items: list[tuple[str, str]],
        body: bytes,
        undo: list[Callable[[], object]],
    ) -> bytes:
        """Read, run and write one request; all of it off the event loop."""
        try:
            asked = self._read_request(found, grant, items, body)
            with _read_quietly(grant):
                answer = dumps(found.route.run(asked)).encode("utf-8")
            undo += asked.undo
            if found.route.writes:
                self._note_write(found, grant, dict(items), body, answer)
            return answer
        except RicordoError as error:
            self._reports.add(found.route.name, error)
            raise problem_of(error) from error
        except Problem:
            raise
        except Exception as error:
            _log.exception("%s broke", found.route.name)
            raise Problem(500, FAILED) from error

    def _note_write(
        self, found: RouteMatch, grant: Grant, given: dict[str, str], body: bytes, answer: bytes
    ) -> None:
        """Add a completed write to the audit log; what was erased is erased there as well."""
        audit = self._tokens.audit
        if _name_write(found, _with_toolset(given, grant), body, answer) is None:
            return
        space, said = found.path["space"], parsed_body(body)
        target = describe_target(found.path, said, json.loads(answer))
        is_erasure = said.get("erase") or found.route.is_dropping
        if is_erasure and not said.get("dry_run"):
            audit.erase(space, found.path.get("name"))
            space, target = "" if found.route.is_dropping else space, ""
        action = found.path.get("tool", found.route.name)
        audit.note(grant.name, space, action, target, REQUEST.get())

    def _read_request(
        self, found: RouteMatch, grant: Grant, items: list[tuple[str, str]], body: bytes
    ) -> RequestContext:
        route = found.route

        def make_context(given: dict[str, object], body: Json) -> RequestContext:
            memory, health = self._opening.memory(), self._opening.health
            bound = self._tokens.list_bound
            return RequestContext(memory, grant, found.path, given, health, bound, body)

        if route.takes == "arguments":  # the tool reports errors in them itself
            return make_context(read_query(items, route.parameters), text_of(body))
        if route.is_foreign and not route.is_sweeping:
            parsed = parsed_body(body)
            return make_context(read_known(items, parsed, route.parameters), parsed)
        parsed = parsed_body(body) if route.method == "POST" else None
        if route.takes == "body":
            read_query(items, ())
            given = read_body(parsed, route.parameters)
        else:
            given = read_query(items, route.parameters)
        return make_context(given, parsed)


def _read_quietly(grant: Grant) -> AbstractContextManager[None]:
    """What a read-only token does leaves nothing in the memory, not even signals."""
    if not grant.read_only:
        return nullcontext()
    from ricordo.handles.memory import leave_no_signals

    return leave_no_signals()


def _with_toolset(given: dict[str, str], grant: Grant) -> dict[str, str]:
    """The parameters of a query, with the toolset of the token unless another one is given."""
    return given if grant.toolset is None else {"toolset": grant.toolset, **given}


def _name_write(
    found: RouteMatch, given: dict[str, str], body: bytes, answer: bytes
) -> Callable[[], Write] | None:
    """What names the things that a request touched; None if it wrote nothing."""
    if found.route.takes == "arguments":
        tool = calls.find_writer(found.path, given, body)
        return None if tool is None else partial(calls.name_write, tool, given, body, answer)
    is_sweeping = found.route.is_sweeping

    def name() -> Write:
        said = (dict(found.path), parsed_body(body), json.loads(answer))
        return Write(frozenset() if is_sweeping else name_terms(*said), is_sweeping)

    return name


def answer_of(problem: Problem, media: str = MEDIA) -> Response:
    """A problem as an answer; clients of other systems know JSON alone."""
    return Response(problem.body(), problem.status, problem.headers, media)


def raw_path(scope: "Scope") -> str:
    """The path before decoding: only there an escaped slash in a name differs from a separator."""
    raw = scope.get("raw_path") or scope["path"].encode()
    return str(raw.split(b"?")[0].decode("latin-1"))


def query_of(scope: "Scope") -> list[tuple[str, str]]:
    """The parameters of a query, in order."""
    try:
        return parse_qsl(
            scope["query_string"].decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=100,
        )
    except ValueError as error:  # also UnicodeDecodeError
        raise Problem(400, "the query string cannot be read; send URL-encoded UTF-8") from error


def check_reach(grant: Grant, space: str | None) -> None:
    """Refuse other spaces to a token of one space; it must not learn whether they exist."""
    if space is not None and not grant.reaches(space):
        raise Problem(404, f"there is no space {space!r} for this token", "NotFound")


def _check_write(grant: Grant, route: Route) -> None:
    """Refuse routes that write to a token that may not; the route of tools looks at the tool."""
    if not route.writes or route.takes == "arguments":
        return
    if grant.read_only:
        raise Problem(403, READS_ONLY)
    if grant.toolset is not None:
        told = f"this token may write with the tools of {grant.toolset!r} alone"
        raise Problem(403, told)


def text_of(body: bytes) -> str:
    """A body as text."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(400, "the request body is not valid UTF-8", "InvalidInput") from error


def parsed_body(body: bytes) -> Json:
    """The JSON object of a body; an empty one is an empty object."""
    try:
        parsed = json.loads(text_of(body) or "{}", parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Problem(
            400, f"the request body is not valid JSON: {error}"[:300], "InvalidInput"
        ) from error
    if not isinstance(parsed, dict):
        raise Problem(400, "the request body must be a JSON object", "InvalidInput")
    return parsed


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
