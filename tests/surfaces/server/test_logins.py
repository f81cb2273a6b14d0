"""Logins of the inspector: links that work once, cookies that count in our own page alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient

import ricordo
from ricordo.surfaces.http.app import ServeOptions, application
from ricordo.surfaces.http.inspector import POLICY, make_link, read_files
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.logins import IDLE_SECONDS, LINK_SECONDS, Logins
from ricordo.surfaces.server.tokens import Tokens

URL = "http://127.0.0.1:8765"
OURS = {"sec-fetch-site": "same-origin"}
WRITES = {**OURS, "origin": URL, "content-type": "application/json"}


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tokens(tmp_path):
    found = Tokens(tmp_path / "tokens.json")
    found.add("all")
    found.add("phone", "ana")
    return found


def grant(tokens, name="all"):
    return next(each for each in tokens.read() if each.name == name).grant()


@pytest.fixture(params=[True], ids=["writes"])
def site(request, tmp_path, tokens, clock):
    with ricordo.open(tmp_path / "a.db", embedder="none", keep=False) as memory:
        memory.space("ana").remember("Prefers window seats", name="seat")
        memory.space("work").remember("Stand-up at nine", name="stand-up")
        logins = Logins(tokens, writes=request.param, clock=clock)
        app = application(LazyMemory(lambda: memory), ServeOptions(tokens, logins=logins))
        client = TestClient(app, base_url=URL, follow_redirects=False)
        client.logins = logins
        yield client


def log_in(site, tokens, name="all"):
    return site.get(make_link("", site.logins, grant(tokens, name)))


def test_a_link_becomes_a_strict_cookie_once(site, tokens):
    link = make_link("", site.logins, grant(tokens))

    first, second = site.get(link), site.get(link)

    assert (first.status_code, first.headers["location"]) == (303, "/ui/")
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/v1" in cookie
    assert "max-age" not in cookie
    assert second.status_code == 410
    assert "set-cookie" not in second.headers


def test_a_link_is_dead_after_a_minute(site, tokens, clock):
    link = make_link("", site.logins, grant(tokens))

    clock.now += LINK_SECONDS + 1

    assert site.get(link).status_code == 410


def test_looking_at_a_link_does_not_use_it_up(site, tokens):
    link = make_link("", site.logins, grant(tokens))

    assert site.head(link).status_code == 405

    assert site.get(link).status_code == 303


def test_a_login_reads_what_its_token_reads(site, tokens):
    log_in(site, tokens, "phone")

    assert site.get("/v1/spaces", headers=OURS).json()["items"] == ["ana"]
    assert site.get("/v1/spaces/work/entries", headers=OURS).status_code == 404
    assert site.get("/v1/check", headers=OURS).status_code == 404


def test_a_login_ends_with_its_token(site, tokens):
    log_in(site, tokens)
    assert site.get("/v1/spaces", headers=OURS).status_code == 200

    tokens.remove("all")

    assert site.get("/v1/spaces", headers=OURS).status_code == 401


def test_a_login_ends_with_the_time_of_its_token(site, tokens):
    tokens.add("short", expires_at=datetime.now(UTC) - timedelta(seconds=1))
    log_in(site, tokens, "short")

    assert site.get("/v1/spaces", headers=OURS).status_code == 401


def test_a_login_ends_after_a_day_without_use(site, tokens, clock):
    log_in(site, tokens)
    clock.now += IDLE_SECONDS - 1
    assert site.get("/v1/spaces", headers=OURS).status_code == 200

    clock.now += IDLE_SECONDS + 1

    assert site.get("/v1/spaces", headers=OURS).status_code == 401


@pytest.mark.parametrize("where", [None, "none", "same-site", "cross-site"])
def test_a_cookie_counts_only_in_our_own_page(site, tokens, where):
    log_in(site, tokens)

    told = {} if where is None else {"sec-fetch-site": where}

    assert site.get("/v1/spaces/ana/entries", headers=told).status_code == 403


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200),
        ({"origin": None}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "https://example.org"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": None}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_a_write_with_a_cookie_has_to_prove_where_it_comes_from(site, tokens, change, status):
    log_in(site, tokens)
    headers = {k: v for k, v in {**WRITES, **change}.items() if v is not None}

    answer = site.post(
        "/v1/spaces/ana/entries/seat/write", content='{"content": "x"}', headers=headers
    )

    assert answer.status_code == status


@pytest.mark.parametrize("site", [False], indirect=True, ids=["reads"])
def test_without_write_a_login_only_reads(site, tokens):
    log_in(site, tokens)

    answer = site.post(
        "/v1/spaces/ana/entries/seat/forget", content='{"dry_run": true}', headers=WRITES
    )

    assert answer.status_code == 403
    assert site.get("/v1/access", headers=OURS).json()["read_only"] is True


def test_only_who_started_the_server_learns_where_the_memory_is(site, tokens):
    log_in(site, tokens)
    assert site.get("/v1/access", headers=OURS).json()["db"] is None

    site.get(make_link("", site.logins, replace(grant(tokens), db="/home/ana/agent.db")))

    assert site.get("/v1/access", headers=OURS).json()["db"] == "/home/ana/agent.db"
    secret = tokens.add("another").token
    told = site.get("/v1/access", headers={"authorization": f"Bearer {secret}"}).json()
    assert told["db"] is None


def test_a_cookie_opens_nothing_but_the_api(site, tokens):
    log_in(site, tokens)
    cookie = "; ".join(f"{name}={value}" for name, value in site.cookies.items())

    for path in ("/metrics", "/openapi.json", "/mcp", "/ui/links"):
        answer = site.post(path, content="{}", headers={**WRITES, "cookie": cookie})
        assert answer.status_code == 401, path


def test_a_token_gets_a_link_of_its_own_grant(site, tokens):
    secret = tokens.add("mine", "ana").token

    told = site.post(
        "/ui/links",
        content="{}",
        headers={"authorization": f"Bearer {secret}", "content-type": "application/json"},
    ).json()
    site.get(told["link"].removeprefix(URL))

    assert site.get("/v1/access", headers=OURS).json()["space"] == "ana"


def test_the_files_of_the_page_are_safe_and_small(site):
    for path in read_files():
        answer = site.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert sum(len(body) for body, _ in read_files().values()) < 150_000
    source = b"".join(body for body, _ in read_files().values()).decode()
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in source
    assert "style=" not in read_files()["/ui/"][0].decode()


def test_without_the_inspector_there_is_no_page(tmp_path, tokens):
    with ricordo.open(tmp_path / "b.db", embedder="none", keep=False) as memory:
        app = application(LazyMemory(lambda: memory), ServeOptions(tokens))
        client = TestClient(app, base_url=URL)

        assert client.get("/ui/").status_code == 401


def test_answers_of_the_api_are_kept_in_no_cache(site, tokens):
    log_in(site, tokens)

    answer = site.get("/v1/spaces/ana/entries", headers=OURS)

    assert answer.headers["cache-control"] == "no-store"
