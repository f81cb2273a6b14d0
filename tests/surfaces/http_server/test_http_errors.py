"""Errors over HTTP: a problem with the right status, that tells nothing of the machine."""

import pytest
from http_space import BASE
from servers import running

from ricordo.errors import Busy, StoreError, Unavailable
from ricordo.surfaces.server.problems import problem_of


def test_a_memory_that_cannot_be_opened_is_a_problem_that_tells_nothing_of_the_file(
    tmp_path, caplog
):
    (tmp_path / "agent.db").write_bytes(b"this is no memory" * 1_000)
    with running(tmp_path) as server:
        replies = [server.ask("GET", "/v1/spaces"), server.ask("GET", f"{BASE}/recall?q=x")]
        counted = server.ask("GET", "/metrics")

    for reply in replies:
        assert reply.status == 503
        assert reply.headers["content-type"] == "application/problem+json"
        assert "agent.db" not in reply.body.decode()
    assert counted.status == 200
    assert "agent.db" in caplog.text


def test_what_the_store_says_does_not_leave_the_server():
    busy = problem_of(Busy("/home/ana/agent.db is locked by another process; try again"))
    broken = problem_of(StoreError("/home/ana/agent.db: no such table: entries"))
    missing = problem_of(Unavailable("the model in /home/ana/models is incomplete"))

    assert [each.status for each in (busy, broken, missing)] == [503, 503, 503]
    assert "try again" in busy.detail
    assert (busy.headers, broken.headers) == ({"Retry-After": "2"}, {})
    assert "/home/ana" not in busy.detail + broken.detail + missing.detail


def test_another_method_is_told_which_ones_there_are(server):
    assert server.ask("DELETE", f"{BASE}/entries/seat").headers["allow"] == "GET"
    assert server.ask("DELETE", f"{BASE}/recall").headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/healthz", 405), ("POST", "/metrics", 405), ("GET", "/healthz/", 404)],
)
def test_beside_the_api_errors_are_problems_too(server, method, path, status):
    reply = server.ask(method, path, {} if method == "POST" else None)

    assert reply.status == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json["status"] == status


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/nowhere", None, 404),
        ("GET", "/", None, 404),
        ("GET", f"{BASE}/entries/nobody", None, 404),
        ("GET", f"{BASE}/sessions/nobody/summary", None, 404),
        ("GET", f"{BASE}/schedules/nobody", None, 404),
        ("GET", f"{BASE}/entries?after=nobody", None, 404),
        ("GET", "/v1/spaces/nobody/stats", None, 404),
        ("DELETE", f"{BASE}/entries/seat", None, 405),
        ("POST", f"{BASE}/promotions", b"{}", 405),
        ("GET", f"{BASE}/entries?limit=0", None, 400),
        ("GET", f"{BASE}/entries?limit=many", None, 400),
        ("GET", f"{BASE}/entries?limit=1&limit=2", None, 400),
        ("GET", f"{BASE}/entries?kind=odd", None, 400),
        ("GET", f"{BASE}/entries?colour=red", None, 400),
        ("GET", f"{BASE}/entries?prefix=%ff", None, 400),
        ("GET", "/v1/spaces/%ff/entries", None, 400),
        ("GET", "/v1/spaces/%00/entries", None, 400),
        ("GET", f"{BASE}/recall", None, 400),
        ("GET", f"{BASE}/recall?q=x&since=whenever", None, 400),
        ("GET", f"{BASE}/recall?q=x&profile=odd", None, 400),
        ("POST", f"{BASE}/recall", b"", 400),
        ("POST", f"{BASE}/recall", b"[]", 400),
        ("POST", f"{BASE}/recall", b"{", 400),
        ("POST", f"{BASE}/recall", b"\xff", 400),
        ("POST", f"{BASE}/recall", b'{"q": "x", "limit": true}', 400),
        ("POST", f"{BASE}/recall", b'{"q": "x", "limit": NaN}', 400),
        ("POST", f"{BASE}/recall?q=y", b'{"q": "x"}', 400),
        ("POST", f"{BASE}/recall", b'{"q": "\\ud800"}', 400),
        ("POST", f"{BASE}/recall", b'{"q": ' + b"[" * 100_000, 400),
        ("POST", f"{BASE}/tools/nothing", b"{}", 404),
        ("POST", f"{BASE}/tools/get", b'{"name": "nobody"}', 404),
        ("POST", f"{BASE}/tools/recall", b'{"query": 3}', 400),
        ("POST", f"{BASE}/tools/recall", b"null", 400),
        ("POST", f"{BASE}/tools/recall?toolset=nothing", b'{"query": "x"}', 400),
    ],
)
def test_what_is_wrong_is_told_as_a_problem(server, method, path, body, status):
    reply = server.ask(method, path, body)

    assert reply.status == status, reply.body
    assert reply.headers["content-type"] == "application/problem+json"
    told = reply.json
    assert (told["type"], told["status"]) == ("about:blank", status)
    assert told["title"]
    assert len(told["detail"]) > 5
