"""Language: how much of some texts is in a language that the multilingual model is for."""

import re
from collections.abc import Sequence

from recollect.core.stopwords import ENGLISH, LISTS, stopwords
from recollect.core.tokens import words

# Languages with a list of stop words that the multilingual model does not read.
_UNREAD = [LISTS[name] for name in ("danish", "hindi", "indonesian", "swedish", "ukrainian")]
# Cyrillic, Arabic, Thai, kana, Chinese and Korean
_SCRIPTS = re.compile(
    "[\u0400-\u04ff\u0600-\u06ff\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)


def is_foreign(said: Sequence[str]) -> bool:
    """Whether words are in a language that the multilingual model reads, English aside."""
    listed = stopwords(said)
    if listed is not ENGLISH:
        return listed not in _UNREAD
    known = [_SCRIPTS.match(word) is not None for word in said if not word.isdigit()]
    return 2 * sum(known) > len(known)


def foreign_share(texts: Sequence[str]) -> float:
    """The share of texts in such a language; what tells nothing may as well be English."""
    return sum(is_foreign(words(text)) for text in texts) / max(1, len(texts))
