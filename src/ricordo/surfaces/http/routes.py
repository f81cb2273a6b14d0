"""What a route is, and how a request finds its own. Requests and the OpenAPI document are made of
one table; `reads`, `writes`, `log`, `claims`, `learning`, `upkeep` and `calls` hold it,
and `mem0` that of another system.

A path is matched piece by piece before it is decoded, so that a name may hold a slash (%2F).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from ricordo.model import Json
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.server.problems import Problem

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory, Space
    from ricordo.surfaces.server.health import Health
    from ricordo.surfaces.server.tokens import Grant

MOST = 1_000  # items of a page
FAR = 1_000_000  # the last position that paging by position can reach
PAGE = 100  # default items of a page
_AFTER = Parameter("after", "string", "`next` of the previous page.")


@dataclass(frozen=True, slots=True)
class RequestContext:
    """A parsed request: its path, its arguments, and what its token allows."""

    memory: "Memory"
    grant: "Grant"
    path: Mapping[str, str]
    given: Mapping[str, object]
    health: "Health"
    list_bound: Callable[[str], list[str]]  # names of the tokens that are bound to a space
    body: Json = None
    undo: list[Callable[[], object]] = field(default_factory=list)  # if nobody gets the answer

    @property
    def space(self) -> "Space":
        """The space of the URL, the only place where a request names one."""
        return self.memory.space(self.path["space"])


@dataclass(frozen=True, slots=True)
class Page:
    """A list, or a part of one. Pass `next` as `after` to get the next part."""

    items: Sequence[object]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """One route. `gives` is the type of the answer, or of a list's items."""

    method: str
    path: str
    name: str
    told: str
    run: Callable[[RequestContext], object] = field(repr=False)
    gives: object
    is_list: bool = False
    parameters: tuple[Parameter, ...] = ()
    takes: str = "query"  # where parameters are: query or body; "arguments" is a tool's own body
    writes: bool = False
    is_sweeping: bool = False  # changes more than its path, its body and its answer name
    is_dropping: bool = False  # after it, not even the name of the space is kept
    is_foreign: bool = False  # of another system's API: the token chooses the space
    streams: bool = False  # with Accept: text/event-stream, its items as they come

    @property
    def pieces(self) -> tuple[str, ...]:
        return tuple(self.path.strip("/").split("/"))

    def match(self, pieces: Sequence[str]) -> dict[str, str] | None:
        """The values in a path, or None if the path does not match."""
        if len(pieces) != len(self.pieces):
            return None
        found: dict[str, str] = {}
        for own, given in zip(self.pieces, pieces, strict=True):
            if own.startswith("{"):
                found[own[1:-1]] = given
            elif own != given:
                return None
        return found


@dataclass(frozen=True, slots=True)
class RouteMatch:
    """A route with the values of its path."""

    route: Route
    path: Mapping[str, str]


def find(routes: Sequence[Route], method: str, raw_path: str) -> RouteMatch:
    """The route of a request; an unknown path is 404, a wrong method 405."""
    pieces = [decode(piece) for piece in raw_path.strip("/").split("/")]
    allowed = []
    for route in routes:
        values = route.match(pieces)
        if values is None:
            continue
        if route.method == method or (method == "HEAD" and route.method == "GET"):
            return RouteMatch(route, values)
        allowed.append(route.method)
    if allowed:
        told = f"{method} is not allowed here; use {' or '.join(allowed)}"
        raise Problem(405, told, headers={"Allow": ", ".join(allowed)})
    raise Problem(404, f"no such route {raw_path!r:.200}; see /openapi.json")


# Clients shorten a path at segments of dots, however they are escaped. No name has a NUL in it.
_DOTS = {"\0.": ".", "\0..": ".."}


def decode(piece: str) -> str:
    """Decode one segment of a path."""
    try:
        told = unquote(piece, errors="strict")
        return _DOTS.get(told, told)
    except UnicodeDecodeError as error:
        raise Problem(400, "the path is not UTF-8") from error


def offset_of(given: Mapping[str, Json]) -> int:
    """Where a page begins in a list paged by position; `after` comes from the previous page."""
    after = str(given.get("after", "0"))
    if not (after.isascii() and after.isdigit() and len(after) < 10):
        raise Problem(400, f"after = {after!r:.80} is not valid; give `next` of the previous page")
    return int(after)


def page_at(items: Sequence[object], offset: int, limit: int) -> Page:
    """One page; `items` hold at least one more if another page follows."""
    rest = items[offset:]
    return Page(rest[:limit], str(offset + limit) if len(rest) > limit else None)


def limit_of(asked: RequestContext, default: int = PAGE) -> int:
    return cast(int, asked.given.get("limit", default))


def rest_of(asked: RequestContext, *without: str) -> dict[str, Any]:
    """The arguments; their types were checked when the request was read."""
    return {name: value for name, value in asked.given.items() if name not in without}


def route(path: str, run: Any, gives: object, *parameters: Parameter, **rest: Any) -> Route:
    name = rest.pop("name", run.__name__)
    told = " ".join((run.__doc__ or "").split())
    method = rest.pop("method", "GET")
    return Route(method, path, name, told, run, gives, parameters=parameters, **rest)


def list_route(path: str, run: Any, gives: object, *parameters: Parameter, **rest: Any) -> Route:
    """A list of one page."""
    return route(path, run, gives, *parameters, is_list=True, **rest)


def write_route(path: str, run: Any, gives: object, *parameters: Parameter, **rest: Any) -> Route:
    """A POST that changes something; its parameters are in the body."""
    return route(path, run, gives, *parameters, method="POST", takes="body", writes=True, **rest)


def page_route(
    path: str,
    run: Any,
    gives: object,
    *parameters: Parameter,
    limit: Parameter | None = None,
    streams: bool = False,
) -> Route:
    """A list of many pages."""
    size = limit or limit_parameter("Maximum items of a page.")
    return list_route(path, run, gives, *parameters, size, _AFTER, streams=streams)


def limit_parameter(told: str, default: int = PAGE, most: int = MOST) -> Parameter:
    """The parameter for the maximum number of items."""
    return Parameter("limit", "integer", told, least=1, most=most, default=default)
