"""Writing: what every driver with group commit shares. The driver itself commits a batch."""

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from recollect.errors import StoreError
from recollect.store.database import Tx
from recollect.store.group import Group, Request

Result = TypeVar("Result")


class Writing(ABC):
    """The queue of a driver: callers wait for their commit, or leave it to a courier."""

    url: str
    read_only: bool

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._closed = False
        self._group = Group(self._commit)
        self._courier: threading.Thread | None = None
        self._wake = threading.Event()

    @abstractmethod
    def _commit(self, batch: list[Request]) -> None:
        """Make a batch durable; each request keeps its own value or failure."""

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` in the next commit and return once that commit is durable."""
        result: Result = self._group.finish(self._enqueue(work))
        return result

    def submit(self, work: Callable[[Tx], object]) -> None:
        """Queue `work` for the next commit, which a courier thread makes if nobody else does."""
        self._enqueue(work)
        if self._courier is None:
            self._courier = threading.Thread(
                target=self._carry, name="recollect-courier", daemon=True
            )
            self._courier.start()
        self._wake.set()

    def settle(self) -> None:
        """Wait until everything submitted so far is durable, or has failed."""
        self.check_alive()
        self._group.drain()

    def listen(self, wake: Callable[[], object]) -> AbstractContextManager[None]:  # noqa: ARG002
        """Nothing: no hints come from here."""
        return nullcontext()

    def check_alive(self) -> None:
        if self._closed:
            raise StoreError("this memory is closed; open it again")
        if os.getpid() != self._pid:
            raise StoreError("this memory was opened before a fork; open it in the child process")

    def check_writable(self) -> None:
        self.check_alive()
        if self.read_only:
            raise StoreError(
                f"{self.url} is read-only here; open it without read_only, where it can be written"
            )

    def _enqueue(self, work: Callable[[Tx], Any]) -> Request:
        self.check_writable()
        return self._group.enqueue(work)

    def _carry(self) -> None:
        while not self._closed:
            self._wake.wait()
            self._wake.clear()
            self._group.drain()

    def _dismiss(self) -> None:
        """Let the courier go home, once the driver is closed."""
        if self._courier is not None:
            self._wake.set()
            self._courier.join()
