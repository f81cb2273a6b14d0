"""Phrases: what people say for a time or a cadence. The clock is always an argument.

Other languages are translated into English first. Anything not understood is an error that lists
the accepted forms, never a guess.
"""

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from ricordo.core.time import cron, durations, zones
from ricordo.core.time.durations import MONTH, MONTHS
from ricordo.core.time.spoken import SPOKEN
from ricordo.core.time.translate import translate
from ricordo.errors import InvalidInput, shorten
from ricordo.model import Cadence

FORMS = (
    "hourly, daily, weekly, monthly",
    "every 5 minutes (1-59), every 4 hours (1-23), every other day, every 3 weeks",
    "daily at 6, 12 and 6 pm",
    "weekdays at 8:30, weekends at noon",
    "every Tuesday, Thursday at 2pm",
    "in 2 hours, in half an hour, in 1 day and 30 minutes, in 45 seconds",
    "today, tonight or tomorrow at 9am [EST, UTC, +02:00]; noon tomorrow, next Tuesday[ at 3pm]",
    "on March 5th[, 2027][ at 3pm]",
    "2026-03-05T15:00:00Z, 2026-03-05 15:00, 05.03.2026 15:00, March 5 2026 15:00",
    "five cron fields, such as 30 8 * * 1-5",
)
_LANGUAGES = f"the same in {', '.join(SPOKEN)}, such as 'morgen um 9'"
LONGEST = 500  # characters of a phrase
MORNING = 9, 0  # the time of a day that is named without one

_SIMPLE = {
    "hourly": "0 * * * *",
    "daily": "0 0 * * *",
    "weekly": "0 0 * * 0",
    "monthly": "0 0 1 * *",
}
_DAYS = {
    name: number
    for number, full in enumerate(
        ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
    )
    for name in (full, full[:3], f"{full}s")
}
_OFFSETS = {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
_OFFSETS |= {"utc": 0, "gmt": 0, "z": 0}

_EVERY = re.compile(
    r"(?:\d+\s+)?(?:every|each)\s+(?:(?P<count>\d{1,9})\s*)?"
    r"(?:(?P<minutes>m|mins?|minutes?)|(?P<hours>h|hrs?|hours?))"
)
_SPACED = re.compile(
    rf"(?:every|each)\s+(?P<count>other|second|\d{{1,4}}|{'|'.join(durations.COUNTS)})\s+"
    r"(?:(?P<days>days?)|(?P<weeks>weeks?))(?P<at>\s+at\s+.+)?"
)
_DAY = "|".join(sorted(_DAYS, key=len, reverse=True))
_AT = re.compile(
    r"(?:(?P<daily>daily|every\s*day|each\s+day)"
    r"|(?:(?:every|each|on)\s+)?(?:(?P<weekdays>weekdays?)|(?P<weekends>weekends?)"
    rf"|(?P<days>(?:{_DAY})(?:(?:\s*(?:,\s*and\b|,|&|\band\b)\s*)(?:{_DAY}))*)))"
    r"\s+at\s+(?P<times>.+)"
)
_BETWEEN = re.compile(r"\s*(?:,\s*and\b|,|&|\band\b)\s*")
_TIME = re.compile(r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap]\.?m\.?)?")
_ZONED = re.compile(rf"(?:{_TIME.pattern}|noon|midnight)\s+(?:in\s+)?[a-z][a-z/_ ]*")
_RELATIVE = re.compile(r"(?:in|after)\s+(?P<sum>.+)")
_NEAR = re.compile(
    r"(?P<day>today|tonight|(?:the )?day after tomorrow|tomorrow)(?:\s+at|,)?\s+(?P<time>.+?)"
    r"(?:\s*(?P<zone>(?:(?<![a-z])|(?<=[ap]m))(?:est|edt|cst|cdt|mst|mdt|pst|pdt|utc|gmt|z)"
    r"|[+-]\d\d:?\d\d))?"
)
_COMING = re.compile(
    rf"(?:tomorrow|(?:on\s+)?(?:next|this|coming)\s+(?P<day>{_DAY})(?:,?\s+at\s+(?P<time>.+))?)"
)
_IN_NEXT_WEEK = re.compile(
    rf"(?:(?:on\s+)?(?P<day>{_DAY})\s+(?:of\s+)?next\s+week"
    rf"|next\s+week\s+(?:on\s+)?(?P<late>{_DAY}))(?:,?\s+at\s+(?P<time>.+))?"
)
_TIME_FIRST = re.compile(
    rf"(?:at\s+)?(?P<time>{_TIME.pattern}|noon|midnight)\s+(?:on\s+)?"
    rf"(?P<day>today|(?:the )?day after tomorrow|tomorrow|(?:next|this|coming)\s+(?:{_DAY}))"
)
_CLOCK = re.compile(
    r"(?:at\s+)?(\d{1,2}:\d\d(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|noon|midnight)"
)
_HALVES = (  # what people say for parts of hours, and how a duration is written
    (re.compile(r"\b(?:a|one|1) and a half hours?\b|\ban hour and a half\b"), "90 minutes"),
    (re.compile(r"\bhalf an hour\b|\b(?:a )?half hour\b"), "30 minutes"),
    (re.compile(r"\b(?:three quarters of an hour)\b"), "45 minutes"),
    (re.compile(r"\b(?:a )?quarter of an hour\b"), "15 minutes"),
    (re.compile(r"\bhalf a day\b"), "12 hours"),
)
_MONTH_DAY = re.compile(
    rf"(?:on\s+)?(?P<month>{MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    r"(?:,?\s+(?P<year>\d{4}))?(?:,?\s+at\s+(?P<time>.+))?"
)
_CRON_FIELD = re.compile(r"[\d*][\w*,/#-]*", re.ASCII)
_CRON_REST = re.compile(r"[\w*,/#-]+", re.ASCII)


