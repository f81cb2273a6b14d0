"""Dates in words: relative ones made absolute, and those a question asks about. English; the day
of speaking is an argument.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ricordo.core.text.foreign_dates import find_days, find_months
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import words

_MONTH_NAMES = """
January February March April May June July August September October November December
"""
_MONTHS = tuple(_MONTH_NAMES.split())
_MONTH_NUMBERS = {name.lower(): number for number, name in enumerate(_MONTHS, start=1)}
_MONTH_NUMBERS |= {name[:3]: number for name, number in _MONTH_NUMBERS.items()} | {"sept": 9}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_TIME = """
yesterday today tonight tomorrow ago last next week weeks weekend weekends month months year years
day days recently morning mornings evening evenings since
"""
_TIME_WORDS = frozenset(_TIME.split()).union(
    _WEEKDAYS, (f"{day}s" for day in _WEEKDAYS), (name.lower() for name in _MONTHS)
)
_FOUR_DIGITS = compile_late(r"\b\d{4}\b", re.ASCII)

_DAYS_AWAY = {
    "day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_RELATIVE = compile_late(
    rf"\b(?:(?P<day>{'|'.join(_DAYS_AWAY)})"
    rf"|(?P<count>\d{{1,4}}|{'|'.join(_NUMBERS)})\s+(?P<unit>day|week|month|year)s?\s+ago"
    r"|(?P<turn>last|next|this)\s+(?P<span>weekend|week|month|year))\b",
    re.ASCII,
)
# Each of these expressions holds one of these words.
_RELATIVE_WORDS = frozenset(
    ("ago", "last", "next", "this", "yesterday", "today", "tonight", "tomorrow")
)

_WHEN = compile_late(
    r"\W*(?:when|how\s+long|(?:what|which)\s+(?:date|day|month|year|time))\b", re.IGNORECASE
)
_YEAR = compile_late(r"\b(?:19|20)\d\d\b", re.ASCII)
_ISO = compile_late(r"\b\d{4}[-/](\d{1,2})(?:[-/](\d{1,2}))?\b", re.ASCII)
_NAMED = compile_late(
    r"(?P<before>\b[a-z]+\s+)?"
    r"(?:\b(?P<early>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?"
    rf"\b(?P<month>{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})\b\.?"
    r"(?:\s+(?:the\s+)?(?P<late>\d{1,2})(?:st|nd|rd|th)?\b(?!:))?"
    r"(?P<year>,?\s+(?:of\s+)?(?:19|20)\d\d\b)?",
    re.ASCII,
)
# Also verbs or people's names: months only beside a number or after one of the words below.
_DOUBTFUL = frozenset(("may", "march", "mar", "jan", "april", "june", "august"))
_LEADING_WORDS = """
in on of by since until till before after during from between and this last next every early late
mid around through
"""
_LEADING = frozenset(_LEADING_WORDS.split())


class DateHint(NamedTuple):
    """What a question says of a date; None where it says nothing, or several things."""

    year: int | None
    month: int | None
    day: int | None


def stamp(day: date) -> str:
    """Write a day as `8 May 2023`, whatever the locale."""
    return f"{day.day} {_month(day.year, day.month)}"


def expand(text: str, at_day: date, said: Sequence[str] | None = None) -> list[str]:
    """List the dates that relative expressions mean when said on `at_day`, in order of mention.

    A week is named by the same weekday in it, a weekend by its Saturday. `said` are the words of
    the text, if the caller has them.
    """
    if _RELATIVE_WORDS.isdisjoint(words(text) if said is None else said):
        return []
    found = (_absolute(match, at_day) for match in _RELATIVE.finditer(text.lower()))
    return list(dict.fromkeys(filter(None, found)))


def has_time_word(text: str, said: Sequence[str] | None = None) -> bool:
    """Tell whether a text speaks of time: such a word, a weekday, a month or a 4-digit number.

    `said` are the words of the text, if the caller has them.
    """
    if not text.isascii():  # time words are ASCII, and folding the rest would cost ten times more
        text, said = text.encode("ascii", "replace").decode(), None
    spoken = words(text) if said is None else said
    if not _TIME_WORDS.isdisjoint(spoken):
        return True
    # Most texts hold no number at all, and looking at words is cheaper than at characters.
    return any(map(str.isdigit, spoken)) and _FOUR_DIGITS.search(text) is not None


def asks_when(question: str) -> bool:
    """Tell whether a question asks for a time."""
    return _WHEN.match(question) is not None


def find_date(question: str) -> DateHint:
    """Read year, month and day out of a question; a span of dates names none of its ends."""
    text = question.lower()
    named = [match for match in _NAMED.finditer(text) if _is_month(match)]
    iso = [match for match in _ISO.finditer(text) if 1 <= int(match[1]) <= 12]
    year = _only(int(match.group()) for match in _YEAR.finditer(text))
    foreign = find_days(text)
    months = [_MONTH_NUMBERS[match["month"]] for match in named] + [int(m[1]) for m in iso]
    months += [each.month for each in foreign]
    month = _only(months or find_months(text))
    days = [int(found) for m in named if (found := m["early"] or m["late"])]
    days += [int(m[2]) for m in iso if m[2]] + [each.day for each in foreign if each.day]
    return DateHint(year, month, _only(d for d in days if 1 <= d <= 31) if month else None)


def _absolute(match: re.Match[str], at_day: date) -> str | None:
    try:
        if word := match["day"]:
            return stamp(at_day + timedelta(days=_DAYS_AWAY[word]))
        if count := match["count"]:
            return _back(at_day, _NUMBERS.get(count) or int(count), match["unit"])
        return _resolve_turn(at_day, match["turn"], match["span"])
    except (OverflowError, ValueError):  # before year 1 or after 9999 there is no date to name
        return None


def _back(at_day: date, count: int, unit: str) -> str:
    if unit == "year":
        return str(at_day.replace(day=1, year=at_day.year - count).year)
    if unit == "month":
        return _shifted_month(at_day, -count)
    return stamp(at_day - timedelta(days=count * (7 if unit == "week" else 1)))


def _resolve_turn(at_day: date, turn: str, span: str) -> str | None:
    steps = {"last": -1, "this": 0, "next": 1}[turn]
    if span == "month":
        return _shifted_month(at_day, steps)
    if span == "week":
        return stamp(at_day + timedelta(weeks=steps))
    if span == "weekend":
        return stamp(_weekend(at_day) + timedelta(weeks=steps)) if turn != "next" else None
    return str(at_day.replace(day=1, year=at_day.year - 1).year) if turn == "last" else None


def _weekend(at_day: date) -> date:
    """Give the Saturday of this weekend: the running one, else the coming one."""
    return at_day + timedelta(days=5 - at_day.weekday())


def _shifted_month(at_day: date, months: int) -> str:
    year, month = divmod(at_day.year * 12 + at_day.month - 1 + months, 12)
    return _month(at_day.replace(day=1, year=year).year, month + 1)


def _month(year: int, month: int) -> str:
    return f"{_MONTHS[month - 1]} {year}"


def _is_month(match: re.Match[str]) -> bool:
    if match["month"] not in _DOUBTFUL or match["early"] or match["late"] or match["year"]:
        return True
    return (match["before"] or "").strip() in _LEADING


def _only(values: Iterable[int]) -> int | None:
    different = set(values)
    return different.pop() if len(different) == 1 else None
