"""First hits: a second look at the best of a recall, whose texts are at hand. Pure.

A model may have read them with the question; a text that another supersedes stands behind it; and
what only asks stands behind what tells. Each adds a part, so that hits stay in the order of their
scores and the parts add up to the score.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Floats
from ricordo.core.recall.new_state import LEAST, is_new_state
from ricordo.core.recall.newer_message import (
    ADDITION,
    CHANGE,
    NAMELESS,
    TURN,
    ToldMessage,
    is_another,
    read_content,
    supersedes,
)
from ricordo.core.recall.told_words import AskedWords, find_told, read_words
from ricordo.core.text.change_words import adds_something, announces_change, asks_for_past
from ricordo.core.text.flags import QUESTION_MARKS, ends_asking
from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import stems, words

READ = 8  # hits that a model reads
COMPARED = 5  # hits among which a newer text is looked for
MOST_COMPARED = 3  # pairs of them that a model compares
# The least cosine, by model, of two texts of which the later one announces a change.
CHANGED = {"minilm": 0.5, "multilingual": 0.4}
# A model compares two texts that are so much alike, if both may answer (their readings) and the
# later one does not do so much worse. From these logits on it is sure, or in doubt.
_ALIKE, _MAY_ANSWER, _WORSE = 0.4, -1.5, 2.5
_SURE, _IN_DOUBT = 1.5, -0.5
_WORDED_ALIKE = 0.6  # the share of the words of the shorter text that the other one has, too
_STEP = 1e-4  # by how much a hit that moves stands above or below the other
_MOST = 8.0  # a reading beyond says no more
_LONG, _LONGER = 25, 2  # words of a text that tells several things, and how many times another's
_FEW = 3  # words beside a question that tell nothing: "Hey Tom!"

_FORMER = compile_late(
    r"\b(?:before|formerly|former|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|used\s+to|earlier"
    r"|at\s+first|in\s+the\s+past|old|back\s+then|until\s+then|prior|once|changed?|history)\b",
    re.IGNORECASE,
)
_NAME = compile_late(r"(?<!^)\b[A-Z]\w+|\b\w*\d\w*")  # the first word has its capital anyway
_ASKED_FOR = compile_late(r"\b(?:ask(?:s|ed|ing)?|question(?:s|ed)?|wonder(?:s|ed|ing)?)\b", re.I)
_STOPS = f".!。！{QUESTION_MARKS}"
_SENTENCE = compile_late(rf"[^{_STOPS}\n]*(?:[{_STOPS}]+|\n|$)")


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
    speaker: str = ""  # the name or role of who said it; "" for an entry
    cosine: float = 0.0  # with the question
    newer: int | None = None  # the place of the hit that supersedes it
    judged_by: str = "minilm"  # the model that the vector comes from
    reading: float | None = None  # the logit of the model that read it

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
    read = [*logits, *[None] * (len(hits) - len(logits))]
    triples = zip(hits, told, read, strict=True)
    return _sort([hit.gain("reading", by)._replace(reading=logit) for hit, by, logit in triples])


Judged = Mapping[tuple[int, int], float]  # the logits of pairs of places, the older one first


def list_compared(hits: Sequence[FirstHit], query: str) -> list[tuple[int, int]]:
    """The places of an earlier and a later text of which a model is to say whether the later one
    supersedes the earlier one; those that are most alike first."""
    asked = _read_subject(query)
    telling = [hit for hit in hits[:COMPARED] if _read(hit) > _MAY_ANSWER and not _asks_only(hit)]
    found = [
        (alike, older.place, newer.place)
        for older in telling
        for newer in telling
        if (alike := _cosine(older, newer)) > _ALIKE and _may_be_later(newer, older, asked)
    ]
    return [(old, new) for _, old, new in sorted(found, reverse=True)[:MOST_COMPARED]]


def _may_be_later(newer: FirstHit, older: FirstHit, asked: "_Asked") -> bool:
    if newer.at <= older.at or (newer.session is None) != (older.session is None):
        return False
    if _read(newer) < _read(older) - _WORSE:
        return False
    return not _is_look_alike(newer, older, asked)


def _read(hit: FirstHit) -> float:
    return -_MOST if hit.reading is None else hit.reading


def _is_look_alike(newer: FirstHit, older: FirstHit, asked: "_Asked") -> bool:
    """Whether a text says of another what the other text says of what is asked for: it lacks a
    name of the question, or it is worded alike and lacks a word of the question."""
    held, now = find_told(asked.words, older.text), find_told(asked.words, newer.text)
    if not held & asked.names <= now:
        return True
    said, told = read_content(older.text), read_content(newer.text)
    return not held <= now and len(said & told) >= _WORDED_ALIKE * min(len(said), len(told))


def put_newer_first(
    hits: Sequence[FirstHit], query: str, judged: Judged | None = None
) -> list[FirstHit]:
    """The hits with a later text in front of an earlier one about the same thing.

    What supersedes what, a model has judged, or the words of the texts tell. A question about what
    was before leaves the order as it is; the older text is marked anyway.
    """
    found = list(hits)
    for old, new in _find_superseded(hits[:COMPARED], query, judged):
        at = {hit.place: n for n, hit in enumerate(found)}
        older, newer = found[at[old]], found[at[new]]
        found[at[old]] = older._replace(newer=new)
        if older.score >= newer.score and not asks_for_former(query):
            found[at[new]] = newer.gain("supersedes", older.score - newer.score + _STEP)
    return _sort(found)


def _find_superseded(
    hits: Sequence[FirstHit], query: str, judged: Judged | None
) -> list[tuple[int, int]]:
    """Pairs of places: an earlier text and the later one that most likely supersedes it."""
    pairs = []
    asked = _read_subject(query)
    telling = [hit for hit in hits if not _asks_only(hit)]
    for older in telling:
        later = [
            (_rate_change(hit, older, judged), hit.place)
            for hit in telling
            if hit.at > older.at and _supersedes(hit, older, asked, judged)
        ]
        if later:
            pairs.append((older.place, max(later)[1]))
    return pairs


def _rate_change(newer: FirstHit, older: FirstHit, judged: Judged | None) -> float:
    if judged is None:
        return _cosine(older, newer)
    return judged.get((older.place, newer.place), _SURE)


def _supersedes(newer: FirstHit, older: FirstHit, asked: "_Asked", judged: Judged | None) -> bool:
    """Whether a model is sure, or is in doubt and the words of the texts announce a change."""
    if judged is None:
        return _may_replace(newer, older, asked)
    logit = judged.get((older.place, newer.place))
    if logit is None:
        is_alike = (newer.session is None) == (older.session is None)
        return is_alike and _tells_new_state(newer, older, asked)
    return logit > _SURE or (logit > _IN_DOUBT and _may_replace(newer, older, asked))


class _Asked(NamedTuple):
    """The stems that say what a question is about, and those of the names and numbers in it."""

    words: AskedWords
    subject: frozenset[str]
    names: frozenset[str]


def _read_subject(query: str) -> _Asked:
    named = " ".join(_NAME.findall(query))
    return _Asked(read_words(query), read_content(query), frozenset(stems(named)))


def _may_replace(newer: FirstHit, older: FirstHit, asked: _Asked) -> bool:
    """Whether one text seems to be the later word on what the other is about."""
    if (newer.session is None) != (older.session is None):
        return False
    if newer.vector is None or older.vector is None:
        return False
    if _tells_new_state(newer, older, asked):
        return True
    if newer.session is not None and newer.judged_by == "minilm":
        told = _cosine(older, newer)
        names = asked.subject, asked.names
        return supersedes(_read_message(newer), _read_message(older), told, *names)
    if _go_on_talking(newer, older):
        return False
    if ADDITION.search(newer.text) is not None or adds_something(newer.text):
        return False
    if CHANGE.search(newer.text) is None and not announces_change(newer.text):
        return False
    if _tells_much(newer, older):
        return False
    held, now = find_told(asked.words, older.text), find_told(asked.words, newer.text)
    if not _is_about(now, held, held & asked.names):
        return False
    if is_another(older.text, newer.text, held - now):
        return False
    return _cosine(older, newer) > CHANGED.get(newer.judged_by, 1.0)


def _tells_new_state(newer: FirstHit, older: FirstHit, asked: _Asked) -> bool:
    """Whether somebody lives or works elsewhere now; a place that is asked for stays."""
    if newer.speaker != older.speaker or not is_new_state(older.text, newer.text):
        return False
    names = find_told(asked.words, older.text) & asked.names
    return names <= find_told(asked.words, newer.text) and _cosine(older, newer) > LEAST


def _go_on_talking(newer: FirstHit, older: FirstHit) -> bool:
    """Whether people talk with each other, who tell one thing after the other that is alike, or
    one message goes on with the other."""
    if newer.session is None:
        return False
    if not {newer.speaker, older.speaker} <= NAMELESS:
        return True
    return newer.session == older.session and newer.seq - older.seq <= TURN


def _tells_much(newer: FirstHit, older: FirstHit) -> bool:
    """Whether a text tells several things, of which the earlier one told one."""
    said = len(words(newer.text))
    return said > _LONG and said > _LONGER * len(words(older.text))


def _read_message(hit: FirstHit) -> ToldMessage:
    return ToldMessage(hit.text, hit.cosine, hit.session or "", hit.seq, hit.speaker)


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
