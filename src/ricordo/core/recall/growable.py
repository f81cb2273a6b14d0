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
        start = self.size
        self.add_room(len(values))
        self._held[start : self.size] = values

    def grow(self, count: int, value: float = 0) -> None:
        """Add `count` equal values."""
        start = self.size
        self.add_room(count)
        self._held[start : self.size] = value

    def add_room(self, count: int) -> Array:
        """Add `count` values for the caller to fill."""
        start, wanted = self.size, self.size + count
        if wanted > len(self._held):
            # The first fill is exact: most views are loaded once and grow little.
            self.reserve(wanted if not start else max(_FIRST, wanted, start + start // 2))
        self.size = wanted
        return self._held[start:wanted]

    def reserve(self, room: int) -> None:
        """Take the memory for so many values."""
        if room > len(self._held):
            held = np.empty(room, self._held.dtype)
            held[: self.size] = self.all
            self._held = held


class ColumnTable:
    """Columns of one length, by name."""

    __slots__ = ("_columns", "size")

    def __init__(self, kinds: Mapping[str, DTypeLike]) -> None:
        self._columns = {name: Column(kind) for name, kind in kinds.items()}
        self.size = 0

    def __getitem__(self, name: str) -> Array:
        return self._columns[name].all

    @property
    def nbytes(self) -> int:
        return sum(column.nbytes for column in self._columns.values())

    def extend(self, values: Mapping[str, Array]) -> None:
        for name, column in self._columns.items():
            column.extend(values[name])
        self.size = column.size

    def add_room(self, count: int) -> dict[str, Array]:
        """Add `count` places for the caller to fill."""
        self.size += count
        return {name: column.add_room(count) for name, column in self._columns.items()}

    def reserve(self, room: int) -> None:
        """Take the memory for so many places."""
        for column in self._columns.values():
            column.reserve(room)

    def cut(self, places: slice | Ints) -> dict[str, Array]:
        """Some of the places of every column."""
        return {name: column.all[places] for name, column in self._columns.items()}


def owned_bytes(held: object) -> int:
    """The bytes of the arrays in dicts and tuples; one that looks into another takes none."""
    if isinstance(held, np.ndarray):
        return int(held.nbytes) if held.base is None else 0
    if isinstance(held, Mapping):
        return sum(map(owned_bytes, held.values()))
    return sum(map(owned_bytes, held)) if isinstance(held, tuple) else 0


def flag_changes(values: Array) -> Bools:
    """Which values are not the same as the one before."""
    changed = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


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
    return np.asarray(ordered[flag_changes(ordered)])


def among(values: Array, wanted: Array) -> Bools:
    """Which of the values are among those wanted."""
    if not len(wanted):
        return np.zeros(len(values), bool)
    ordered = np.sort(wanted)
    places = np.searchsorted(ordered, values)
    places[places == len(ordered)] = 0
    return np.asarray(ordered[places] == values)
