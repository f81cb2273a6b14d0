"""The inspector: its files, and the link that logs a browser in.

The files hold nothing of a memory and need no token. All they show comes from /v1, with the login's
cookie. Nothing else is loaded: the policy below lets a page reach this server alone.
"""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ricordo.surfaces.http.api import ROUTE, answer_of
from ricordo.surfaces.server.guard import GRANT, LOGIN_PATH, name_cookie
from ricordo.surfaces.server.logins import Logins
from ricordo.surfaces.server.problems import Problem

if TYPE_CHECKING:
    from ricordo.surfaces.server.tokens import Grant

PAGE = "/ui/"
START = "/ui/start"
LINKS = "/ui/links"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


@cache
def read_files() -> dict[str, tuple[bytes, str]]:
    """The files of the page by path, each with its media type."""
    found: dict[str, tuple[bytes, str]] = {}
    for file in files("ricordo.surfaces.web").iterdir():
        kind = _KINDS.get(file.name.rpartition(".")[2])
        if kind is not None:
            found[f"{PAGE}{file.name}"] = (file.read_bytes(), kind)
    found[PAGE] = found.pop(f"{PAGE}index.html")
    return found


def list_open_paths() -> frozenset[str]:
    """What needs no token: the files, and the link, which is one itself."""
    return frozenset({*read_files(), PAGE.rstrip("/"), START})


def make_link(url: str, logins: Logins, grant: "Grant") -> str:
    """A link to the inspector of the server at `url`; it works once, within a minute."""
    return f"{url}{START}?code={logins.issue(grant)}"


class Inspector:
    """The routes of the page."""

    def __init__(self, logins: Logins) -> None:
        self._logins = logins

    def list_routes(self) -> list[Route]:
        pages = [Route(path, self.give_file) for path in read_files()]
        return [
            *pages,
            Route(PAGE.rstrip("/"), self.lead_to_page),
            Route(START, self.start, methods=["GET"]),
            Route(LINKS, self.give_link, methods=["POST"]),
        ]

    async def give_file(self, request: Request) -> Response:
        """One file of the page."""
        request.scope[ROUTE] = PAGE
        body, kind = read_files()[request.url.path]
        return Response(body, media_type=kind, headers=HEADERS)

    async def lead_to_page(self, request: Request) -> Response:
        request.scope[ROUTE] = PAGE
        return RedirectResponse(PAGE, 308, headers=HEADERS)

    async def start(self, request: Request) -> Response:
        """Turn a link into a login, once. HEAD is a look by somebody else and uses nothing up."""
        request.scope[ROUTE] = START
        if request.method != "GET":
            return Response(status_code=405, headers={**HEADERS, "allow": "GET"})
        secret = self._logins.redeem(request.query_params.get("code", ""))
        if secret is None:
            page, kind = read_files()[PAGE]  # which says that the link is used up
            return Response(page, 410, media_type=kind, headers=HEADERS)
        answer = RedirectResponse(PAGE, 303, headers=HEADERS)
        answer.set_cookie(
            name_cookie(request.headers.get("host", "")),
            secret,
            path=LOGIN_PATH,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def give_link(self, request: Request) -> Response:
        """A link with the grant of the token that asks, for a server that runs already."""
        request.scope[ROUTE] = LINKS
        grant = request.scope[GRANT]
        if grant is None:
            return answer_of(Problem(401, "no valid token; send Authorization: Bearer TOKEN"))
        link = make_link(str(request.base_url).rstrip("/"), self._logins, grant)
        return JSONResponse({"link": link, "seconds": 60}, headers=HEADERS)