def cadence(text: object, now: datetime, tz: str = "UTC") -> Cadence:
    """The cadence a phrase asks for; relative times count from `now`, wall times are in `tz`."""
    said = _clean(text)
    found = _read_cadence(said, now, tz)
    if found is None and (english := translate(said)):
        found = _read_cadence(english, now, tz)
    if found is None:
        raise _unknown(text)
    return found


def _read_cadence(said: str, now: datetime, tz: str) -> Cadence | None:
    place = zones.zone(tz)
    expression = _read_recurrence(said) or _fields(said)
    if expression is not None:
        return Cadence("cron", expression=expression, tz=tz)
    if found := _SPACED.fullmatch(said):
        return Cadence("every", seconds=_read_spacing(said, found), tz=tz)
    at = _one_shot(said, now, place)
    return None if at is None else Cadence("once", at=at, tz=tz)


def instant(text: object, now: datetime, tz: str = "UTC") -> datetime:
    """The time a phrase names: absolute, relative, or a bare duration such as `10m` from now."""
    place = zones.zone(tz)
    said = _clean(text)
    at = _later(said, now) or _one_shot(said, now, place) or _next_clock(said, now, place)
    if at is None and (english := translate(said)):
        at = _one_shot(english, now, place) or _next_clock(english, now, place)
    if at is None:
        raise InvalidInput(
            f"time {text!r} is not understood; write a duration such as 10m, 2h or 1d, a time of "
            "day such as 18:00, or one of: " + "; ".join((*FORMS[5:9], _LANGUAGES))
        )
    return at


def _clean(text: object) -> str:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise InvalidInput(f"{shorten(text):.80} is not a phrase of up to {LONGEST} characters")
    return " ".join(text.lower().split()).rstrip(".!? ")


def _unknown(text: object) -> InvalidInput:
    return InvalidInput(
        f"{text!r} is not understood; accepted are: " + "; ".join((*FORMS, _LANGUAGES))
    )


# recurring


def _read_recurrence(said: str) -> str | None:
    if said in _SIMPLE:
        return _SIMPLE[said]
    if found := _EVERY.fullmatch(said):
        return _write_step(said, int(found["count"] or 1), is_minutes=found["minutes"] is not None)
    if found := _AT.fullmatch(said):
        minute, hours = _times(found["times"])
        return f"{minute} {','.join(map(str, hours))} * * {_weekdays(found)}"
    return None


