"""Growing arrays: appends cost their own size, not the size of what is already there."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[Any]  # the dtype is the column's own
Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

_FIRST = 16


class Column:
    """One array with room at its end."""

    __slots__ = ("_held", "size")

    def __init__(self, dtype: DTypeLike) -> None:
        self._held: Array = np.empty(0, dtype)
        self.size = 0

    @property
    def all(self) -> Array:
        """The values as a view; assigning into it changes the column."""
        return self._held[: self.size]

    @property
    def nbytes(self) -> int:
        return int(self._held.nbytes)

    def extend(self, values: Array) -> None:
        wanted = self.size + len(values)
        if wanted > len(self._held):
            # The first fill is exact: most views are loaded once and grow little.
            room = wanted if not self.size else max(_FIRST, wanted, self.size + self.size // 2)
            held = np.empty(room, self._held.dtype)
            held[: self.size] = self.all
            self._held = held
        self._held[self.size : wanted] = values
        self.size = wanted

    def adopt(self, values: Array) -> None:
        """Fill an empty column with values that nobody else changes."""
        assert not self.size
        self._held, self.size = values, len(values)

    def grow(self, count: int, value: float = 0) -> None:
        """Add `count` equal values."""
        self.extend(np.full(count, value, self._held.dtype))


def owned_bytes(held: object) -> int:
    """The bytes of the arrays in dicts and tuples; one that looks into another takes none."""
    if isinstance(held, np.ndarray):
        return int(held.nbytes) if held.base is None else 0
    if isinstance(held, Mapping):
        return sum(map(owned_bytes, held.values()))
    return sum(map(owned_bytes, held)) if isinstance(held, tuple) else 0


def spans(starts: Ints, ends: Ints) -> tuple[Array, Array]:
    """Spell out many index ranges: the indices in a row, and for each the range it belongs to."""
    lengths = ends - starts
    owners = np.repeat(np.arange(len(lengths)), lengths)
    before = np.cumsum(lengths) - lengths
    return np.arange(len(owners)) + (starts - before)[owners], owners


# numpy has both, but its own first looks for masked arrays, whose import a first recall would pay.


def distinct(values: Ints) -> Array:
    """Each value once, in rising order."""
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return np.asarray(ordered[is_new])


def among(values: Array, wanted: Array) -> Bools:
    """Which of the values are among those wanted."""
    if not len(wanted):
        return np.zeros(len(values), bool)
    ordered = np.sort(wanted)
    places = np.searchsorted(ordered, values)
    places[places == len(ordered)] = 0
    return np.asarray(ordered[places] == values)
