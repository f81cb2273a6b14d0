"""Group commit: whoever finds nobody committing commits for everybody who queued meanwhile.

There is no writer thread. A single caller runs its own work and pays no hop; under load the
callers that queue during one commit share the next.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from recollect.errors import StoreError

MOST = 256  # requests that share one commit
_YIELDS = 4  # times that others are let go first


class Request:
    """One piece of work waiting for a commit, and what became of it."""

    __slots__ = ("failure", "is_done", "value", "work")

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work
        self.is_done = False
        self.value: Any = None  # whatever the work returns
        self.failure: BaseException | None = None


class Group:
    """The queue in front of one writer. `commit` makes a batch durable or raises."""

    def __init__(self, commit: Callable[[list[Request]], None]) -> None:
        self._commit = commit
        self._queue: deque[Request] = deque()
        self._turn = threading.Condition()
        self._is_led = False
        self._shared = 0  # how many shared the last commit

    def enqueue(self, work: Callable[[Any], Any]) -> Request:
        request = Request(work)
        self._queue.append(request)
        return request

    def finish(self, request: Request) -> Any:
        """Wait for the request, leading a commit if nobody else does; its value or its failure."""
        self._until(lambda: request.is_done)
        if request.failure is not None:
            raise request.failure
        return request.value

    def drain(self) -> None:
        """Wait until nothing is queued and nobody commits."""
        self._until(lambda: not self._queue and not self._is_led)

    def _until(self, is_over: Callable[[], bool]) -> None:
        while True:
            with self._turn:
                while not is_over() and self._is_led:
                    self._turn.wait()
                if is_over():
                    return
                self._is_led = True
            try:
                self._lead()
            finally:
                with self._turn:
                    self._is_led = False
                    self._turn.notify_all()

    def _lead(self) -> None:
        self._gather()
        batch: list[Request] = []
        while self._queue and len(batch) < MOST:
            batch.append(self._queue.popleft())
        self._shared = len(batch)
        try:
            self._commit(batch)
        except Exception as error:  # noqa: BLE001 - every caller of the group is told
            for request in batch:
                request.failure = error
        except BaseException:
            for request in batch:
                request.failure = StoreError("the commit was interrupted; nothing was kept")
            raise
        finally:
            for request in batch:
                request.is_done = True

    def _gather(self) -> None:
        """Let those who shared the last commit come back first.

        Who commits alone again and again does not wait; who is the first alone waits a moment.
        """
        for _ in range(_YIELDS):
            if len(self._queue) >= self._shared:
                return
            time.sleep(0)  # whoever prepares a request goes on
