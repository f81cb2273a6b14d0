"""Fusion: several ranked lists of candidates become one score each.

A leg is one list, known by name; an id that a leg lacks gets 0 from it. The order in which legs
are given never changes a result.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ricordo.errors import InvalidInput

_FLAT = 1e-6  # a narrower range says nothing about order
_TOLERANCE = 1e-6


class Leg(NamedTuple):
    """One list of scored candidates and its share of the whole."""

    weight: float
    scores: Mapping[int, float]


class Fused(NamedTuple):
    """A fused score and what each leg brought to it."""

    score: float
    parts: dict[str, float]


def minmax(values: Mapping[int, float]) -> dict[int, float]:
    """Scale scores to 0..1; when they are all alike every one becomes 1."""
    if not values:
        return {}
    low, high = min(values.values()), max(values.values())
    if high - low <= _FLAT:
        return dict.fromkeys(values, 1.0)
    return {id: (value - low) / (high - low) for id, value in values.items()}


def sum_weighted(legs: Mapping[str, Leg]) -> dict[int, Fused]:
    """Sum the scaled legs by weight. `parts` holds each leg's scaled score, before its weight."""
    _check_weights(legs)
    names = sorted(legs)
    scaled = {name: minmax(legs[name].scores) for name in names}
    fused = {}
    for id in _ids(scaled.values()):
        parts = {name: scaled[name].get(id, 0.0) for name in names}
        fused[id] = Fused(math.fsum(legs[name].weight * parts[name] for name in names), parts)
    return fused


def rrf(legs: Mapping[str, Sequence[int]], k: int = 60) -> dict[int, Fused]:
    """Sum 1 / (k + rank) over the legs, rank counted from 1; a repeat in a leg counts once."""
    names = sorted(legs)
    ranked = {name: _reciprocals(legs[name], k) for name in names}
    fused = {}
    for id in _ids(ranked.values()):
        parts = {name: ranked[name].get(id, 0.0) for name in names}
        fused[id] = Fused(math.fsum(parts.values()), parts)
    return fused


def _reciprocals(ids: Sequence[int], k: int) -> dict[int, float]:
    return {id: 1 / (k + rank) for rank, id in enumerate(dict.fromkeys(ids), start=1)}


def _ids(legs: Iterable[Mapping[int, float]]) -> list[int]:
    return sorted({id for leg in legs for id in leg})


def _check_weights(legs: Mapping[str, Leg]) -> None:
    weights = {name: leg.weight for name, leg in legs.items()}
    for name, weight in weights.items():
        if not 0 <= weight <= 1:  # false for NaN too
            raise InvalidInput(f"weight of {name} is {weight!r}; give a number from 0 to 1")
    if abs(math.fsum(weights.values()) - 1) > _TOLERANCE:
        raise InvalidInput(f"weights {weights!r} do not add up to 1; change them so that they do")
