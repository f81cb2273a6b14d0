"""Filters of mem0: which memories a client asks for. Pure.

The memory decides what it can, by `where`; the rest is decided here, on what it gives.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ricordo.errors import InvalidInput, shorten
from ricordo.model import Json

IDS = ("user_id", "agent_id", "app_id", "run_id")
DEEPEST = 12  # groups inside groups
_DECIDED = frozenset({"eq", "ne", "in", "nin"})  # by `where`, exactly as here
_GROUPS = ("AND", "OR", "NOT")
_OWN = ("id", "memory", "created_at", "updated_at", "categories", "keywords", "memory_ids")


def check_filters(given: Json, depth: int = 0) -> None:
    """Refuse what no memory could meet, with the way out."""
    if not isinstance(given, dict):
        raise InvalidInput(f"filters are {shorten(given)}; give an object, {{'user_id': 'ana'}}")
    if depth > DEEPEST:
        raise InvalidInput(f"filters are nested more than {DEEPEST} deep; make them flatter")
    for key, wanted in given.items():
        if key in _GROUPS:
            for part in _list_parts(key, wanted):
                check_filters(part, depth + 1)
        elif key == "metadata":
            if not isinstance(wanted, dict):
                raise InvalidInput(f"metadata in filters is {shorten(wanted)}; give an object")
            for each in wanted.values():
                _check_tests(key, each)
        elif key in IDS or key in _OWN:
            _check_tests(key, wanted)
        else:
            known = ", ".join((*IDS, *_OWN, "metadata", *_GROUPS))
            raise InvalidInput(f"filters have no {shorten(key)}; use {known}")


def _list_parts(key: str, given: Json) -> list[Json]:
    """The filters of a group; NOT may have one without a list."""
    parts = [given] if key == "NOT" and isinstance(given, dict) else given
    if not isinstance(parts, list) or not parts:
        raise InvalidInput(f"{key} in filters is {shorten(given)}; give a list of filters")
    return parts


def _check_tests(key: str, wanted: Json) -> None:
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            if name not in _OPERATORS:
                known = ", ".join(_OPERATORS)
                raise InvalidInput(f"{key} in filters has {shorten(name)}; use one of: {known}")
            if name in ("in", "nin") and not isinstance(value, list):
                raise InvalidInput(f"{name} of {key} is {shorten(value)}; give a list")


def translate(given: Mapping[str, Json] | None) -> tuple[dict[str, Json] | None, bool]:
    """What of checked filters `where` can decide, and whether that is all of them.

    What `where` finds may be more than the filters want, never less.
    """
    parts, is_whole = [], True
    for key, wanted in (given or {}).items():
        found, is_exact = _translate_item(key, wanted)
        is_whole &= is_exact
        if found is not None:
            parts.append(found)
    if not parts:
        return None, is_whole
    return (parts[0] if len(parts) == 1 else {"$and": parts}), is_whole


def _translate_item(key: str, wanted: Json) -> tuple[dict[str, Json] | None, bool]:
    if key == "AND":
        found = [translate(part) for part in _list_parts(key, wanted)]
        known = [part for part, _ in found if part is not None]
        return ({"$and": known} if known else None), all(is_exact for _, is_exact in found)
    if key in ("OR", "NOT"):
        found = [translate(part) for part in _list_parts(key, wanted)]
        is_exact = all(exact for _, exact in found)
        parts = [part for part, _ in found if part is not None]
        if len(parts) < len(found) or (key == "NOT" and not is_exact):
            return None, False
        either: dict[str, Json] = {"$or": parts}
        return (either if key == "OR" else {"$not": either}), is_exact
    if key == "metadata":
        return translate_tests({f"metadata.{name}": each for name, each in wanted.items()})
    return translate_tests({key: wanted}) if key in IDS else (None, False)


def translate_tests(given: Mapping[str, Json]) -> tuple[dict[str, Json] | None, bool]:
    """Tests of single keys as conditions of `where`; what it does not know is left out."""
    where: dict[str, Json] = {}
    is_whole = True
    for key, wanted in given.items():
        if not _is_path(key):
            is_whole = False
        elif wanted == "*":
            where[key] = {"$exists": True}
        else:
            tests = wanted if isinstance(wanted, dict) else {"eq": wanted}
            known = {f"${name}": each for name, each in tests.items() if _can_decide(name, each)}
            is_whole &= len(known) == len(tests)
            where |= {key: known} if known else {}
    return where or None, is_whole


def _is_path(key: str) -> bool:
    """Whether `where` reads a key as it was meant: a dot in it would be a step."""
    own = key.removeprefix("metadata.")
    return bool(own.strip()) and len(key) <= 128 and not set(own) & set(".$\0")


def _can_decide(name: str, value: Json) -> bool:
    values = value if name in ("in", "nin") else [value]
    plain = all(isinstance(each, str | int | bool) and _is_short(each) for each in values)
    return name in _DECIDED and bool(values) and plain and len(values) <= 1_000


def _is_short(value: Json) -> bool:
    return not isinstance(value, str) or (0 < len(value) <= 256 and "\0" not in value)


def passes(memory: Mapping[str, Any], given: Mapping[str, Json] | None) -> bool:
    """Whether a memory, as a client sees it, meets checked filters."""
    return all(_passes_item(memory, key, wanted) for key, wanted in (given or {}).items())


def _passes_item(memory: Mapping[str, Any], key: str, wanted: Json) -> bool:
    if key in _GROUPS:
        parts = [passes(memory, part) for part in _list_parts(key, wanted)]
        return {"AND": all(parts), "OR": any(parts), "NOT": not any(parts)}[key]
    if key == "metadata":
        held = memory["metadata"] or {}
        return all(_meets(held.get(name), each) for name, each in wanted.items())
    name = {"keywords": "memory", "memory_ids": "id"}.get(key, key)
    wanted = {"in": wanted} if key == "memory_ids" and isinstance(wanted, list) else wanted
    return _meets(memory[name], wanted)


def _meets(held: Any, wanted: Json) -> bool:
    if wanted == "*":
        return held is not None
    tests = wanted if isinstance(wanted, dict) else {"eq": wanted}
    return all(_OPERATORS[name](held, value) for name, value in tests.items())


def _is_equal(held: Any, wanted: Any) -> bool:
    """Equal, or one of a list; true is not 1."""
    if isinstance(held, list) and not isinstance(wanted, list):
        return any(_is_equal(each, wanted) for each in held)
    return isinstance(held, bool) == isinstance(wanted, bool) and bool(held == wanted)


def _is_comparable(held: Any, wanted: Any) -> bool:
    if isinstance(held, bool) or isinstance(wanted, bool):
        return False
    both = (held, wanted)
    return all(isinstance(each, str) for each in both) or all(
        isinstance(each, int | float) for each in both
    )


def _holds_part(held: Any, wanted: Any) -> bool:
    if isinstance(held, list):
        return wanted in held
    return isinstance(held, str) and isinstance(wanted, str) and wanted in held


def _fold(value: Any) -> Any:
    if isinstance(value, list):
        return [_fold(each) for each in value]
    return value.casefold() if isinstance(value, str) else value


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {  # Any: whatever JSON can say
    "eq": _is_equal,
    "ne": lambda held, wanted: not _is_equal(held, wanted),
    "in": lambda held, wanted: any(_is_equal(held, each) for each in wanted),
    "nin": lambda held, wanted: not any(_is_equal(held, each) for each in wanted),
    "gt": lambda held, wanted: _is_comparable(held, wanted) and held > wanted,
    "gte": lambda held, wanted: _is_comparable(held, wanted) and held >= wanted,
    "lt": lambda held, wanted: _is_comparable(held, wanted) and held < wanted,
    "lte": lambda held, wanted: _is_comparable(held, wanted) and held <= wanted,
    "contains": _holds_part,
    "icontains": lambda held, wanted: _holds_part(_fold(held), _fold(wanted)),
}
