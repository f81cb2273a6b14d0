"""Tokens: how text becomes the terms of the keyword index. Pure, and versioned in the file.

A change to what `words`, `stem` or `number` return, or to the marks and dates that are read out of
a text beside them, makes stored indexes wrong: raise `VERSION` with it. This is not the tokenizer
of an embedding model.
"""

import unicodedata
import zlib
from functools import cache

from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.porter import stem as _porter
from ricordo.core.text.stopwords import ENGLISH

VERSION = 5

# The shorter list of the entry search, whose ranking is fixed by its document.
_BM25_STOPWORDS = """
a an the is it in of to and or for on at by with as be was are been has had have do does did but not
no if so from that this then than into its my me we he she they you your our his her
"""
BM25_STOPWORDS = frozenset(_BM25_STOPWORDS.split())

_CACHE_LIMIT = 32_768  # words, about 6 MB; a word that comes back costs 3 microseconds
_CACHED_LENGTH = 64  # longer tokens are identifiers or noise and seldom come back

_ASCII = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}

# Scripts written without blanks (Thai, Lao, Burmese, Khmer, kana, Han) and Hangul, whose words
# carry their particles: found by overlapping pairs of characters.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f"
    "\u1100-\u11ff\u1780-\u17d3\u17dc-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Vowel signs of these scripts are marks, which `\w` leaves out although words need them.
INDIC = "\u0900-\u0963\u0966-\u0dff"
_RUNS = compile_late(rf"[\w{INDIC}{_UNSPACED}]+")
_UNSPACED_RUNS = compile_late(f"([{_UNSPACED}]+)")
# Accents of any script that has them, Hebrew and Arabic points, the Arabic stretch, the dots under
# Indian letters, and invisible joiners.
_DROPPED = compile_late(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u0640\u064b-\u065f\u0670\u093c\u09bc\u0a3c\u0abc\u0b3c\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f"
    "\ufe20-\ufe2f\xad\u200c\u200d\u2060\ufeff]+"
)
# Letters with a stroke have no decomposition, yet are typed without it.
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"}
# What Arabic, Persian and Hindi keyboards write for one letter; katakana as hiragana.
_LETTERS |= {"ى": "ي", "ی": "ي", "ک": "ك", "\u0901": "\u0902"}
_LETTERS |= {chr(code): chr(code - 0x60) for code in range(0x30A1, 0x30F7)}
_SAME = str.maketrans(_LETTERS)
_DIGIT = compile_late(r"[^\D0-9]")  # of other scripts


_CYRILLIC = compile_late("[\u0400-\u04ff]+")
_CYRILLIC_STEM = 5  # letters; 4 and 6 find less, and so does a stemmer made for Russian
# Arabic words carry "and", the article, and whose they are: a root of two letters has to remain.
_ARABIC = compile_late("[\u0621-\u064a]+")
_ARABIC_BEFORE = compile_late("^(?:و(?=...))?(?:(?:[بفك]?ال|لل)(?=..))?")
_ARABIC_AFTER = compile_late("(?<=..)(?:ها|ان|ات|ون|ين|يه|ية|[هةي])$")


def words(text: str) -> list[str]:
    """Split text into folded words, in order; unspaced scripts into pairs of characters."""
    if text.isascii():
        return text.translate(_ASCII).split()
    return _mixed_words(_fold(text))


def is_cyrillic(word: str) -> bool:
    """Tell whether a word is of Cyrillic letters alone."""
    return _CYRILLIC.fullmatch(word) is not None


def is_unspaced(word: str) -> bool:
    """Tell whether a word is of a script that puts no blanks between words."""
    return not word.isascii() and _UNSPACED_RUNS.search(word) is not None


def stem(word: str) -> str:
    """Stem an English word, bare an Arabic one, cut a Cyrillic one; others stay."""
    return _STEMS[word]


def stems(text: str) -> list[str]:
    """Give the stem of every word, in order, stop words included."""
    return stem_each(words(text))


def stem_each(words: list[str]) -> list[str]:
    """Give the stem of each of these words."""
    return list(map(_STEMS.__getitem__, words))


def number(stem: str) -> int:
    """Number a stem, the same on every machine: CRC-32 of its UTF-8."""
    return zlib.crc32(stem.encode("utf-8", "surrogatepass"))


def numbers(said: list[str]) -> bytes:
    """Number the stems of these words in order, four little-endian bytes each."""
    return b"".join(map(_NUMBERS.__getitem__, said))


def encode_pieces(pieces: list[str]) -> bytes:
    """Number pieces of words as they are, like `numbers`."""
    return b"".join(number(piece).to_bytes(4, "little") for piece in pieces)


def entry_terms(text: str) -> list[str]:
    """Give the terms of the entry search: stems of words of two characters or more."""
    return [stem(word) for word in words(text) if len(word) > 1 and word not in BM25_STOPWORDS]


def _fold(text: str) -> str:
    """Fold compatibility forms, case and accents, so that CAFÉ, café and cafe are one."""
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    text = _DROPPED.sub("", text).translate(_SAME).replace("_", " ")
    text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit.group())), text)
    return unicodedata.normalize("NFKC", text)


@cache
def _fold_table() -> dict[int, str]:
    """The table of Han forms, loaded with the first text of a script without blanks."""
    from ricordo.core.text.han_forms import FORMS

    return FORMS


def _mixed_words(text: str) -> list[str]:
    if not _UNSPACED_RUNS.search(text):
        return _RUNS.findall(text)
    found: list[str] = []
    for run in _RUNS.findall(text.translate(_fold_table())):
        for part in [run] if run.isascii() else _UNSPACED_RUNS.split(run):
            found += _pairs(part) if len(part) > 2 and _UNSPACED_RUNS.match(part) else [part]
    return [word for word in found if word]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _stem(word: str) -> str:
    if len(word) > 2 and word.isascii() and word.isalpha():
        return _porter(word)
    if is_cyrillic(word):
        return word[:_CYRILLIC_STEM]
    return _arabic(word) if _ARABIC.fullmatch(word) else word


def _arabic(word: str) -> str:
    word = _ARABIC_BEFORE.sub("", word)
    while (cut := _ARABIC_AFTER.sub("", word)) != word:
        word = cut
    return word


class _StemCache(dict[str, str]):
    """Word to stem, computed when missing; a dict so that a hit never enters Python code."""

    def __missing__(self, word: str) -> str:
        value = _stem(word)
        if len(word) <= _CACHED_LENGTH:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[word] = value
        return value


class _NumberCache(dict[str, bytes]):
    """Word to the packed number of its stem, computed when missing."""

    def __missing__(self, word: str) -> bytes:
        value = number(_STEMS[word]).to_bytes(4, "little")
        if len(word) <= _CACHED_LENGTH:
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            self[word] = value
        return value


_STEMS = _StemCache()
_NUMBERS = _NumberCache()
STOP_STEMS = frozenset(map(stem, ENGLISH))
