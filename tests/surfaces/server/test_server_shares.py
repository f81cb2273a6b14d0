"""One client cannot stall the others, streams end with their token, and logs name the request."""

import json
import logging
import socket
import threading

import apsw
import pytest
from servers import running

from ricordo.surfaces.server import logs, streams
from ricordo.surfaces.server.guard import Rules
from ricordo.surfaces.server.shares import THREADS_OF_ONE, Rates

START = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second():
    now = 0.0
    rates = Rates(10, lambda: now)

    first = [rates.admit("phone") for _ in range(21)]
    now += 0.5

    assert first[:20] == [0] * 20
    assert first[20] == pytest.approx(0.1)
    assert [rates.admit("phone") > 0 for _ in range(6)] == [False] * 5 + [True]
    assert rates.admit("laptop") == 0
    assert not any(Rates(0).admit("phone") for _ in range(1_000))


def test_a_token_that_sends_too_much_is_told_when_to_come_back_and_others_are_not(tmp_path):
    with running(tmp_path, Rules(rate=0.01)) as server:
        phone = server.tokens.add("phone").token
        refused = server.ask("GET", "/v1/spaces")
        other = server.ask("GET", "/v1/spaces", token=phone)
        health = server.ask("GET", "/healthz")

    assert (refused.status, other.status, health.status) == (429, 429, 200)
    assert int(refused.headers["retry-after"]) > 1
    assert "slow down" in refused.json["detail"]


def test_requests_of_one_token_leave_threads_for_others(server):
    """Writes wait while another process holds the file; they may not take all threads."""
    server.call("ana", "remember", content="Prefers window seats", name="seat")
    phone = server.tokens.add("phone").token
    holder = apsw.Connection(str(server.path))
    holder.set_busy_timeout(20_000)  # the embedder may be writing
    holder.execute("BEGIN IMMEDIATE")
    said = {"content": "x"}
    path = "/v1/spaces/ana/tools/remember"
    got = []
    writers = [
        threading.Thread(target=lambda: got.append(server.ask("POST", path, said, phone).status))
        for _ in range(3 * THREADS_OF_ONE)
    ]
    for each in writers:
        each.start()

    read = server.get("/v1/spaces/ana/entries/seat")

    assert read["content"] == "Prefers window seats"
    assert got == []
    holder.execute("ROLLBACK")
    holder.close()
    for each in writers:
        each.join()
    assert got == [200] * len(writers)


@pytest.mark.parametrize("change", ["remove", "rotate"])
def test_a_stream_ends_with_its_token(server, monkeypatch, change):
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.05)
    token = server.tokens.add("phone", "ana").token
    opened = server.ask("POST", "/mcp", START, token, accept=True)
    head = (
        f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n"
        f"Mcp-Session-Id: {opened.headers['mcp-session-id']}\r\n"
        f"Authorization: Bearer {token}\r\nAccept: text/event-stream\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as link:
        link.sendall(head.encode())
        assert b" 200 OK" in link.recv(4_096)

        getattr(server.tokens, change)("phone")

        heard = b""
        while piece := link.recv(4_096):
            heard += piece
    assert heard.endswith(b"0\r\n\r\n")  # ended, not broken off
    assert server.ask("POST", "/mcp", START, token, accept=True).status == 401


def test_every_answer_has_the_id_of_its_request_and_the_log_names_it(server, caplog):
    caplog.set_level(logging.INFO, "ricordo.http")

    def ask(*headers):
        host = ("Host", f"127.0.0.1:{server.port}")
        return server.raw("GET", "/v1/spaces/ana/entries/secret", [host, *headers])

    token = ("Authorization", f"Bearer {server.token}")
    own = ask(token, ("X-Request-Id", "turn-7"))
    made = ask(token)
    forged = ask(("X-Request-Id", 'x" injected'))
    ask()  # the line of a request is written after its answer

    assert own.headers["x-request-id"] == "turn-7"
    assert len(made.headers["x-request-id"]) == 16
    assert " " not in forged.headers["x-request-id"]
    told = [record.fields for record in caplog.records if record.msg == "request"]
    assert [(each["status"], each["token"]) for each in told[:3]] == [
        (404, "default"), (404, "default"), (401, None)]  # fmt: skip
    assert told[0]["route"] == "/v1/spaces/{space}/entries/{name}"
    assert "secret" not in json.dumps(told)


def test_a_line_of_the_log_is_one_json_object_whatever_it_says():
    record = logging.LogRecord(
        "ricordo", logging.ERROR, "x.py", 1, 'a "quoted"\nforged: %s', ("line\n{}",), None
    )
    mark = logs.REQUEST.set("turn-7")
    line = logs.JsonLines().format(record)
    logs.REQUEST.reset(mark)

    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["request"]) == ("error", "turn-7")
    assert told["message"] == 'a "quoted"\nforged: line\n{}'


def test_what_cannot_be_read_is_reported_once_a_minute(server, caplog):
    server.tokens.path.chmod(0o644)
    for _ in range(20):
        assert server.ask("GET", "/v1/spaces").status == 503
    server.tokens.path.chmod(0o600)

    assert caplog.text.count("all requests are refused") == 1
