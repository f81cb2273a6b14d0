"""Names of authors in a question: which are meant, and the question without them. Pure."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from ricordo.core.text.stopwords import ENGLISH
from ricordo.core.text.tokens import is_cyrillic, is_unspaced

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_LONGEST = 4  # words
_ENDINGS = ("а", "е", "ей", "ем", "и", "ой", "ом", "у", "ы", "ю", "я")


class Names(NamedTuple):
    """Who can be meant, by the casefolded words of a name."""

    authors: Mapping[str, str]
    cases: Mapping[str, str]  # with the ending of a case, such as Janas; a capital has to show it
    unspaced: re.Pattern[str] | None  # those found inside of text without blanks


class FoundName(NamedTuple):
    """A name in a text, and whose it is."""

    start: int
    end: int
    form: str
    author: str


def form(name: str) -> str:
    """The words of a name, casefolded, as they are looked for in a question."""
    return " ".join(_WORD.findall(name.casefold()))


def names_of(authors: Mapping[str, str]) -> Names:
    """Everything that is looked for, from the forms of names with the authors they mean."""
    ended = [(case, author) for name, author in authors.items() for case in _cases(name)]
    meanings = Counter(case for case, _ in dict.fromkeys(ended))
    cases = {case: author for case, author in ended if meanings[case] == 1 and case not in authors}
    # One character is part of too many words.
    inside = sorted((n for n in authors if len(n) > 1 and is_unspaced(n)), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, inside)), re.IGNORECASE) if inside else None
    return Names(authors, cases, pattern)


def find(text: str, names: Names) -> list[FoundName]:
    """Find names in a text; the longest name at each place."""
    if not names.authors:
        return []
    words = [(m.start(), m.end(), m[0]) for m in _WORD.finditer(text)]
    folded = [word.casefold() for _, _, word in words]
    found: list[FoundName] = []
    at = 0
    while at < len(words):
        start, end, word = words[at]
        size = _size(folded, at, names)
        if size == 1 and folded[at] in ENGLISH and (at == 0 or not word[0].isupper()):
            size = 0  # somebody called Will: only a capital inside the sentence means him
        if size:
            name = " ".join(folded[at : at + size])
            found.append(FoundName(start, words[at + size - 1][1], name, names.authors[name]))
        elif folded[at] in names.cases and word[0].isupper():
            found.append(FoundName(start, end, folded[at], names.cases[folded[at]]))
        elif names.unspaced is not None:
            found += [
                FoundName(start + m.start(), start + m.end(), m[0].casefold(), author)
                for m in names.unspaced.finditer(word)
                if (author := names.authors.get(m[0].casefold())) is not None
            ]
        at += max(1, size)
    return found


def strip(text: str, names: Names) -> str:
    """Take names out of a text, with a possessive 's; all of it if nothing remains."""
    return without(text, find(text, names))


def without(text: str, found: list[FoundName]) -> str:
    """The text without these names; all of it if nothing remains."""
    kept, at = [], 0
    for name in found:
        kept.append(text[at : name.start])
        possessive = _POSSESSIVE.match(text, name.end)
        at = possessive.end() if possessive else name.end
    rest = " ".join("".join([*kept, text[at:]]).split())
    return rest if _WORD.search(rest) else text


def _size(folded: list[str], at: int, names: Names) -> int:
    for size in range(min(_LONGEST, len(folded) - at), 0, -1):
        if " ".join(folded[at : at + size]) in names.authors:
            return size
    return 0


def _cases(name: str) -> list[str]:
    """A name of one word with the endings of its cases, as German and Slavic languages have."""
    if is_cyrillic(name):
        bare = name[:-1] if name[-1] in "аяйь" else name
        return [f"{bare}{ending}" for ending in _ENDINGS] if len(bare) > 1 else []
    return [f"{name}s"] if name.isalpha() and name[-1].isascii() else []
