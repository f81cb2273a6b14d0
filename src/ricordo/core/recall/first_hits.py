"""First hits: a second look at the best of a recall, whose texts are at hand. Pure.

A model may have read them with the question; a text that another supersedes stands behind it; and
what only asks stands behind what tells. Each adds a part, so that hits stay in the order of their
scores and the parts add up to the score.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Floats
from ricordo.core.text.change_words import adds_something, announces_change, asks_for_past
from ricordo.core.text.flags import QUESTION_MARKS, ends_asking
from ricordo.core.text.stopwords import stopwords
from ricordo.core.text.tokens import stem, stems, words

READ = 8  # hits that a model reads
COMPARED = 5  # hits among which a newer text is looked for
# The least cosine, by model, of two texts of which the later one announces a change.
CHANGED = {"minilm": 0.5, "multilingual": 0.4}
_TURN = 6  # messages of a session: one so near goes on with the other
_STEP = 1e-4  # by how much a hit that moves stands above or below the other
_MOST = 8.0  # a reading beyond says no more
_FEW = 3  # words beside a question that tell nothing: "Hey Tom!"

_FORMER = re.compile(
    r"\b(?:before|formerly|former|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|used\s+to|earlier"
    r"|at\s+first|in\s+the\s+past|old|back\s+then|until\s+then|prior|once|changed?|history)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:now|instead|moved?|no\s+longer|any\s?more|new|changed?|changes|slipped|sold|left|as\s+of"
    r"|from\s+now\s+on|switched|cancell?ed|replace[sd]|update[sd]?|correction|actually|became"
    r"|postponed|dropped|stopped|quit|gave\s+up|isn['’]t|aren['’]t|won['’]t|scrap|gone|forget"
    r"|back\s+to|rather\s+than|upgraded|swap(?:ped)?|(?:down|up)\s+to|raised|lowered|ended|finally"
    r"|decided|starting|stepped|takes\s+over|took\s+over|broke)\b",
    re.IGNORECASE,
)
_ADDITION = re.compile(r"\b(?:also|too|as\s+well|another|besides|in\s+addition|plus)\b", re.I)
_NAME = re.compile(r"(?<!^)\b[A-Z]\w+|\b\w*\d\w*")  # the first word has its capital anyway
_ASKED_FOR = re.compile(r"\b(?:ask(?:s|ed|ing)?|question(?:s|ed)?|wonder(?:s|ed|ing)?)\b", re.I)
_STOPS = f".!。！{QUESTION_MARKS}"
_SENTENCE = re.compile(rf"[^{_STOPS}\n]*(?:[{_STOPS}]+|\n|$)")


class FirstHit(NamedTuple):
    """One of the first hits: where it stood, what it scored, what it says and when."""

    place: int
    score: float
    parts: dict[str, float]
    text: str
    at: int  # microseconds
    confidence: float | None = None
    vector: Floats | None = None  # of length one
    session: str | None = None  # of a message
    seq: int = 0
    speaker: str = ""  # the name of who said it; "" for an entry and for the user of an assistant
    newer: int | None = None  # the place of the hit that supersedes it
    judged_by: str = "minilm"  # the model that the vector comes from

    def gain(self, part: str, figure: float) -> "FirstHit":
        """The same with one part more."""
        parts = self.parts | {part: self.parts.get(part, 0.0) + figure}
        return self._replace(parts=parts, score=round(self.score + figure, 6))


def add_reading(hits: Sequence[FirstHit], logits: Sequence[float], weight: float) -> list[FirstHit]:
    """The hits in the order of what they score with the reading of the first of them.

    Those that were not read count as the worst of those that were, so that they stay behind.
    """
    told = [weight * max(-_MOST, min(_MOST, logit)) for logit in logits]
    told += [min(told, default=0.0)] * (len(hits) - len(told))
    pairs = zip(hits, told, strict=True)
    return _sort([hit.gain("reading", figure) for hit, figure in pairs])


def put_newer_first(hits: Sequence[FirstHit], query: str) -> list[FirstHit]:
    """The hits with a later text in front of an earlier one about the same thing.

    A question about what was before leaves the order as it is; the older text is marked anyway.
    """
    found = list(hits)
    for old, new in _find_superseded(hits[:COMPARED], query):
        at = {hit.place: n for n, hit in enumerate(found)}
        older, newer = found[at[old]], found[at[new]]
        found[at[old]] = older._replace(newer=new)
        if older.score >= newer.score and not asks_for_former(query):
            found[at[new]] = newer.gain("supersedes", older.score - newer.score + _STEP)
    return _sort(found)


def _find_superseded(hits: Sequence[FirstHit], query: str) -> list[tuple[int, int]]:
    """Pairs of places: an earlier text and the nearest later one about the same thing."""
    pairs = []
    subject, names = _read_subject(query)
    telling = [hit for hit in hits if not _asks_only(hit)]
    for older in telling:
        held = frozenset(stems(older.text))
        later = [
            (_cosine(older, hit), hit.place)
            for hit in telling
            if _may_replace(hit, older)
            and _is_about(frozenset(stems(hit.text)), held & subject, held & names)
        ]
        if later:
            pairs.append((older.place, max(later)[1]))
    return pairs


def _may_replace(newer: FirstHit, older: FirstHit) -> bool:
    """Whether one text seems to be the later word on what the other is about.

    People who talk with each other tell one thing after the other that is alike: nothing of that
    supersedes anything.
    """
    if newer.at <= older.at or (newer.session is None) != (older.session is None):
        return False
    if newer.speaker or older.speaker:
        return False
    is_same_talk = newer.session is not None and newer.session == older.session
    if is_same_talk and newer.seq - older.seq <= _TURN:
        return False
    if _ADDITION.search(newer.text) is not None or adds_something(newer.text):
        return False
    if _CHANGE.search(newer.text) is None and not announces_change(newer.text):
        return False
    return _cosine(older, newer) > CHANGED.get(newer.judged_by, 1.0)


def _read_subject(query: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems that say what a question is about, and those of the names and numbers in it."""
    said = words(query)
    little = stopwords(said)
    named = " ".join(_NAME.findall(query))
    return frozenset(stem(word) for word in said if word not in little), frozenset(stems(named))


