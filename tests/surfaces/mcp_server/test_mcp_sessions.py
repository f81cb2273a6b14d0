"""Sessions that nobody ends, over a real HTTP server and with the official client: they are bounded
in number, and whoever is still there keeps its session."""

import socket

import pytest
from mcp.client.streamable_http import StreamableHTTPTransport
from mcp.shared.exceptions import MCPError
from mcp_client import SEAT, drive, initialize, text_of
from servers import over_http, running


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A server that keeps four sessions."""
    monkeypatch.setattr("ricordo.surfaces.mcp.http_sessions.MOST_SESSIONS", 4)
    with running(tmp_path) as server:
        yield server


def abandon_sessions(server, count):
    """Open sessions and leave them, by their ids."""
    replies = [server.ask("POST", "/mcp", initialize(), accept=True) for _ in range(count)]
    return [reply.headers["mcp-session-id"] for reply in replies]


def ping(server, session):
    message = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    return server.ask("POST", "/mcp", message, accept=True, session=session).status


def count_sessions(server):
    lines = server.ask("GET", "/metrics").body.decode().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("ricordo_mcp_sessions ")))


async def keep_no_stream(*_):
    return


def test_abandoned_sessions_are_bounded_and_the_one_idle_for_longest_ends_first(small):
    first, second, *others = abandon_sessions(small, 4)
    assert ping(small, first) == 200  # now the second is the one that was idle for longest

    (newest,) = abandon_sessions(small, 1)

    assert ping(small, second) == 404
    assert [ping(small, each) for each in (first, *others, newest)] == [200] * 4
    assert count_sessions(small) == 4


def test_the_bound_holds_however_many_sessions_are_abandoned(small):
    sessions = abandon_sessions(small, 40)

    assert count_sessions(small) == 4
    assert [ping(small, each) for each in sessions[-4:]] == [200] * 4


def test_a_session_with_an_open_stream_stays_however_long_it_says_nothing(small):
    (session,) = abandon_sessions(small, 1)
    head = (
        f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{small.port}\r\nMcp-Session-Id: {session}\r\n"
        f"Authorization: Bearer {small.token}\r\nAccept: text/event-stream\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", small.port), timeout=20) as link:
        link.sendall(head.encode())
        assert b" 200 OK" in link.recv(4_096)
        abandon_sessions(small, 20)

        assert ping(small, session) == 200


def test_a_client_whose_session_ended_is_refused_and_opens_another(small, monkeypatch):
    """One that keeps no stream open, so that the server cannot know it is still there."""
    monkeypatch.setattr(StreamableHTTPTransport, "handle_get_stream", keep_no_stream)

    async def work():
        async with over_http(small, "legacy") as client:
            await client.call_tool("remember", SEAT)
            abandon_sessions(small, 20)
            with pytest.raises(MCPError, match="Session"):
                await client.call_tool("recall", {"query": "which seat?"})
        async with over_http(small, "legacy") as client:
            return await client.call_tool("recall", {"query": "which seat?"})

    assert "window" in text_of(drive(work))
