"""One process of the test of sweeps: does one thing and is killed at its n-th step.

A step is the moment before or after a commit, before or after a file is put in its place, and
before or after anything is synced to disk. With n = 0 it lives and tells how many there were.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import ricordo

ACTS: dict[str, Callable[[ricordo.Space], object]] = {
    "dream": lambda space: space.dream(),
    "undo": lambda space: space.dreams.undo(1),
    "forget": lambda space: space.forget("seat0"),
}


class Steps:
    """Counts what is done and ends the process at a given count."""

    def __init__(self, last: int) -> None:
        self._last = last
        self.count = 0

    def step(self) -> None:
        self.count += 1
        if self.count == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            self.step()
            result = work(*given, **named)
            self.step()
            return result

        return call


def main(path: str, folder: str, act: str, last: int) -> None:
    steps = Steps(last)
    memory = ricordo.open(path, embedder="none", config={"workspace": folder})
    memory.space("ana").dream(dry_run=True)  # everything is imported before the counting begins
    store = memory._engine.store
    store.write = steps.around(store.write)  # type: ignore[method-assign]
    os.replace = steps.around(os.replace)
    os.fsync = steps.around(os.fsync)
    ACTS[act](memory.space("ana"))
    sys.stdout.write(str(steps.count))
    memory.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
