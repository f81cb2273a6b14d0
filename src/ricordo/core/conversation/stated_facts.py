"""Stated facts: what somebody said of themselves or their work, as category, key and value."""

from typing import NamedTuple

CATEGORIES = (
    "user",
    "preference",
    "project",
    "technical",
    "relationship",
    "behavior",
    "people",
)


class StatedFact(NamedTuple):
    """A fact as somebody stated it; `seq` is the event that says so, 0 where nobody knows."""

    category: str
    key: str
    value: str
    seq: int = 0
