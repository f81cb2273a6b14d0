"""JSON schemas of the dataclasses that the API returns, made from their type hints."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from datetime import datetime

from ricordo.model import Json

_PLAIN: dict[object, dict[str, Json]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    type(None): {"type": "null"},
    typing.Any: {},
}


def schema_of(hint: object, found: dict[str, Json]) -> dict[str, Json]:
    """The schema of a type; dataclasses go to `found` by name and are referenced."""
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _add_schema(hint, found)
    kind, inner = typing.get_origin(hint), typing.get_args(hint)
    if kind in (list, tuple):
        return {"type": "array", "items": schema_of(inner[0], found)}
    if kind in (types.UnionType, typing.Union):
        return {"anyOf": [schema_of(each, found) for each in inner]}
    if kind is not None and isinstance(kind, type) and issubclass(kind, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1], found)}
    return {}


def page_of(hint: object, found: dict[str, Json]) -> dict[str, Json]:
    """The schema of a page: its items, and where the next one begins."""
    return {
        "type": "object",
        "required": ["items", "next"],
        "properties": {
            "items": {"type": "array", "items": schema_of(hint, found)},
            "next": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "description": "Pass it as `after` to get the next page; null on the last page.",
            },
        },
    }


def _add_schema(kind: type, found: dict[str, Json]) -> dict[str, Json]:
    name = kind.__name__
    if name not in found:
        found[name] = {}  # first, so that a type may refer to itself
        hints = typing.get_type_hints(kind)
        fields = [field.name for field in dataclasses.fields(kind)]
        found[name] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").split()),
            "required": fields,
            "properties": {field: schema_of(hints[field], found) for field in fields},
        }
    return {"$ref": f"#/components/schemas/{name}"}
