"""Dates in questions of other languages: months by name beside a year, and figures. Pure.

A month counts only with its year: alone, many of the names are words or people ("mai", "kasım").
"""

import re
from typing import NamedTuple

from ricordo.core.text.late_pattern import compile_late

_MONTHS = (
    "januar|jänner|enero|janvier|gennaio|janeiro|januari|stycz|январ|ocak|يناير",
    "februar|febrero|février|fevrier|febbraio|fevereiro|februari|lut|феврал|şubat|فبراير",
    "märz|maerz|marzo|mars|março|maart|marzec|marca|marcu|март|mart|مارس",
    "april|abril|avril|aprile|kwie|апрел|nisan|أبريل|إبريل|ابريل",
    "mai|mayo|maggio|maio|mei|maj|ма[йяе]|mayıs|مايو",
    "juni|junio|juin|giugno|junho|czerw|июн|haziran|يونيو",
    "juli|julio|juillet|luglio|julho|lip|июл|temmuz|يوليو",
    "august|agosto|août|aout|augustus|sierp|ağustos|أغسطس|اغسطس|август",
    "september|septiembre|setiembre|septembre|settembre|setembro|wrze|сентябр|eylül|سبتمبر",
    "oktober|octubre|octobre|ottobre|outubro|październik|октябр|ekim|أكتوبر|اكتوبر",
    "november|noviembre|novembre|novembro|listopad|ноябр|kasım|نوفمبر",
    "dezember|diciembre|décembre|decembre|dicembre|dezembro|december|grud|декабр|aralık|ديسمبر",
)
_NAMED = compile_late(
    r"(?:\b(?P<day>\d{1,2})(?:\.|º|er)?\s+(?:de\s+)?)?\b(?:"
    + "|".join(f"(?P<m{number}>{forms})" for number, forms in enumerate(_MONTHS, start=1))
    + r")\w{0,4}\.?\s+(?:del?\s+)?(?P<year>(?:19|20)\d\d)(?!\d)"
)
_SIGNS = compile_late(
    r"(?P<year>\d{4})[年년]\s?(?P<month>\d{1,2})[月월](?:\s?(?P<day>\d{1,2})[日号號일])?"
)
_FIGURES = compile_late(r"\b(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>(?:19|20)\d\d)\b")


class NamedDay(NamedTuple):
    """A month of a year, and maybe its day."""

    month: int
    day: int | None


def find_days(question: str) -> list[NamedDay]:
    """The dates that a question in lower case gives as other languages write them."""
    found = [_read(match, _find_month(match)) for match in _NAMED.finditer(question)]
    for form in (_SIGNS, _FIGURES):
        found += [_read(match, int(match["month"])) for match in form.finditer(question)]
    return [each for each in found if 1 <= each.month <= 12]


def _find_month(match: re.Match[str]) -> int:
    return next(number for number in range(1, 13) if match[f"m{number}"])


def _read(match: re.Match[str], month: int) -> NamedDay:
    return NamedDay(month, int(match["day"]) if match["day"] else None)
