"""The consolidator: consolidates every space now and then."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from recollect.memory import Memory
from recollect.model import Consolidation, Event
from recollect.regular import Regular, for_each

EVERY = timedelta(hours=6)


class Consolidator(Regular):
    """Runs `consolidate` on every space of a memory, the first time after one interval.

    Use it as `with recollect.Consolidator(memory): …`, or with `start` and `stop`.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        every: timedelta = EVERY,
        model: Callable[[str, Sequence[Event]], str] | str | None = None,
    ) -> None:
        super().__init__(every)
        self._memory = memory
        self._model = model

    def run(self) -> dict[str, Consolidation]:
        """One pass over every space, now."""
        return for_each(
            self._memory.spaces(), lambda name: self._memory.space(name).consolidate(self._model)
        )
