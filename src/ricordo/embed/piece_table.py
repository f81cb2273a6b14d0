"""The pieces of a vocabulary in arrays: which of them stand where in a row of words.

All words of a batch are looked up at once, so that a word costs some microseconds.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Whole = npt.NDArray[np.int64]
    Hashes = npt.NDArray[np.uint64]

STOP = "\n"  # stands after each word, and in none
_FACTOR = 0x9E3779B97F4A7C15  # of 64 bits: a text would have to be made for it to mislead
_DRAWERS = 18  # bits of a hash that choose where its search begins
_UNLIKELY = 10.0  # how much less likely than any piece a character is that no piece holds


class FoundPieces(NamedTuple):
    """Pieces that stand in words, by where they begin, the shorter first."""

    starts: list[int]
    ends: list[int]
    shares: list[float]
    ids: "Whole"


class PieceTable:
    """Finds pieces by a hash of their characters."""

    def __init__(self, pieces: Sequence[tuple[str, float]], first: int, unknown: int) -> None:
        """`pieces` with the logarithms of their shares by id; those before `first` are not found.

        `unknown` is the id of a character that no piece is.
        """
        import numpy as np

        found = pieces[first:]
        self.longest = max((len(piece) for piece, _ in found), default=1)
        hashes = _hash_all([piece for piece, _ in found], self.longest)
        order = np.argsort(hashes)
        end = np.uint64(2**64 - 1)
        self._hashes = np.append(hashes[order], end)
        self._ids = np.append(order + first, unknown)
        shares = [pieces[id][1] for id in self._ids[:-1]]
        least = min((share for _, share in pieces), default=0.0)
        self._shares = np.array([*shares, least - _UNLIKELY])
        drawers = np.arange(2**_DRAWERS, dtype=np.uint64) << np.uint64(64 - _DRAWERS)
        self._drawers = np.searchsorted(self._hashes[:-1], drawers).astype(np.int32)

    def find(self, said: str) -> FoundPieces:
        """All pieces in words that each end with a stop; each character is a piece of its own."""
        import numpy as np

        codes = _code_points(said)
        stops = np.flatnonzero(codes == ord(STOP))
        places = np.flatnonzero(codes != ord(STOP))
        left = stops[np.searchsorted(stops, places)] - places
        hashes = np.zeros(len(places), np.uint64)
        packed = []
        for size in range(1, self.longest + 1):
            if size > 1:
                reach = np.flatnonzero(left >= size)
                places, left, hashes = places[reach], left[reach], hashes[reach]
            hashes = _lengthen(hashes, codes[places + (size - 1)])
            rows, is_piece = self._look_up(hashes)
            if size == 1:
                rows = np.where(is_piece, rows, len(self._ids) - 1)
                is_piece[:] = True
            hit = np.flatnonzero(is_piece)
            packed.append(places[hit] << 38 | size << 32 | rows[hit])
        return self._unpack(np.sort(np.concatenate(packed)))

    def _unpack(self, packed: "Whole") -> FoundPieces:
        starts, rows = packed >> 38, packed & 0xFFFFFFFF
        ends = starts + (packed >> 32 & 63)
        return FoundPieces(
            starts.tolist(), ends.tolist(), self._shares[rows].tolist(), self._ids[rows]
        )

    def _look_up(self, hashes: "Hashes") -> "tuple[Whole, npt.NDArray[np.bool_]]":
        """For each hash the row of the first that is not smaller, and whether it is the same."""
        import numpy as np

        rows = self._drawers[hashes >> np.uint64(64 - _DRAWERS)].astype(np.int64)
        smaller = np.flatnonzero(self._hashes[rows] < hashes)
        while smaller.size:
            rows[smaller] += 1
            smaller = smaller[self._hashes[rows[smaller]] < hashes[smaller]]
        return rows, self._hashes[rows] == hashes


def _code_points(text: str) -> "Hashes":
    import numpy as np

    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return codes.astype(np.uint64)


def _lengthen(hashes: "Hashes", codes: "Hashes") -> "Hashes":
    """The hashes of texts that are one character longer."""
    import numpy as np

    longer: Hashes = (hashes + codes) * np.uint64(_FACTOR)
    return longer


def _hash_all(pieces: list[str], longest: int) -> "Hashes":
    import numpy as np

    codes = _code_points("".join(pieces))
    sizes = np.array([len(piece) for piece in pieces], np.int64)
    begins = np.cumsum(sizes) - sizes
    hashes = np.zeros(len(pieces), np.uint64)
    for size in range(longest):
        longer = np.flatnonzero(sizes > size)
        hashes[longer] = _lengthen(hashes[longer], codes[begins[longer] + size])
    return hashes
