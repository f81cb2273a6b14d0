"""Foreign facts: what somebody states about themselves in other languages than English. Pure.

Certain or silent: a sentence counts only if every clause of it is one of the known statements as a
whole, so a question, a condition, a negation, a quotation or another person leaves it unread.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from ricordo.core.conversation import foreign_statements as data
from ricordo.core.conversation.certainty import LONGEST, hide_quotations, is_invented
from ricordo.core.conversation.points import split_sentences
from ricordo.core.conversation.stated_facts import StatedFact
from ricordo.core.text.han_forms import FORMS
from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.tokens import words

_WORD = r"[^\W\d_][\w'’.-]*"
_WHERE = "en|in|im|bei|à|dans|nel|alla|no|na|em|op"
_SHAPES = {
    "name": rf"(?P<name>{_WORD}(?: {_WORD}){{0,3}})",
    "place": rf"(?P<place>{_WORD}(?: {_WORD}){{0,3}}?)",
    "firm": rf"(?P<name>[\w&][\w&'’.-]*(?: {_WORD}){{0,3}}?)",
    "job": rf"(?P<job>{_WORD}(?: {_WORD}){{0,2}}?)(?: (?:{_WHERE}) .+)?",
    "age": r"(?P<value>\d{1,3})",
    "date": (
        r"(?P<value>\d{1,2}(?:\.|º|°|er)?(?: de| di)? [^\W\d_]{3,}|\d{1,2}\.\s?\d{1,2}\.?"
        r"|\d{1,2}月\d{1,2}[日号]|\d{1,2}월 ?\d{1,2}일)"
    ),
    "allergen": rf"(?P<allergen>{_WORD}(?: {_WORD}){{0,2}}?)",
    "bare_name": r"(?P<bare_name>[^\W\d_]{2,12}(?: [^\W\d_]{2,12})?)",
    "one_name": r"(?P<one_name>[^\W\d_]{2,12}?)",
    "han_name": r"(?P<han_name>[\u4e00-\u9fff]{2,3})",
    "city": rf"(?P<city>{_WORD}(?: {_WORD})?)",
    "kin": f"(?P<kin>{'|'.join(sorted(map(re.escape, data.KIN), key=len, reverse=True))})",
}
_ASKS = re.compile(r"[?？؟;;]")
_MARKS = re.compile(r"^\W+|[\s.!…。！।]+$")
_POINTS = re.compile("[\u0640\u064b-\u065f\u0670]")
_LETTERS = str.maketrans("أإآىة", "ااايه")
_CITY = re.compile(r"[\u4e00-\u9fff]{2,5}[市県省]|[\uac00-\ud7a3]{2,4}시")
# Particles and endings of a sentence, in Japanese, Chinese and Korean.
_TELLING = re.compile(
    "[はがをにものとで了着过在个你我他她]|[\u4e00-\u9fff][ぁ-ん]*[いなた]$|(?:한|는|은)$"
)
_NOUN = re.compile(r"(?:ung|heit|keit|schaft|tion|tät|ismus)$")
_ALSO = re.compile(
    r"(?:a los |a las |a la |al? |à la |à l.|aux? |alle |alla |agli |ai |all.|aos? |às? |à |na "
    rf"|gegen |auf |voor )?(?P<allergen>{_WORD}(?: {_WORD}){{0,2}}?)",
    re.I,
)
_JOINTS = frozenset(
    ("de", "da", "do", "dos", "das", "di", "del", "della", "la", "le", "los", "van", "von", "der")
) | frozenset(("den", "bin", "sur", "am", "an", "im"))
_LATIN = ("german", "french", "spanish", "italian", "portuguese", "dutch", "polish", "turkish")
_SCRIPTS = (
    (re.compile("[\u0400-\u04ff]"), ("russian",)),
    (re.compile("[\u0600-\u06ff]"), ("arabic",)),
    (re.compile("[\u3040-\u30ff]"), ("japanese",)),
    (re.compile("[\uac00-\ud7a3]"), ("korean",)),
    (re.compile("[\u4e00-\u9fff]"), ("chinese",)),
)


class Folded(NamedTuple):
    """A clause without the points and forms of Arabic letters, and where each letter stood."""

    text: str
    source: str
    places: list[int]

    def restore(self, start: int, end: int) -> str:
        """How the source writes this part."""
        after = self.places[end] if end < len(self.places) else len(self.source)
        return self.source[self.places[start] : after].strip()


def read_foreign(text: str) -> Iterator[StatedFact]:
    """The facts that a message states in other languages."""
    if len(text) > LONGEST or is_clearly_english(words(text)):
        return
    if is_invented(text) or data.NOT_MEANT.search(text):
        return
    for sentence in split_sentences(hide_quotations(text)):
        if not _ASKS.search(sentence):
            yield from _read_sentence(_MARKS.sub("", sentence))


def _read_sentence(sentence: str) -> list[StatedFact]:
    languages = next((found for script, found in _SCRIPTS if script.search(sentence)), _LATIN)
    found = (_read_clauses(language, sentence) for language in languages)
    return next(filter(None, found), [])


def _read_clauses(language: str, sentence: str) -> list[StatedFact]:
    """The facts of all clauses; none if one is not understood, unless it follows an "and"."""
    found: list[StatedFact] = []
    # Clauses and what joins them take turns.
    parts = ["", *_joints(language).split(sentence)]
    for joint, clause in zip(parts[::2], parts[1::2], strict=True):
        fact = _read_clause(language, clause) or _go_on(clause, found)
        if fact is not None:
            found.append(fact)
        elif found and joint:
            return found
        elif not data.GREETING.fullmatch(clause):
            return []
    return found


def _read_clause(language: str, clause: str) -> StatedFact | None:
    folded = _fold(clause, language)
    for key, pattern in _patterns(language):
        match = pattern.fullmatch(folded.text)
        fact = _read_match(key, match, folded) if match else None
        if fact is not None:
            return fact
    return None


def _go_on(clause: str, found: list[StatedFact]) -> StatedFact | None:
    """One more allergy, where only what it is against was said."""
    match = _ALSO.fullmatch(clause) if found and found[-1].key.startswith("allergy") else None
    if match is None or not _is_allergen(match["allergen"]):
        return None
    return StatedFact("user", f"allergy to {match['allergen']}", match["allergen"])


def _read_match(key: str, match: re.Match[str], folded: Folded) -> StatedFact | None:
    given = match.groupdict()
    kin = given.pop("kin", None)
    (shape,) = (name for name, said in given.items() if said is not None)
    if not _SUITS[shape](match[shape]):
        return None
    value = folded.restore(*match.span(shape))
    if kin:
        return StatedFact("user", f"{data.KIN[kin.lower()]} name", value)
    return StatedFact("user", f"allergy to {value}" if key == "allergy" else key, value)


def _fold(clause: str, language: str) -> Folded:
    places = [place for place, sign in enumerate(clause) if not _POINTS.match(sign)]
    kept = "".join(clause[place] for place in places).translate(_LETTERS)
    return Folded(kept.translate(FORMS) if language == "chinese" else kept, clause, places)


@cache
def _joints(language: str) -> re.Pattern[str]:
    """What stands between clauses; its group is the word for "and", if one is said."""
    also = data.JOINTS.get(language, "-")
    stop = rf"\s*[,،、，]\s*|\s+(?=(?:{also})\s)"
    return re.compile(rf"(?:{stop})(?:({also})\s+|(?:{data.BUT})\s+)?", re.I)


@cache
def _patterns(language: str) -> list[tuple[str, re.Pattern[str]]]:
    found = []
    for entry in re.split(r" ; |\n", data.STATEMENTS[language].strip()):
        key, form = entry.split(" ", 1)
        for name, shape in _SHAPES.items():
            form = form.replace(f"{{{name}}}", shape)
        found.append((key, re.compile(form, re.I)))
    return found


def _is_name(said: str) -> bool:
    """Words with capitals, joined by small ones such as "de"."""
    parts = said.split()
    capitals = [part[0].isupper() for part in parts]
    joined = (is_one or part in _JOINTS for is_one, part in zip(capitals, parts, strict=True))
    return capitals[0] and capitals[-1] and all(joined) and _is_bare_name(said.lower())


def _is_place(said: str) -> bool:
    """A name that is not a German noun for a state somebody is in."""
    return _is_name(said) and _NOUN.search(said) is None


def _is_bare_name(said: str) -> bool:
    return data.NOT_NAMES.isdisjoint(said.split())


def _is_one_name(said: str) -> bool:
    """A word; in Japanese and Chinese without the particles and endings that tell a sentence."""
    return _is_bare_name(said) and _TELLING.search(said) is None


def _is_han_name(said: str) -> bool:
    return said[0] in data.SURNAMES and said[-1] not in data.NOT_LAST and _is_bare_name(said)


def _is_job(said: str) -> bool:
    return data.NOT_JOBS.isdisjoint(said.lower().split())


def _is_city(said: str) -> bool:
    return said in data.CITIES or _CITY.fullmatch(said) is not None


def _is_allergen(said: str) -> bool:
    """A known one, or a word that begins like one where words are inflected."""
    low = said.lower()
    return low in data.WHOLE_ALLERGENS or low.startswith(data.ALLERGENS)


_SUITS: dict[str, Callable[[str], bool]] = {
    "value": bool,
    "name": _is_name,
    "place": _is_place,
    "job": _is_job,
    "allergen": _is_allergen,
    "bare_name": _is_bare_name,
    "one_name": _is_one_name,
    "han_name": _is_han_name,
    "city": _is_city,
}
