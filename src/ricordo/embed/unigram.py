"""Unigram pieces: text to the ids of its likeliest pieces, as SentencePiece does it.

Special pieces written in a text ("<s>") are read as plain text: content cannot forge structure.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, count, islice
from pathlib import Path
from unicodedata import normalize

from ricordo.embed.piece_table import STOP, PieceTable

UNKNOWN, START, END = 0, 1, 2
SPECIAL = 6  # pieces at the beginning of the vocabulary that no text is made of
MAX_TOKENS = 1024  # a chunk of 640 characters has 530 in Chinese
_BLANK = "\u2581"  # stands before each word
_KNOWN_WORDS = 16384  # whose pieces are kept, in some 4 MB: most words were there before
_LONG_WORD = 32  # characters; a longer one hardly comes again
_SPACES = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF), " ")


class Unigram:
    """Splits text into pieces so that the product of their shares is as large as possible."""

    def __init__(self, pieces: Sequence[tuple[str, float]]) -> None:
        """`pieces` with the logarithms of their shares, in the order of their ids."""
        self._table = PieceTable(pieces, SPECIAL, UNKNOWN)
        self._known: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, path: Path) -> "Unigram":
        """Read one piece a line with a tab before the logarithm of its share."""
        # Only "\n" ends a line: pieces may hold the other line breaks of Unicode.
        lines = path.read_bytes().decode("utf-8").rstrip("\n").split("\n")
        parts = (line.rpartition("\t") for line in lines)
        return cls([(piece, float(share)) for piece, _, share in parts])

    def encode(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of each text between those of its start and its end, cut at 1,024 in all."""
        longest = MAX_TOKENS * self._table.longest
        split = self.split(text[:longest] for text in texts)
        return [[START, *ids[: MAX_TOKENS - 2], END] for ids in split]

    def split(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of the likeliest pieces of each text, without a limit."""
        words = [normalize("NFKC", text).translate(_SPACES).split() for text in texts]
        known = self._known
        rare: dict[str, tuple[int, ...]] = {}
        new = [word for word in dict.fromkeys(chain.from_iterable(words)) if word not in known]
        for word, ids in zip(new, self._cut(new), strict=True):
            (known if len(word) <= _LONG_WORD else rare)[word] = ids
        if len(known) > _KNOWN_WORDS:
            self._known = {}
        return [
            _join_unknown([id for word in row for id in known.get(word) or rare[word]])
            for row in words
        ]

    def _cut(self, words: list[str]) -> list[tuple[int, ...]]:
        """The ids of the likeliest pieces of each word: no piece reaches into the next."""
        if not words:
            return []
        said = "".join([f"{_BLANK}{word}{STOP}" for word in words])
        starts, ends, shares, ids = self._table.find(said)
        begins = list(accumulate((len(word) + 2 for word in words), initial=0))
        last = _find_ways(begins, starts, ends, shares)
        found: list[int] = []  # matches from the last to the first, those of each word together
        numbers: list[int] = []
        for begin, place in zip(reversed(begins[:-1]), reversed(begins), strict=False):
            before, place = len(found), place - 1
            while place > begin:
                found.append(last[place])
                place = starts[last[place]]
            numbers.append(len(found) - before)
        pieces = iter(ids[found[::-1]].tolist())
        return [tuple(islice(pieces, number)) for number in reversed(numbers)]


def _find_ways(
    begins: list[int], starts: list[int], ends: list[int], shares: list[float]
) -> list[int]:
    """For each place, the last piece of the best way there from the beginning of its word."""
    best = [float("-inf")] * (begins[-1] + 1)
    last = [0] * len(best)
    for begin in begins:
        best[begin] = 0.0
    for number, start, end, share in zip(count(), starts, ends, shares, strict=False):
        likely = best[start] + share
        if likely > best[end]:
            best[end] = likely
            last[end] = number
    return last


def _join_unknown(ids: list[int]) -> list[int]:
    """Unknown neighbours are one."""
    if UNKNOWN not in ids:
        return ids
    return [
        id for id, before in zip(ids, [-1, *ids], strict=False) if id != UNKNOWN or before != id
    ]
