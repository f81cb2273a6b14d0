"""Jobs: take one that is due, hold it while it runs, and keep how it went.

The state of a job lives in the memory, so that it survives restarts and every process sees it. One
process does a job at a time; which job a process can do is decided by whoever calls.
"""

from collections.abc import Callable
from typing import NamedTuple

from ricordo.core.time import jobs
from ricordo.core.time.jobs import JobState
from ricordo.flows.engine import Engine
from ricordo.flows.time import owners
from ricordo.flows.time.clocks import planning_time
from ricordo.store.database import Tx
from ricordo.store.tables.jobs import JobRow, Jobs

_LONGEST = 500  # characters of a result or an error
_FIELDS = tuple(JobState.__annotations__)


class JobTerms(NamedTuple):
    """A job, how often it is done, and whether this process has a chat model for it."""

    name: str
    every: int  # microseconds
    has_model: bool = False


class JobLease(NamedTuple):
    terms: JobTerms
    owner: str


def read(engine: Engine, name: str) -> JobState | None:
    """What the memory knows of a job; None if it has never been planned."""
    with engine.store.read() as tx:
        return _to_state(Jobs(tx).get(name))


def look(engine: Engine, terms: JobTerms) -> JobState:
    """Where a job stands; one that was never planned, or planned in a wrong time, is planned."""
    now = planning_time(engine)
    state = read(engine, terms.name)
    if state is not None and jobs.replan(state, now, terms.every) == state:
        return state
    return engine.store.write(lambda tx: _plan(tx, terms, now))


def take(engine: Engine, terms: JobTerms) -> JobLease | None:
    """Take a due job; None if it is not due, somebody does it, or somebody better should."""
    now, steady = planning_time(engine), engine.watch.steady()
    lease = JobLease(terms, owners.name_owner())
    until = engine.watch.lease_end(jobs.LEASE)

    def work(tx: Tx) -> JobLease | None:
        row = Jobs(tx).get(terms.name)
        state = _to_state(row)
        if row is None or state is None or not jobs.is_due(state, now):
            return None
        if jobs.is_held(state, steady) and not owners.is_gone(state.owner):
            return None
        if not jobs.may_do(state, now, terms.every, has_model=terms.has_model):
            return None
        held = state._replace(owner=lease.owner, until=until)
        return lease if Jobs(tx).swap(terms.name, row, held._asdict()) else None

    return engine.store.write(work)


def renew(engine: Engine, lease: JobLease) -> bool:
    """Hold a job for longer; False if somebody else has taken it over."""
    until = engine.watch.lease_end(jobs.LEASE)
    return _change(engine, lease, lambda state: state._replace(until=until))


def finish(engine: Engine, lease: JobLease, result: str) -> bool:
    """Keep that a job went well, and plan the next pass."""
    now, terms = planning_time(engine), lease.terms
    done = jobs.finish(now, terms.every, result[:_LONGEST], has_model=terms.has_model)
    return _change(engine, lease, lambda _: done)


def fail(engine: Engine, lease: JobLease, error: str) -> bool:
    """Keep why a job failed, and plan to try again."""
    now = planning_time(engine)
    every = lease.terms.every
    return _change(engine, lease, lambda state: jobs.fail(state, now, every, error[:_LONGEST]))


def release(engine: Engine, lease: JobLease) -> bool:
    """Give a job back that was interrupted; it is due at once."""
    now = planning_time(engine)
    return _change(engine, lease, lambda state: jobs.release(state, now))


def _plan(tx: Tx, terms: JobTerms, now: int) -> JobState:
    first = jobs.plan_first(now, terms.every)
    row = Jobs(tx).get(terms.name)
    if row is None:
        Jobs(tx).create(terms.name, first._asdict())
        return first
    state = _to_state(row)
    planned = first if state is None else jobs.replan(state, now, terms.every)
    Jobs(tx).swap(terms.name, row, planned._asdict())
    return planned


def _change(engine: Engine, lease: JobLease, change: Callable[[JobState], JobState]) -> bool:
    """Change a job that is ours; False if it is not any more."""

    def work(tx: Tx) -> bool:
        row = Jobs(tx).get(lease.terms.name)
        state = _to_state(row)
        if row is None or state is None or state.owner != lease.owner:
            return False
        return Jobs(tx).swap(lease.terms.name, row, change(state)._asdict())

    return engine.store.write(work)


def _to_state(row: JobRow | None) -> JobState | None:
    """A job as it was kept; what cannot be read counts as never planned."""
    if row is None or not isinstance(row.values.get("next_at"), int):
        return None
    known = {name: value for name, value in row.values.items() if name in _FIELDS}
    return JobState(**known)  # type: ignore[arg-type]  # what we wrote ourselves, as JSON
