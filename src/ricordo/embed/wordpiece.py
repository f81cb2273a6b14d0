"""WordPiece: text to token ids, as BERT's uncased tokenizer does it. No model, no numpy.

Special tokens written in a text ("[SEP]") are read as plain text: content cannot forge structure.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from unicodedata import normalize

from ricordo.embed.charclass import DROPPED, IDEOGRAPHS, MARKS, PUNCTUATION, belongs
from ricordo.errors import InvalidInput

MAX_TOKENS = 256
MAX_WORD_CHARS = 100


class Folding(dict[int, str]):
    """A table for `str.translate`: what each character becomes, worked out when first met.

    Cleaning, spacing, accents, case and punctuation each look at one character alone, so one
    lookup does all five. Words are then what lies between spaces.
    """

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(code)
        return folded


def _fold(code: int) -> str:
    char = chr(code)
    if char in "\t\n\r":  # control characters by class, spaces by meaning
        return " "
    if belongs(code, DROPPED):
        return ""
    folded = "".join(map(_fold_part, normalize("NFD", char)))
    return f" {folded} " if belongs(code, IDEOGRAPHS) else folded


def _fold_part(part: str) -> str:
    if belongs(ord(part), MARKS):
        return ""
    if part.isspace():
        return " "
    return f" {part} " if belongs(ord(part), PUNCTUATION) else part.lower()


class WordPiece:
    """Splits text into the longest pieces of a vocabulary, from left to right."""

    def __init__(
        self, vocabulary: Mapping[str, int], *, unknown: str = "[UNK]", prefix: str = "##"
    ) -> None:
        if unknown not in vocabulary:
            raise InvalidInput(
                f"the vocabulary lacks the unknown token {unknown!r}; use a WordPiece vocabulary"
            )
        # Starting and continuing pieces apart: no prefix to glue on while matching.
        self._starts = {t: i for t, i in vocabulary.items() if not t.startswith(prefix)}
        self._continuations = {
            t[len(prefix) :]: i for t, i in vocabulary.items() if t.startswith(prefix)
        }
        self._longest = max(map(len, vocabulary))
        self._folding = Folding()
        self._specials = (vocabulary.get("[CLS]"), vocabulary.get("[SEP]"))
        self.unknown = vocabulary[unknown]

    @classmethod
    def read(cls, path: Path) -> "WordPiece":
        """Read a vocabulary with one token per line; the line number is the id."""
        # Only "\n" ends a line: tokens may hold the other line breaks of Unicode.
        tokens = path.read_bytes().decode("utf-8").replace("\r\n", "\n").rstrip("\n").split("\n")
        return cls({token: id for id, token in enumerate(tokens)})

    def words(self, text: str) -> list[str]:
        """Fold the text and split it at spaces, punctuation and ideographs."""
        return text.translate(self._folding).split()

    def pieces(self, text: str) -> Iterator[int]:
        """Yield the token ids of the text, without special tokens and without a limit."""
        starts = self._starts
        for word in self.words(text):
            id = starts.get(word)
            if id is not None:
                yield id
            else:
                yield from self._split(word)

    def encode(self, text: str, limit: int = MAX_TOKENS) -> list[int]:
        """Return [CLS], at most `limit` - 2 tokens, [SEP]."""
        first, last = self.specials
        ids = [first]
        for id in self.pieces(text):
            if len(ids) == limit - 1:
                break
            ids.append(id)
        ids.append(last)
        return ids

    @property
    def specials(self) -> tuple[int, int]:
        """The ids of [CLS] and [SEP], which stand around texts."""
        first, last = self._specials
        if first is None or last is None:
            raise InvalidInput("the vocabulary lacks [CLS] or [SEP]; use pieces() with it")
        return first, last

    def _split(self, word: str) -> list[int]:
        if len(word) > MAX_WORD_CHARS:
            return [self.unknown]
        found: list[int] = []
        vocabulary, start = self._starts, 0
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                id = vocabulary.get(word[start:end])
                if id is not None:
                    break
            else:
                return [self.unknown]
            found.append(id)
            vocabulary, start = self._continuations, end
        return found
