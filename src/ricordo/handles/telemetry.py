"""Watch a memory: every step it takes from now on, and figures of its queues."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.telemetry.steps import Watcher


class Queues(NamedTuple):
    """What waits in a memory."""

    writes: int  # for a commit of this process


def watch(memory: "Memory", watcher: "Watcher") -> None:
    """Show every later step of a memory to a watcher."""
    memory._engine.steps.watch(watcher)


def measure_queues(memory: "Memory") -> Queues:
    """What waits at the moment."""
    return Queues(memory._engine.store.count_waiting())
