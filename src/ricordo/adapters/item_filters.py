"""Filters of stores: {"year": {"$gte": 2020}} as frameworks mean it. Pure.

A memory decides what it can by `where`; the rest is decided here, on what it gives.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any

_ORDERED = {
    "$gt": lambda a, b: a > b,
    "$gte": lambda a, b: a >= b,
    "$lt": lambda a, b: a < b,
    "$lte": lambda a, b: a <= b,
}
Filter = Mapping[str, Any]  # Any: whatever JSON can say


def translate_filter(given: Filter | None) -> dict[str, Any] | None:
    """What of a filter the memory can decide; it may find more, never less."""
    where = {key: wanted for key, wanted in (given or {}).items() if _is_plain(wanted)}
    return where or None


def _is_plain(wanted: Any) -> bool:
    if isinstance(wanted, dict):
        return bool(wanted) and all(
            op in ("$eq", *_ORDERED) and _is_plain(value) and not isinstance(value, bool | dict)
            for op, value in wanted.items()
        )
    if isinstance(wanted, str):
        return 0 < len(wanted) <= 256 and "\0" not in wanted
    return isinstance(wanted, bool | int) or (isinstance(wanted, float) and isfinite(wanted))


def passes_filter(value: Any, given: Filter | None) -> bool:
    """Whether a value meets a filter."""
    return not given or all(_is_like(_find(value, key), wanted) for key, wanted in given.items())


def _find(value: Any, key: str) -> Any:
    """What stands under a key, or under a path such as user.name."""
    if isinstance(value, dict) and key in value:
        return value[key]
    for name in key.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _is_like(held: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_holds(held, op, value) for op, value in wanted.items())
        return isinstance(held, dict) and all(
            _is_like(held.get(name), value) for name, value in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        is_list = isinstance(held, list | tuple) and len(held) == len(wanted)
        return is_list and all(map(_is_like, held, wanted))
    return bool(held == wanted)


def _holds(held: Any, op: str, value: Any) -> bool:
    """One operator of a filter."""
    if op == "$eq":
        return bool(held == value)
    if op == "$ne":
        return bool(held != value)
    if op not in _ORDERED:
        raise ValueError(f"Unsupported operator: {op}")
    try:
        return bool(_ORDERED[op](float(held), float(value)))
    except (TypeError, ValueError):
        return type(held) is type(value) is str and bool(_ORDERED[op](held, value))


def fits_path(kind: str, wanted: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether a path begins ("prefix") or ends ("suffix") so; * stands for any name."""
    if len(path) < len(wanted):
        return False
    if kind not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {kind}")
    part = path[: len(wanted)] if kind == "prefix" else path[len(path) - len(wanted) :]
    return all(sign in ("*", name) for name, sign in zip(part, wanted, strict=True))
