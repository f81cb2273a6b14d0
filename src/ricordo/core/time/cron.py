"""Cron expressions: five fields with their Vixie meaning, in a zone whose clock may jump.

cronsim reads the fields and walks the calendar; it is only ever given times without a zone.
What a jump of the clock means is decided here: a fixed time in the gap fires at the first valid
minute, one that comes twice fires at its first pass, and a wildcard in the minute or the hour
goes by the wall clock as it really runs.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from copy import copy
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from ricordo.core.time import zones
from ricordo.errors import InvalidInput

LONGEST = 256  # characters of an expression
_NEAREST = re.compile(r"([0-9]{1,2})W")
_WEEKDAY_NUMBER = re.compile(r"(?<![#/\d])\d")
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


class _Calendar(CronSim):
    """cronsim with `15W`: the weekday nearest to the 15th, within the month."""

    def __init__(self, expression: str) -> None:
        fields = expression.upper().split()
        days = fields[2].split(",")
        self.nearest = {int(m[1]) for day in days if (m := _NEAREST.fullmatch(day))}
        fields[2] = ",".join(day.removesuffix("W") if day != "LW" else day for day in days)
        super().__init__(" ".join(fields), datetime(2000, 1, 1))  # noqa: DTZ001 - wall time
        plain = {int(day) for day in days if day.isascii() and day.isdigit()}
        self.days -= self.nearest - plain

    def match_dom(self, d: date) -> bool:
        return d.day in {_nearest(d.year, d.month, day) for day in self.nearest} or (
            super().match_dom(d)
        )


def _nearest(year: int, month: int, day: int) -> int:
    """The day of the month that is the weekday nearest to `day`."""
    last = monthrange(year, month)[1]
    day = min(day, last)
    weekday = date(year, month, day).weekday()
    if weekday == 5:
        return day - 1 if day > 1 else day + 2
    if weekday == 6:
        return day + 1 if day < last else day - 2
    return day


@lru_cache(maxsize=4096)
def _calendar(expression: str) -> _Calendar:
    return _Calendar(expression)


def check(expression: object) -> str:
    """The expression with single blanks, or InvalidInput that says what is wrong with it."""
    if not isinstance(expression, str) or len(expression) > LONGEST:
        raise InvalidInput(f"cron expression {expression!r:.80} is not a short text")
    fields = expression.split()
    if len(fields) != 5:
        raise InvalidInput(
            f"cron expression {expression!r} has {len(fields)} fields; give exactly 5: "
            "minute hour day-of-month month day-of-week"
        )
    try:
        _calendar(" ".join(fields))
    except (CronSimError, ValueError) as error:
        raise InvalidInput(
            f"cron expression {expression!r} cannot be read: {error}; "
            "the fields are minute hour day-of-month month day-of-week"
        ) from error
    return " ".join(fields)


def next_after(expression: str, place: ZoneInfo, after: datetime) -> datetime | None:
    """The first run strictly after an instant; None if there is none in fifty years."""
    try:
        if _is_fixed(expression):
            return _next_by_wall_clock(expression, place, after)
        return _next_by_stretches(expression, place, after)
    except (StopIteration, OverflowError):  # no such day, or past the year 9999
        return None


def _is_fixed(expression: str) -> bool:
    minute, hour = expression.split()[:2]
    return not minute.startswith("*") and not hour.startswith("*")


def _walk(expression: str, local: datetime) -> Iterator[datetime]:
    """Wall times strictly after one."""
    walk = copy(_calendar(expression))
    walk.dt = local.replace(microsecond=0)
    return walk


def _next_by_wall_clock(expression: str, place: ZoneInfo, after: datetime) -> datetime:
    """Wall times in order, each at its first instant; past ones are skipped."""
    walk = _walk(expression, zones.wall(after, place))
    while (at := zones.first(next(walk), place)) <= after:
        pass
    return at


def _next_by_stretches(expression: str, place: ZoneInfo, after: datetime) -> datetime:
    """Stretch by stretch of constant offset: what the wall clock really shows counts."""
    start, behind = after, timedelta(0)
    while True:
        ahead = zones.offset(start, place)
        end = start + _DAY
        if zones.offset(end, place) != ahead:
            end = zones.jump(start, end, place)
        at = next(_walk(expression, zones.wall(start, place) - behind)) - ahead
        at = at.replace(tzinfo=UTC)
        if at < end:
            return at
        # No clock is ahead of another by two days: until then nothing can fire. From here on
        # the first instant of a stretch counts too, so look from a second before it.
        start, behind = max(end, at - 2 * _DAY) if end == start + _DAY else end, _SECOND


def explain(expression: str) -> str:
    """The expression in plain English, 24-hour times."""
    calendar = _calendar(expression)
    if calendar.nearest:
        return f"At the times of cron {expression}"
    told: str = calendar.explain()
    return told


def quartz_differs(expression: str) -> bool:
    """Whether a reader who numbers the days from Sunday = 1 would understand something else."""
    return _WEEKDAY_NUMBER.search(expression.split()[4]) is not None
