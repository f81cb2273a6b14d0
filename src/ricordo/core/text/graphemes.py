"""Graphemes: where a text may be cut without tearing what people see as one character. Pure.

A flag, a family of emoji, an Indian syllable and a letter with its points are several code points.
The rules are those of Unicode that matter for a cut; nothing is normalised.
"""

import unicodedata

_JOINER = "\u200d"
_TAGS = range(0xE0020, 0xE0080)
_TONES = range(0x1F3FB, 0x1F400)  # of skin
_FLAGS = range(0x1F1E6, 0x1F200)
_VIRAMAS = frozenset(
    "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"  # join two letters of an Indian script
)
_VOWELS = range(0x1160, 0x1200)  # Hangul vowels and finals that are written as parts


def cut_text(text: str, size: int) -> str:
    """The beginning of a text in a number of code points, without a torn character."""
    return text if len(text) <= size else text[: _step_back(text, max(0, size))]


def cut_front(text: str, size: int) -> str:
    """The end of a text in a number of code points, without a torn character."""
    place = max(0, len(text) - size)
    while 0 < place < len(text) and not _is_boundary(text, place):
        place += 1
    return text[place:]


def find_next(text: str, place: int) -> int:
    """Where the character ends that begins there."""
    place += 1
    while place < len(text) and not _is_boundary(text, place):
        place += 1
    return place


def _step_back(text: str, place: int) -> int:
    while place > 0 and not _is_boundary(text, place):
        place -= 1
    return place


def _is_boundary(text: str, place: int) -> bool:
    """Whether a character ends in front of a place inside the text."""
    before, after = text[place - 1], text[place]
    if after.isascii():
        return after != "\n" or before != "\r"
    if before == _JOINER or after in (_JOINER, "\u200c"):
        return False
    if before in _VIRAMAS and after.isalpha():
        return False
    code = ord(after)
    if code in _FLAGS and ord(before) in _FLAGS:
        return _count_flags(text, place) % 2 == 0
    is_part = code in _VOWELS or code in _TAGS or code in _TONES
    return not is_part and not unicodedata.category(after).startswith("M")


def _count_flags(text: str, place: int) -> int:
    """How many letters of flags stand in a row before a place."""
    start = place
    while start > 0 and ord(text[start - 1]) in _FLAGS:
        start -= 1
    return place - start
