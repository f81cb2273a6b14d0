"""The guard: nobody is let in who should not be, and nothing is written on the way."""

import http.client
import itertools
import json
import os
import stat

import pytest
from click.testing import CliRunner
from servers import Running, running

from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.surfaces.cli import cli
from recollect.surfaces.guard import Rules, is_host_allowed, is_json, is_origin_allowed, secret_of
from recollect.surfaces.tokens import Tokens

REMEMBER = "/v1/spaces/ana/tools/remember"
CONTENT = b'{"content": "Prefers window seats", "name": "seat"}'


@pytest.fixture
def server(tmp_path):
    with running(tmp_path) as server:
        yield server


def own(server: Running, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """What a welcome request carries."""
    return [
        ("Host", f"localhost:{server.port}"),
        ("Authorization", f"Bearer {server.token}"),
        ("Content-Type", "application/json"),
        *more,
    ]


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


# --- content type and length ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "is_welcome"),
    [
        ("application/json", True),
        ("Application/JSON; charset=UTF-8", True),
        ('application/json;charset="utf-8"', True),
        ("application/json; charset=utf-16", False),
        ("application/json-patch+json", False),
        ("text/plain; a=application/json", False),
        ("text/plain", False),
        ("", False),
        (None, False),
    ],
)
def test_only_json_is_a_body(kind, is_welcome):
    assert is_json(kind) is is_welcome


def test_a_body_may_be_as_long_as_the_limit_and_no_longer(tmp_path):
    with running(tmp_path, Rules(body_limit=1_000)) as server:
        fits = json.dumps({"content": "x" * 900}).encode().ljust(1_000)
        exact = server.raw("POST", REMEMBER, own(server), fits)
        longer = server.raw("POST", REMEMBER, own(server), fits + b" ")

        assert (exact.status, longer.status) == (200, 413)
        assert len(server.memory().space("ana").entries()) == 1


def test_a_body_that_does_not_say_its_length_is_counted(tmp_path):
    chunk = b"3e8\r\n" + b" " * 1_000 + b"\r\n"
    with running(tmp_path, Rules(body_limit=4_000)) as server:
        headers = own(server, ("Transfer-Encoding", "chunked"))
        body = b"%x\r\n" % len(CONTENT) + CONTENT + b"\r\n"

        short = server.raw("POST", REMEMBER, headers, body + chunk * 3 + b"0\r\n\r\n")
        long = server.raw("POST", REMEMBER, headers, body + chunk * 5 + b"0\r\n\r\n")

    assert (short.status, long.status) == (200, 413)


def test_mcp_has_the_same_limit(tmp_path):
    with running(tmp_path, Rules(body_limit=1_000)) as server:
        assert server.raw("POST", "/mcp", own(server), b" " * 1_001).status == 413


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/v1/spaces"), ("DELETE", "/mcp"), ("GET", "/healthz")]
)
def test_no_method_takes_a_body_without_end(tmp_path, method, path):
    chunk = b"3e8\r\n" + b" " * 1_000 + b"\r\n"
    with running(tmp_path, Rules(body_limit=4_000)) as server:
        headers = own(server, ("Transfer-Encoding", "chunked"))

        assert server.raw(method, path, headers, chunk * 5 + b"0\r\n\r\n").status == 413


def test_a_body_that_never_comes_is_not_waited_for(tmp_path):
    with running(tmp_path, Rules(body_seconds=0.05)) as server:
        headers = own(server, ("Content-Length", "1000"))

        waiting = server.raw("POST", REMEMBER, headers)
        refused = server.raw("POST", REMEMBER, [*headers[:1], *headers[2:]])

    assert (waiting.status, refused.status) == (408, 401)


# --- tokens -----------------------------------------------------------------------------------


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", "abc", "Token abc"])
def test_without_a_token_nothing_is_answered(server, header):
    headers = [("Host", f"localhost:{server.port}")]
    headers += [] if header is None else [("Authorization", header)]

    for path in ("/v1/spaces", "/metrics", "/openapi.json", "/mcp", "/mcp/ana", "/nowhere"):
        reply = server.raw("GET", path, headers)
        assert reply.status == 401
        assert reply.headers["www-authenticate"].startswith("Bearer")


def test_health_needs_no_token_but_is_guarded_all_the_same(server):
    assert server.raw("GET", "/healthz", [("Host", f"localhost:{server.port}")]).json == {
        "status": "ok"
    }
    assert server.raw("GET", "/healthz", [("Host", "evil.example")]).status == 421
    evil = [("Host", f"localhost:{server.port}"), ("Origin", "http://evil.example")]
    assert server.raw("GET", "/healthz", evil).status == 403


def test_the_word_bearer_may_be_written_in_any_case():
    assert secret_of("bEaReR abc") == "abc"
    assert secret_of("Bearer abc ") == "abc"


def test_the_first_token_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    tokens = Tokens(tmp_path / "data" / "tokens.json")

    first = tokens.ensure()

    assert tokens.ensure() == first
    assert len(first.token) > 40
    assert tokens.grant(first.token).space is None
    if os.name == "posix":
        assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    assert [each.name for each in tokens.path.parent.iterdir()] == ["tokens.json"]


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.ensure()
    tokens.path.chmod(0o640)

    with pytest.raises(InvalidInput, match="chmod 600"):
        tokens.read()


