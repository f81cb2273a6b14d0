"""Newer notes: whether one note is the later word on what another one says. Pure.

The weights are what `scripts/train/newer_note.py` prints, learnt from questions about notes of
which some change. A change has to be announced, and nothing that the question names may have
another thing in its place: a wrong link is worse than none.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ricordo.core.recall.newer_message import (
    ADDITION,
    CHANGE,
    NUMBER,
    PASSING,
    is_another,
    read_content,
)
from ricordo.core.text.late_pattern import compile_late

_FROM_NOW = compile_late(
    r"\b(?:now|as\s+of|from\s+(?:today|tomorrow|next|the\s+first|\w+day)|these\s+days|any\s?more"
    r"|no\s+longer|at\s+present)\b",
    re.IGNORECASE,
)
_ASKS_FOR_NOW = compile_late(
    r"\b(?:now|still|current(?:ly)?|at\s+the\s+moment|these\s+days|today|latest|nowadays|any\s?more"
    r"|yet|present(?:ly)?|new|as\s+of|this\s+(?:week|month|year|term|season)|actual(?:ly)?|right)\b",
    re.IGNORECASE,
)
_ASKS_WHETHER = compile_late(
    r"(?:is|are|do|does|did|was|has|have|am|can|will|should)\b", re.IGNORECASE
)
_ASKS_FOR_THEN = compile_late(r"\b(?:was|were|did|had|first)\b|\b(?:did|was)n['’]t\b", re.I)
_SELDOM = 2  # of the first hits have a word: it is theirs alone
_MOST_SELDOM = 3
WEIGHTS: Mapping[str, float] = {
    "likeness": 1.51,
    "newer_meaning": 7.75,
    "seldom_words": 0.74,
    "older_is_apart": -1.12,
    "question_kept": -1.36,
    "numbers": -0.28,
    "announces": -0.21,
    "in_passing": 0.39,
    "from_now": 1.36,
    "asks_for_now": 1.12,
    "asks_whether": 1.32,
    "asks_for_then": -2.38,
    "older_length": -1.87,
    "constant": 0.14,
}


class AskedNote(NamedTuple):
    """A question, what it is about, and how many of the first hits have each word."""

    text: str
    subject: frozenset[str]
    spread: Mapping[str, int]


class ToldNote(NamedTuple):
    """A note: what it says, the stems in it that say something, its cosine with the question."""

    text: str
    content: frozenset[str]
    meaning: float


def read_note(text: str, meaning: float) -> ToldNote:
    return ToldNote(text, read_content(text), meaning)


def count_spread(notes: Iterable[ToldNote]) -> Mapping[str, int]:
    """How many of some notes have each stem."""
    return Counter(stem for each in notes for stem in each.content)


def supersedes_note(newer: ToldNote, older: ToldNote, likeness: float, asked: AskedNote) -> bool:
    """Whether a later note replaces an earlier one, for a question."""
    if not may_replace_note(newer, older, asked):
        return False
    figures = measure(newer, older, likeness, asked)
    return math.fsum(WEIGHTS[name] * figure for name, figure in figures.items()) > 0


def may_replace_note(newer: ToldNote, older: ToldNote, asked: AskedNote) -> bool:
    """Whether a change is announced, of something that the question is about."""
    if not any(pattern.search(newer.text) for pattern in (CHANGE, PASSING, _FROM_NOW)):
        return False
    if ADDITION.search(newer.text) is not None:
        return False
    subject = asked.subject & older.content
    if subject and subject.isdisjoint(newer.content):
        return False
    return not is_another(older.text, newer.text, subject - newer.content)


def measure(
    newer: ToldNote, older: ToldNote, likeness: float, asked: AskedNote
) -> dict[str, float]:
    """What the weights are for: of the two notes, and of the question."""
    both = newer.content & older.content
    subject = asked.subject & older.content
    seldom = sum(asked.spread.get(stem, 0) <= _SELDOM for stem in both)
    return {
        "likeness": likeness,  # the cosine of the two notes
        "newer_meaning": newer.meaning,
        "seldom_words": float(min(seldom, _MOST_SELDOM)),  # in these two alone
        "older_is_apart": float(not subject),  # has no word of the question
        "question_kept": len(subject & newer.content) / len(subject) if subject else 0.5,
        "numbers": float(all(NUMBER.search(each.text) for each in (older, newer))),
        "announces": float(CHANGE.search(newer.text) is not None),
        "in_passing": float(PASSING.search(newer.text) is not None),
        "from_now": float(_FROM_NOW.search(newer.text) is not None),
        "asks_for_now": float(_ASKS_FOR_NOW.search(asked.text) is not None),
        "asks_whether": float(_ASKS_WHETHER.match(asked.text) is not None),
        "asks_for_then": float(_ASKS_FOR_THEN.search(asked.text) is not None),
        "older_length": math.log1p(len(older.text.split())),
        "constant": 1.0,
    }
