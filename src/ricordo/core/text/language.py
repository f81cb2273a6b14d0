"""Language: which texts the multilingual model is for."""

import re

from ricordo.core.text.stopwords import ENGLISH, LISTS, stopwords
from ricordo.core.text.tokens import words

# Languages with a list of stop words that the multilingual model does not read.
_UNREAD = [LISTS[name] for name in ("danish", "hindi", "indonesian", "swedish", "ukrainian")]
# Cyrillic, Arabic, Thai, kana, Chinese and Korean
_SCRIPTS = re.compile(
    "[\u0400-\u04ff\u0600-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)


def is_foreign(text: str) -> bool:
    """Whether a text is in a language that the multilingual model reads, English aside.

    A text that tells nothing may as well be English.
    """
    said = words(text)
    listed = stopwords(said)
    if listed is not ENGLISH:
        return listed not in _UNREAD
    known = [_SCRIPTS.match(word) is not None for word in said if not word.isdigit()]
    return 2 * sum(known) > len(known)
