"""Near-duplicates: entries that say nearly the same, found without comparing each with each. Pure.

Two sets of stems that share 85 % of them must share one of their few rarest stems. Only sets that
do are compared, and there is a bound on how many are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import ceil
from typing import NamedTuple

from ricordo.core.recall.dedupe import ALIKE

MOST_PAIRS = 100
COMPARED = 200_000  # sets that are compared at most
_FEW = 3  # stems; shorter texts are only alike when equal


class DuplicatePair(NamedTuple):
    first: int
    second: int
    likeness: float


def pairs(texts: Mapping[int, frozenset[str]], most: int = MOST_PAIRS) -> list[DuplicatePair]:
    """Entries that are nearly the same, the most alike first; each with the oldest like it."""
    equal: dict[frozenset[str], list[int]] = {}
    for entry in sorted(texts):
        if texts[entry]:
            equal.setdefault(texts[entry], []).append(entry)
    found = [DuplicatePair(same[0], other, 1.0) for same in equal.values() for other in same[1:]]
    found += _near({same[0]: stems for stems, same in equal.items() if len(stems) >= _FEW})
    found.sort(key=lambda pair: (-pair.likeness, pair.first, pair.second))
    return found[:most]


def _near(texts: Mapping[int, frozenset[str]]) -> Iterable[DuplicatePair]:
    """Pairs of different sets whose overlap is large enough."""
    often = Counter(stem for stems in texts.values() for stem in stems)
    seen: dict[str, list[int]] = {}
    compared = 0
    for entry in sorted(texts, key=lambda each: (len(texts[each]), each)):
        stems = texts[entry]
        rarest = sorted(stems, key=lambda stem: (often[stem], stem))
        telling = rarest[: len(stems) - ceil(ALIKE * len(stems)) + 1]
        others = {other for stem in telling for other in seen.get(stem, ())}
        for other in others:
            likeness = _likeness(stems, texts[other])
            if likeness >= ALIKE:
                yield DuplicatePair(min(entry, other), max(entry, other), round(likeness, 6))
        compared += len(others)
        if compared > COMPARED:
            return
        for stem in telling:
            seen.setdefault(stem, []).append(entry)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)
