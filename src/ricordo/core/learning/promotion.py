"""Promotion: what signals say about an entry, and which entries pass the gates of a sweep. Pure.

Nothing is read, written or asked of a model here; the time is an argument.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from ricordo.errors import InvalidInput, shorten

WEIGHTS = {
    "frequency": 0.24,
    "relevance": 0.30,
    "recency": 0.15,
    "diversity": 0.15,
    "consolidation": 0.10,
}
PHASE = "deep"
_OFTEN = 7  # the logarithm that counts as often: full marks from six hits on
_MANY = 5  # distinct queries, or days, that give full marks
_PLACES = 6  # scores are compared after rounding: sums of doubles are not exact
_DAY = 86_400_000_000  # microseconds


class Tally(NamedTuple):
    """The signals of one entry, added up. `relevance` is the mean of their scores."""

    entry: int
    hits: int
    relevance: float
    last: int  # microseconds
    queries: int
    days: int


class Gates(NamedTuple):
    """What a sweep asks for. All of it has to be met."""

    min_score: float = 0.35
    min_recalls: int = 3
    min_queries: int = 2
    cap: int = 20
    half_life_days: float = 7.0


class Scored(NamedTuple):
    tally: Tally
    parts: Mapping[str, float]
    score: float


class Rejected(NamedTuple):
    """A candidate that a gate stopped: promoted, recalls, queries, score or cap."""

    tally: Tally
    gate: str
    score: float


class GateVerdict(NamedTuple):
    promoted: list[Scored]
    skipped: int  # candidates that had been promoted before
    rejected: list[Rejected]  # best first


def fold_query(query: str) -> str:
    """What two spellings of one query have in common."""
    return query.strip().casefold()


def distinct(asked: Iterable[tuple[int, str]]) -> dict[int, int]:
    """How many distinct queries found each entry, from pairs of an entry and a query."""
    kept: dict[int, set[str]] = {}
    known: dict[str, str] = {}  # the same query is asked often: fold each spelling once
    for entry, query in asked:
        told = known.get(query)
        if told is None:
            told = known[query] = fold_query(query)
        kept.setdefault(entry, set()).add(told)
    return {entry: len(queries) for entry, queries in kept.items()}


def parts(tally: Tally, now: int, half_life_days: float = 7.0) -> dict[str, float]:
    """The five signals of an entry, each from 0 to 1; all zero if it was never recalled."""
    if tally.hits <= 0:
        return dict.fromkeys(WEIGHTS, 0.0)
    since = max(0, now - tally.last) / _DAY
    return {
        "frequency": min(1.0, math.log(1 + tally.hits) / math.log(_OFTEN)),
        "relevance": min(1.0, max(0.0, tally.relevance)),
        "recency": 2.0 ** (-since / half_life_days),
        "diversity": min(1.0, max(tally.queries, tally.days) / _MANY),
        "consolidation": min(1.0, tally.days / _MANY),
    }


def score(parts: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS) -> float:
    """The weighted sum of the parts, rounded to six places."""
    return round(sum(weights.get(name, 0.0) * part for name, part in parts.items()), _PLACES)


def judge(
    tallies: Iterable[Tally],
    promoted: Collection[int],
    now: int,
    gates: Gates,
    weights: Mapping[str, float] = WEIGHTS,
) -> GateVerdict:
    """The best entries that pass every gate and were not promoted before, best first."""
    passing: list[Scored] = []
    rejected: list[Rejected] = []
    for tally in tallies:
        found = parts(tally, now, gates.half_life_days)
        scored = Scored(tally, found, score(found, weights))
        gate = "promoted" if tally.entry in promoted else find_gate(scored, gates)
        if gate is None:
            passing.append(scored)
        else:
            rejected.append(Rejected(tally, gate, scored.score))
    passing.sort(key=lambda each: (-each.score, each.tally.entry))
    rejected += [Rejected(each.tally, "cap", each.score) for each in passing[gates.cap :]]
    rejected.sort(key=lambda each: (-each.score, each.tally.entry))
    skipped = sum(each.gate == "promoted" for each in rejected)
    return GateVerdict(passing[: gates.cap], skipped, rejected)


def find_gate(scored: Scored, gates: Gates) -> str | None:
    """The first gate that stops a candidate, or None."""
    if scored.tally.hits < gates.min_recalls:
        return "recalls"
    if scored.tally.queries < gates.min_queries:
        return "queries"
    return "score" if scored.score < gates.min_score else None


def weights(given: Mapping[str, float] | None) -> Mapping[str, float]:
    """The weights to use: what is given, and nothing of what is not; InvalidInput if unusable."""
    if given is None:
        return WEIGHTS
    if not isinstance(given, Mapping) or not given:
        raise InvalidInput(f"weights {shorten(given)} are not valid; give names with numbers")
    for name, weight in given.items():
        if name not in WEIGHTS:
            raise InvalidInput(f"there is no weight {name!r}; use one of {', '.join(WEIGHTS)}")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
            raise InvalidInput(f"weight {name!r} is {weight!r}; give a number from 0 to 1")
    return given
