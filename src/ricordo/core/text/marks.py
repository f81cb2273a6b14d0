"""Marks: where the words of a query stand in a text, by the stems that the keyword index compares.

For whoever shows a text: only the tokenizer knows that `seats` was found for `seat`. Pure.
"""

import re

from ricordo.core.text import tokens
from ricordo.core.text.stopwords import ENGLISH

MOST = 200  # marks of a text; more would help nobody
LONGEST = 20_000  # characters of a text that are looked at
_WORD = re.compile(rf"[\w{tokens.INDIC}]+")

Span = tuple[int, int]


def find_marks(query: str, text: str) -> list[Span]:
    """From where to where the query's words stand, in order and apart; stop words are left out.

    In scripts without blanks a word is a pair of characters; pairs that touch become one mark.
    """
    wanted = {stem for stem in _stems(query) if stem not in ENGLISH}
    found: list[Span] = []
    for word in _WORD.finditer(text, 0, LONGEST):
        found += _mark_word(word.group(), word.start(), wanted)
        if len(found) >= MOST:
            break
    return _join(found)[:MOST]


def _stems(text: str) -> list[str]:
    return [tokens.stem(word) for word in tokens.words(text) if word not in ENGLISH]


def _mark_word(word: str, start: int, wanted: set[str]) -> list[Span]:
    """The marks in one run of letters: all of it, or where it is unspaced, its pairs."""
    if not tokens.is_unspaced(word):
        is_wanted = any(stem in wanted for stem in map(tokens.stem, tokens.words(word)))
        return [(start, start + len(word))] if is_wanted else []
    pairs = (word[place : place + 2] for place in range(max(1, len(word) - 1)))
    return [
        (start + place, start + place + len(pair))
        for place, pair in enumerate(pairs)
        if any(stem in wanted for stem in map(tokens.stem, tokens.words(pair)))
    ]


def _join(spans: list[Span]) -> list[Span]:
    """Spans that overlap or touch as one."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
