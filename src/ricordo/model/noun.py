"""The base of nouns: JSON, and a short line for `repr`."""

import dataclasses
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from ricordo.model.json import Json

_LONGEST = 60  # characters of a text that are shown
_PLAIN = (str, int, float, type(None))  # JSON accepts these unchanged; a bool is an int


class Noun:
    """The base of all nouns, which are frozen dataclasses."""

    __slots__ = ()
    _key: ClassVar[tuple[str, ...]] = ("id",)  # what identifies it where a name is expected

    def to_dict(self) -> dict[str, Json]:
        """The fields by name, ready for JSON: times in ISO 8601 and UTC, tuples as lists."""
        fields: dict[str, Json] = to_json(self)
        return fields

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._describe()}>"

    def _describe(self) -> str:
        """What `repr` shows: by default every field that is not empty."""
        shown = [(name, value) for name, value in _fields(self) if value not in (None, "", (), {})]
        return " ".join(f"{name}={_show(value)}" for name, value in shown)


def to_json(value: object) -> Json:
    """A value as `json.dumps` accepts it, with nouns and times converted at any depth."""
    if isinstance(value, _PLAIN):
        return value
    if dataclasses.is_dataclass(value):
        return {name: to_json(held) for name, held in _fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return {key: to_json(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(held) for held in value]
    if isinstance(value, bytes):
        return {"base64": b64encode(value).decode()}
    raise TypeError(f"{type(value).__name__} cannot be turned into JSON")


def quote(text: object) -> str:
    """A text in quotes on one line, shortened."""
    said = " ".join(str(text).split())
    return repr(said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…")


def _show(value: object) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    shown = repr(value)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _fields(noun: Any) -> list[tuple[str, object]]:  # Any: the subclasses are the dataclasses
    return [(field.name, getattr(noun, field.name)) for field in dataclasses.fields(noun)]
