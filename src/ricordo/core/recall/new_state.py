"""New state: whether a text tells where somebody lives or works now, and an earlier one where
before. Pure, and English only.

"I moved to Munich" shares no word with "I live in Berlin" that a question could ask for, so the
forms of both are known here. Each has to be the whole text: what else it tells would be hidden.
"""

import re

from ricordo.core.text.late_pattern import compile_late

LEAST = 0.4  # cosine of the texts: with "I moved to Slack" it is below .3
_HINTS = ("moved", "relocated", "started", "switched", "joined")
_SELF = frozenset((None, "I", "We"))
_WHO = r"(?P<who>I|We|(?:My|Our) [a-z]+(?: and [a-z]+)?|[A-ZÀ-Þ]\w+(?: [A-ZÀ-Þ]\w+)?)"
_NAME = r"[A-ZÀ-Þ][\w'’.&-]*(?: (?:(?:de|of|am|an|upon) )?[A-ZÀ-Þ][\w'’.&-]*){0,3}?"
_IS = r"(?:['’](?:m|re|s)| am| are| is)?(?: now| currently)?"
_HAS = r"(?:['’](?:ve|s)| have| has)?(?: just| recently| finally)?"
_SINCE = r"(?: (?:since|for|with|as|now|right now)\b[^.,;!?]*)?"
_WHEN = (
    r"(?: (?:last|this) \w+| in [A-Z][a-z]+| on \w+| yesterday| today| recently| now| for work"
    r"| with \w+ [a-z]+| (?:a|two|three|\d+) (?:day|week|month)s? ago)*"
)
_HOME_BEFORE = compile_late(
    rf"{_WHO}{_IS} (?:lives?|living|based) in (?P<what>{_NAME}){_SINCE}[.!]*"
)
_HOME_NOW = compile_late(
    rf"(?:Update: |News: )?(?:Just|Finally|{_WHO}{_HAS}) (?:moved|relocated)(?: back)?"
    rf"(?: from {_NAME})? to (?P<what>{_NAME}){_WHEN}[.!]*"
)
_WORK_BEFORE = compile_late(
    rf"{_WHO}{_IS} work(?:s|ing)? (?:at|for) (?P<what>{_NAME}){_SINCE}[.!]*"
)
_WORK_NOW = compile_late(
    rf"(?:Update: |News: )?(?:Just|Finally|{_WHO}{_HAS}) (?:started(?: working| a new job)? at"
    rf"|switched to|left {_NAME} and joined) (?P<what>{_NAME}){_WHEN}[.!]*"
)
_KINDS = ((_HOME_BEFORE, _HOME_NOW), (_WORK_BEFORE, _WORK_NOW))
# Where a town may be, to which somebody moved without leaving the country.
_COUNTRIES = compile_late(
    r"Argentina|Australia|Austria|Belgium|Brazil|Britain|Bulgaria|Canada|Chile|China|Colombia"
    r"|Croatia|Czechia|Denmark|Egypt|England|Estonia|Finland|France|Germany|Ghana|Greece|Hungary"
    r"|Iceland|India|Indonesia|Iran|Ireland|Israel|Italy|Japan|Kenya|Korea|Latvia|Lithuania"
    r"|Malaysia|Mexico|Morocco|Nepal|Nigeria|Norway|Pakistan|Peru|Poland|Portugal|Romania|Russia"
    r"|Scotland|Serbia|Slovakia|Slovenia|South \w+|Spain|Sweden|Switzerland|Taiwan|Thailand|Turkey"
    r"|Ukraine|Vietnam|Wales|California|Texas|Florida|Oregon|Ohio|Bavaria|Europe|Asia|Africa"
    r"|(?:the )?U\.?S\.?A?\.?|(?:the )?UK|New Zealand"
)


def is_new_state(older: str, newer: str) -> bool:
    """Whether the later text says that somebody of the earlier one lives or works elsewhere."""
    if not any(hint in newer for hint in _HINTS):
        return False
    return any(_is_changed(*kind, older.strip(), newer.strip()) for kind in _KINDS)


def _is_changed(before: re.Pattern[str], now: re.Pattern[str], older: str, newer: str) -> bool:
    told, was = now.fullmatch(newer), before.fullmatch(older)
    if told is None or was is None or was["what"] == told["what"]:
        return False
    is_same = was["who"] == told["who"] or {was["who"], told["who"]} <= _SELF
    return is_same and (
        not _COUNTRIES.fullmatch(was["what"]) or bool(_COUNTRIES.fullmatch(told["what"]))
    )
