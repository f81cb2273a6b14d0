"""Connections: how many are accepted, and how long a client may take to send a request.

The bound comes from the limit of open files. A server that reaches that limit can accept nobody,
and can no longer open its own database either; so it answers 503 before it gets there.
"""

import asyncio
import contextlib
import logging
import socket
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ricordo.surfaces.quiet_log import Gate
from ricordo.surfaces.server.problems import MEDIA, Problem

HEAD_SECONDS = 30.0  # until the head of a request must have arrived
_RESERVE = 64  # descriptors reserved for files: readers, the log, models, child processes
_log = logging.getLogger("ricordo.http")


def find_bound() -> int | None:
    """The first descriptor reserved for files; None if the system has no limit."""
    try:
        import resource  # there is none on Windows
    except ImportError:
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return None
    return limit - min(_RESERVE, limit // 2)


class Listener(socket.socket):
    """A listening socket that answers 503 when a connection would use a reserved descriptor.

    The system gives out the lowest free descriptor, so its number tells how many are in use, those
    of files included: nothing has to be counted.
    """

    bound: int | None = None
    _gate: Gate

    @classmethod
    def around(cls, given: socket.socket, bound: int | None) -> "Listener":
        # uvicorn does not name TCP, and only if it is named does asyncio turn off Nagle's delay,
        # by which an answer on a connection that was used before waits 40 ms for an ACK.
        made = cls(given.family, given.type, socket.IPPROTO_TCP, fileno=given.detach())
        made.bound, made._gate = bound, Gate()
        return made

    def accept(self) -> tuple[socket.socket, Any]:
        while True:
            link, address = super().accept()
            if self.bound is None or link.fileno() < self.bound:
                return link, address
            self._refuse(link)

    def _refuse(self, link: socket.socket) -> None:
        with link, contextlib.suppress(OSError):  # whoever is gone already needs no answer
            link.setblocking(False)
            link.send(_answer(Problem(503, "too many connections; try again later"), 5))
            link.shutdown(socket.SHUT_WR)
            link.recv(65_536)  # what is closed with something unread is reset, and the answer lost
        held_back = self._gate.admit("refused")
        if held_back is not None:
            _log.warning(
                "too many connections for the limit of open files (ulimit -n): answering 503; "
                "reported once a minute, %s more since the last report",
                held_back,
            )


class TimedConnection(H11Protocol):
    """A connection that must send the whole head of each request in time."""

    head_seconds = HEAD_SECONDS
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _watch_head(self) -> None:
        """Start the timer for a head; more of the same head does not restart it."""
        is_under_way = self.cycle is not None and not self.cycle.response_complete
        if is_under_way:
            self._stop_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(self.head_seconds, self._give_up)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            late = Problem(408, "the head of the request came too late; send it without delay")
            self.transport.write(_answer(late))
            self.transport.close()


def _answer(problem: Problem, retry_seconds: int | None = None) -> bytes:
    """A problem as bytes, for a connection that has no request yet."""
    body = problem.body()
    head = [
        f"HTTP/1.1 {problem.status} {problem.document()['title']}",
        f"content-type: {MEDIA}",
        f"content-length: {len(body)}",
        "connection: close",
    ]
    if retry_seconds is not None:
        head.append(f"retry-after: {retry_seconds}")
    return "\r\n".join([*head, "", ""]).encode() + body
