"""Translate: what other languages say for a time, in the English that `phrases` reads. Pure.

Every word has to be known, and only one reading may be left: anything else is not understood.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ricordo.core.time.spoken import SPOKEN, UNSPACED

_UNITS = ("minute", "hour", "day", "week")
_DAYS = {
    "mon": "monday",
    "tue": "tuesday",
    "wed": "wednesday",
    "thu": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "sun": "sunday",
}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NEAR = {"today": "today", "tomorrow": "tomorrow", "after_tomorrow": "day after tomorrow"}
_HOURS = {"morning": 9, "noon": 12, "afternoon": 15, "evening": 20, "midnight": 0}
_LATE = ("afternoon", "evening")
_MEANT = {"tonight": ("today", "evening"), "daily": ("every", "day"), "-": ()}
_CLOCK = re.compile(r"(\d{1,2})(?:[:h]|\.(?!\d\d?\.\d{4}))(\d\d)(?!\d)")
_DATE = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?!\d)")
_NUMBER = re.compile(r"(\d{1,4})(?:(?:\.|º|er|°|-?го|-?ое)(?=\s|$))?")
_MONTH = re.compile(r"m\d+")
_HAN = "〇一二三四五六七八九十两兩"
_HAN_NUMBER = re.compile(f"[{_HAN}]+")
_HAN_DIGITS = {sign: value for value, sign in enumerate(_HAN[:11])} | {"两": 2, "兩": 2}
_ALEF = str.maketrans("أإآٱ", "اااا")
_POINTS = re.compile("[\u064b-\u0652\u0640]")


class Word(NamedTuple):
    """A word of a phrase: what it means, and its figures."""

    meaning: str
    figures: tuple[int, ...] = ()


def translate(text: str) -> str | None:
    """The English phrase that a phrase in another language means; None if it is not understood."""
    said = _fold(text)
    read = {
        phrase
        for language in SPOKEN
        if (words := _scan(said, language)) and (phrase := _say(words))
    }
    return read.pop() if len(read) == 1 else None


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.replace("İ", "i").lower())
    text = _POINTS.sub("", text).translate(_ALEF)
    text = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() and not sign.isascii() else sign
        for sign in text
    )
    return " ".join(text.split()).strip(" .!?。！？؟¿¡")


@lru_cache(len(SPOKEN))
def _lexicon(language: str) -> list[tuple[str, re.Pattern[str]]]:
    """Meanings with the expressions that find them; what adds nothing comes last."""
    end = "" if language in UNSPACED else r"(?!\w)"
    entries = [part.strip() for part in re.split(r" ; |\n", SPOKEN[language]) if part.strip()]
    table = [entry.split(" ", 1) for entry in entries]
    found = [(meaning, re.compile(f"(?:{forms}){end}")) for meaning, forms in table]
    return sorted(found, key=lambda entry: entry[0] == "-")


def _scan(said: str, language: str) -> list[Word] | None:
    """The words of a phrase in one language; None if one of them is not known."""
    found: list[Word] = []
    place = 0
    while place < len(said):
        if said[place] == " ":
            place += 1
            continue
        word, place = _match_word(said, place, language)
        if word is None:
            return None
        found += [Word(each, word.figures) for each in _MEANT.get(word.meaning, (word.meaning,))]
    return found


def _match_word(said: str, place: int, language: str) -> tuple[Word | None, int]:
    if match := _DATE.match(said, place) or _CLOCK.match(said, place):
        figures = tuple(map(int, match.groups()))
        return Word("date" if len(figures) == 3 else "clock", figures), match.end()
    if match := _NUMBER.match(said, place):
        return Word("number", (int(match[1]),)), match.end()
    matches = [(m, each) for m, form in _lexicon(language) if (each := form.match(said, place))]
    if not matches:
        if language in UNSPACED and (match := _HAN_NUMBER.match(said, place)):
            return Word("number", (_read_han(match.group()),)), match.end()
        return None, place
    meaning, match = max(matches, key=lambda each: each[1].end())
    if meaning[0] == "n" and meaning[1:].isdigit():
        return Word("number", (int(meaning[1:]),)), match.end()
    return Word(meaning), match.end()


def _read_han(signs: str) -> int:
    """A number up to 99 in Han characters."""
    tens, ten, ones = signs.rpartition("十")
    if not ten:
        return int("".join(str(_HAN_DIGITS[sign]) for sign in signs)[:4])
    first = _HAN_DIGITS[tens[-1]] if tens else 1
    return first * 10 + (_HAN_DIGITS[ones[0]] if ones else 0)


def _say(words: Sequence[Word]) -> str | None:
    """The English phrase of these words; None if they make none."""
    meanings = {word.meaning for word in words}
    if meanings & {"in", "later"}:
        return _say_duration(words)
    if meanings & {"every", "weekdays", "weekends"}:
        return _say_recurrence(words)
    return _say_time(words)


def _say_duration(words: Sequence[Word]) -> str | None:
    rest = [word for word in words if word.meaning not in ("in", "later")]
    parts = _pair_units(rest)
    return None if parts is None else f"in {' and '.join(parts)}"


def _pair_units(rest: Sequence[Word]) -> list[str] | None:
    """Numbers and units in turn; a unit alone is one of it."""
    found, count = [], None
    for word in rest:
        if word.meaning == "number" and count is None:
            count = word.figures[0]
        elif word.meaning in _UNITS:
            found.append(f"{1 if count is None else count} {word.meaning}s")
            count = None
        else:
            return None
    return found if found and count is None else None


def _say_recurrence(words: Sequence[Word]) -> str | None:
    rest = [word for word in words if word.meaning != "every"]
    days = [_DAYS[word.meaning] for word in rest if word.meaning in _DAYS]
    named = {word.meaning for word in rest}
    is_daily = bool(named & {"day", *_HOURS}) and not days
    if not (days or is_daily or named & {"weekdays", "weekends"}):
        parts = _pair_units(rest)
        return f"every {parts[0].removeprefix('1 ')}" if parts and len(parts) == 1 else None
    skipped = {*_DAYS, "week", "weekdays", "weekends"} | ({"day"} if is_daily else set())
    left = [word for word in rest if word.meaning not in skipped]
    if is_daily and (parts := _pair_units(rest)) and not parts[0].startswith("1 "):
        return f"every {parts[0]}" if len(parts) == 1 else None
    time = _read_clock(left)
    if time is None:
        return "daily" if is_daily and not left else None
    when = next((each for each in ("weekdays", "weekends") if each in named), None)
    return f"{when or 'every ' + (', '.join(days) or 'day')} at {time}"


def _say_time(words: Sequence[Word]) -> str | None:
    near = [word for word in words if word.meaning in _NEAR]
    days = [word for word in words if word.meaning in _DAYS]
    if near and not days and len(near) == 1:
        time = _read_clock([word for word in words if word not in near])
        if time is None:
            return "tomorrow" if [word.meaning for word in words] == ["tomorrow"] else None
        return f"{_NEAR[near[0].meaning]} at {time}"
    if len(days) == 1 and not near:
        left = [word for word in words if word not in days and word.meaning not in ("next", "week")]
        time = _read_clock(left) if left else "9:00"
        return time and f"next {_DAYS[days[0].meaning]} at {time}"
    return _say_date(words)


def _say_date(words: Sequence[Word]) -> str | None:
    """A day of a month, with or without its year and a time of day."""
    rest, year = list(words), None
    at = next((n for n, word in enumerate(rest) if _MONTH.fullmatch(word.meaning)), None)
    if rest and rest[0].meaning == "date":
        day, month, year = rest.pop(0).figures
    elif at and rest[at - 1].meaning == "number":
        day, month = rest[at - 1].figures[0], int(rest[at].meaning[1:])
        del rest[at - 1 : at + 1]
        if rest[at - 1 : at] and rest[at - 1].meaning == "number" and rest[at - 1].figures[0] > 999:
            year = rest.pop(at - 1).figures[0]
    elif (found := _read_numbered(rest)) is not None:
        (year, month, day), rest = found
    else:
        return None
    time = _read_clock(rest) if rest else None
    if (rest and time is None) or not 1 <= month <= 12:
        return None
    return f"{_MONTHS[month - 1]} {day}{f', {year}' if year else ''}{f' at {time}' if time else ''}"


def _read_numbered(words: list[Word]) -> tuple[tuple[int | None, int, int], list[Word]] | None:
    """Year, month and day that are named by numbers with a sign after each, and what is left."""
    rest = list(words)
    found: dict[str, int] = {}
    for mark in ("year_of", "month_of", "day"):
        is_there = (
            len(rest) > 1
            and rest[0].meaning == "number"
            and (rest[1].meaning == mark or (mark == "day" and rest[1].meaning == "day_of"))
        )
        if is_there:
            found[mark] = rest[0].figures[0]
            del rest[:2]
        elif mark != "year_of":
            return None
    return (found.get("year_of"), found["month_of"], found["day"]), rest


def _read_clock(words: Sequence[Word]) -> str | None:
    """The time of day that these words give, and nothing else; None if they give none."""
    parts = [word.meaning for word in words if word.meaning in _HOURS]
    rest = [word for word in words if word.meaning not in (*_HOURS, "hour_of")]
    figures: list[int] = []
    for word in rest:
        if word.meaning in ("number", "clock"):
            figures += word.figures
        elif word.meaning == "half":
            figures.append(30)
        elif word.meaning not in ("hour", "minute"):
            return None
    if len(parts) > 1 or len(figures) > 2 or not (parts or figures):
        return None
    if not figures:
        return f"{_HOURS[parts[0]]}:00"
    hour, minute = figures[0], figures[1] if len(figures) > 1 else 0
    if parts and hour == 12 and parts[0] != "noon":
        return None  # midnight or noon: people mean either
    is_late = bool(parts) and parts[0] in _LATE and hour < 12
    return f"{hour + 12 if is_late else hour}:{minute:02d}"
