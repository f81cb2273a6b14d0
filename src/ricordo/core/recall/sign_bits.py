"""Sign bits: the signs of vectors, one bit a dimension, and how many of them differ. No ranking."""

import numpy as np

from ricordo.core.recall.growable import Array, Ints

_STRIPE = 16_384  # rows that are compared at once: their words fit the cache


def pack_signs(rows: Array) -> Array:
    """One bit per dimension: bytes row by row, filled up to whole words of 64."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // 64) * 64), bool)
    # The bits of an f16 read as a whole number have its sign, and compare many times faster.
    plain = rows.view(np.int16) if rows.dtype == np.float16 else rows
    np.greater(plain, 0, out=padded[:, : rows.shape[1]])
    return np.packbits(padded, axis=1)


def sign_words(rows: Array) -> Array:
    """The signs of each row in words of 64."""
    return pack_signs(rows).view(np.uint64)


def count_unlike(bits: Array, query: Array) -> Array:
    """How many signs of each row differ from those of a question."""
    found = np.zeros(len(bits), np.uint16)
    for column, word in zip(bits.T, query, strict=True):
        found += np.bitwise_count(column ^ word)
    return found


class SignBits:
    """The signs of rows, in columns of 64: a comparison reads whole columns."""

    def __init__(self, words: int, room: int) -> None:
        # Apart, and zero until they are set: a column that is never set takes no memory.
        self._columns = [np.zeros(room, np.uint64) for _ in range(words)]

    @property
    def nbytes(self) -> int:
        return sum(int(column.nbytes) for column in self._columns)

    def fit(self, room: int) -> None:
        """Take the memory for so many rows."""
        for place, held in enumerate(self._columns):
            if len(held) < room:
                self._columns[place] = np.zeros(room, np.uint64)
                self._columns[place][: len(held)] = held

    def put(self, rows: Ints | slice, bits: Array) -> None:
        for column, words in zip(self._columns, bits.T, strict=True):
            column[rows] = words

    def take(self, rows: Ints) -> None:
        """Keep only these rows, in this order."""
        self._columns = [column[rows] for column in self._columns]

    def choose(self, rows: Ints) -> Array:
        """The signs of some rows."""
        return np.stack([column[rows] for column in self._columns], axis=1)

    def count_unlike(self, query: Array, rows: int) -> Array:
        """How many signs of each of the first rows differ from those of a question."""
        found = np.zeros(rows, np.uint16)
        for start in range(0, rows, _STRIPE):
            part = slice(start, min(start + _STRIPE, rows))
            for column, word in zip(self._columns, query, strict=True):
                found[part] += np.bitwise_count(column[part] ^ word)
        return found
