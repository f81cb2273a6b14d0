"""Writing: what every driver shares that hands its commits to a crew."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from ricordo import forks
from ricordo.errors import StoreError
from ricordo.store.commit_threads import MOST, Crew, Request
from ricordo.store.database import Tx
from ricordo.telemetry.steps import Steps

Result = TypeVar("Result")


class WriteQueue(forks.Forkable, ABC):
    """A driver whose callers wait for the commits that its crew makes."""

    url: str
    read_only: bool
    threads = 1  # that write at a time
    most = MOST  # requests that share a commit

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._closed = False
        self.steps = Steps()
        self._man()
        forks.register(self)

    def _man(self) -> None:
        """Begin with an empty queue; what is only submitted has one thread, and keeps its order."""
        self._crew = Crew(self._commit, self._rest, threads=self.threads, most=self.most)
        is_one = self.threads == 1
        self._courier = self._crew if is_one else Crew(self._commit, self._rest, most=self.most)

    @abstractmethod
    def _commit(self, batch: list[Request]) -> None:
        """Make a batch durable; each request keeps its own value or failure."""

    def _rest(self) -> None:
        """Nothing has come for a moment, and nothing has to be given back."""

    def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` in the next commit and return once that commit is durable."""
        self.check_writable()
        with self.steps.begin("commit"):
            result: Result = self._crew.finish(self._crew.enqueue(work))
        return result

    def count_waiting(self) -> int:
        """How many writes wait for a commit."""
        return sum(crew.count_waiting() for crew in {self._crew, self._courier})

    def submit(self, work: Callable[[Tx], object]) -> None:
        """Queue `work` for the next commit, without waiting for it."""
        self.check_writable()
        self._courier.enqueue(work)

    def settle(self) -> None:
        """Wait until everything submitted so far is durable, or has failed."""
        self.check_alive()
        self._courier.drain()

    def use_reserve(self) -> bool:
        """Nothing: room is the server's affair."""
        return False

    def listen(self, wake: Callable[[], object]) -> AbstractContextManager[None]:  # noqa: ARG002
        """Nothing: no hints come from here."""
        return nullcontext()

    def check_alive(self) -> None:
        if self._closed:
            raise StoreError("this memory is closed; open it again")
        if os.getpid() != self._pid:
            raise StoreError(self._fork_refusal())

    def check_writable(self) -> None:
        self.check_alive()
        if self.read_only:
            raise StoreError(
                f"{self.url} is read-only here; open it without read_only, where it can be written"
            )

    def _dismiss(self) -> None:
        """Let the crew go home, once the driver is closed."""
        for crew in (self._crew, self._courier):
            crew.stop()

    # forks

    def after_fork_in_child(self) -> None:
        """Go on in the child with connections and threads of its own."""
        self._man()
        self._leave_behind()
        self._pid = os.getpid()

    @abstractmethod
    def _leave_behind(self) -> None:
        """In the child: let go of what belongs to the parent without telling anybody."""

    def _fork_refusal(self) -> str:
        return "this memory was opened before a fork; open it in the child process"
