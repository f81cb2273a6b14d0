"""A line to the server that can be cut at a word: before it arrives, or before its answer does."""

import contextlib
import socket
import threading
from pathlib import Path
from types import TracebackType

from postgres_server import folder

NAME = ".s.PGSQL.5432"


class Proxy:
    """Listens on a socket in a folder of its own and passes everything on."""

    def __init__(self, server: Path) -> None:
        self._server = server / NAME
        self._word: bytes | None = None
        self._swallow = ""
        self._lock = threading.Lock()
        self._stack = contextlib.ExitStack()
        self.cuts = 0

    def cut(self, word: bytes, swallow: str) -> None:
        """Cut the next line that carries the word; `swallow` is "question" or "answer"."""
        with self._lock:
            self._word, self._swallow = word, swallow

    def __enter__(self) -> "Proxy":
        self.folder = self._stack.enter_context(folder())
        self._listener = self._stack.enter_context(socket.socket(socket.AF_UNIX))
        self._listener.bind(str(self.folder / NAME))
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._stack.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(self._server))
        back = threading.Thread(target=_copy, args=(server, client), daemon=True)
        back.start()
        with client, server, contextlib.suppress(OSError):
            while data := client.recv(65536):
                if not self._is_cut(data):
                    server.sendall(data)
                    continue
                if self._swallow == "answer":
                    _end(client)
                    server.sendall(data)
                    server.shutdown(socket.SHUT_WR)
                else:
                    _end(client)
                    _end(server)
                break
            back.join()

    def _is_cut(self, data: bytes) -> bool:
        with self._lock:
            if self._word is None or self._word not in data:
                return False
            self._word = None
            self.cuts += 1
            return True


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _end(target)


def _end(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
