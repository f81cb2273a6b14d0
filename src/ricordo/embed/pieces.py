"""The word pieces that encoder and re-ranker share: text to ids, and ids to vectors.

One table serves both models, because training leaves it as it is. It stays in its file, of which
few pages are read.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ricordo.embed.wordpiece import WordPiece

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix

FILES = ("table.npy", "vocab.txt")
_in_use: "WeakValueDictionary[Path, WordPieces]" = WeakValueDictionary()


class WordPieces:
    """The vocabulary and the table of one folder, whose files have been verified."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self.tokenizer = WordPiece.read(folder / "vocab.txt")
        self._table = np.load(folder / "table.npy", mmap_mode="r")

    def look_up(self, ids: Sequence[int]) -> "Matrix":
        """The vectors of pieces: a row of 8-bit integers each, whose step follows as a float."""
        import numpy as np

        rows = self._table[ids]
        steps = np.ascontiguousarray(rows[:, -4:]).view("<f4")
        vectors: Matrix = np.multiply(rows[:, :-4].view(np.int8), steps, dtype=np.float32)
        return vectors


def share_pieces(folder: Path) -> WordPieces:
    """The word pieces of a folder: both models use the same, until none does."""
    found = _in_use.get(folder)
    if found is None:
        found = _in_use[folder] = WordPieces(folder)
    return found
