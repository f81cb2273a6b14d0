"""Recall over several spaces that the caller names: the hits of each, merged by confidence."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import whole
from ricordo.model import Hit

MOST_SPACES = 100

Named = TypeVar("Named")


def check_spaces(given: Iterable[Named]) -> list[Named]:
    """The spaces to ask, at least one."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput(f"spaces is {shorten(given)}; give a list of names of spaces")
    listed = list(given)
    if not 1 <= len(listed) <= MOST_SPACES:
        raise InvalidInput(f"{len(listed)} spaces are given; name 1 to {MOST_SPACES}")
    return listed


def check_page(limit: object, offset: object) -> int:
    """How many hits to read of each space, so that a page can begin at an offset."""
    whole(limit, "limit", 1, 1_000)
    whole(offset, "offset", 0, 10_000)
    assert isinstance(limit, int)
    assert isinstance(offset, int)
    return min(limit + offset, 1_000)


def merge_hits(found: Mapping[str, list[Hit]], limit: int) -> list[Hit]:
    """The best hits of all spaces, each with the name of its own.

    The hits of a space keep their order: scores of two spaces cannot be compared, confidence can.
    """
    rest = {name: [replace(hit, space=name) for hit in hits] for name, hits in found.items()}
    merged: list[Hit] = []
    while len(merged) < limit and any(rest.values()):
        name = max((name for name in rest if rest[name]), key=lambda each: _sure(rest[each][0]))
        merged.append(rest[name].pop(0))
    return merged


def _sure(hit: Hit) -> float:
    return 0.0 if hit.confidence is None else hit.confidence
