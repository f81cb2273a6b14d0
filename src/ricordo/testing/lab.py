"""The lab: memories to try things on, with a clock and embedders that the test controls."""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, TypeVar

import ricordo
from ricordo import Memory, Space

Function = TypeVar("Function", bound=Callable[..., None])
Vector = Sequence[float]

START = datetime(2024, 3, 1, 12, 0, tzinfo=UTC)
TICK = timedelta(milliseconds=1)


def durable(case: Function) -> Function:
    """Mark a case that opens a memory a second time."""
    case.__dict__["needs_durable"] = True
    return case


class Clock:
    """A clock that moves on by itself at each look, so that no two events are at one time.

    `advance` and `at` let time pass; `jump` moves what the clock shows and no time passes.
    """

    def __init__(self) -> None:
        self._now = START
        self._passed = timedelta(0)  # since START
        self._tick = TICK
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        with self._lock:
            self._pass(self._tick)
            return self._now

    def monotonic(self) -> float:
        """Seconds that have passed, whatever the clock shows."""
        with self._lock:
            return self._passed.total_seconds()

    def at(self, now: datetime) -> datetime:
        """Set the time. A clock that was set back shows first what it has shown before."""
        with self._lock:
            self._passed = max(self._passed, now - START)
            self._now = now
        return now

    def advance(self, **by: float) -> datetime:
        """Let time pass, for example `advance(days=1)`."""
        with self._lock:
            self._pass(timedelta(**by))
            return self._now

    def jump(self, **by: float) -> datetime:
        """Set the clock wrong, or right again, while no time passes."""
        with self._lock:
            self._now += timedelta(**by)
            return self._now

    def _pass(self, span: timedelta) -> None:
        self._now += span
        self._passed += span

    def stop(self) -> None:
        """Give everything from now on the same time."""
        self._tick = timedelta(0)


class VectorTable:
    """An embedder that looks vectors up; a text that is not in the table has none."""

    def __init__(self, vectors: Mapping[str, Vector], *, name: str = "table", dim: int = 2) -> None:
        self.name = name
        self.dim = dim
        self.vectors = dict(vectors)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.vectors.get(text, (0.0,) * self.dim) for text in texts]


class TroubledEmbedder:
    """An embedder that fails a number of times before it works; every text gets one vector."""

    def __init__(self, failures: int) -> None:
        self.dim = 2
        self.name = "troubled"
        self.failures = failures
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        with self._lock:
            if self.failures > 0:
                self.failures -= 1
                raise ConnectionError("the model is away")
        return [(1.0, 0.0)] * len(texts)


class Lab:
    """Opens memories and, when it closes, checks every one of them for broken promises."""

    def __init__(self, url_factory: Callable[[], str]) -> None:
        self.clock = Clock()
        self._url_factory = url_factory
        self._open: dict[int, tuple[Memory, str]] = {}

    def open(self, **options: Any) -> Memory:  # Any: they are those of ricordo.open
        """A new, empty memory with the clock of the lab; default embedder: "hash"."""
        return self._open_memory(self._url_factory(), options)

    def space(self, name: str = "ana", **options: Any) -> Space:
        """A space of a new memory."""
        return self.open(**options).space(name)

    def reopen(self, memory: Memory, **options: Any) -> Memory:
        """Close a memory and open it again."""
        _, url = self._open.pop(id(memory))
        memory.close()
        return self._open_memory(url, options)

    def share(self, memory: Memory, **options: Any) -> Memory:
        """Open a memory once more while it is in use."""
        return self._open_memory(self.url(memory), options)

    def team(self, memory: Memory) -> "Team":
        """Another process with the same memory."""
        return Team(self.url(memory))

    def url(self, memory: Memory) -> str:
        return self._open[id(memory)][1]

    def forget(self, memory: Memory) -> None:
        """Leave a memory to the case: it is neither checked nor closed here."""
        del self._open[id(memory)]

    def close(self) -> None:
        """Check and close what is open."""
        try:
            for memory, url in list(self._open.values()):
                found = memory.check()
                assert found == [], f"{url}: {found}"
        finally:
            for memory, _ in self._open.values():
                memory.close()
            self._open.clear()

    def _open_memory(self, url: str, options: dict[str, Any]) -> Memory:
        defaults: dict[str, Any] = {"embedder": "hash", "clock": self.clock, "keep": False}
        memory = ricordo.open(url, **(defaults | options))
        self._open[id(memory)] = memory, url
        return memory

    def __enter__(self) -> "Lab":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
            return
        for memory, _ in self._open.values():
            memory.close()


class Team:
    """A second process that opens the same memory and runs functions there, one after the other.

    A function has to be importable and takes the memory first. Waiting is done on pipes.
    """

    def __init__(self, url: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ricordo.testing.member", url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        try:
            assert self._receive() == "ready"
        except EOFError:
            self._end()
            raise

    def ask(self, function: Callable[..., Any], *given: object) -> Any:  # whatever it returns
        """Run a function there and wait for what it returns."""
        self.start(function, *given)
        return self.answer()

    def start(self, function: Callable[..., Any], *given: object) -> None:
        """Run a function there while this process goes on."""
        assert self._process.stdin is not None
        pickle.dump((function.__module__, function.__qualname__, given), self._process.stdin)
        self._process.stdin.flush()

    def answer(self) -> Any:
        """Wait for what the function returns; what it raises is raised here."""
        answer = self._receive()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def kill(self) -> None:
        """End the process as a crash would, with no chance to tidy up."""
        self._process.kill()
        self._end()

    def _receive(self) -> Any:
        assert self._process.stdout is not None
        return pickle.load(self._process.stdout)  # from the process started above

    def _end(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()

    def __enter__(self) -> "Team":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._end()
