"""A client that hangs up is not an error of the server: counted apart, and nothing in the log."""

import contextlib
import json
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from mcp_words import modern_body, modern_head

RESET = b"\1\0\0\0\0\0\0\0"  # linger for no time at all: the connection is reset
CALL = json.dumps({"content": "Prefers window seats", "name": "seat"}).encode()


def connect(server, method, path, length, body=b""):
    link = socket.socket()
    link.settimeout(20)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)  # a long answer does not fit
    link.connect(("127.0.0.1", server.port))
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n"
    )
    link.sendall(head.encode() + body)
    return link


def hang_up(link, way):
    if way == "reset":
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    link.close()


@contextlib.contextmanager
def locked(memory):
    """Keep a memory from being written: a write of this process takes its time."""
    begun, done = threading.Event(), threading.Event()

    def work(_):
        begun.set()
        done.wait(60)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(memory._engine.store.write, work)
        begun.wait(60)
        try:
            yield
        finally:
            done.set()
        writing.result()


def counted(server, status):
    text = server.ask("GET", "/metrics").body.decode()
    lines = [line for line in text.splitlines() if f'status="{status}"' in line]
    return sum(int(line.rpartition(" ")[2]) for line in lines)


def waits_for(server, count):
    """Ask until so many hang-ups are counted: the server sees them on its own."""
    return any(counted(server, 499) == count for _ in range(300))


@pytest.mark.parametrize("way", ["close", "reset"])
@pytest.mark.parametrize("path", ["/v1/spaces/ana/tools/remember", "/mcp/ana"])
def test_a_client_that_hangs_up_in_its_body_is_no_error(fresh, caplog, path, way):
    caplog.set_level(logging.WARNING)
    for _ in range(5):
        hang_up(connect(fresh, "POST", path, len(CALL), CALL[:10]), way)

    assert waits_for(fresh, 5)
    assert counted(fresh, 500) == 0
    assert caplog.records == []


@pytest.mark.parametrize("way", ["close", "reset"])
def test_a_client_that_does_not_wait_for_its_answer_is_no_error(fresh, caplog, way):
    """Its write is done all the same: it was asked for."""
    caplog.set_level(logging.WARNING)
    path = "/v1/spaces/ana/tools/remember"
    fresh.call("ana", "remember", content="x", name="first")
    with locked(fresh.memory()):
        hang_up(connect(fresh, "POST", path, len(CALL), CALL), way)
        fresh.ask("GET", "/healthz")  # the hang-up is seen before the answer can be there

    assert waits_for(fresh, 1)
    assert counted(fresh, 500) == 0
    assert caplog.records == []
    assert fresh.memory().space("ana").get("seat").content == "Prefers window seats"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/spaces/ana/sessions/s/context", {"query": "anything"}),
        ("/v1/spaces/ana/context", {"query": "anything"}),
        ("/v1/spaces/ana/tools/context?toolset=conversation", {"query": "anything"}),
    ],
)
def test_a_reminder_in_a_context_that_nobody_waits_for_is_due_again(fresh, path, body):
    space = fresh.memory().space("ana")
    space.session("s").append("user", "Hello")
    space.remind("Call the bank", at="2020-01-01T09:00Z")
    sent = json.dumps(body).encode()
    with locked(fresh.memory()):
        hang_up(connect(fresh, "POST", path, len(sent), sent), "close")
        fresh.ask("GET", "/healthz")  # the hang-up is seen before the answer can be there
    assert waits_for(fresh, 1)

    again = fresh.ask("POST", path, body).body.decode()
    once = fresh.ask("POST", path, body).body.decode()

    assert "Call the bank" in again
    assert "Call the bank" not in once


def was_put_back(server):
    """Whether a reminder is due that was delivered before; the server puts it back on its own."""
    server.ask("GET", "/healthz")
    return any(each.fence > 0 for each in server.memory().space("ana").reminders.due(deliver=False))


@pytest.mark.parametrize(
    ("method", "named", "said"),
    [
        ("tools/call", "remember", {"content": "Prefers window seats", "name": "seat"}),
        ("prompts/get", "recall", {"question": "seat"}),
    ],
)
def test_a_reminder_is_due_again_if_a_client_of_mcp_has_gone(fresh, method, named, said):
    fresh.call("ana", "remember", content="x", name="first")
    fresh.memory().space("ana").remind("Call the bank", at="2020-01-01T09:00Z")
    head = modern_head(fresh, method, ("Mcp-Name", named))
    body = modern_body(method, name=named, arguments=said)
    with locked(fresh.memory()):
        link = socket.create_connection(("127.0.0.1", fresh.port), 20)
        lines = [f"{name}: {value}" for name, value in head] + [f"Content-Length: {len(body)}"]
        text = "\r\n".join(["POST /mcp/ana HTTP/1.1", *lines, "", ""])
        link.sendall(text.encode() + body)
        for _ in range(20):  # the call is under way before its client goes
            fresh.ask("GET", "/healthz")
        hang_up(link, "close")
        fresh.ask("GET", "/healthz")
    assert any(was_put_back(fresh) for _ in range(300))

    again = fresh.raw("POST", "/mcp/ana", head, body).body.decode()
    once = fresh.raw("POST", "/mcp/ana", head, body).body.decode()

    assert "Call the bank" in again
    assert "Call the bank" not in once


@pytest.mark.parametrize("way", ["close", "reset"])
def test_a_reminder_is_due_again_if_nobody_waits_for_the_answer_that_brings_it(fresh, way):
    path = "/v1/spaces/ana/tools/remember"
    fresh.call("ana", "remember", content="x", name="first")
    fresh.memory().space("ana").remind("Call the bank", at="2020-01-01T09:00Z")
    with locked(fresh.memory()):
        hang_up(connect(fresh, "POST", path, len(CALL), CALL), way)
        fresh.ask("GET", "/healthz")  # the hang-up is seen before the answer can be there
    assert waits_for(fresh, 1)

    again = fresh.ask("POST", path, json.loads(CALL)).json
    once = fresh.ask("POST", path, json.loads(CALL)).json

    assert [each["text"] for each in again["due"]] == ["Call the bank"]
    assert "due" not in once


def test_a_client_that_hangs_up_in_a_long_answer_is_no_error(fresh, caplog):
    caplog.set_level(logging.WARNING)
    space = fresh.memory().space("ana")
    for number in range(4):
        space.remember("x" * 500_000, name=f"n{number}")

    link = connect(fresh, "GET", "/v1/spaces/ana/entries", 0)
    assert link.recv(1_000).startswith(b"HTTP/1.1 200")
    hang_up(link, "reset")

    assert fresh.ask("GET", "/healthz").status == 200
    assert counted(fresh, 500) == 0
    assert caplog.records == []
