"""Durations and absolute times as people and machines write them. Pure, no locale."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from ricordo.core.text.late_pattern import compile_late
from ricordo.core.time import zones
from ricordo.errors import InvalidInput

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))

_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
COUNTS = {
    name: number
    for number, name in enumerate(
        (
            *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
        ),
        start=1,
    )
} | {"a": 1, "an": 1, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_COUNT = rf"\d{{1,9}}|(?:{'|'.join(sorted(COUNTS, key=len, reverse=True))})\b"
_UNIT = r"weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s"
_TERM = compile_late(rf"({_COUNT})\s*({_UNIT})(?![a-z])")
_SUM = compile_late(rf"(?:(?:{_COUNT})\s*(?:{_UNIT})(?![a-z])(?:\s*(?:,\s*and\b|,|and\b|\+)?\s*))+")
_RFC3339 = compile_late(
    r"(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?\s*(z|[+-]\d\d:?\d\d)"
    r"|(\d{4})-(\d\d)-(\d\d)t(\d\d):(\d\d)\s*(z|[+-]\d\d:?\d\d)"
)
_CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d)(?::(?P<second>\d\d))?)?\s*(?P<half>[ap]\.?m\.?)?"
_DATE = (
    r"(?:(?P<y1>\d{4})-(?P<m1>\d{1,2})-(?P<d1>\d{1,2})"
    r"|(?P<y2>\d{4})/(?P<m2>\d{1,2})/(?P<d2>\d{1,2})"
    r"|(?P<m3>\d{1,2})/(?P<d3>\d{1,2})/(?P<y3>\d{4}))"
)
_DATED = compile_late(rf"{_DATE}(?:(?:\s+at|[t,])?\s*(?<![\d]){_CLOCK})?")
_NAMED = compile_late(
    rf"(?P<month>{MONTH})\.?\s+(?P<day>\d{{1,2}}),?\s+(?P<year>\d{{4}})\s+{_CLOCK}"
)
_SPOKEN = ((604_800, "week"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
_HOW = "write 2026-03-05T15:00:00Z, 2026-03-05 15:00 or March 5 2026 15:00"


def duration(text: str) -> timedelta | None:
    """The duration in a text such as `10m` or `1 week, 2 days and 3 hours`; None if none."""
    text = " ".join(text.lower().split())
    if not _SUM.fullmatch(text) or text.endswith(("and", ",", "+")):
        return None
    total = timedelta(0)
    try:
        for count, unit in _TERM.findall(text):
            number = COUNTS[count] if count in COUNTS else int(count)
            total += timedelta(**{_UNITS[unit[0]]: number})
    except OverflowError:
        return None
    return total


def say_duration(seconds: int) -> str:
    """A number of seconds in words: `1 hour 30 minutes`."""
    words = []
    for size, unit in _SPOKEN:
        count, seconds = divmod(seconds, size)
        if count:
            words.append(f"{count} {unit}{'' if count == 1 else 's'}")
    return " ".join(words) or "0 seconds"


def instant(value: object, place: ZoneInfo) -> datetime:
    """An absolute time: RFC 3339, or a date and time on the clock of a zone."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidInput(f"time {value!r} has no time zone; pass an aware datetime")
        return _make_or_refuse(value.isoformat(), lambda: value.astimezone(UTC))
    found = absolute(value, place) if isinstance(value, str) else None
    if found is None:
        raise InvalidInput(f"time {value!r} cannot be read; {_HOW}")
    return found


def absolute(text: str, place: ZoneInfo) -> datetime | None:
    """The instant of an absolute time; None for another form, InvalidInput if impossible."""
    text = " ".join(text.lower().split())
    if _RFC3339.fullmatch(text):
        return _make_or_refuse(text, lambda: datetime.fromisoformat(text.upper()).astimezone(UTC))
    if found := _DATED.fullmatch(text):
        is_plain = found["minute"] is None and found["half"] is None
        if found["hour"] and is_plain:
            return None  # a bare number does not count as a time of day here
        return local(text, _read_day(text, found), clock(found), place)
    if (found := _NAMED.fullmatch(text)) and (found["minute"] or found["half"]):
        day_of = int(found["year"]), MONTHS[found["month"]], int(found["day"])
        return local(text, day_of, clock(found), place)
    return None


def _read_day(text: str, found: re.Match[str]) -> tuple[int, int, int]:
    """Year, month and day; of 5/3/2027 nobody knows which is which, unless one of them tells."""
    if found["y3"] is None:
        year, month, day = (int(found[f"{part}1"] or found[f"{part}2"]) for part in "ymd")
        return year, month, day
    year, first, second = int(found["y3"]), int(found["m3"]), int(found["d3"])
    if first > 12 >= second:
        return year, second, first
    if first <= 12 and second <= 12 and first != second and not found["half"]:
        one, other = (f"{year}-{m:02d}-{d:02d}" for m, d in ((second, first), (first, second)))
        raise InvalidInput(f"{text!r} may be {one} or {other}; write the one that is meant")
    return year, first, second  # with am or pm the month comes first, as in American usage


def clock(found: re.Match[str]) -> tuple[int, int, int]:
    """Hour, minute and second of a time of day; midnight if there is none."""
    if found["hour"] is None:
        return 0, 0, 0
    hour = hour_of(int(found["hour"]), (found["half"] or "")[:1])
    return hour, int(found["minute"] or 0), int(found["second"] or 0)


def hour_of(hour: int, half: str) -> int:
    """The hour on a 24-hour clock; `half` is "a", "p" or ""."""
    if half and not 1 <= hour <= 12:
        raise InvalidInput(
            f"{hour} {half}m is not a time of day; with am or pm, hours go from 1 to 12"
        )
    if not 0 <= hour <= 23:
        raise InvalidInput(f"{hour} is not an hour; hours go from 0 to 23")
    return hour % 12 + (12 if half == "p" else 0) if half else hour


def local(
    text: str, day: tuple[int, int, int], time: tuple[int, int, int], place: ZoneInfo
) -> datetime:
    """The instant of a wall time: the earlier of two; one that no clock shows is refused."""
    shown = _make_or_refuse(text, lambda: datetime(*day, *time))  # noqa: DTZ001 - a wall time
    try:
        found = zones.only(shown, place)
    except OverflowError as error:
        raise InvalidInput(f"{text!r} is out of reach; give a nearer time") from error
    if found is None:
        raise InvalidInput(
            f"{text!r} does not exist in {place.key}: the clock jumps over it; give another time"
        )
    return found


def _make_or_refuse(text: str, made: Callable[[], datetime]) -> datetime:
    try:
        return made()
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{text!r} is not a date and time: {error}") from error