def _write_step(said: str, count: int, *, is_minutes: bool) -> str:
    most, unit = (59, "minutes") if is_minutes else (23, "hours")
    if not 1 <= count <= most:
        raise InvalidInput(f"{said!r}: {unit} go from 1 to {most}")
    return f"*/{count} * * * *" if is_minutes else f"0 */{count} * * *"


def _read_spacing(said: str, found: re.Match[str]) -> int:
    """Seconds between runs that are days apart; they count from now, not from a time of day."""
    if found["at"]:
        raise InvalidInput(
            f"{said!r}: runs that are days apart count from now and have no time of day; leave "
            f"{found['at'].strip()!r} out, or name days, such as 'every Monday, Thursday at 9'"
        )
    given = found["count"]
    count = 2 if given in ("other", "second") else durations.COUNTS.get(given) or int(given)
    if not count:
        raise InvalidInput(f"{said!r}: give at least 1")
    return count * (604_800 if found["weeks"] else 86_400)


def _weekdays(found: re.Match[str]) -> str:
    if found["daily"]:
        return "*"
    if found["weekdays"]:
        return "1-5"
    if found["weekends"]:
        return "0,6"
    numbers = {_DAYS[name] for name in _BETWEEN.split(found["days"])}
    return ",".join(map(str, sorted(numbers)))


def _times(text: str) -> tuple[int, list[int]]:
    """The minute that all times share, and their hours in order."""
    times = [_time(part) for part in _BETWEEN.split(text)]
    minutes = {minute for _, minute in times}
    if len(minutes) > 1:
        raise InvalidInput(
            f"the times {text!r} differ in their minutes; make one schedule for each of them"
        )
    return minutes.pop(), sorted({hour for hour, _ in times})


def _time(text: str) -> tuple[int, int]:
    if text in ("noon", "midnight"):
        return (12 if text == "noon" else 0), 0
    found = _TIME.fullmatch(text)
    if found is None:
        raise _no_time(text)
    hour, minute = durations.hour_of(int(found["hour"]), (found["half"] or "")[:1]), found["minute"]
    if int(minute or 0) > 59:
        raise InvalidInput(f"{text!r} is not a time of day; minutes go from 00 to 59")
    return hour, int(minute or 0)


def _no_time(text: str) -> InvalidInput:
    if _ZONED.fullmatch(text):
        return InvalidInput(
            f"{text!r} is more than a time of day; give the zone as tz, such as 'Europe/Berlin'"
        )
    return InvalidInput(
        f"{text!r} is not a time of day; write 9, 9:30, 9am, 9:30 pm, noon or midnight"
    )


def _fields(said: str) -> str | None:
    """Cron fields as they are; six or seven of them are refused by name."""
    fields = said.split()
    if len(fields) not in (5, 6, 7) or not _CRON_FIELD.fullmatch(fields[0]):
        return None
    if not all(_CRON_REST.fullmatch(field) for field in fields):
        return None
    if re.search("[a-z]", said) and translate(said):
        return None  # a date in another language: "5 marca 2027 o 15"
    return cron.check(said.upper() if re.search("[a-z]", said) else said)


# one-shots


def _one_shot(said: str, now: datetime, place: ZoneInfo) -> datetime | None:
    if found := _RELATIVE.fullmatch(said):
        return _later(found["sum"], now)
    if found := _TIME_FIRST.fullmatch(said):
        said = f"{found['day']} at {found['time']}"
    if found := _NEAR.fullmatch(said):
        return _near(said, found, now, place)
    if found := _COMING.fullmatch(said):
        return _find_next_day(said, found, now, place)
    if found := _IN_NEXT_WEEK.fullmatch(said):
        return _find_next_week(said, found, now, place)
    at = durations.absolute(said, place)
    if at is None and (found := _MONTH_DAY.fullmatch(said)):
        return _month_day(said, found, now, place)
    return at


def _next_clock(said: str, now: datetime, place: ZoneInfo) -> datetime | None:
    """The next time that the clock shows a time of day: today, or else tomorrow."""
    found = _CLOCK.fullmatch(said)
    if found is None:
        return None
    hour, minute = _time(found[1])
    today = now.astimezone(place).date()
    for day in (today, today + timedelta(days=1)):
        at = durations.local(said, (day.year, day.month, day.day), (hour, minute, 0), place)
        if at > now:
            return at
    return None


