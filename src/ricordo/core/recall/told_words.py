"""Told words: which words of a question a text holds, in their own form or in another. Pure.

For the few texts that are at hand after ranking; `word_matches` asks a whole space.
"""

from collections.abc import Mapping

from ricordo.core.text.language import is_clearly_english
from ricordo.core.text.stopwords import find_stopwords
from ricordo.core.text.tokens import stem, words
from ricordo.core.text.word_forms import (
    LEAST_SHARE,
    list_all_pieces,
    list_asked_pieces,
    list_signs,
)

AskedWords = Mapping[str, tuple[str, ...]]  # stems, each with the pieces of its word


def read_words(query: str) -> AskedWords:
    """The words of a question that say something; those of an English one have no other forms."""
    said = words(query)
    little = find_stopwords(said)
    is_english = is_clearly_english(said)
    telling = [word for word in said if word not in little]
    return {stem(word): () if is_english else tuple(list_asked_pieces(word)) for word in telling}


def find_told(asked: AskedWords, text: str) -> frozenset[str]:
    """Those stems whose words a text holds."""
    said = words(text)
    held = frozenset(map(stem, said))
    pieces = frozenset((*list_all_pieces(said, frozenset()), *list_signs(said)))
    return frozenset(
        each for each, forms in asked.items() if each in held or _has_form(forms, pieces)
    )


def _has_form(forms: tuple[str, ...], pieces: frozenset[str]) -> bool:
    return len(pieces.intersection(forms)) >= LEAST_SHARE * len(forms) if forms else False
