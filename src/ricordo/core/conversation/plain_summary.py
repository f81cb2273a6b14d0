"""Summarising without a model: one line per event, old lines folded, the newest kept.

A line has whole sentences, the ones that say most; only a sentence that is too long by itself is
cut, at the end of a clause.

The text never saturates. When it grows past its limit the oldest lines are folded into one line for
a whole range of seqs, and ranges into larger ranges of about the same size, so every seq up to the
last is accounted for by exactly one line and the newest events are always there in full.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ricordo.core.conversation import points
from ricordo.core.conversation.batching import Span
from ricordo.core.conversation.messages import calls_of, words
from ricordo.core.conversation.points import DOTS, Sentence
from ricordo.core.text.graphemes import cut_text
from ricordo.model import Event

HEADING = "Recent condensed turns"
FOLDED = "Earlier"
LIMIT = 4_000  # characters of the whole text
_LEAST = 1_000  # of them, for small budgets
LINE = 180  # characters of one line's words
LEFT = 2  # messages that are never condensed
_WIDTH = LINE + 20  # characters of a folded line with its seqs
_MEMO = 1_000  # characters of a text that others wrote and that is carried along
_LINE = re.compile(r"^- \[(\d+)(?:-(\d+))?\] (.*)$")
_TURN = re.compile(
    r"(?<=[.!?…؟।॥۔。！？\"')]) (?=[^\s:]{1,40}: )"
)  # between what one said and the next


class Line(NamedTuple):
    """One line of a summary: the seqs it stands for and what it says of them."""

    first: int
    last: int
    text: str

    def __str__(self) -> str:
        seqs = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"- [{seqs}] {self.text}"


class SummaryText(NamedTuple):
    """A summary taken apart: what others wrote, folded ranges, and single events."""

    memo: str
    folded: tuple[Line, ...]
    recent: tuple[Line, ...]

    def __str__(self) -> str:
        parts = [self.memo] if self.memo else []
        if self.folded:
            parts += [FOLDED, *map(str, self.folded)]
        if self.recent:
            parts += [HEADING, *map(str, self.recent)]
        return "\n".join(parts)


class Use(NamedTuple):
    """How full a context is: tokens that are fixed, tokens per unsummarised message, the budget."""

    fixed: int
    messages: Sequence[int]
    budget: int

    @property
    def ratio(self) -> float:
        return (self.fixed + sum(self.messages)) / self.budget


def is_due(use: Use, min_events: int, trigger: float) -> bool:
    """Whether it is time to condense: enough messages, and use strictly above the trigger."""
    return len(use.messages) >= min_events and use.ratio > trigger


def how_many(use: Use, target: float) -> int:
    """How many of the oldest messages to condense to come down to the target, leaving two."""
    most = max(0, len(use.messages) - LEFT)
    total = use.fixed + sum(use.messages)
    for number in range(most):
        if total <= target * use.budget:
            return number
        total -= use.messages[number]
    return most


def choose_limit(budget: int) -> int:
    """Characters of a summary: as many as the budget has tokens, so about a quarter of it."""
    return max(_LEAST, min(LIMIT, budget))


def condense(previous: str, events: Sequence[Event], limit: int = LIMIT) -> str:
    """Add events to a summary and fold what is old until the whole fits."""
    text = parse(previous)
    return str(fit(text._replace(recent=(*text.recent, *map(line, events))), limit))


def outline(lines: Sequence[Line], limit: int) -> str:
    """The lines in about `limit` characters: one for each run of equal length if they are more."""
    if sum(len(one.text) for one in lines) <= limit:
        whole = "\n".join(map(str, lines))
        if len(whole) <= limit:
            return whole
    return "\n".join(map(str, _fold_runs(lines, limit)))


def line(event: Event) -> Line:
    """One event in one line: who spoke, then the words that say most, or the tools it called."""
    said = points.condense_words(words(event), LINE)
    if not said:
        tools = ", ".join(calls_of(event).values())
        said = f"(called {tools})" if tools else "(no text)"
    return Line(event.seq, event.seq, f"{points.name_speaker(event)}: {said}")


def condense_note(text: str, span: Span) -> Line:
    """A note on a run of events in one line."""
    return Line(*span, points.condense_words(text, LINE))


def parse(text: str) -> SummaryText:
    """Take a summary apart; what is not one of our lines is kept as a memo in front."""
    memo: list[str] = []
    folded: list[Line] = []
    recent: list[Line] = []
    for row in text.splitlines():
        found = _LINE.match(row)
        if found is None:
            if row.strip() and row.strip() not in (FOLDED, HEADING):
                memo.append(row)
        elif found[2] is not None:
            folded.append(Line(int(found[1]), int(found[2]), found[3]))
        else:
            recent.append(Line(int(found[1]), int(found[1]), found[3]))
    return SummaryText("\n".join(memo), tuple(folded), tuple(recent))


def fit(text: SummaryText, limit: int) -> SummaryText:
    """Fold the oldest lines until the text is no longer than the limit."""
    if len(str(text)) <= limit:
        return text
    if len(text.memo) > min(_MEMO, limit // 4):
        return fit(text._replace(memo=_clip(text.memo, min(_MEMO, limit // 4))), limit)
    room = limit - len(HEADING) - len(FOLDED) - len(text.memo) - 3
    kept = _newest(text.recent, room * 2 // 3)
    old = text.recent[: len(text.recent) - len(kept)]
    folded = [*text.folded, *_fold_runs(old, room // 3)]
    while sum(len(str(one)) + 1 for one in folded) > room // 3 and len(folded) > 1:
        place = _find_shortest_pair(folded)
        folded[place : place + 2] = [_fold(folded[place : place + 2])]
    fitted = text._replace(folded=tuple(folded), recent=tuple(kept))
    return fitted if len(str(fitted)) <= limit else _bare(fitted, limit)


def _newest(lines: Sequence[Line], room: int) -> list[Line]:
    kept: list[Line] = []
    for one in reversed(lines):
        room -= len(str(one)) + 1
        if room < 0 and kept:
            break
        kept.append(one)
    return kept[::-1]


def _fold_runs(lines: Sequence[Line], room: int) -> list[Line]:
    """One line for each run of equal length, as many as there is room for."""
    size = math.ceil(len(lines) / max(1, room // _WIDTH))
    return [_fold(lines[at : at + size]) for at in range(0, len(lines), size or 1)]


def _find_shortest_pair(lines: Sequence[Line]) -> int:
    """Where two neighbours begin that together stand for the fewest seqs."""
    return min(range(len(lines) - 1), key=lambda at: lines[at + 1].last - lines[at].first)


def _fold(lines: Sequence[Line]) -> Line:
    """One line for many: what says most of what they say, in order, and nothing twice."""
    turns = [turn for one in lines for turn in _weigh_turns(one.text)]
    said = [Sentence((n, 0), "", turn, score) for n, (turn, score) in enumerate(turns)]
    text = " ".join(one.text for one in points.choose(said, LINE + 5))
    if not text:
        text = points.clip_clause(" ".join(one.text for one in lines), LINE)
    return Line(lines[0].first, lines[-1].last, text)


@lru_cache(4096)  # the next context of a session folds most of the same lines
def _weigh_turns(said: str) -> tuple[tuple[str, float], ...]:
    """What each speaker says in a line, as a sentence, and how much that is."""
    return tuple(
        (_finish(turn), 10 + points.score(turn.partition(": ")[2]))
        for turn in _TURN.split(said)
        if turn.strip() and turn != DOTS
    )


def _finish(turn: str) -> str:
    """What somebody said, ended with a mark; the speaker's name stays as it is."""
    speaker, colon, said = turn.partition(": ")
    return f"{speaker}: {points.finish(said)}" if colon and said else points.finish(turn)


def _bare(text: SummaryText, limit: int) -> SummaryText:
    """The last resort for tiny limits: one range without words, and the newest line cut."""
    lines = [*text.folded, *text.recent]
    last = lines[-1]
    span = [Line(lines[0].first, lines[-2].last, "...")] if len(lines) > 1 else []
    short = SummaryText("", tuple(span), (last._replace(text=""),))
    room = max(0, limit - len(str(short)))
    return short._replace(recent=(last._replace(text=last.text[:room]),))


def _clip(text: str, size: int) -> str:
    return text if len(text) <= size else cut_text(text, size - len(DOTS)) + DOTS
