"""Importance: how much an event weighs, from 0 to 1.

The default looks at the role alone; the heuristic, which reads the text, is opt-in.
"""

import math
import re

from ricordo.errors import InvalidInput, shorten

_BY_ROLE = {"user": 0.5, "assistant": 0.5, "tool": 0.3, "system": 0.1}
_UNKNOWN = 0.5
_BASE = {"user": 0.6, "assistant": 0.5, "tool": 0.3}

_MEMORY = ("important", "remember", "do not forget", "don't forget", "keep in mind", "note that")
_QUESTION = ("how ", "what ", "why ", "where ", "when ", "can you ", "could you ")
_DECISION = (
    "let's go with",
    "i chose",
    "i decided",
    "we'll use",
    "let's use",
    "switch to",
    "going with",
    "the plan is",
)
_CORRECTION = (
    "actually",
    "no, ",
    "instead",
    "i prefer",
    "don't use",
    "always use",
    "never use",
)
# A URL, a path from a root, a drive or home, or a relative path that ends in an extension.
_PLACE = re.compile(r"https?://|\bwww\.|(?<![\w/])(?:~|\.{1,2})?/\w|\b[a-z]:\\|\w/[\w./-]*\.[a-z]")
_CHIT_CHAT = frozenset(
    ("ok", "okay", "thanks", "cool", "got it", "sure", "yes", "no", "k", "ty", "thx", "yep")
)


def by_role(role: str) -> float:
    """Give the default importance of a role."""
    return _BY_ROLE.get(role, _UNKNOWN)


def heuristic(role: str, text: str) -> float:
    """Weigh a message by its role, length and wording; a system message weighs nothing."""
    if role == "system":
        return 0.0
    size = len(text.encode())
    weight = _BASE.get(role, _UNKNOWN) + _by_size(size) + _by_words(text.lower(), size)
    # Rounded, because a sum meant to be 0.8 would otherwise miss that threshold by one ulp.
    return round(min(1.0, max(0.1, weight)), 6)


def check_share(value: float, what: str = "importance") -> float:
    """Return a given share if it lies in [0, 1], else raise InvalidInput."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{what} {shorten(value)} is not a number; give one from 0 to 1")
    if math.isnan(value) or not 0 <= value <= 1:
        raise InvalidInput(f"{what} {value!r} is outside 0 to 1; give a number between them")
    return float(value) + 0.0  # a database keeps no negative zero


def _by_size(size: int) -> float:
    if size > 200:
        return 0.2
    return -0.2 if size < 20 else 0.0


def _by_words(text: str, size: int) -> float:
    structured = ("{" in text and "}" in text) or ("[" in text and "]" in text)
    return math.fsum(
        (
            0.3 * _has_any(text, _MEMORY),
            0.1 * ("?" in text or text.startswith(_QUESTION)),
            0.25 * _has_any(text, _DECISION),
            0.2 * _has_any(text, _CORRECTION),
            0.1 * (_PLACE.search(text) is not None),
            0.2 * ("```" in text),
            0.1 * (structured and size > 50),
            -0.3 * (size < 15 and text in _CHIT_CHAT),
        )
    )


def _has_any(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in phrases)
