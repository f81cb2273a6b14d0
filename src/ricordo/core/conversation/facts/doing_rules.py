"""Doing rules: a verb, the key that it gives, and how its object is read."""

import re
from typing import NamedTuple

from ricordo.core.conversation.facts.objects import Read

ADVERB = (
    r"(?:(?:also|always|mostly|mainly|usually|still|really|currently|just|finally|recently|actually"
    r"|already|generally|normally|officially|both|all|now|only|happily|typically|occasionally|even"
    r"|do|does|absolutely|regularly|often|exclusively|primarily|strictly|originally|myself) )*"
)


class Doing(NamedTuple):
    """A predicate that begins so states a fact under this key."""

    pattern: re.Pattern[str]
    key: str
    read: Read
    category: str = "user"
    is_elidable: bool = False  # may stand at the start of a message without its subject


def make_doing(
    verbs: str, key: str, read: Read, category: str = "user", *, elidable: bool = False
) -> Doing:
    pattern = re.compile(rf"^{ADVERB}(?:{verbs}) ?(?:(?<= )|^)(?P<rest>.+)$", re.I)
    return Doing(pattern, key, read, category, elidable)


def is_elidable(rule: Doing) -> bool:
    """Whether a verb may stand without its subject and is not taken for a command."""
    return rule.is_elidable or rule.key in _ELIDABLE


# What somebody has several of: the value is a part of the key, so that none replaces another.
SEVERAL = frozenset(
    (
        "likes",
        "dislikes",
        "prefers",
        "avoids",
        "owns",
        "uses",
        "has",
        "plays",
        "wears",
        "carries",
        "allergy",
        "health",
        "member of",
        "does not eat",
        "does not drink",
        "supports",
        "takes",
        "learning",
        "teaches",
    )
)
_ELIDABLE = frozenset(
    (
        "home",
        "employer",
        "job",
        "languages",
        "drives",
        "rents",
        "volunteers at",
        "prefers",
        "dislikes",
        "has",
        "plays",
        "health",
        "allergy",
        "does not {what}",
        "bank or provider",
        "joined",
        "learning",
        "from",
        "married",
        "switched to",
        "passed",
        "turns",
    )
)
WHOLE = frozenset(
    ("home", "prefers", "likes", "dislikes", "from", "born", "chose", "employer", "works")
)
