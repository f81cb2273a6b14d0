"""Where: conditions on metadata, parsed from an object such as {"year": {"$gte": 2020}}.

Pure: what a single condition finds is asked of the caller, what several find together is decided
here. A condition finds a set; a negated one finds everything but a set, which nobody has to list.
"""

import difflib
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, NamedTuple, TypeVar

from ricordo.core.text.content import clean
from ricordo.errors import InvalidInput, shorten

Item = TypeVar("Item", bound=Hashable)
Scalar = str | int | float | bool | None

LONGEST_KEY = 128  # characters of a path such as user.name
LONGEST_TEXT = 256  # characters of a text to compare with
MOST_VALUES = 1_000
MOST_CONDITIONS = 100
DEEPEST = 16

_ORDERED = ("$gt", "$gte", "$lt", "$lte")
_OF_VALUES = ("$eq", "$ne", "$in", "$nin", *_ORDERED, "$exists", "$not")
_OF_GROUPS = ("$and", "$or", "$not")


class Condition(NamedTuple):
    """One test of one key: `$in` has any number of values, `$exists` none, the others have one."""

    key: str
    operator: str
    values: tuple[Scalar, ...] = ()


class Every(NamedTuple):
    """All of its parts hold."""

    parts: "tuple[Where, ...]"


class Either(NamedTuple):
    """One of its parts holds."""

    parts: "tuple[Where, ...]"


class Negation(NamedTuple):
    """Its part does not hold, or there is no such key."""

    part: "Where"


Where = Condition | Every | Either | Negation


def parse_where(given: object) -> Where | None:
    """The conditions of a `where`, or InvalidInput; None if it has none."""
    if given is None:
        return None
    found = _parse_group(given, 0)
    if sum(1 for _ in _list_conditions(found)) > MOST_CONDITIONS:
        raise InvalidInput(f"where has more than {MOST_CONDITIONS} conditions; ask several times")
    return None if found == Every(()) else found


def _list_conditions(where: Where) -> Iterator[Condition]:
    if isinstance(where, Condition):
        yield where
        return
    for part in (where.part,) if isinstance(where, Negation) else where.parts:
        yield from _list_conditions(part)


def _parse_group(given: object, depth: int) -> Where:
    if not isinstance(given, Mapping):
        raise InvalidInput(
            f"where is {shorten(given)}; give keys with values, such as {{'lang': 'pt'}}"
        )
    if depth > DEEPEST:
        raise InvalidInput(f"where is nested more than {DEEPEST} levels deep; make it flatter")
    return _join([_parse_item(key, value, depth) for key, value in given.items()])


def _parse_item(key: object, value: object, depth: int) -> Where:
    if not isinstance(key, str):
        raise InvalidInput(f"where has the key {shorten(key)}; keys are text")
    if not key.startswith("$"):
        return _parse_key(_check_key(key), value, depth)
    if key == "$not":
        return Negation(_parse_group(value, depth + 1))
    if key not in _OF_GROUPS:
        raise _refuse_operator(key, _OF_GROUPS)
    if not isinstance(value, list | tuple) or not value:
        raise InvalidInput(f"{key} is {shorten(value)}; give a list of conditions")
    parts = tuple(_parse_group(each, depth + 1) for each in value)
    return Every(parts) if key == "$and" else Either(parts)


def _parse_key(key: str, value: object, depth: int) -> Where:
    """What a key is compared with: one value, or an object of operators."""
    if not isinstance(value, Mapping):
        return Condition(key, "$in", (_check_value(key, value),))
    if depth > DEEPEST:
        raise InvalidInput(f"where is nested more than {DEEPEST} levels deep; make it flatter")
    plain = [name for name in value if not (isinstance(name, str) and name.startswith("$"))]
    if plain or not value:
        told = f"write {key + '.' + str(plain[0]):.80}" if plain else "use an operator such as $eq"
        raise InvalidInput(f"where compares {key!r} with an object; {told}")
    return _join([_parse_test(key, name, wanted, depth) for name, wanted in value.items()])


def _parse_test(key: str, operator: str, value: object, depth: int) -> Where:
    if operator not in _OF_VALUES:
        raise _refuse_operator(operator, _OF_VALUES)
    if operator == "$not":
        return Negation(_parse_key(key, value, depth + 1))
    if operator == "$exists":
        if not isinstance(value, bool):
            raise InvalidInput(f"$exists of {key!r} is {shorten(value)}; give true or false")
        found: Where = Condition(key, operator)
        return found if value else Negation(found)
    if operator in _ORDERED:
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise InvalidInput(f"{operator} of {key!r} is {shorten(value)}; give a number or text")
        return Condition(key, operator, (_check_value(key, value),))
    if operator in ("$in", "$nin"):
        found = Condition(key, "$in", _check_values(key, operator, value))
    else:
        found = Condition(key, "$in", (_check_value(key, value),))
    return Negation(found) if operator in ("$ne", "$nin") else found


def _join(parts: list[Where]) -> Where:
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _check_key(key: str) -> str:
    if not key or len(key) > LONGEST_KEY:
        raise InvalidInput(f"where has the key {shorten(key)}; give 1 to {LONGEST_KEY} characters")
    return clean(key, "a key of where")


def _check_values(key: str, operator: str, given: object) -> tuple[Scalar, ...]:
    if not isinstance(given, list | tuple | set | frozenset):
        raise InvalidInput(f"{operator} of {key!r} is {shorten(given)}; give a list of values")
    if len(given) > MOST_VALUES:
        raise InvalidInput(f"{operator} of {key!r} has {len(given):,} values; give {MOST_VALUES:,}")
    return tuple(_check_value(key, each) for each in given)


def _check_value(key: str, value: object) -> Scalar:
    if isinstance(value, list | tuple | set | frozenset):
        raise InvalidInput(f"where compares {key!r} with a list; use {{'$in': [...]}}")
    if isinstance(value, str):
        return clean(value, f"the value of {key!r}", limit=LONGEST_TEXT)
    if isinstance(value, float) and not isfinite(value):
        raise InvalidInput(f"where compares {key!r} with {value}; give a finite number")
    if value is None or isinstance(value, bool | int | float):
        return value
    raise InvalidInput(
        f"where compares {key!r} with {shorten(value)}; give text, a number, true, false or null"
    )


def _refuse_operator(name: str, known: tuple[str, ...]) -> InvalidInput:
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"use {', '.join(known)}"
    return InvalidInput(f"where has the operator {shorten(name)}, which is not known here; {hint}")


@dataclass(frozen=True, slots=True)
class Selection(Generic[Item]):
    """What conditions find: these items, or everything but these."""

    items: frozenset[Item]
    is_complement: bool = False


def select(where: Where, find: Callable[[Condition], set[Item]]) -> Selection[Item]:
    """What all conditions find together; `find` tells what one of them does."""
    if isinstance(where, Condition):
        return Selection(frozenset(find(where)))
    if isinstance(where, Negation):
        return _negate(select(where.part, find))
    found = [select(part, find) for part in where.parts]
    if isinstance(where, Every):
        return _intersect(found)
    return _negate(_intersect([_negate(each) for each in found]))


def _negate(found: Selection[Item]) -> Selection[Item]:
    return Selection(found.items, not found.is_complement)


def _intersect(found: list[Selection[Item]]) -> Selection[Item]:
    empty: frozenset[Any] = frozenset()
    without = empty.union(*(each.items for each in found if each.is_complement))
    listed = [each.items for each in found if not each.is_complement]
    if not listed:
        return Selection(without, is_complement=True)
    return Selection(frozenset.intersection(*listed) - without)
