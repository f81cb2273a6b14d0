"""The dreamer: sweeps every space once a day."""

from datetime import timedelta

from ricordo.background.periodic import Regular, for_each
from ricordo.errors import Conflict
from ricordo.handles.memory import Memory
from ricordo.model import Sweep

EVERY = timedelta(days=1)


class Dreamer(Regular):
    """Runs `dream` on every space of a memory, the first time after one interval.

    Use it as `with ricordo.Dreamer(memory): …`, or with `start` and `stop`. A space that another
    process is sweeping is left to that process.
    """

    def __init__(self, memory: Memory, *, every: timedelta = EVERY) -> None:
        super().__init__(every)
        self._memory = memory

    def run(self) -> dict[str, Sweep]:
        """One sweep of every space, now."""
        swept = for_each(self._memory.spaces(), self._sweep)
        return {name: sweep for name, sweep in swept.items() if sweep is not None}

    def _sweep(self, space: str) -> Sweep | None:
        try:
            return self._memory.space(space).dream()
        except Conflict:
            return None  # it is being swept: that is all that was wanted
