"""Hints from a PostgreSQL server: a thread hears `NOTIFY` on a connection and wakes who waits.

A hint saves a wait and nothing else: who polls finds the same without it. So nothing is raised
here. A lost connection is opened again, and until then there are no hints.
"""

import contextlib
import logging
import selectors
import socket
import threading
from collections.abc import Callable, Iterator

import psycopg
from psycopg import sql

from ricordo.store.postgres.link import PostgresAddress, Raw, connect, identifier

log = logging.getLogger("ricordo")

Wake = Callable[[], object]

_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.5, 60.0
_FAREWELL_SECONDS = 1.0  # a thread that is just connecting ends by itself


class Hints:
    """Those who wait in this process; they share a connection, which is there while they are."""

    def __init__(self, address: PostgresAddress) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._waiting: list[Wake] = []
        self._listener: _Listener | None = None
        self._is_closed = False

    @contextlib.contextmanager
    def heard_by(self, wake: Wake) -> Iterator[None]:
        """Call `wake` at every hint, from a thread of ours, until the block is left."""
        with self._lock:
            self._waiting.append(wake)
            if self._listener is None and not self._is_closed and self._address.listen != "":
                self._listener = _Listener(self._address, self._wake_all)
                self._listener.start()
        try:
            yield
        finally:
            self._leave(wake)

    def close(self) -> None:
        """Hear nothing more; those who wait are left to their polls."""
        with self._lock:
            self._is_closed = True
            listener, self._listener = self._listener, None
        if listener is not None:
            listener.stop()

    def _leave(self, wake: Wake) -> None:
        listener = None
        with self._lock:
            self._waiting.remove(wake)
            if not self._waiting:
                listener, self._listener = self._listener, None
        if listener is not None:
            listener.stop()

    def _wake_all(self) -> None:
        with self._lock:
            waiting = list(self._waiting)
        for wake in waiting:
            wake()


class _Listener(threading.Thread):
    """Listens on a connection of its own, and on another one when that breaks."""

    def __init__(self, address: PostgresAddress, wake: Wake) -> None:
        super().__init__(name="ricordo-hints", daemon=True)
        self._address = address
        self._wake = wake
        self._is_over = False
        self._ear, self._mouth = socket.socketpair()  # by which `stop` interrupts a wait

    def stop(self) -> None:
        self._is_over = True
        if self.is_alive():  # in a child process it is not, and the sockets are the parent's
            with contextlib.suppress(OSError):
                self._mouth.send(b"\0")
            self.join(_FAREWELL_SECONDS)

    def run(self) -> None:
        pause = _FIRST_PAUSE_SECONDS
        with self._ear, self._mouth:
            while not self._is_over:
                try:
                    with contextlib.closing(connect(self._address, self._address.listen)) as raw:
                        raw.execute(sql.SQL("LISTEN {}").format(identifier(self._address.schema)))
                        pause = _FIRST_PAUSE_SECONDS
                        self._wake()  # something may have been filed before anybody listened
                        self._listen(raw)
                except (psycopg.Error, OSError) as error:
                    log.debug("no hints for %s s: %s", pause, error)
                self._rest(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    def _listen(self, raw: Raw) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(raw.fileno(), selectors.EVENT_READ)
            selector.register(self._ear, selectors.EVENT_READ)
            while not self._is_over:
                selector.select()
                raw.pgconn.consume_input()  # raises once the connection is lost
                is_hint = False
                while raw.pgconn.notifies() is not None:
                    is_hint = True
                if is_hint:
                    self._wake()

    def _rest(self, seconds: float) -> None:
        """Wait before the next try, or until stopped."""
        if self._is_over:
            return
        with selectors.DefaultSelector() as selector:
            selector.register(self._ear, selectors.EVENT_READ)
            selector.select(seconds)