def _is_about(newer: frozenset[str], subject: frozenset[str], names: frozenset[str]) -> bool:
    """Whether a later text has the names that an earlier one shares with a question, and a word."""
    return names <= newer and (not subject or not subject.isdisjoint(newer))


def _cosine(one: FirstHit, other: FirstHit) -> float:
    if one.vector is None or other.vector is None:
        return -1.0
    return float(np.dot(one.vector, other.vector))


def asks_for_former(query: str) -> bool:
    """Whether a question is about what was before."""
    return _FORMER.search(query) is not None or asks_for_past(query)


def put_telling_first(hits: Sequence[FirstHit], query: str, floor: float) -> list[FirstHit]:
    """The hits with messages that only ask behind all that tell something and are sure enough.

    What follows a question is its answer, however little it says by itself.
    """
    asked = {(hit.session, hit.seq) for hit in hits if _asks_only(hit)}
    telling = [
        hit
        for hit in hits
        if not _asks_only(hit)
        and ((hit.confidence or 0.0) >= floor or (hit.session, hit.seq - 1) in asked)
    ]
    if not telling or _ASKED_FOR.search(query):
        return list(hits)
    last = min(hit.score for hit in telling)
    found = []
    for hit in hits:
        if hit.score >= last and _asks_only(hit):
            hit = hit.gain("only_asks", last - hit.score - _STEP)
        found.append(hit)
    return _sort(found)


def _asks_only(hit: FirstHit) -> bool:
    return hit.session is not None and only_asks(hit.text)


def only_asks(text: str) -> bool:
    """Whether a text has a question and hardly a word beside it."""
    sentences = _SENTENCE.findall(text)
    told = [part for part in sentences if not ends_asking(part)]
    return len(told) < len(sentences) and len(words(" ".join(told))) <= _FEW


def _sort(hits: list[FirstHit]) -> list[FirstHit]:
    return sorted(hits, key=lambda hit: -hit.score)
