"""Clocks: whether the present time can be believed, and what was planned in a wrong one. Pure.

Times are microseconds. A departure is how far the wall clock is ahead of where it should be.
"""

from ricordo.core.time import durations

MINUTE = 60_000_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
LONGEST_LEASE = 7 * DAY
_SECOND = 1_000_000


def is_suspicious(departure: int) -> bool:
    """Whether the clock is off by more than an hour."""
    return abs(departure) > HOUR


def is_trusted_for_planning(departure: int) -> bool:
    """Whether plans that lie too far ahead may be made again from the present time.

    A clock that fell behind by up to a day is waited for: planning from it would run again what
    has just been run. Behind by more, going on is worth more than that.
    """
    return not -DAY <= departure < -HOUR


def is_lease_impossible(claimed_at: int | None, until: int, now: int, longest: int) -> bool:
    """Whether a lease was taken in a time that has not come, so that it would not end in time."""
    return until > now + longest or (claimed_at is not None and claimed_at > now + HOUR)


def find_lease_times(now: int, expected: int, *, is_doubted: bool) -> tuple[int, int]:
    """The time by which leases of others end, and the time from which an own one counts.

    A clock that jumped is doubted for an hour: leases go by the time that has passed instead. One
    that still shows the same then was set right, not wrong. A jump within an hour may be either,
    so nobody's lease ends early by it.
    """
    departure = now - expected
    if not is_doubted or abs(departure) <= MINUTE:
        return now, now
    if is_suspicious(departure):
        return expected, expected
    return min(now, expected), max(now, expected)


def describe_departure(departure: int) -> str:
    """A departure in words, such as "2 days ahead of"."""
    span = durations.say_duration(abs(departure) // _SECOND)
    return f"{span} {'ahead of' if departure > 0 else 'behind'}"
