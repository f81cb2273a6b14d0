"""Headers at the guard: Host, Origin and all together; nobody is let in who should not be."""

import itertools

import pytest
from servers import running
from welcome import CONTENT, REMEMBER, own

from ricordo.surfaces.server.guard import Rules, is_host_allowed, is_origin_allowed

# --- all together -----------------------------------------------------------------------------


HOSTS = {"ours": "127.0.0.1", "foreign": "evil.example", "alike": "localhost.evil.example"}
ORIGINS = {"none": None, "foreign": "http://evil.example"}
TYPES = {"json": "application/json", "simple": "text/plain"}
TOKENS = {"right": True, "wrong": False}
COMBINATIONS = list(itertools.product(HOSTS, ORIGINS, TYPES, TOKENS))


@pytest.mark.parametrize("place", [REMEMBER, "/mcp"])
def test_of_24_combinations_of_headers_only_the_right_one_is_let_in(server, place):
    let_in = []
    for host, origin, kind, token in COMBINATIONS:
        headers = [
            ("Host", f"{HOSTS[host]}:{server.port}"),
            ("Content-Type", TYPES[kind]),
            ("Authorization", f"Bearer {server.token if TOKENS[token] else 'rcl_guess'}"),
        ]
        if ORIGINS[origin]:
            headers.append(("Origin", ORIGINS[origin]))
        reply = server.raw("POST", place, headers, CONTENT)
        refused = {401, 403, 415, 421}
        if reply.status not in refused:
            let_in.append((host, origin, kind, token))

    assert len(COMBINATIONS) == 24
    assert let_in == [("ours", "none", "json", "right")]
    written = server.memory().space("ana").entries()
    assert len(written) == (1 if place == REMEMBER else 0)


# --- Host and Origin --------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:80", "LOCALHOST:9", "[::1]", "[::1]:9"])
def test_a_host_of_the_loopback_is_ours(host):
    assert is_host_allowed(host, Rules())


@pytest.mark.parametrize(
    "host",
    [
        *(
            None,
            "",
            ":80",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.",
            "127.0.0.1:80:80",
        ),
        *(
            "127.0.0.1:",
            "127.0.0.1:http",
            "[::1",
            "[::1]x",
            "[::2]",
            "localhost@evil.example",
            "0x7f.1",
        ),
    ],
)
def test_any_other_host_is_not(host):
    assert not is_host_allowed(host, Rules())


def test_a_host_that_was_named_is_ours():
    assert is_host_allowed("memory.example.org:443", Rules(frozenset({"memory.example.org"})))


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:8765", "HTTP://127.0.0.1:8765"])
def test_a_page_of_the_server_itself_may_ask(origin):
    assert is_origin_allowed(origin, "127.0.0.1:8765", Rules())


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "null",
            "",
            "http://evil.example",
            "http://127.0.0.1:3000",
            "http://127.0.0.1:8765.evil.example",
        ),
        *(
            "file://",
            "file://127.0.0.1:8765",
            "127.0.0.1:8765",
            "http://evil.example/127.0.0.1:8765",
        ),
    ],
)
def test_a_page_of_another_place_may_not_even_of_another_port(origin):
    assert not is_origin_allowed(origin, "127.0.0.1:8765", Rules())


def test_a_page_that_was_named_may_ask(tmp_path):
    with running(tmp_path, Rules(origins=frozenset({"https://app.example.org"}))) as server:
        named = server.raw(
            "POST", REMEMBER, own(server, ("Origin", "https://app.example.org")), CONTENT
        )
        other = server.raw(
            "POST", REMEMBER, own(server, ("Origin", "https://example.org")), CONTENT
        )

    assert (named.status, other.status) == (200, 403)
    assert named.headers["access-control-allow-origin"] == "https://app.example.org"
    assert "access-control-allow-origin" not in other.headers


def test_a_browser_is_told_before_it_sends_the_token_which_pages_may_ask(tmp_path):
    def preflight(server, origin):
        asked = [
            ("Host", f"localhost:{server.port}"),
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type"),
        ]
        return server.raw("OPTIONS", REMEMBER, asked)

    with running(tmp_path, Rules(origins=frozenset({"https://app.example.org"}))) as server:
        named = preflight(server, "https://app.example.org")
        own_page = preflight(server, f"http://localhost:{server.port}")
        other = preflight(server, "https://example.org")

    assert (named.status, own_page.status, other.status) == (204, 401, 403)
    assert named.headers["access-control-allow-headers"] == "authorization,content-type"
    assert "POST" in named.headers["access-control-allow-methods"]
    assert not [name for name in own_page.headers | other.headers if "access-control" in name]


@pytest.mark.parametrize("twice", ["Host", "Authorization", "Content-Type", "Origin"])
def test_a_header_that_decides_may_not_stand_there_twice(server, twice):
    headers = own(server, ("Origin", f"http://localhost:{server.port}"))
    again = next(each for each in headers if each[0] == twice)

    assert server.raw("POST", REMEMBER, headers, CONTENT).status == 200
    assert server.raw("POST", REMEMBER, [*headers, again], CONTENT).status == 400


def test_a_refusal_is_a_problem_and_says_what_to_do(server):
    reply = server.raw("GET", "/v1/spaces", [("Host", "evil.example")])

    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json["status"] == 421
    assert "--allow-host" in reply.json["detail"]
