"""Language: whether words are English, and how much of some texts is not."""

from collections.abc import Iterable, Sequence

from recollect.core.stopwords import ENGLISH, stopwords
from recollect.core.tokens import words


def is_english(said: Sequence[str]) -> bool:
    """Whether words are English as far as they tell; those that tell nothing are."""
    return stopwords(said) is ENGLISH and is_latin(said)


def is_latin(said: Sequence[str]) -> bool:
    """Whether at least half of the words are of plain letters; numbers tell nothing."""
    letters = [word.isascii() for word in said if not word.isdigit()]
    return 2 * sum(letters) >= len(letters)


def foreign_share(texts: Iterable[str]) -> float:
    """The share of texts in another language than English, of those that tell; 0 if none does."""
    english = foreign = 0
    for text in texts:
        said = words(text)
        if not is_english(said):
            foreign += 1
        elif not ENGLISH.isdisjoint(said):
            english += 1
    return foreign / max(1, english + foreign)