def _later(text: str, now: datetime) -> datetime | None:
    for pattern, plain in _HALVES:
        text = pattern.sub(plain, text)
    span = durations.duration(text)
    if span is None:
        return None
    if not span:
        raise InvalidInput(f"{text!r} is not in the future; give at least a second")
    try:
        return now.astimezone(UTC) + span
    except OverflowError as error:
        raise InvalidInput(f"{text!r} is out of reach; give a nearer time") from error


def _near(said: str, found: re.Match[str], now: datetime, place: ZoneInfo) -> datetime:
    text = found["time"]
    hour, minute = _time(text)
    fixed = _read_offset(found["zone"])
    today = now.astimezone(fixed or place).date()
    days = 1 if found["day"] == "tomorrow" else 2 if "after" in found["day"] else 0
    if found["day"] == "tonight" and not re.search(r"[ap]\.?m|noon", text):
        # Said of an evening: eight is twenty hours, and twelve the midnight that ends it.
        days, hour = (1, 0) if hour in (0, 12) else (0, hour + 12 if hour < 12 else hour)
    try:
        day = today + timedelta(days=days)
    except OverflowError as error:
        raise InvalidInput(f"{said!r} is out of reach; give a nearer time") from error
    if fixed is not None:
        return datetime(day.year, day.month, day.day, hour, minute, tzinfo=fixed).astimezone(UTC)
    return durations.local(said, (day.year, day.month, day.day), (hour, minute, 0), place)


def _find_next_day(said: str, found: re.Match[str], now: datetime, place: ZoneInfo) -> datetime:
    """The first such day after today; without a time of day, its morning."""
    today = now.astimezone(place).date()
    weekday = today.isoweekday() % 7
    days = (_DAYS[found["day"]] - weekday - 1) % 7 + 1 if found["day"] else 1
    try:
        day = today + timedelta(days=days)
    except OverflowError as error:
        raise InvalidInput(f"{said!r} is out of reach; give a nearer time") from error
    hour, minute = _time(found["time"]) if found["time"] else MORNING
    return durations.local(said, (day.year, day.month, day.day), (hour, minute, 0), place)


def _find_next_week(said: str, found: re.Match[str], now: datetime, place: ZoneInfo) -> datetime:
    """That day of the week after this one. Weeks begin on Sunday or on Monday, by country."""
    today = now.astimezone(place).date()
    day = _DAYS[found["day"] or found["late"]]
    since_monday = today.weekday()
    read = today + timedelta(days=7 - since_monday + (day - 1) % 7)
    if day == 0 or since_monday == 6:
        other = read - timedelta(days=7) if day == 0 else read + timedelta(days=7)
        early, late = sorted((read, other))
        raise InvalidInput(f"{said!r} may be {early} or {late}; write the one that is meant")
    hour, minute = _time(found["time"]) if found["time"] else MORNING
    return durations.local(said, (read.year, read.month, read.day), (hour, minute, 0), place)


def _read_offset(name: str | None) -> timezone | None:
    if name is None:
        return None
    if name in _OFFSETS:
        return timezone(timedelta(hours=_OFFSETS[name]))
    hours, minutes = int(name[1:3]), int(name[-2:])
    if hours > 23 or minutes > 59:
        raise InvalidInput(f"{name!r} is not an offset from UTC; write +02:00 or -0530")
    span = timedelta(hours=hours, minutes=minutes)
    return timezone(-span if name[0] == "-" else span)


def _month_day(said: str, found: re.Match[str], now: datetime, place: ZoneInfo) -> datetime:
    month, day = MONTHS[found["month"]], int(found["day"])
    hour, minute = _time(found["time"]) if found["time"] else (0, 0)
    if found["year"]:
        return durations.local(said, (int(found["year"]), month, day), (hour, minute, 0), place)
    this_year = now.astimezone(place).year
    for year in range(this_year, this_year + 9):  # a 29th of February is at most 8 years away
        if (month, day) == (2, 29) and not _is_leap(year):
            continue
        at = durations.local(said, (year, month, day), (hour, minute, 0), place)
        if at > now:
            return at
    raise InvalidInput(f"{said!r} does not occur again; give the year")


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
