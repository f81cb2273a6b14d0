"""Fact keys: when two spellings name the same fact.

Only wording that keeps the meaning is merged. A preferred editor is the editor, so `preferred` and
its like may be missing on one side. Words such as previous, work or home make another fact
(work_email beside email): merging them would replace a fact the caller never mentioned.
"""

import unicodedata
from collections.abc import Iterable

from ricordo.core.text.content import clean
from ricordo.errors import InvalidInput

MODIFIERS = frozenset(
    ("preferred", "favorite", "favourite", "fav", "default", "primary", "current", "main")
)


def key(text: str) -> str:
    """Bring a key to its one form: letters and digits of any script, folded, joined by `_`."""
    folded = unicodedata.normalize("NFKC", clean(text, "fact key")).casefold()
    kept = "".join(mark if _belongs(mark) else " " for mark in unicodedata.normalize("NFC", folded))
    found = "_".join(kept.split())
    if not found:
        raise InvalidInput(f"fact key {text!r} has no letter or digit; give a name such as 'dog'")
    return found


def find_key(key: str, existing: Iterable[str]) -> str | None:
    """Find the key among `existing` that names the same fact, or None; both in `key` form.

    An exact match wins, then the same words in another order, then the fewest modifiers apart.
    """
    wanted = _words(key)
    best: tuple[int, str] | None = None
    for other in existing:
        if other == key:
            return other
        offered = _words(other)
        if _merges(wanted, offered):
            found = len(wanted ^ offered), other
            best = min(best, found) if best else found
    return best[1] if best else None


def _belongs(character: str) -> bool:
    # Marks are vowels in many scripts: without them different words would become one key.
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _words(key: str) -> frozenset[str]:
    return frozenset(key.split("_"))


def _merges(one: frozenset[str], other: frozenset[str]) -> bool:
    return (one <= other or other <= one) and one ^ other <= MODIFIERS
