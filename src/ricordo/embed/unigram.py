"""Unigram pieces: text to the ids of its likeliest pieces, as SentencePiece does it.

Special pieces written in a text ("<s>") are read as plain text: content cannot forge structure.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

UNKNOWN, START, END = 0, 1, 2
SPECIAL = 6  # pieces at the beginning of the vocabulary that no text is made of
MAX_TOKENS = 1024  # a chunk of 640 characters has 530 in Chinese
_BLANK = "\u2581"  # stands before each word
_KNOWN_WORDS = 16384  # whose pieces are kept: most words of a text were there before
_LONG_WORD = 32  # characters; a longer one hardly comes again
_UNLIKELY = 10.0  # how much less likely than any piece a character is that no piece holds
_SPACES = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF), " ")


class Unigram:
    """Splits text into pieces so that the product of their shares is as large as possible."""

    def __init__(self, pieces: Sequence[tuple[str, float]]) -> None:
        """`pieces` with the logarithms of their shares, in the order of their ids."""
        self._ids = {piece: id for id, (piece, _) in enumerate(pieces) if id >= SPECIAL}
        self._shares = [share for _, share in pieces]
        self._longest = max(map(len, self._ids), default=1)
        self._unknown = min(self._shares, default=0.0) - _UNLIKELY
        self._split = lru_cache(_KNOWN_WORDS)(self._cut)

    @classmethod
    def read(cls, path: Path) -> "Unigram":
        """Read one piece a line with a tab before the logarithm of its share."""
        # Only "\n" ends a line: pieces may hold the other line breaks of Unicode.
        lines = path.read_bytes().decode("utf-8").rstrip("\n").split("\n")
        parts = (line.rpartition("\t") for line in lines)
        return cls([(piece, float(share)) for piece, _, share in parts])

    def encode(self, text: str) -> list[int]:
        """The ids of the text between those of its start and its end, cut at 1,024 in all."""
        ids = self.pieces(text[: MAX_TOKENS * self._longest])
        return [START, *ids[: MAX_TOKENS - 2], END]

    def pieces(self, text: str) -> list[int]:
        """The ids of the likeliest pieces, without a limit."""
        found: list[int] = []
        for word in normalize("NFKC", text).translate(_SPACES).split():
            split = self._split if len(word) <= _LONG_WORD else self._cut
            for id in split(word):
                if id != UNKNOWN or found[-1:] != [UNKNOWN]:  # unknown neighbours are one
                    found.append(id)
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        """The ids of the likeliest pieces of one word: no piece reaches into the next."""
        said = _BLANK + word
        ends = self._best(said)
        found: list[int] = []
        place = len(said)
        while place:
            place, id = ends[place]
            found.append(id)
        return tuple(reversed(found))

    def _best(self, said: str) -> list[tuple[int, int]]:
        """For each place, where the last piece of the best way there begins, and its id."""
        size, longest, ids, shares = len(said), self._longest, self._ids, self._shares
        best = [0.0] + [float("-inf")] * size
        ends = [(0, UNKNOWN)] * (size + 1)
        for start in range(size):
            so_far = best[start]
            if so_far + self._unknown > best[start + 1]:
                best[start + 1] = so_far + self._unknown
                ends[start + 1] = (start, UNKNOWN)
            for end in range(start + 1, min(start + longest, size) + 1):
                id = ids.get(said[start:end])
                if id is not None and so_far + shares[id] > best[end]:
                    best[end] = so_far + shares[id]
                    ends[end] = (start, id)
        return ends
