"""Jobs: when background work is due next, and who may do it. Pure; the clock is an argument."""

from typing import NamedTuple

from ricordo.core.time import clocks

_SECOND = 1_000_000
FIRST_RETRY = 60 * _SECOND  # microseconds after the first failure
LAST_RETRY = 6 * 3_600 * _SECOND
LEASE = 600 * _SECOND  # renewed between the steps of a job


class JobState(NamedTuple):
    """What the memory knows of a job. Times are microseconds."""

    next_at: int
    last_at: int | None = None  # when it last ended, well or not
    result: str = ""
    error: str = ""  # of the last pass, empty if it went well
    failures: int = 0  # in a row
    needs_model: int = 0  # whether somebody does it with a chat model
    owner: str = ""  # who does it at the moment
    until: int = 0  # the end of that lease


def plan_first(now: int, every: int) -> JobState:
    """A job that was never done: the first pass comes after one interval."""
    return JobState(now + every)


def replan(state: JobState, now: int, every: int) -> JobState:
    """The same job under another interval, or after a clock that was wrong.

    A time that lies further ahead than one interval can only come from there.
    """
    return state._replace(next_at=min(state.next_at, now + every))


def is_due(state: JobState, now: int) -> bool:
    return state.next_at <= now


def may_do(state: JobState, now: int, every: int, *, has_model: bool) -> bool:
    """Whether a process may do a job: one without a chat model lets one that has it go first."""
    return has_model or not state.needs_model or now >= state.next_at + every


def is_held(state: JobState, steady: int) -> bool:
    """Whether somebody has the lease; one that ends too far ahead was taken in a wrong time."""
    return bool(state.owner) and steady < state.until <= steady + LEASE + clocks.HOUR


def finish(now: int, every: int, result: str, *, has_model: bool) -> JobState:
    """The job went well."""
    return JobState(now + every, last_at=now, result=result, needs_model=int(has_model))


def fail(state: JobState, now: int, every: int, error: str) -> JobState:
    """The job failed: it is tried again soon at first, then more and more rarely."""
    failures = state.failures + 1
    pause = min(FIRST_RETRY * 2 ** min(failures - 1, 20), LAST_RETRY, every)
    return state._replace(
        next_at=now + pause, last_at=now, error=error, failures=failures, owner="", until=0
    )


def release(state: JobState, now: int) -> JobState:
    """The job was interrupted: it is due again at once, for whoever comes."""
    return state._replace(next_at=now, owner="", until=0)
