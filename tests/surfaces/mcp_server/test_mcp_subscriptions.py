"""Subscriptions over a real HTTP server: they end with their session, and a write costs the same
however much others watch. Counted, not timed."""

import socket

import pytest
from mcp_client import initialize
from mcp_words import modern_body, modern_head
from servers import running


def open_session(server, place="/mcp/ana"):
    """A session of the older protocol, by its id."""
    reply = server.ask("POST", place, initialize(), accept=True)
    session = reply.headers["mcp-session-id"]
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert server.ask("POST", place, ready, accept=True, session=session).status == 202
    return session


def send(server, session, method, uri):
    message = {"jsonrpc": "2.0", "id": 2, "method": method, "params": {"uri": uri}}
    reply = server.ask("POST", "/mcp/ana", message, accept=True, session=session)
    assert reply.status == 200, reply.body


def subscribe(server, session, *names):
    for name in names:
        send(server, session, "resources/subscribe", f"ricordo://entries/{name}")


def settled(server, count):
    """Ask the server for something until it holds so many subscribers: it ends them on its own."""
    for _ in range(500):
        if server.notices.count_subscribers() == count:
            return True
        server.ask("GET", "/healthz")
    return False


def reads_of(server, **entry):
    """How many addresses one write made the server read."""
    before = server.notices.reads
    server.call("ana", "remember", **entry)
    return server.notices.reads - before


def test_subscriptions_end_when_their_session_is_deleted(server):
    sessions = [open_session(server) for _ in range(3)]
    for number, session in enumerate(sessions):
        subscribe(server, session, "seat", f"own{number}")
    assert (server.notices.count_subscribers(), server.notices.count_watched()) == (3, 4)

    for session in sessions:
        server.ask("DELETE", "/mcp/ana", accept=True, session=session)

    assert settled(server, 0)
    assert server.notices.count_watched() == 0
    assert reads_of(server, content="x", name="seat") == 0


def test_a_write_reads_what_it_touches_and_nothing_that_others_watch(server):
    session = open_session(server)
    subscribe(server, session, *(f"watched-{number}" for number in range(12)), "seat")

    assert reads_of(server, content="x", name="another") == 0
    assert reads_of(server, content="x", name="seat") == 1


def test_subscriptions_end_when_their_session_is_idle_for_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr("ricordo.surfaces.mcp.http_sessions.IDLE_SECONDS", 0.05)
    with running(tmp_path) as server:
        subscribe(server, open_session(server), "seat")

        assert settled(server, 0)
        assert server.notices.count_watched() == 0


def test_subscriptions_end_with_the_server(tmp_path):
    with running(tmp_path) as server:
        subscribe(server, open_session(server), "seat")
        assert server.notices.count_subscribers() == 1

    assert (server.notices.count_subscribers(), server.notices.count_watched()) == (0, 0)


def test_one_session_can_watch_only_so_much_and_take_it_back(server, monkeypatch):
    monkeypatch.setattr("ricordo.surfaces.mcp.notices.MOST_WATCHED", 3)
    session = open_session(server)
    for number in range(5):
        subscribe(server, session, f"n{number}")
    assert server.notices.count_watched() == 3

    for number in range(5):
        send(server, session, "resources/unsubscribe", f"ricordo://entries/n{number}")

    assert server.notices.count_watched() == 0


@pytest.mark.parametrize("way", ["close", "reset"])
def test_a_listener_of_the_newer_protocol_is_gone_when_it_hangs_up(server, way):
    wanted = {"resourceSubscriptions": ["ricordo://entries/seat"]}
    body = modern_body("subscriptions/listen", notifications=wanted)
    headers = modern_head(server, "subscriptions/listen", ("Content-Length", str(len(body))))
    lines = ["POST /mcp/ana HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as link:
        link.sendall("\r\n".join(lines).encode() + body)
        heard = b""
        while b"acknowledged" not in heard:
            heard += link.recv(65_536)
        assert (server.notices.count_subscribers(), server.notices.count_watched()) == (1, 1)
        if way == "reset":
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    assert settled(server, 0)
    assert server.notices.count_watched() == 0
