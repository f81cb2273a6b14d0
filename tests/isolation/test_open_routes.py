"""Routes beside the API. The app itself says which there are, so a new one fails these tests until
somebody says whether a stranger may have it."""

from itertools import product

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import ricordo
from ricordo.surfaces.http.app import MetricsMiddleware, ServeOptions, application
from ricordo.surfaces.http.inspector import read_files
from ricordo.surfaces.server.guard import Guard
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.logins import Logins
from ricordo.surfaces.server.tokens import Tokens

METHODS = ("GET", "POST", "HEAD", "OPTIONS", "DELETE", "PUT")
URL = "http://127.0.0.1:8765"
CANARY = "zqcanary"
OPEN = {"/healthz", "/ui", "/ui/start", *read_files()}
GUARDED = {"/metrics", "/openapi.json", "/ui/links"}


@pytest.fixture
def site(tmp_path):
    """The app with all that `serve` can add to it."""
    path = tmp_path / CANARY
    with ricordo.open(path, embedder="none", keep=False) as memory:
        memory.space(CANARY).remember(f"{CANARY} says {CANARY}", name=CANARY)
        tokens = Tokens(tmp_path / "tokens.json")
        bound = tokens.add("bound", "kate").token
        serving = ServeOptions(tokens, logins=Logins(tokens, writes=True), is_mem0=True)
        app = application(LazyMemory(lambda: memory), serving)
        client = TestClient(app, base_url=URL, follow_redirects=False)
        client.bound = {"Authorization": f"Bearer {bound}"}
        client.own_app = app
        yield client


def inner(app):
    """The app behind its middleware, whatever stands in between."""
    assert isinstance(app, MetricsMiddleware)
    while not isinstance(app, Starlette):
        app = app.app if isinstance(app, Guard) else app._app
    return app


def test_every_route_beside_the_api_is_open_or_guarded_by_name(site):
    paths = {route.path for route in inner(site.own_app).routes}

    assert paths == OPEN | GUARDED


def test_what_is_open_says_nothing_of_a_memory(site):
    queries = ("", f"?code={CANARY}", f"?space={CANARY}", "?q=%00")
    for path, method, query in product(sorted(OPEN), METHODS, queries):
        answer = site.request(method, path + query)

        assert answer.status_code < 500
        assert CANARY not in answer.text
        assert CANARY not in str(answer.headers)


def test_everything_else_refuses_a_stranger(site):
    paths = [*sorted(GUARDED), "/mcp", "/mcp/kate", "/v1/spaces", "/v3/memories/", "/x", "/"]
    for path, method in product(paths, (*METHODS, "TRACE")):
        assert site.request(method, path).status_code == 401, (method, path)


def test_what_is_guarded_gives_a_bound_token_nothing_of_other_spaces(site):
    for path in sorted(GUARDED):
        for method in ("GET", "POST"):
            headers = {**site.bound, "content-type": "application/json"}
            answer = site.request(method, path, headers=headers)

            assert answer.status_code < 500
            assert CANARY not in answer.text


def test_a_login_from_a_bound_token_stays_bound(site):
    headers = {**site.bound, "content-type": "application/json"}
    link = site.post("/ui/links", headers=headers).json()["link"]
    assert site.get(link).status_code == 303
    page = {"sec-fetch-site": "same-origin"}

    assert site.get("/v1/access", headers=page).json()["space"] == "kate"
    assert site.get(f"/v1/spaces/{CANARY}/entries", headers=page).status_code == 404
    assert site.get("/v1/spaces", headers=page).json()["items"] in ([], ["kate"])
    assert site.get("/v1/keeper", headers=page).status_code == 404
