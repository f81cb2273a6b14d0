"""Cadences: when a schedule runs next. Pure; the clock is always an argument."""

import re
from datetime import UTC, datetime, timedelta
from typing import cast

from ricordo.core.time import cron, durations, zones
from ricordo.errors import InvalidInput
from ricordo.model import CADENCES, Cadence, CadenceKind, Json

MIN_INTERVAL_SECONDS = 60
LONGEST_SECONDS = 100 * 366 * 86_400
_CYCLE = timedelta(days=366)  # how far gaps between runs are checked
_FIRES = 1_000  # or for how many runs
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_TYPES = {"interval": "every"}  # other words for a kind
_DIGITS = re.compile(r"[0-9]{1,12}")


def next_run(cadence: Cadence, after: datetime, planned: datetime | None = None) -> datetime | None:
    """The first run strictly after an instant, in UTC; None if there is none.

    An interval is counted from the `planned` time of the run before, so it does not drift.
    """
    if cadence.kind == "cron":
        assert cadence.expression is not None
        return cron.next_after(cadence.expression, zones.zone(cadence.tz), after.astimezone(UTC))
    if cadence.kind == "every":
        assert cadence.seconds is not None
        return _next_every(timedelta(seconds=cadence.seconds), after, planned or after)
    return cadence.at if cadence.at is not None and cadence.at > after else None


