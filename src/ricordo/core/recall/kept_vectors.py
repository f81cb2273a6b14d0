"""Kept vectors: those of some rows, one after the other, as they were fetched. No ranking."""

from collections.abc import Callable

import numpy as np

from ricordo.core.recall.growable import Array, Bools, Column, Ints


class KeptVectors:
    """Vectors by row; a row of which nothing is kept gives zeros."""

    def __init__(self, rows: int, dimensions: int) -> None:
        self._at = Column(np.int32)  # by row: its place in the matrix, 0 for none
        self._at.grow(rows)
        self._matrix: Array = np.zeros((1, dimensions), np.float16)
        self._used = 1

    @property
    def dimensions(self) -> int:
        return int(self._matrix.shape[1])

    @property
    def count(self) -> int:
        return self._used - 1

    @property
    def nbytes(self) -> int:
        return self._at.nbytes + self._used * int(self._matrix[0].nbytes)

    def holds(self, rows: Ints | slice) -> Bools:
        """Which of these rows have a vector here."""
        return np.asarray(self._at.all[rows] > 0)

    def grow(self, count: int) -> None:
        """Make room for `count` more rows."""
        self._at.grow(count)

    def put(self, rows: Ints, vectors: Array) -> None:
        self.fetch(rows, lambda _, into: np.copyto(into, vectors, casting="same_kind"))

    def fetch(self, rows: Ints, fill: Callable[[Ints, Array], None]) -> None:
        """Keep the vectors that `fill` puts into the place it is given for these rows."""
        end = self._used + len(rows)
        if end > len(self._matrix):
            # A question fetches twice: the second time there is room, which took no memory so far.
            room = 2 * (end if self._used == 1 else self._used)
            self._reserve(max(end, min(room, self._at.size + 1)))
        fill(rows, self._matrix[self._used : end])
        self._at.all[rows] = np.arange(self._used, end)
        self._used = end

    def expect_all(self) -> None:
        """Make room for the vectors of all rows; it takes no memory before they come."""
        if len(self._matrix) <= self._at.size:
            self._reserve(self._at.size + 1)

    def _reserve(self, room: int) -> None:
        matrix = np.empty((room, self.dimensions), np.float16)
        matrix[: self._used] = self._matrix[: self._used]
        self._matrix = matrix

    def get(self, rows: Ints, out: Array) -> Array:
        return self._matrix.take(self._at.all[rows], 0, out, "clip")

    def take(self, rows: Ints) -> None:
        """Keep only these rows, in this order."""
        at = self._at.all[rows]
        self._at = Column(np.int32)
        self._at.extend(at)
