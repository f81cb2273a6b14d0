"""Bodies at the guard: JSON only, no longer than the limit, and not waited for."""

import http.client
import json
import socket

import pytest
from servers import running
from welcome import CONTENT, REMEMBER, own

from ricordo.surfaces.server.guard import Rules, is_json


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


def test_a_body_with_two_lengths_is_refused_and_what_follows_it_is_not_read(server):
    """A proxy that believes the length would take the second request for somebody else's."""
    host = f"Host: localhost:{server.port}\r\n"
    first = f"POST {REMEMBER} HTTP/1.1\r\n{host}Authorization: Bearer {server.token}\r\n"
    first += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    smuggled = f"GET /healthz HTTP/1.1\r\n{host}\r\n"
    body = f"0\r\n\r\n{smuggled}"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as link:
        link.sendall(f"{first}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        answer = b"".join(iter(lambda: link.recv(65_536), b""))

    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1


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
