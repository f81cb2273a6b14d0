"""Who sweeps a space: one dreamer at a time, on any machine.

The lease stands in the store. It ends when the sweep does, when its time is over, or, on the same
machine, as soon as the process that held it is gone.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from ricordo.core.time import clocks
from ricordo.errors import Conflict
from ricordo.flows.engine import Engine
from ricordo.flows.time import owners
from ricordo.store.database import Tx

LEASE = 120_000_000  # microseconds; a sweep takes a few seconds at most


class Lease(NamedTuple):
    space: int
    owner: str


@contextmanager
def hold_lease(engine: Engine, space: str) -> Iterator[Lease]:
    """Hold the lease of a space, or raise Conflict."""
    owner = owners.name_owner()
    lease = engine.store.write(partial(_take, engine=engine, space=space, owner=owner))
    try:
        yield lease
    finally:
        engine.store.write(lambda tx: tx.sweeps.release(lease.space, owner))


def confirm(tx: Tx, lease: Lease, space: str) -> None:
    """Raise Conflict if somebody else took over meanwhile."""
    current = tx.sweeps.dreamer(lease.space)
    if current is None or current[0] != lease.owner:
        raise Conflict(
            f"the sweep of space {space!r} took too long and another began; nothing done"
        )


def _take(tx: Tx, engine: Engine, space: str, owner: str) -> Lease:
    number = engine.ensure_space(tx, space)
    before, until = tx.sweeps.dreamer(number) or ("", 0)
    now = engine.watch.steady()
    is_free = not before or not now < until <= now + LEASE + clocks.HOUR or owners.is_gone(before)
    if not is_free or not tx.sweeps.hold(number, owner, now + LEASE, before):
        raise Conflict(f"space {space!r} is being swept at this moment; try again in a moment")
    return Lease(number, owner)
