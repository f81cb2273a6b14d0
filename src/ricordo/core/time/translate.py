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
_NOTHING = "-"
_FIGURES = ("number", "clock")
_CLOCK = re.compile(r"(\d{1,2})(?:[:h]|\.(?!\d\d?\.\d{4}))(\d\d)(?!\d)")
_DATE = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?!\d)")
_NUMBER = re.compile(r"(\d{1,4})(?:(?:\.|º|er|°|-?го|-?ое)(?=\s|$))?")
_MONTH = re.compile(r"m\d+")
_HAN = "〇一二三四五六七八九十两兩"
_HAN_NUMBER = re.compile(f"[{_HAN}]+")
_HAN_DIGITS = {sign: value for value, sign in enumerate(_HAN[:11])} | {"两": 2, "兩": 2}
_ALEF = str.maketrans("أإآٱ", "اااا")
_POINTS = re.compile("[\u064b-\u0652\u0640]")
# German and Dutch write a day and a part of it as one word: Sonntagabend, morgenochtend.
_JOINED = re.compile(
    r"(?<=tag|dag)(?=(?:vor|nach|na)?(?:morgen|mittag|middag|abend|avond|ochtend)s?\b)"
    r"|(?<=\bmorgen)(?=(?:ochtend|middag|avond)\b)"
)


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
    return " ".join(_JOINED.sub(" ", text).split()).strip(" .!?。！？؟¿¡")


@lru_cache(len(SPOKEN))
def _lexicon(language: str) -> list[tuple[str, re.Pattern[str]]]:
    """Meanings with the expressions that find them; what adds nothing comes last."""
    end = "" if language in UNSPACED else r"(?!\w)"
    entries = [part.strip() for part in re.split(r" ; |\n", SPOKEN[language]) if part.strip()]
    table = [entry.split(" ", 1) for entry in entries]
    found = [(meaning, re.compile(f"(?:{forms}){end}")) for meaning, forms in table]
    return sorted(found, key=lambda entry: entry[0] == _NOTHING)


def _scan(said: str, language: str) -> list[Word] | None:
    """The words of a phrase in one language; None if one of them is not known."""
    found: list[Word] = []
    place = 0
    while place < len(said):
        if said[place] == " ":
            place += 1
            continue
        words, place = _match_word(said, place, language)
        if words is None:
            return None
        found += words
    return [word for at, word in enumerate(found) if word.meaning != "and" or _lists(found, at)]


def _lists(words: Sequence[Word], place: int) -> bool:
    """Whether an "and" stands between two figures: "at 8 and 20" is not twenty past eight."""
    around = [*words[max(0, place - 1) : place], *words[place + 1 : place + 2]]
    return len(around) == 2 and all(word.meaning in _FIGURES for word in around)


def _match_word(said: str, place: int, language: str) -> tuple[list[Word] | None, int]:
    if match := _DATE.match(said, place) or _CLOCK.match(said, place):
        figures = tuple(map(int, match.groups()))
        return [Word("date" if len(figures) == 3 else "clock", figures)], match.end()
    if match := _NUMBER.match(said, place):
        return [Word("number", (int(match[1]),))], match.end()
    matches = [(m, each) for m, form in _lexicon(language) if (each := form.match(said, place))]
    if not matches:
        if language in UNSPACED and (match := _HAN_NUMBER.match(said, place)):
            return [Word("number", (_read_han(match.group()),))], match.end()
        return None, place
    meaning, match = max(matches, key=lambda each: each[1].end())
    told = meaning.split("+") if meaning != _NOTHING else []
    return [_name_word(each) for each in told], match.end()


def _name_word(meaning: str) -> Word:
    if meaning[0] == "n" and meaning[1:].isdigit():
        return Word("number", (int(meaning[1:]),))
    return Word(meaning)


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
        return _say_weekday(words, days[0])
    return _say_date(words) or _say_clock(words)


def _say_weekday(words: Sequence[Word], day: Word) -> str | None:
    """A day of the week: the first after today, or that of the coming week."""
    left = [word for word in words if word.meaning not in (day.meaning, "next", "next_week")]
    is_later = any(word.meaning == "next_week" for word in words)
    time = _read_clock(left) if left else "9:00"
    if time is None:
        return None
    name = _DAYS[day.meaning]
    return f"{name} next week at {time}" if is_later else f"next {name} at {time}"


def _say_clock(words: Sequence[Word]) -> str | None:
    """A time of day alone, if it is clear that it is one."""
    meanings = {word.meaning for word in words}
    hours = [word.figures[0] for word in words if word.meaning in _FIGURES]
    if hours:
        is_sure = meanings & {"hour_of", "half_to", *_HOURS}
        is_whole = "at" in meanings and ("clock" in meanings or hours[0] > 12)
        return _read_clock(words) if is_sure or is_whole else None
    return _read_clock(words) if meanings & {"noon", "midnight"} else None


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
    figures = _read_figures([word for word in words if word.meaning not in _HOURS])
    if figures is None or len(parts) > 1 or len(figures) > 2 or not (parts or figures):
        return None
    if not figures:
        return f"{_HOURS[parts[0]]}:00"
    hour, minute = figures[0], figures[1] if len(figures) > 1 else 0
    if parts and hour == 12 and parts[0] != "noon":
        return None  # midnight or noon: people mean either
    is_late = bool(parts) and parts[0] in _LATE and hour < 12
    return f"{hour + 12 if is_late else hour}:{minute:02d}"


def _read_figures(words: Sequence[Word]) -> list[int] | None:
    """Hour and minute; None if there is more than a clock shows."""
    figures: list[int] = []
    for place, word in enumerate(words):
        if word.meaning == "half_to" and not figures:
            return _read_half(words[place + 1 :])
        if word.meaning in _FIGURES:
            figures += word.figures
        elif word.meaning == "half" and figures:
            figures.append(30)
        elif not _marks_clock(word, words[:place]):
            return None
    return figures


def _read_half(words: Sequence[Word]) -> list[int] | None:
    """The half hour before: "halb neun" is 8:30."""
    hours = [word.figures[0] for word in words if word.meaning == "number"]
    return [hours[0] - 1, 30] if len(words) == len(hours) == 1 and 1 < hours[0] <= 12 else None


def _marks_clock(word: Word, before: Sequence[Word]) -> bool:
    """Whether a word only marks the time that the figures give; a second time is another one."""
    figures = [each for each in before if each.meaning in _FIGURES]
    if word.meaning in ("at", "and"):
        return not figures
    if word.meaning in ("hour_of", "hour"):
        return len(figures) < 2
    return word.meaning == "minute"
