"""Connections: how many are accepted, and how long a client may take to send a request.

The bound comes from the limit of open files, and is 4,096 at most. A server that reaches that limit
can accept nobody, and can no longer open its own database either. So before it gets there, the
connection that has waited longest for the head of a request is closed for each new one; if all have
a request under way, the new one is answered 503.
"""

import asyncio
import contextlib
import logging
import socket
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ricordo.surfaces.quiet_log import Gate
from ricordo.surfaces.server.problems import MEDIA, Problem

HEAD_SECONDS = 10.0  # until the head of a request must have arrived
MOST_OPEN = 4_096
ACCEPTED_AT_ONCE = 24  # before those that gave way are closed; less than the reserve
_STUCK_SECONDS = 1.0  # a handshake that takes longer gives way
_QUEUE = 2_048  # connections that the system holds until they are accepted
_RESERVE = 96  # descriptors reserved for files: readers, the log, models, child processes
_log = logging.getLogger("ricordo.http")


def find_bound() -> int:
    """How many connections may be open."""
    try:
        import resource  # there is none on Windows
    except ImportError:
        return MOST_OPEN
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MOST_OPEN
    return min(MOST_OPEN, limit - min(_RESERVE, limit // 2))


class Crowd:
    """The open connections of a server, and those that have no whole head yet, in order."""

    def __init__(self) -> None:
        self._new: dict[int, tuple[Link, float]] = {}  # with TLS, until they have shaken hands
        self._open: set[int] = set()
        self._waiting: dict[TimedConnection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def accept(self, link: "Link") -> None:
        self._open.add(link.fileno())
        self._new[link.fileno()] = link, time.monotonic()

    def greet(self, descriptor: int) -> None:
        self._new.pop(descriptor, None)

    def close(self, descriptor: int) -> None:
        self._new.pop(descriptor, None)
        self._open.discard(descriptor)

    def wait(self, link: "TimedConnection") -> None:
        self._waiting[link] = None

    def serve(self, link: "TimedConnection") -> None:
        self._waiting.pop(link, None)

    def make_room(self, bound: int) -> bool:
        """Close those that have waited longest until one more may come; whether it may.

        Right after a crowd came, none of it waits yet; for that moment a few more are let in.
        """
        while len(self) >= bound and self._close_oldest():
            continue
        return len(self) < bound + (ACCEPTED_AT_ONCE if self._new else 0)

    def _close_oldest(self) -> bool:
        if self._waiting:
            oldest = next(iter(self._waiting))
            self.serve(oldest)
            self.close(oldest.give_way())
            return True
        descriptor, (link, at) = next(iter(self._new.items()), (-1, (None, 0.0)))
        if link is None or time.monotonic() - at < _STUCK_SECONDS:
            return False
        self.close(descriptor)
        with contextlib.suppress(OSError):
            link.shutdown(socket.SHUT_RDWR)  # its handshake fails, and asyncio closes it
        return True


class Link(socket.socket):
    """An accepted connection, counted until its descriptor is closed."""

    crowd: Crowd

    def close(self) -> None:
        if self.fileno() >= 0:
            self.crowd.close(self.fileno())
        super().close()


class Listener(socket.socket):
    """A listening socket with a bound: past it a waiting connection gives way to a new one, and if
    none waits, the new one is answered 503."""

    bound: int
    crowd: Crowd
    _gate: Gate

    @classmethod
    def around(cls, given: socket.socket, bound: int, crowd: Crowd | None = None) -> "Listener":
        # uvicorn does not name TCP, and only if it is named does asyncio turn off Nagle's delay,
        # by which an answer on a connection that was used before waits 40 ms for an ACK.
        is_tcp = given.family in (socket.AF_INET, socket.AF_INET6)
        named = socket.IPPROTO_TCP if is_tcp else 0
        made = cls(given.family, given.type, named, fileno=given.detach())
        made.bound, made._gate, made.crowd = bound, Gate(), Crowd() if crowd is None else crowd
        return made

    def listen(self, _: int = 0, /) -> None:
        # asyncio takes its number for the queue as the most to accept at once; ours is longer.
        super().listen(_QUEUE)

    def accept(self) -> tuple[socket.socket, Any]:
        while True:
            descriptor, address = self._accept()  # type: ignore[attr-defined]  # as socket does
            link = Link(self.family, self.type, self.proto, fileno=descriptor)
            link.crowd = self.crowd
            link.setblocking(False)
            if len(self.crowd) >= self.bound:
                self._report()
            if self.crowd.make_room(self.bound):
                self.crowd.accept(link)
                return link, address
            self._refuse(link)

    def _refuse(self, link: socket.socket) -> None:
        with link, contextlib.suppress(OSError):  # whoever is gone already needs no answer
            link.send(_answer(Problem(503, "too many connections; try again later"), 5))
            link.shutdown(socket.SHUT_WR)
            link.recv(65_536)  # what is closed with something unread is reset, and the answer lost

    def _report(self) -> None:
        held_back = self._gate.admit("refused")
        if held_back is not None:
            _log.warning(
                "too many connections (the bound is %s, see ulimit -n): closing those without a "
                "request, or answering 503; once a minute, %s more since the last report",
                self.bound,
                held_back,
            )


class TimedConnection(H11Protocol):
    """A connection that must send the whole head of each request in time."""

    head_seconds = HEAD_SECONDS
    crowd = Crowd()  # each server has its own: see `around`
    _head_timer: asyncio.TimerHandle | None = None

    @classmethod
    def around(cls, crowd: Crowd) -> "type[TimedConnection]":
        """The class for the connections of one server."""
        return type(cls.__name__, (cls,), {"crowd": crowd})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.crowd.greet(transport.get_extra_info("socket").fileno())
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
            self.crowd.wait(self)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
            self.crowd.serve(self)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            late = Problem(408, "the head of the request came too late; send it without delay")
            self.transport.write(_answer(late))
            self.transport.close()

    def give_way(self) -> int:
        """Make room for another connection; the descriptor that is given back."""
        descriptor = int(self.transport.get_extra_info("socket").fileno())
        if not self.transport.is_closing():
            self.transport.write(_answer(Problem(503, "too many connections; try again later"), 5))
            self.transport.abort()  # at once: its descriptor is needed
        return descriptor


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
