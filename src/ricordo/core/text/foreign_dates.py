"""Dates in questions of other languages: months by name, and figures. Pure.

A month counts with its year, or in a form that says when ("im Mai", "в мае", "Mayıs'ta"): alone,
many of the names are words or people ("mai", "kasım").
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
# By language: what stands before a month that says when, the months, and what stands after.
_WHEN = (
    (
        r"(?:im|seit|bis|ab|anfang|mitte|ende)\s+",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "",
    ),
    (
        r"(?:en|desde|hasta)\s+",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "",
    ),
    (
        r"(?:en|depuis|dès|au\smois\sd[e'’])\s*",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "",
    ),
    (
        r"(?:a|in|da)\s+",
        "gennaio febbraio marzo aprile maggio giugno luglio "
        "agosto settembre ottobre novembre dicembre",
        "",
    ),
    (
        r"(?:em|desde|até)\s+",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "",
    ),
    (
        r"(?:in|sinds|vanaf|tot|begin|eind)\s+",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "",
    ),
    (
        r"we?\s+",
        "styczniu lutym marcu kwietniu maju czerwcu lipcu "
        "sierpniu wrześniu październiku listopadzie grudniu",
        "",
    ),
    (
        r"во?\s+",
        "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
        "",
    ),
    (
        "",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        r"(?:\s+ayında|(?<!ocak)['’]?[dt][ae])",
    ),
    (
        r"في\s+(?:شهر\s+)?",
        "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
        "",
    ),
    (
        "",
        "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
        r"\s+में",
    ),
)
_TEN = "一二三四五六七八九十"
_SIGN_MONTH = compile_late(
    rf"(?<![\d年{_TEN}])(?P<month>\d{{1,2}}|[{_TEN}]|十[一二])"
    r"(?:月份|月(?=[にはも、]|ごろ|[^\W\d日号の]{2})|월에)(?!\s?\d)"
)


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


def find_months(question: str) -> list[int]:
    """The months that a question in lower case gives alone, in forms that say when."""
    found = [
        number
        for before, names, after in _WHEN
        for number, name in enumerate(names.split(), start=1)
        if name in question and re.search(rf"(?<!\w){before}{name}{after}(?!\w)", question)
    ]
    if "月" in question or "월" in question:
        found += [_read_sign(match["month"]) for match in _SIGN_MONTH.finditer(question)]
    return [month for month in dict.fromkeys(found) if 1 <= month <= 12]


def _read_sign(month: str) -> int:
    return int(month) if month.isdigit() else sum(1 + _TEN.index(sign) for sign in month)


def _find_month(match: re.Match[str]) -> int:
    return next(number for number in range(1, 13) if match[f"m{number}"])


def _read(match: re.Match[str], month: int) -> NamedDay:
    return NamedDay(month, int(match["day"]) if match["day"] else None)
