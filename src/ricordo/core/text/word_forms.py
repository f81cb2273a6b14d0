"""Word forms: pieces by which a word is found in another form. Pure.

"Heizung" is found in "Heizungsmonteur", "araba" in "arabanın" and "дача" in "дачу" without knowing
the language of the word: by runs of four letters, and by the beginning of a short word. English
has its stems and needs none. Languages without blanks are indexed by pairs of characters; there a
single character may be a word (猫, 집).
"""

from collections.abc import Iterable, Sequence

from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.tokens import is_unspaced

PIECE = 4  # letters of a piece
LEAST_SHARE = 0.3  # of the pieces of a word that another form of it has
_SHORT = 5  # letters: a word up to this length also has its beginning as a piece,
_BEGINNING = 3  # of so many letters
_MARK, _START = "~", "^"  # no word holds them, so a piece is never taken for a word
_SIGN = compile_late("[\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_UMLAUTS = compile_late("ae|oe|ue")


def list_signs(said: Iterable[str]) -> list[str]:
    """The Han and Hangul characters of words that are read in pairs, each once."""
    return list(dict.fromkeys(sign for word in said for sign in _signs(word)))


def _signs(word: str) -> list[str]:
    return _SIGN.findall(word) if len(word) > 1 and not word.isascii() else []


def list_pieces(word: str) -> list[str]:
    """The pieces of a word, each once; none for numbers and for single letters."""
    if is_unspaced(word):
        return _signs(word)
    if len(word) < _BEGINNING or any(map(str.isdigit, word)):
        return []
    found = [_MARK + word[at : at + PIECE] for at in range(len(word) - PIECE + 1)]
    if len(word) <= _SHORT:
        found.append(_START + word[:_BEGINNING])
    return list(dict.fromkeys(found))


def list_asked_pieces(word: str) -> list[str]:
    """The pieces by which a word of a question is found in another form or spelling."""
    return list_pieces(_fold_umlauts(word))


def list_all_pieces(said: Sequence[str], little: frozenset[str]) -> list[str]:
    """The pieces of all words of a text but the stop words, each once."""
    telling = (word for word in dict.fromkeys(said) if word not in little)
    return list(
        dict.fromkeys(
            piece
            for word in telling
            if not is_unspaced(word)
            for form in _spellings(word)
            for piece in list_pieces(form)
        )
    )


def _spellings(word: str) -> list[str]:
    """The word, and how it is spelt with umlauts where it writes them as two letters."""
    return list(dict.fromkeys((word, _fold_umlauts(word))))


def _fold_umlauts(word: str) -> str:
    return _UMLAUTS.sub(lambda found: found.group()[0], word)
