"""Batching: which events of a session are consolidated together.

A batch is a run of the log, so that the note that retells it stands for an exact span. Importance
says which run comes first; none is left out. Pure.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Span = tuple[int, int]  # the first and the last seq, both included


class WaitingEvent(NamedTuple):
    """An event that nobody has consolidated yet."""

    seq: int
    importance: float


def choose_batch(waiting: Sequence[WaitingEvent], spans: Sequence[Span], most: int) -> list[int]:
    """The seqs of the run with the most important event; of equal ones, the oldest.

    Runs end where another note's span begins, and hold `most` events.
    """
    runs = [
        run[at : at + most] for run in _split(waiting, spans) for at in range(0, len(run), most)
    ]
    if not runs:
        return []
    best = max(runs, key=lambda run: (max(event.importance for event in run), -run[0].seq))
    return [event.seq for event in best]


def _split(waiting: Sequence[WaitingEvent], spans: Sequence[Span]) -> list[list[WaitingEvent]]:
    """Runs of waiting events with no span between two of them."""
    starts = sorted(first for first, _ in spans)
    runs: list[list[WaitingEvent]] = []
    place = 0
    for event in waiting:
        is_new = not runs
        while place < len(starts) and starts[place] < event.seq:
            place, is_new = place + 1, True
        if is_new:
            runs.append([])
        runs[-1].append(event)
    return runs


def join_spans(spans: Iterable[Span]) -> list[Span]:
    """Spans that touch or overlap as one, in order."""
    joined: list[Span] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined


def find_span(spans: Iterable[Span], seq: int) -> Span | None:
    """The span that a seq lies in."""
    return next((span for span in spans if span[0] <= seq <= span[1]), None)
