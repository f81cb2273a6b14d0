"""Measures of a ranking against the messages that answer a question. Pure.

R@k      share of the gold messages among the first k            (turn level)
all@k    1 if every gold message is among the first k
MRR      1 / rank of the first gold message, 0 beyond the first 100
nDCG@10  discounted gain of gold messages in the first 10, against its best value
Sessions rank by their best message: any@k, all@k and R@k count gold sessions among the first k.
Every question counts once.
"""

import math
import random
from collections.abc import Hashable, Sequence
from statistics import fmean
from typing import NamedTuple

DEPTH = 100

MEASURES = (
    "R@5",
    "R@10",
    "R@20",
    "hit@10",
    "all@10",
    "MRR",
    "nDCG@10",
    "session any@5",
    "session all@5",
    "session all@10",
    "session R@10",
)


class Interval(NamedTuple):
    """A mean with the bounds that 95 % of resamples stay within."""

    mean: float
    low: float
    high: float


def measure(
    ranking: Sequence[Hashable],
    gold: frozenset[Hashable],
    sessions: Sequence[Hashable],
    gold_sessions: frozenset[Hashable],
) -> dict[str, float]:
    """Measure one question. `ranking` and `sessions` are in order, best first, without repeats."""
    found = {f"R@{k}": share(ranking, gold, k) for k in (5, 10, 20)}
    found["hit@10"] = float(share(ranking, gold, 10) > 0)
    found["all@10"] = float(share(ranking, gold, 10) == 1)
    found["MRR"] = reciprocal(ranking, gold)
    found["nDCG@10"] = gain(ranking, gold, 10)
    found["session any@5"] = float(share(sessions, gold_sessions, 5) > 0)
    for k in (5, 10):
        found[f"session all@{k}"] = float(share(sessions, gold_sessions, k) == 1)
    found["session R@10"] = share(sessions, gold_sessions, 10)
    return found


def share(ranking: Sequence[Hashable], gold: frozenset[Hashable], k: int) -> float:
    return len(gold.intersection(ranking[:k])) / len(gold)


def reciprocal(ranking: Sequence[Hashable], gold: frozenset[Hashable]) -> float:
    ranks = (rank for rank, item in enumerate(ranking[:DEPTH], start=1) if item in gold)
    return 1 / next(ranks, math.inf)


def gain(ranking: Sequence[Hashable], gold: frozenset[Hashable], k: int) -> float:
    got = sum(1 / math.log2(rank + 2) for rank, item in enumerate(ranking[:k]) if item in gold)
    return got / sum(1 / math.log2(rank + 2) for rank in range(min(k, len(gold))))


def interval(values: Sequence[float], *, resamples: int = 1000, seed: int = 1) -> Interval:
    """The mean and its 95 % bootstrap interval over questions."""
    draw = random.Random(seed)
    means = sorted(fmean(draw.choices(values, k=len(values))) for _ in range(resamples))
    return Interval(fmean(values), means[int(0.025 * resamples)], means[int(0.975 * resamples)])
