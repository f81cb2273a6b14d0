"""Top values: the places of the smallest or the largest values of an array. Pure."""

import numpy as np

from ricordo.core.recall.growable import Array, Bools

_BLOCK, _PART = 64, 16_384


def closest(distances: Array, count: int) -> Array:
    """Indices of the `count` smallest distances in rising order; of equal ones the first."""
    if count >= len(distances):
        return np.arange(len(distances))
    # Distances are small whole numbers: counting them beats a partial sort.
    edge = int(np.searchsorted(np.cumsum(_count_values(distances)), count))
    found = np.flatnonzero(distances <= edge)
    return _cut(found, distances[found] == edge, count)


def _count_values(distances: Array) -> Array:
    """How often each distance comes, counted in parts: each part takes eight bytes a value."""
    counts = np.zeros(int(distances.max()) + 1, np.int64)
    for start in range(0, len(distances), _PART):
        part = np.bincount(distances[start : start + _PART])
        counts[: len(part)] += part
    return counts


def largest(values: Array, count: int) -> Array:
    """Indices of the `count` largest values in rising order; of equal ones the first."""
    if count >= len(values):
        return np.arange(len(values))
    places = _likely(values, count)
    held = values[places]
    edge = np.partition(held, len(held) - count)[len(held) - count]
    found = places[held >= edge]
    return _cut(found, values[found] == edge, count)


def _likely(values: Array, count: int) -> Array:
    """Few places that hold the `count` largest values: those above enough maxima of blocks."""
    blocks = len(values) // _BLOCK
    if count >= blocks:
        return np.arange(len(values))
    maxima = values[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    return np.flatnonzero(values >= np.partition(maxima, blocks - count)[blocks - count])


def _cut(found: Array, tied: Bools, count: int) -> Array:
    """Drop the last of those tied for the last place, until `count` remain."""
    surplus = len(found) - count
    return found if surplus <= 0 else np.delete(found, np.flatnonzero(tied)[-surplus:])


def rank_largest(values: Array, limit: int) -> Array:
    """Indices of the largest values, best first; equal ones keep their order."""
    found = largest(values, max(0, limit)) if limit > 0 else np.arange(0)
    return found[np.argsort(-values[found], kind="stable")]
