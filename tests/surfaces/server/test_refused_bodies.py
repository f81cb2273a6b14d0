"""A client whose body is refused while it is still sending learns why."""

import http.client
import socket

from servers import Running, running

from ricordo.surfaces.server.guard import BODY_LIMIT, Rules

TARGET = "/v1/spaces/ana/tools/remember"


def head(server: Running, length: int, *more: str) -> bytes:
    lines = [
        f"POST {TARGET} HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        f"Authorization: Bearer {server.token}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def status_of(link: socket.socket) -> bytes:
    return link.recv(4_096).split(b"\r\n")[0]


def answered(link: socket.socket) -> int:
    reply = http.client.HTTPResponse(link)
    reply.begin()
    reply.read()
    return reply.status


def test_who_sends_too_much_in_pieces_gets_the_answer_and_no_reset(tmp_path):
    length = BODY_LIMIT + 1024 * 1024
    with (
        running(tmp_path) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=30) as link,
    ):
        link.sendall(head(server, length))
        for _ in range(length // 65_536):  # a reset would raise in here
            link.sendall(b" " * 65_536)
        link.sendall(b" " * (length % 65_536))
        first = answered(link)
        link.sendall(head(server, 2) + b"{}")
        again = answered(link)

    assert (first, again) == (413, 400)  # the connection serves on


def test_who_asks_before_sending_is_told_at_once(tmp_path):
    with (
        running(tmp_path, Rules(body_limit=1_000)) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=30) as link,
    ):
        link.sendall(head(server, 5_000, "Expect: 100-continue"))

        assert b" 413 " in status_of(link)


def test_who_asks_before_sending_what_is_welcome_is_told_to_go_on(tmp_path):
    with (
        running(tmp_path) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=30) as link,
    ):
        link.sendall(head(server, 16, "Expect: 100-continue"))
        told = status_of(link)
        link.sendall(b'{"content": "x"}')
        done = status_of(link)

    assert (told, done) == (b"HTTP/1.1 100 Continue", b"HTTP/1.1 200 OK")
