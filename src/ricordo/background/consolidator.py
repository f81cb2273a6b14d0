"""The consolidator: consolidates every space now and then."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from ricordo.background.periodic import Regular, for_each
from ricordo.handles.memory import Memory
from ricordo.model import Consolidation, Event

EVERY = timedelta(hours=6)


class Consolidator(Regular):
    """Runs `consolidate` on every space of a memory, the first time after one interval.

    Use it as `with ricordo.Consolidator(memory): …`, or with `start` and `stop`.
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
            self._memory.spaces(),
            lambda name: self._memory.space(name).dreams.consolidate(self._model),
        )
