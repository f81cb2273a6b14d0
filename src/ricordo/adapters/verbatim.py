"""Values kept as they came: JSON that a memory refuses travels as text. Pure.

A memory takes no NUL, no lone surrogate, no NaN and no very deep nesting; frameworks keep all of
them. What it takes stays what it is, so that conditions, redaction and people can read it.
"""

import json
from math import isfinite
from typing import Any

_MARK = "~json"  # the name of the one field of a value that travels as text
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_EXACT = (int, bool, type(None))
_DEEPEST = 60  # levels that a memory takes, with room for what an adapter puts around them


def pack(value: Any) -> Any:  # Any: whatever JSON can say
    """The value itself if a memory takes it, otherwise an object that holds it as text."""
    is_taken = _is_plain(value) or _write(value) is not None
    return value if is_taken else {_MARK: json.dumps(value)}


def pack_plainly(value: Any) -> Any:
    """The same for a value that may hold tuples: lists in their place, as JSON gives it back."""
    if _is_plain(value):
        return value
    text = _write(value)
    return json.loads(text) if text is not None else {_MARK: json.dumps(value)}


def _is_plain(value: Any, left: int = _DEEPEST) -> bool:
    """Whether a memory surely takes a value and gives it back as it is, as it does most."""
    kind = type(value)
    if kind is str:
        return value.isascii() and "\0" not in value and _MARK not in value
    if kind is dict:
        is_named = all(type(key) is str and _is_plain(key) for key in value)
        return is_named and left > 0 and all(_is_plain(each, left - 1) for each in value.values())
    if kind is list:
        return left > 0 and all(_is_plain(each, left - 1) for each in value)
    return kind in _EXACT or (kind is float and isfinite(value))


def _write(value: Any) -> str | None:
    """The value as JSON, or None if a memory does not take it as it is."""
    try:
        text = _ENCODER.encode(value)
        if not text.isascii():
            text.encode()
    except ValueError:  # NaN, or a lone surrogate
        return None
    if "\\u0000" in text or _MARK in text:
        return None
    return None if text.count("[") + text.count("{") > _DEEPEST and _is_deep(value) else text


def unpack(value: Any) -> Any:
    """What was packed."""
    if isinstance(value, dict) and value.keys() == {_MARK}:
        return json.loads(value[_MARK])
    return value


def readable(text: str) -> str:
    """A text that a memory takes, for recall: NULs and lone surrogates become a question mark."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


def _is_deep(value: Any, left: int = _DEEPEST) -> bool:
    """Whether a value is nested more deeply than a memory surely takes."""
    if not isinstance(value, dict | list | tuple):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return left == 0 or any(_is_deep(each, left - 1) for each in inner)