def _next_every(step: timedelta, after: datetime, planned: datetime) -> datetime | None:
    steps = max(1, (after - planned) // step + 1)
    try:
        return planned + steps * step
    except OverflowError:
        return None


def is_planned_too_far(
    cadence: Cadence, planned: datetime, now: datetime, *, exact: bool = False
) -> bool:
    """Whether a run lies further ahead than its cadence would ever plan it from now.

    Other processes may have a clock of their own, so a plan may lie ahead by one more period, at
    least an hour and at most a day. With `exact` it may not: this clock itself was ahead and is
    right again.
    """
    if cadence.at is not None:  # later than its own time it is a retry, and those come soon
        return planned > max(cadence.at, now + _HOUR)
    first = next_run(cadence, now)
    if first is None or planned <= first:
        return False
    if exact:
        return True
    second = next_run(cadence, first, first)
    if second is None:
        return False
    leeway = min(max(second - first, _HOUR), _DAY)
    latest = next_run(cadence, now + leeway)
    return latest is not None and planned > latest


def plan_again(cadence: Cadence, now: datetime) -> datetime | None:
    """The run to plan instead: the next one from now, or the one-shot at its own time."""
    return next_run(cadence, now) if cadence.at is None else max(cadence.at, now)


def list_next_runs(cadence: Cadence, after: datetime, limit: int) -> list[datetime]:
    """The next runs, in the zone of the cadence."""
    found: list[datetime] = []
    at = next_run(cadence, after)
    while at is not None and len(found) < limit:
        found.append(at.astimezone(zones.zone(cadence.tz)))
        at = next_run(cadence, at, at)
    return found


def validate(
    cadence: Cadence, now: datetime, min_interval_seconds: int = MIN_INTERVAL_SECONDS
) -> None:
    """Refuse what never runs, lies in the past or runs too often at any point of its cycle."""
    if cadence.kind not in CADENCES:
        raise InvalidInput(f"unknown cadence {cadence.kind!r}; use {', '.join(CADENCES)}")
    zones.zone(cadence.tz)
    if cadence.kind == "once":
        _validate_once(cadence, now)
    elif cadence.kind == "every":
        _validate_every(cadence, min_interval_seconds)
    else:
        _validate_cron(cadence, now, min_interval_seconds)


def check_reach(cadence: Cadence) -> None:
    """Refuse a time that the calendar of the cadence's zone does not have."""
    if cadence.at is None:
        return
    try:
        for place in (UTC, zones.zone(cadence.tz)):
            cadence.at.astimezone(place)
    except OverflowError as error:
        raise InvalidInput(
            f"{cadence.at.isoformat()} is out of reach in {cadence.tz}; give a nearer time"
        ) from error


def _validate_once(cadence: Cadence, now: datetime) -> None:
    if cadence.at is None or cadence.at.tzinfo is None:
        raise InvalidInput("a cadence of kind once needs `at`, an aware datetime")
    check_reach(cadence)
    if cadence.at <= now:
        raise InvalidInput(f"{cadence.at.isoformat()} is in the past; give a future time")


def _validate_every(cadence: Cadence, min_interval_seconds: int) -> None:
    seconds = cadence.seconds
    if isinstance(seconds, bool) or not isinstance(seconds, int) or seconds > LONGEST_SECONDS:
        raise InvalidInput(f"interval {seconds!r} is not a whole number of seconds up to a century")
    if seconds < min_interval_seconds:
        raise InvalidInput(
            f"an interval of {seconds} s is too short; the minimum is {min_interval_seconds} s"
        )


def _validate_cron(cadence: Cadence, now: datetime, min_interval_seconds: int) -> None:
    expression = cron.check(cadence.expression)
    at = next_run(cadence, now)
    if at is None:
        raise InvalidInput(f"cron expression {expression!r} never runs; there is no such day")
    if min_interval_seconds <= 60:
        return  # five fields cannot say less than a minute
    until, least = now + _CYCLE, timedelta(seconds=min_interval_seconds)
    for _ in range(_FIRES):
        later = next_run(cadence, at)
        if later is None or at > until:
            return
        if later - at < least:
            raise InvalidInput(
                f"cron expression {expression!r} runs at {at.isoformat()} and again after "
                f"{(later - at).total_seconds():.0f} s; the minimum is {min_interval_seconds} s"
            )
        at = later


def parse(kind: str, value: object, tz: str = "UTC") -> Cadence:
    """A cadence from its type, its value as text and a zone; not yet validated against a clock."""
    kind = _TYPES.get(kind, kind)
    place = zones.zone(tz)
    if kind == "once":
        return Cadence("once", at=durations.instant(value, place), tz=tz)
    if kind == "every":
        return Cadence("every", seconds=_seconds(value), tz=tz)
    if kind == "cron":
        return Cadence("cron", expression=cron.check(value), tz=tz)
    raise InvalidInput(f"unknown cadence type {kind!r}; use {', '.join(CADENCES)}")


def _seconds(value: object) -> int:
    if isinstance(value, timedelta):
        return int(value.total_seconds())
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        return int(value)
    found = durations.duration(value) if isinstance(value, str) else None
    if found is None:
        raise InvalidInput(f"interval {value!r} cannot be read; give seconds, or 90m, 2h, 1d")
    return int(found.total_seconds())


def format_in_timezone(at: datetime, cadence: Cadence) -> str:
    """An instant as `2026-03-01 08:00:00 EST` in the zone of a cadence."""
    return at.astimezone(zones.zone(cadence.tz)).strftime("%Y-%m-%d %H:%M:%S %Z")


def describe(cadence: Cadence) -> str:
    """The cadence in plain English."""
    if cadence.kind == "cron":
        assert cadence.expression is not None
        return f"{cron.explain(cadence.expression)} ({cadence.tz})"
    if cadence.kind == "every":
        assert cadence.seconds is not None
        return f"Every {durations.say_duration(cadence.seconds)}"
    assert cadence.at is not None
    shown = cadence.at.astimezone(zones.zone(cadence.tz)).strftime("%Y-%m-%d %H:%M:%S %Z")
    return f"Once at {shown}"


def warn_of_numbering(cadence: Cadence) -> str | None:
    """What somebody used to another numbering of weekdays should know."""
    if cadence.kind != "cron" or not cron.quartz_differs(cadence.expression or ""):
        return None
    return "weekdays count from 0 = Sunday, not from 1 = Sunday as in Quartz; names are clearer"


def to_json(cadence: Cadence) -> dict[str, Json]:
    """The cadence as it is stored and as tools show it."""
    if cadence.kind == "once":
        assert cadence.at is not None
        return {
            "type": "once",
            "at": cadence.at.astimezone(UTC).isoformat(),
            "timezone": cadence.tz,
        }
    if cadence.kind == "every":
        return {"type": "interval", "every_secs": cadence.seconds, "timezone": cadence.tz}
    return {"type": "cron", "expression": cadence.expression, "timezone": cadence.tz}


def from_json(value: dict[str, Json]) -> Cadence:
    """Read back what `to_json` wrote."""
    written = str(value["type"])
    kind = cast(CadenceKind, _TYPES.get(written, written))
    at = datetime.fromisoformat(value["at"]) if kind == "once" else None
    return Cadence(
        kind, at, value.get("every_secs"), value.get("expression"), value.get("timezone", "UTC")
    )
