"""Who sweeps a space: one dreamer at a time, on any machine.

The lease stands in the store. It ends when the sweep does, when its time is over, or, on the same
machine, as soon as the process that held it is gone.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import NamedTuple

from ricordo.core.time import clocks
from ricordo.errors import Conflict
from ricordo.flows.engine import Engine
from ricordo.store.database import Tx

LEASE = 120_000_000  # microseconds; a sweep takes a few seconds at most


class Lease(NamedTuple):
    space: int
    owner: str


@contextmanager
def hold_lease(engine: Engine, space: str) -> Iterator[Lease]:
    """Hold the lease of a space, or raise Conflict."""
    owner = f"{_host()}/{os.getpid()}/{_boot()}/{os.urandom(8).hex()}"
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
    is_free = not before or not now < until <= now + LEASE + clocks.HOUR or _is_gone(before)
    if not is_free or not tx.sweeps.hold(number, owner, now + LEASE, before):
        raise Conflict(f"space {space!r} is being swept at this moment; try again in a moment")
    return Lease(number, owner)


def _is_gone(owner: str) -> bool:
    """Whether the owner was a process of this machine that has ended."""
    host, pid, boot, _ = owner.rsplit("/", 3)
    if host != _host() or os.name == "nt":  # on Windows there is no harmless way to ask
        return False
    if int(pid) == os.getpid():
        return boot != _boot()
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


@cache
def _boot() -> str:
    """A mark of this process: after a restart in a container another one may have its number."""
    return os.urandom(8).hex()


@cache
def _host() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
