"""Vectors of a space in memory: exact cosines, and a bit scan for big spaces. No ranking.

Up to `exact_rows` rows the matrix is f32 and every cosine is computed. Above, it is f16 with one
sign bit per dimension beside it: the rows with the fewest differing signs are scored exactly. Where
the signs are in blocks, the vectors that are scored are fetched then, and kept.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ricordo.core.recall.growable import Array, Bools, Floats, Ints
from ricordo.core.recall.kept_vectors import KeptVectors
from ricordo.core.recall.sign_bits import SignBits, count_unlike, sign_words
from ricordo.core.recall.top_values import closest, rank_largest
from ricordo.errors import InvalidInput

EXACT_ROWS = 5_000
_LEAST_RESCORED, _RESCORED_SHARE = 400, 125  # of so many rows one is scored exactly
_FEW = 2_000  # so few allowed rows are scored directly
_GRID = np.float32(1 << 20)  # see _rounded
# Rows multiplied together, and their values: BLAS starts no threads, which spin for tens of
# milliseconds afterwards. Rows that are copied for it are few, so that the next ones come to the
# same memory: to touch new memory costs more than the product.
_AT_ONCE, _VALUES_AT_ONCE, _COPIED_VALUES = 1_024, 1_024 * 384, 64 * 384
FAR = np.uint16(0xFFFF)


class Nearest(NamedTuple):
    """Rows with their exact cosines, best first."""

    rows: Array
    cosines: Floats


def unit_vector(vector: Array) -> Floats | None:
    """Return the vector with length one, or None if it has no direction."""
    flat = np.asarray(vector, np.float32).reshape(-1)
    norm = float(np.sqrt(np.dot(flat, flat)))
    return flat / np.float32(norm) if norm > 0 and np.isfinite(norm) else None


def _round_cosines(cosines: Floats) -> Floats:
    """Drop the last bits: they depend on the position of a row in the matrix."""
    np.multiply(cosines, _GRID, out=cosines)
    np.rint(cosines, out=cosines)
    return np.divide(cosines, _GRID, out=cosines)


def _widen_halves(halves: Array, out: Floats) -> Floats:
    """f16 to f32 by shifting bits, several times as fast as a cast without hardware support."""
    bits = out.view(np.int32)
    np.copyto(bits, halves.view(np.int16))
    np.left_shift(bits, 13, out=bits)
    np.bitwise_and(bits, np.int32(-0x70002000), out=bits)
    return np.multiply(out, np.float32(2.0**112), out=out)


class _Copies:
    """Memory for the rows that are multiplied together, as they are kept and as f32."""

    def __init__(self, rows: int, dimensions: int) -> None:
        self.halves = np.empty((rows, dimensions), np.float16)
        self.floats = np.empty((rows, dimensions), np.float32)

    def widen(self, halves: Array) -> Floats:
        return _widen_halves(halves, self.floats[: len(halves)])


class Vectors:
    """One vector per row of the view, or none yet."""

    def __init__(self, exact_rows: int = EXACT_ROWS) -> None:
        self._exact_rows = exact_rows
        self._rows = 0
        self._has: Bools = np.zeros(0, bool)
        self._matrix: Array | None = None
        self._bits: SignBits | None = None
        self._kept: KeptVectors | None = None  # instead of a matrix, where signs are in blocks
        self._looked: tuple[Array, Array] | None = None  # the signs of a question, and how far
        self.is_unread = False  # whether signs of blocks are not kept here yet
        self.fetch: Callable[[Ints, Array], None] | None = None  # fills in the vectors of rows
        self.fetch_signs: Callable[[], Iterator[tuple[Ints, Array]]] | None = None

    @property
    def nbytes(self) -> int:
        held = (self._has, self._matrix, None if self.is_unread else self._bits, self._kept)
        return sum(int(part.nbytes) for part in held if part is not None)

    @property
    def is_exact(self) -> bool:
        return self._rows <= self._exact_rows

    @property
    def has(self) -> Bools:
        """Which rows have a vector."""
        if self.is_unread and self._looked is None:
            self.read_signs()
        return self._has[: self._rows]

    @property
    def count(self) -> int:
        """How many rows have a vector."""
        return int(np.count_nonzero(self.has))

    @property
    def is_empty(self) -> bool:
        """Whether no row has a vector, as far as is known without reading."""
        return not self.is_unread and not self.count

    @property
    def is_complete(self) -> bool:
        return self.count == self._rows

    @property
    def away(self) -> Bools:
        """Which rows have a vector that is still to be fetched."""
        return (
            np.zeros(self._rows, bool)
            if self._kept is None
            else self.has & ~self._kept.holds(slice(None))
        )

    @property
    def is_here(self) -> bool:
        """Whether no vector is still to be fetched."""
        return self._kept is None or self._kept.count >= self.count

    def grow(self, count: int) -> None:
        """Make room for `count` more rows, without vectors yet."""
        self._rows += count
        if self._rows > len(self._has):
            self._has = _resize_mask(self._has, self._room())
        if self._kept is not None and self._bits is not None:
            self._kept.grow(count)
            self._bits.fit(len(self._has))
        if self._looked is not None:
            far = np.full(count, FAR)
            self._looked = self._looked[0], np.append(self._looked[1], far)
        if self._matrix is not None:
            self._fit()

    def put(self, rows: Ints, vectors: Array) -> None:
        """Set the vectors of these rows."""
        if not len(rows):
            return
        if self._matrix is None and self._kept is None:
            self._matrix = np.zeros((0, vectors.shape[1]), self._dtype())
        if vectors.shape[1] != self._width:
            raise InvalidInput(
                f"vectors of {vectors.shape[1]} dimensions in a space of {self._width};"
                " embed the space again with one model"
            )
        if self._kept is not None:
            self._kept.put(rows, vectors)
        elif self._matrix is not None:
            self._fit()
            self._set(_as_range(rows), vectors.astype(np.float16, copy=False))
        if self._bits is not None:
            bits = sign_words(vectors)
            self._bits.put(rows, bits)
            if self._looked is not None:
                self._looked[1][rows] = count_unlike(bits, self._looked[0])
        self._has[rows] = True

    def _set(self, rows: slice | Ints, halves: Array) -> None:
        assert self._matrix is not None
        if isinstance(rows, slice) and self._matrix.dtype == np.float32:
            _widen_halves(halves, self._matrix[rows])
        else:
            self._matrix[rows] = halves

    def expect_signs(self, dimensions: int) -> None:
        """Let `fetch_signs` give the signs of rows in blocks, and `fetch` their vectors.

        It comes before any vector, and only to spaces that are too big to be exact.
        """
        self._kept = KeptVectors(self._rows, dimensions)
        self._bits = SignBits(-(-dimensions // 64), len(self._has))
        self.is_unread = True

    def look(self, vector: Floats) -> None:
        """Learn which rows have a vector, and how far they are from this one. Whoever asks once
        keeps no signs of blocks: they are most of what a question reads.
        """
        if not self.is_unread or self._looked is not None:
            return
        self._check(vector)
        assert self._bits is not None
        query, found = sign_words(vector[None, :])[0], np.full(self._rows, FAR)
        own = np.flatnonzero(self._has)
        found[own] = count_unlike(self._bits.choose(own), query)
        for rows, bits in self._fetch_signs():
            found[rows] = count_unlike(bits, query)
            self._has[rows] = True
        self._looked = query, found

    def read_signs(self) -> None:
        """Keep the signs of blocks."""
        if self.is_unread and self._bits is not None:
            for rows, bits in self._fetch_signs():
                self._bits.put(rows, bits)
                self._has[rows] = True
            self.is_unread, self._looked = False, None

    def _fetch_signs(self) -> Iterator[tuple[Ints, Array]]:
        assert self.fetch_signs is not None, "signs are read in a transaction"
        return self.fetch_signs()

    def hold(self, rows: Ints, vectors: Array) -> None:
        """Keep the vectors of rows whose signs are known."""
        if self._kept is not None:
            self._kept.expect_all()
            self._kept.put(rows, vectors)

    def _bring(self, rows: Ints) -> None:
        """Fetch what is not here yet of these rows."""
        assert self._kept is not None
        wanted = rows[self.has[rows] & ~self._kept.holds(rows)]
        if len(wanted):
            assert self.fetch is not None, "these vectors are read in a transaction"
            self._kept.fetch(wanted, self.fetch)

    def take(self, rows: Ints) -> None:
        """Keep only these rows, in this order."""
        self._has = self._has[rows]
        self._rows = len(rows)
        if self._bits is not None:
            self._bits.take(rows)
        if self._kept is not None:
            self._kept.take(rows)
            if self._looked is not None:
                self._looked = self._looked[0], self._looked[1][rows]
        elif self._matrix is not None and self._has.any():
            self._matrix = self._matrix[rows].astype(self._dtype())
            self._fit()
        else:
            self._matrix = self._bits = None

    def one(self, row: int) -> Floats | None:
        """The vector of a row, of length one; None if it has none."""
        if not self.has[row]:
            return None
        place = np.array([row])
        if self._kept is not None:
            self._bring(place)
        return unit_vector(self._read(place, _Copies(1, self._width))[0])

    def cosines(self, vector: Floats) -> Floats:
        """Score every row exactly; rows without a vector get 0."""
        if self._matrix is None:
            return self.scores(np.arange(self._rows), vector)
        self._check(vector)
        is_copied = self._matrix.dtype == np.float16
        step = _count_at_once(len(vector), _COPIED_VALUES if is_copied else _VALUES_AT_ONCE)
        starts = range(0, self._rows, step)
        return self._products(vector, [slice(n, min(n + step, self._rows)) for n in starts])

    def scores(self, rows: Ints, vector: Floats) -> Floats:
        """Score these rows exactly."""
        if self._matrix is None and self._kept is None:
            return np.zeros(len(rows), np.float32)
        self._check(vector)
        if self._kept is not None:
            self._bring(rows)
        step = _count_at_once(len(vector), _COPIED_VALUES)
        return self._products(vector, [rows[n : n + step] for n in range(0, len(rows), step)])

    def _products(self, vector: Floats, parts: Sequence[slice | Ints]) -> Floats:
        """Multiply some rows after the others."""
        copies = _Copies(_count_at_once(len(vector), _COPIED_VALUES), len(vector))
        found = [self._read(part, copies) @ vector for part in parts]
        return _round_cosines(np.concatenate(found)) if found else np.zeros(0, np.float32)

    def _read(self, part: slice | Ints, copies: _Copies) -> Floats:
        """The vectors of some rows, as long as nothing else is copied."""
        if isinstance(part, slice):
            assert self._matrix is not None
            rows = self._matrix[part]
            return copies.widen(rows) if rows.dtype == np.float16 else rows
        if self._kept is not None:
            return copies.widen(self._kept.get(part, copies.halves[: len(part)]))
        assert self._matrix is not None
        if self._matrix.dtype == np.float32:
            return self._matrix.take(part, 0, copies.floats[: len(part)], "clip")
        return copies.widen(self._matrix.take(part, 0, copies.halves[: len(part)], "clip"))

    def distances(self, vector: Floats) -> Array:
        """Count the signs that differ, row by row; rows without a vector are far away."""
        if self._bits is None:
            return np.full(self._rows, FAR)
        self._check(vector)
        query = sign_words(vector[None, :])[0]
        self.look(vector)
        if self._looked is not None and np.array_equal(self._looked[0], query):
            return self._looked[1].copy()
        self.read_signs()
        found = self._bits.count_unlike(query, self._rows)
        if not self.is_complete:
            found[~self.has] = FAR
        return found

    def nearest(self, vector: Floats, limit: int, allowed: Bools | None = None) -> Nearest:
        """Return the rows with the largest cosines; rows without a vector never appear."""
        if not self.is_exact and self._bits is not None:
            self.look(vector)
        open_ = self.has if allowed is None else self.has & allowed
        rows = np.flatnonzero(open_)
        if not self.is_exact and len(rows) > max(_FEW, limit):
            distances = self.distances(vector)
            distances[~open_] = FAR
            rows = closest(distances, max(count_to_rescore(len(rows)), 2 * limit))
        every = len(rows) == self._rows
        cosines = self.cosines(vector) if every else self.scores(rows, vector)
        best = rank_largest(cosines, limit)
        return Nearest(rows[best], cosines[best])

    def _check(self, vector: Floats) -> None:
        if len(vector) != self._width:
            raise InvalidInput(
                f"the question's vector has {len(vector)} dimensions, the space's have"
                f" {self._width}; embed both with one model"
            )

    @property
    def _width(self) -> int:
        """The dimensions of the vectors that are here, 0 if there are none."""
        if self._kept is not None:
            return self._kept.dimensions
        return 0 if self._matrix is None else int(self._matrix.shape[1])

    def _dtype(self) -> type[np.float32] | type[np.float16]:
        return np.float32 if self.is_exact else np.float16

    def _room(self) -> int:
        """Rows to hold: half as many again, so that appends are cheap on average."""
        spare = self._rows // 2 if len(self._has) else 0
        return max(4, self._rows + spare)

    def _fit(self) -> None:
        """Give the matrix its room and its form."""
        assert self._matrix is not None
        if len(self._matrix) < self._rows or self._matrix.dtype != self._dtype():
            held = np.zeros((len(self._has), self._matrix.shape[1]), self._dtype())
            held[: len(self._matrix)] = self._matrix[: len(held)]
            self._matrix = held
        if self.is_exact:
            self._bits = None
        elif self._bits is None:
            self._bits = SignBits(-(-self._width // 64), len(self._has))
            self._bits.put(slice(0, len(self._matrix)), sign_words(self._matrix))
        else:
            self._bits.fit(len(self._has))


def _count_at_once(dimensions: int, values: int) -> int:
    """How many rows to multiply together."""
    return max(1, min(_AT_ONCE, values // dimensions))


def _as_range(rows: Ints) -> slice | Ints:
    """Rows that follow each other as a range, which numpy reads and writes without a copy."""
    first, last = int(rows[0]), int(rows[-1])
    is_range = last - first == len(rows) - 1 and bool(np.all(rows[1:] > rows[:-1]))
    return slice(first, last + 1) if is_range else rows


def _resize_mask(held: Bools, room: int) -> Bools:
    wider = np.zeros(room, bool)
    wider[: len(held)] = held
    return wider


def count_to_rescore(rows: int) -> int:
    """How many of the rows that look nearest by their signs are scored exactly."""
    return max(_LEAST_RESCORED, rows // _RESCORED_SHARE)