def test_a_file_that_holds_no_tokens_is_refused(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.ensure()
    tokens.path.write_text("[]", encoding="utf-8")

    with pytest.raises(InvalidInput, match="no tokens"):
        tokens.read()


def test_a_server_whose_tokens_cannot_be_read_lets_nobody_in_and_says_so(server, caplog):
    server.tokens.path.chmod(0o644)
    open_to_all = server.ask("GET", "/v1/spaces")
    server.tokens.path.chmod(0o600)
    server.tokens.path.write_text('{"tokens": [{"name": "x", "token": null}]}')
    odd = server.ask("GET", "/v1/spaces")

    assert (open_to_all.status, odd.status) == (503, 503)
    assert str(server.tokens.path) not in open_to_all.json["detail"]
    assert "chmod 600" in caplog.text


@pytest.mark.parametrize(("name", "space"), [("phone", ""), ("phone", " "), ("", "ana")])
def test_a_token_is_not_bound_to_a_blank(tmp_path, name, space):
    tokens = Tokens(tmp_path / "tokens.json")

    with pytest.raises(InvalidInput, match="blank"):
        tokens.add(name, space)

    assert tokens.read() == []


def test_names_of_tokens_are_unique_and_one_that_is_not_there_cannot_go(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.add("laptop")

    with pytest.raises(Conflict, match="laptop"):
        tokens.add("laptop")
    with pytest.raises(NotFound, match="phone"):
        tokens.remove("phone")


def test_a_token_counts_from_the_moment_it_is_made_until_it_is_removed(server):
    made = server.tokens.add("laptop")
    assert server.ask("GET", "/v1/spaces", token=made.token).status == 200

    server.tokens.remove("laptop")

    assert server.ask("GET", "/v1/spaces", token=made.token).status == 401
    assert server.ask("GET", "/v1/spaces").status == 200


def test_a_bound_token_reaches_its_space_and_learns_of_no_other(server):
    server.call("ana", "remember", content="canary-ana")
    server.call("bob", "remember", content="canary-bob")
    bound = server.tokens.add("ana-phone", "ana").token

    assert server.get("/v1/spaces", bound)["items"] == ["ana"]
    assert len(server.get("/v1/spaces/ana/entries", bound)["items"]) == 1
    known = server.ask("GET", "/v1/spaces/bob/entries", token=bound)
    unknown = server.ask("GET", "/v1/spaces/eve/entries", token=bound)
    assert (known.status, unknown.status) == (404, 404)
    assert known.body.replace(b"bob", b"eve") == unknown.body
    assert (
        server.ask("POST", "/v1/spaces/bob/tools/remember", {"content": "x"}, bound).status == 404
    )
    assert server.ask("POST", "/mcp/bob", {}, bound).status == 404
    assert b'kind="entries"} 1' in server.ask("GET", "/metrics", token=bound).body
    assert b'kind="entries"} 2' in server.ask("GET", "/metrics").body


def test_a_space_in_the_body_is_not_looked_at(server):
    bound = server.tokens.add("ana-phone", "ana").token

    reply = server.ask(
        "POST", "/v1/spaces/ana/tools/remember", {"content": "x", "space": "bob"}, bound
    )

    assert reply.status == 400
    assert server.get("/v1/spaces") == {"items": [], "next": None}


def test_a_refusal_is_a_problem_and_says_what_to_do(server):
    reply = server.raw("GET", "/v1/spaces", [("Host", "evil.example")])

    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json["status"] == 421
    assert "--allow-host" in reply.json["detail"]


def test_a_refused_body_is_read_so_that_the_client_sees_why_and_can_go_on(server):
    """On one connection: refused with a body, then welcome."""
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Authorization": f"Bearer {server.token}"}
    link.request("POST", REMEMBER, CONTENT * 1_000, {**headers, "Content-Type": "text/plain"})
    refused = link.getresponse()
    assert (refused.status, json.loads(refused.read())["status"]) == (415, 415)
    kept = link.sock

    link.request("POST", REMEMBER, CONTENT, {**headers, "Content-Type": "application/json"})
    welcome = link.getresponse()
    welcome.read()

    assert welcome.status == 200
    assert link.sock is kept
    link.close()


# --- the verbs --------------------------------------------------------------------------------


def test_tokens_are_made_listed_and_removed_from_the_shell_and_shown_once(tmp_path):
    def run(*words):
        file = ("--tokens", str(tmp_path / "tokens.json"))
        return CliRunner().invoke(cli, ["tokens", *words, *file], prog_name="recollect")

    secret = run("add", "phone", "--space", "ana").stdout.strip()
    listed = run("list").stdout

    assert Tokens(tmp_path / "tokens.json").grant(secret).space == "ana"
    assert listed.split("\t")[:2] == ["phone", "ana"]
    assert secret not in listed
    assert run("remove", "phone").stdout.strip() == "phone"
    assert run("list").stdout == ""
    assert run("remove", "phone").exit_code != 0
