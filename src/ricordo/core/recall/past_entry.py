"""Past entries: whether what an entry said at a time passes the filters of a recall. Pure.

The store filters what is said now; what was said before is in no index, so it is filtered here.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ricordo.core.recall.where import Condition, Scalar, Where, select

Packed = tuple[str, float, str]  # a value by type, number and text, as values are compared


class PastEntry(NamedTuple):
    """What filters look at of an entry as it stood; `values` are those of its metadata."""

    entry: int
    name: str
    kind: str
    category: str
    tags: frozenset[str]
    origin: str
    since: int
    expires_at: int | None
    values: frozenset[tuple[str, Packed]]


class PastFilter(NamedTuple):
    """Conditions on entries as they stood at a time; None means any."""

    at: int
    kinds: tuple[str, ...] | None = None
    category: str | None = None
    tags: tuple[str, ...] | None = None
    since: int | None = None
    until: int | None = None
    origins: tuple[str, ...] | None = None
    prefix: str | None = None
    without: tuple[int, ...] | None = None


def passes(entry: PastEntry, given: PastFilter) -> bool:
    """Whether an entry had not expired and meets every condition."""
    expires = entry.expires_at
    return (
        (expires is None or expires > given.at)
        and (given.kinds is None or entry.kind in given.kinds)
        and (given.category is None or entry.category == given.category)
        and (given.tags is None or entry.tags.issuperset(given.tags))
        and (given.since is None or entry.since >= given.since)
        and (given.until is None or entry.since < given.until)
        and (given.origins is None or entry.origin in given.origins)
        and (given.prefix is None or entry.name.startswith(given.prefix))
        and (given.without is None or entry.entry not in given.without)
    )


def meets(
    values: Iterable[tuple[str, Packed]], where: Where, pack: Callable[[Scalar], Packed]
) -> bool:
    """Whether metadata meets the conditions of a `where`; `pack` says how values compare."""
    held = frozenset(values)

    def find(condition: Condition) -> set[bool]:
        return {True} if _holds(condition, held, pack) else set()

    found = select(where, find)
    return (True in found.items) != found.is_complement


def _holds(
    condition: Condition, held: frozenset[tuple[str, Packed]], pack: Callable[[Scalar], Packed]
) -> bool:
    of_key = [value for key, value in held if key == condition.key]
    if condition.operator == "$exists":
        return bool(of_key)
    wanted = [pack(value) for value in condition.values]
    return any(_compare(condition.operator, one, two) for one in of_key for two in wanted)


def _compare(operator: str, held: Packed, wanted: Packed) -> bool:
    """Whether one value stands so to another; only values of one type are greater or smaller."""
    if operator == "$in":
        return held == wanted
    if held[0] != wanted[0]:
        return False
    return {
        "$gt": held > wanted,
        "$gte": held >= wanted,
        "$lt": held < wanted,
        "$lte": held <= wanted,
    }[operator]
