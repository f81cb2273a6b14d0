"""Named numbers: what a text names by its number, such as "invoice 102", "#882" or "JIRA-91". Pure.

A number that only measures something ("1450 euros", "at 9:40", "22 Uhr") names nothing.
"""

import re

from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.stopwords import ENGLISH, OTHERS
from ricordo.core.text.tokens import words

_LEAST_DIGITS = 3  # of a number that names something without the word before it
_MONTHS = """
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
"""
_NAMELESS = ENGLISH.union(_MONTHS.split(), *OTHERS)  # a number after these is a time or a day
_NUMBER = compile_late(
    r"(?<![A-Za-z\d:.,/€$£¥])(?P<number>\d+(?:[.\-/]\d+)*)(?![\d:])(?!\s*[%‰°€$£¥₽₹])(?![.,]\d)"
    r"(?![A-Za-z]|\s?[日月年時时分秒個个人回本枚円元週周歳岁년월일시분개명원])"
)
_CODE = compile_late(r"(?<![\w-])[A-Za-z]+\d+(?:[.\-]\d+)*(?!\w)")
_BEFORE = compile_late(
    r"(?P<name>[^\W\d_]{2,})(?:\s*[#№]|(?:\s+n(?:o|r|um|º|°|úm)\b[.º°]?)?\s*|[-–/])\s*$",
    re.IGNORECASE,
)
_MEASURE = compile_late(
    r"\s*(?:[km]?[mg]b?|gb|tb|cm|mm|m²|ml|l|ltr|k?wh?|k?v|hz|eur|usd|gbp|chf|euros?|dollars?|pounds?|cents?"
    r"|kilo(?:s|meters?|metres?|grams?)?|met(?:er|re)s?|miles?|grams?|lit(?:er|re)s?|percent|prozent"
    r"|seconds?|sec|minut\w*|mins?|hours?|hrs?|days?|weeks?|months?|years?|times|degrees|uhr|sekunden"
    r"|stunden?|tagen?|wochen?|monaten?|jahren?|jahr|mal|grad|heures?|jours?|semaines?|mois|ans?"
    r"|horas?|d[ií]as?|semanas?|meses|a[ñn]os?|h|am|pm|people|persons?|personen|items|pieces"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*|may)\b",
    re.IGNORECASE,
)
_YEAR = compile_late(r"(?:19|20)\d\d")
_DATE = compile_late(r"\d{4}-\d+(?:-\d+)?|\d+([./])\d+(?:\1\d{2,4})?")


def find_named_numbers(text: str) -> list[list[str]]:
    """The words, neighbours in this order, by which a text names each thing by its number.

    A number of three digits and more stands alone: its thing may be called otherwise elsewhere.
    """
    if not any(map(str.isdigit, text)):
        return []
    found = [words(match.group()) for match in _CODE.finditer(text)]
    for match in _NUMBER.finditer(text):
        if _MEASURE.match(text, match.end()) is None:
            found.append(_name(text[: match.start()], match["number"]))
    return [each for each in found if each]


def _name(before: str, number: str) -> list[str]:
    """The words of one number, with the word before it if the number alone says too little."""
    parts = words(number)
    if before.endswith(("#", "№")) or (number.isdigit() and len(number) >= _LEAST_DIGITS):
        return [] if _YEAR.fullmatch(number) else parts
    head = _BEFORE.search(before)
    name = words(head["name"])[-1:] if head else []
    if name and name[0] not in _NAMELESS:
        return [*name, *parts]
    return parts if len(parts) > 1 and _DATE.fullmatch(number) is None else []
