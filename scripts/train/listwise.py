"""A linear ranker learnt from lists: each gold against all other texts of its space. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_ENOUGH = 1e-7  # a smaller gain ends the descent
_MOST_STEPS = 60


class Listed(NamedTuple):
    """A question: features of units in rows, the rows that answer, and how much it counts."""

    features: np.ndarray
    gold: list[int]
    counts: float


def learn(lists: Sequence[Listed], strength: float) -> np.ndarray:
    """The weights with the least cross-entropy, by Newton steps; `strength` draws them to zero."""
    weights = np.zeros(lists[0].features.shape[1])
    loss = _loss(lists, weights, strength)
    for _ in range(_MOST_STEPS):
        step = _step(lists, weights, strength)
        share = 1.0
        while (fresh := _loss(lists, weights + share * step, strength)) > loss and share > 1e-3:
            share /= 2
        weights = weights + share * step
        if loss - fresh < _ENOUGH:
            break
        loss = fresh
    return weights


def _loss(lists: Sequence[Listed], weights: np.ndarray, strength: float) -> float:
    total = 0.0
    for each in lists:
        scores = each.features @ weights
        most = scores.max()
        total += each.counts * (
            most + np.log(np.exp(scores - most).sum()) - scores[each.gold].mean()
        )
    whole = sum(each.counts for each in lists)
    return float(total / whole + strength / 2 * (weights**2).sum())


def _step(lists: Sequence[Listed], weights: np.ndarray, strength: float) -> np.ndarray:
    width = len(weights)
    slope, bend = np.zeros(width), np.zeros((width, width))
    for each in lists:
        scores = each.features @ weights
        chance = np.exp(scores - scores.max())
        chance /= chance.sum()
        mean = chance @ each.features
        slope += each.counts * (each.features[each.gold].mean(axis=0) - mean)
        apart = each.features - mean
        bend += each.counts * (apart.T * chance) @ apart
    whole = sum(each.counts for each in lists)
    pull = strength * np.eye(width)
    return np.linalg.solve(bend / whole + pull, slope / whole - strength * weights)
