"""Language: whether a text is English, and whether the multilingual model reads it. Pure.

Function words tell the language of a sentence. A note has few of them ("fıstık alerjisi var"), so
its other words are looked up among the English ones that the encoder knows whole.
"""

from collections.abc import Callable, Container, Sequence

from ricordo.core.text.late_pattern import compile_late
from ricordo.core.text.stopwords import ENGLISH, ENGLISH_ALONE, LISTS, stopwords

Vocabulary = Callable[[], Container[str]]  # called only if function words do not tell

# Languages with a list of stop words that the multilingual model does not read.
_UNREAD = [LISTS[name] for name in ("danish", "hindi", "indonesian", "swedish", "ukrainian")]
# Cyrillic, Arabic, Thai, kana, Chinese and Korean
_SCRIPTS = compile_late(
    "[\u0400-\u04ff\u0600-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
_LONG = 4  # letters of a word that is looked up: shorter ones stand in every language


def is_foreign(said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether words are of another language than English, read by the bundled models or not.

    A text that tells nothing may as well be English.
    """
    if stopwords(said) is not ENGLISH:
        return True
    if not ENGLISH_ALONE.isdisjoint(said):
        return False
    known = [word.isascii() for word in said if not word.isdigit()]
    return 2 * sum(known) < len(known) or not _is_known(said, vocabulary)


def is_clearly_english(said: Sequence[str]) -> bool:
    """Whether a function word of English alone is among words that are not of another language."""
    return stopwords(said) is ENGLISH and not ENGLISH_ALONE.isdisjoint(said)


def is_for_second_model(said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether words are of a language that the multilingual model reads, English aside."""
    listed = stopwords(said)
    if listed is not ENGLISH:
        return listed not in _UNREAD
    scripts = [_SCRIPTS.match(word) is not None for word in said if not word.isdigit()]
    if any(scripts):
        return 2 * sum(scripts) > len(scripts)
    return is_foreign(said, vocabulary) and all(map(str.isascii, said))


def _is_known(said: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether English words have half of the letters of the longer words, or there are none."""
    long = [word for word in said if len(word) >= _LONG and word.isalpha() and word.isascii()]
    if not long:
        return True
    english = vocabulary()
    known = sum(len(word) for word in long if word in english)
    return 2 * known >= sum(map(len, long))
