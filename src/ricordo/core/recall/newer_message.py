"""Newer messages: whether one message is the later word on what another one says. Pure.

The weights were learnt from questions about facts that change, asked of chats, beside questions
about talks in which nothing changes. Where the question and the announcement of a change leave a
doubt, nothing supersedes anything: a wrong link is worse than none.
"""

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ricordo.core.text.change_words import announces_change
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.stopwords import stopwords
from ricordo.core.text.tokens import stem, words

CHANGE = compile_late(
    r"\b(?:now|instead|moved?|no\s+longer|any\s?more|new|changed?|changes|slipped|sold|left|as\s+of"
    r"|from\s+now\s+on|switched|cancell?ed|replace[sd]|update[sd]?|correction|actually|became"
    r"|postponed|dropped|stopped|quit|gave\s+up|isn['’]t|aren['’]t|won['’]t|scrap|gone|forget"
    r"|back\s+to|rather\s+than|upgraded|swap(?:ped)?|(?:down|up)\s+to|raised|lowered|ended|finally"
    r"|decided|starting|stepped|takes\s+over|took\s+over|broke)\b",
    re.IGNORECASE,
)
# Said in passing, as people do when they talk; in a note these announce too little.
_PASSING = compile_late(
    r"\b(?:moves|moving|from\s+(?:today|tomorrow|next|this|\w+day|\d)|out|again|brought\s+forward"
    r"|rebooked|swapping|handed|passed|trimmed|upped|cut|fell\s+through|after\s+all"
    r"|in\s+the\s+end|goes\s+to|settled?|signed|steps\s+in|still|same|not|can['’]t|doesn['’]t"
    r"|no\s+more|rather|over\s+to|turned|renamed|retir\w+|hired|bought|found)\b|n['’]t\b",
    re.IGNORECASE,
)
ADDITION = compile_late(r"\b(?:also|too|as\s+well|another|besides|in\s+addition|plus)\b", re.I)
_AMID = compile_late(rf"(?<=\w )(?:{ADDITION.pattern})", re.I)  # in front it only goes on talking
_NUMBER = compile_late(r"\d")
NAMELESS = frozenset({"", "user", "assistant", "tool", "system"})
_LONGEST = 25  # words of a message to others: a longer one tells several things, alike with many
TURN = 6  # messages of a session: one so near goes on with the other
_MOST_SHARED = 4
_LITTLE = 2  # fewer new words say nothing new
_WEIGHTS = {
    "likeness": 4.5,  # the cosine of the two messages
    "newer_meaning": 7.4,  # the cosine of the newer one and the question
    "older_meaning": -0.8,
    "shared_words": 0.3,  # each
    "question_kept": 0.7,  # the share of the question's words in the older one that are in both
    "numbers": 0.5,  # both have some
    "goes_on": -1.4,  # a few messages later in the same session
    "other_speaker": -1.3,
    "nothing_new": -1.3,
    "constant": -6.1,
}


class ToldMessage(NamedTuple):
    """A message as far as the rule looks at it."""

    text: str
    meaning: float  # the cosine with the question
    session: str
    seq: int
    speaker: str  # a name, or the role of who has none

    @property
    def tells_much(self) -> bool:
        """Whether it is a long message of somebody who talks with others."""
        return self.speaker not in NAMELESS and len(self.text.split()) > _LONGEST


def supersedes(
    newer: ToldMessage,
    older: ToldMessage,
    likeness: float,
    subject: frozenset[str],
    names: frozenset[str],
) -> bool:
    """Whether a later message replaces an earlier one, for a question about `subject` with `names`.

    A change has to be announced. What the question names and the earlier one has, the later one
    has as well; and of the other words that they share with the question, one at least.
    """
    if CHANGE.search(newer.text) is None and _PASSING.search(newer.text) is None:
        return False
    if _AMID.search(newer.text) is not None or newer.tells_much or older.tells_much:
        return False
    old, new = read_content(older.text), read_content(newer.text)
    asked = subject & old
    if not names & old <= new or (asked and asked.isdisjoint(new)):
        return False
    if is_another(older.text, newer.text, asked - new):
        return False
    figures = _measure(newer, older, old, new, subject) | {"likeness": likeness, "constant": 1.0}
    return math.fsum(_WEIGHTS[name] * figure for name, figure in figures.items()) > 0


def _measure(
    newer: ToldMessage,
    older: ToldMessage,
    old: frozenset[str],
    new: frozenset[str],
    subject: frozenset[str],
) -> dict[str, float]:
    asked = subject & old
    goes_on = newer.session == older.session and newer.seq - older.seq <= TURN
    return {
        "newer_meaning": newer.meaning,
        "older_meaning": older.meaning,
        "shared_words": float(min(len(old & new), _MOST_SHARED)),
        "question_kept": len(asked & new) / len(asked) if asked else 0.5,
        "numbers": float(all(_NUMBER.search(each.text) for each in (older, newer))),
        "goes_on": float(goes_on),
        "other_speaker": float(newer.speaker != older.speaker),
        "nothing_new": float(len(new - old) < _LITTLE),
    }


def is_another(older: str, newer: str, lost: frozenset[str]) -> bool:
    """Whether one text tells of another thing of the same sort: the staging and the production
    password. A word of the question that is `lost` has another one in its place."""
    if not lost:
        return False
    placed = dict[str, set[str]]()
    for first, second in _pair_words(newer):
        if not announces_change(first):  # "rzucił weterynarię": she gave up what she studied
            placed.setdefault(stem(second), set()).add(stem(first))
    pairs = ((stem(first), stem(second)) for first, second in _pair_words(older))
    return any(
        first in lost and placed.get(second, {first}).isdisjoint({first}) for first, second in pairs
    )


def _pair_words(text: str) -> Iterator[tuple[str, str]]:
    """Neighbouring words that both say something."""
    said = words(text)
    little = stopwords(said)
    return ((one, two) for one, two in pairwise(said) if one not in little and two not in little)


def read_content(text: str) -> frozenset[str]:
    """The stems of a text that say something."""
    said = words(text)
    little = stopwords(said)
    return frozenset(stem(word) for word in said if word not in little)
