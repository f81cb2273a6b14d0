"""A client that hangs up is not an error of the server: counted apart, and nothing in the log."""

import contextlib
import json
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

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
