"""Signals: which entries of a recall leave one, how its query is kept, and which may go. Pure.

What goes leaves the figures of a sweep as they were: the last recall, six hits, and as many
distinct queries and days as count. Only the mean of the scores is that of the signals that stay.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ricordo.core.learning.promotion import fold_query
from ricordo.core.text import content

COUNTED = ("user", "agent")  # askers whose recalls count for promotion
LONGEST = 256  # characters of a query that are kept as they are
_HEAD = 240  # characters that are kept of a longer one, beside its digest
_DAY = 86_400_000_000  # microseconds

# What tells a wanted entry from a neighbour. `bench/promotions.py` measures other rules beside it.
NEAR = 0.75  # the share of the best entry's score that another one needs
MOST_WANTED = 2  # entries of one recall
LEAST_SURE = 0.04  # most foreign questions stay below; judged by words alone, all pass


class RecalledEntry(NamedTuple):
    """An entry among the hits of a recall."""

    entry: int
    rank: int  # among all hits
    score: float
    confidence: float


class Trace(NamedTuple):
    """A signal of one entry, as far as it matters for keeping it."""

    signal: int
    query: str
    asker: str
    at: int  # microseconds


def find_wanted(found: Sequence[RecalledEntry]) -> list[RecalledEntry]:
    """The entries that a recall was about, out of those it found, best first; the others are only
    the nearest of what is left.

    Entries are compared with each other: a message that repeats the question outscores them all.
    """
    best = found[0].score if found else 0.0
    near = min(best, best * NEAR)
    return [
        each for each in found[:MOST_WANTED] if each.score >= near and each.confidence >= LEAST_SURE
    ]


def abridge(query: str) -> str:
    """The query as a signal keeps it: a long one by its beginning and a digest of the whole."""
    if len(query) <= LONGEST:
        return query
    plain = content.normalise(query)
    if len(plain) <= LONGEST:
        return plain
    return f"{plain[:_HEAD]}… {content.digest(plain.casefold()).hex()[:12]}"


def read_opening(query: str) -> str:
    """What a signal keeps of a query of any length: equal for a text and for its abridged form."""
    return content.normalise(query)[:_HEAD]


def find_surplus(traces: Iterable[Trace], most: int) -> list[int]:
    """The signals of one entry beyond `most`: repeats of a query or a day first, then old ones.

    Those that never count for promotion keep a quarter of that, the newest.
    """
    newest_first = sorted(traces, reverse=True)
    counted = [each for each in newest_first if each.asker in COUNTED]
    others = [each for each in newest_first if each.asker not in COUNTED]
    kept = _choose(counted, most) | {each.signal for each in others[: most // 4]}
    return [each.signal for each in newest_first if each.signal not in kept]


def _choose(traces: Sequence[Trace], most: int) -> set[int]:
    """The newest of the last days, the newest of the last queries, and then simply the newest."""
    days = _first_of((each.at // _DAY, each.signal) for each in traces)
    queries = _first_of((fold_query(each.query), each.signal) for each in traces)
    kept = {*[*days][: most // 4], *[*queries][: most // 2]}
    for each in traces:
        if len(kept) >= most:
            break
        kept.add(each.signal)
    return kept


def _first_of(pairs: Iterable[tuple[Hashable, int]]) -> Iterator[int]:
    """The signal with which each key appears for the first time."""
    seen: set[Hashable] = set()
    for key, signal in pairs:
        if key not in seen:
            seen.add(key)
            yield signal
