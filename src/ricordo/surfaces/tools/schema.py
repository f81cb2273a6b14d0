"""Schemas: JSON Schema from a typed signature, so that a tool is described only once.

Only what the tools use: objects, arrays, texts, numbers, switches, choices and bounds. Nothing here
knows a tool or a space; `validate` holds values to what is made here.
"""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, Union

from ricordo.model import Json

Schema = dict[str, Json]

_TYPES: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


MOST_ITEMS = 1_000  # of a list, where an argument has no limit of its own


@dataclass(frozen=True, slots=True)
class About:
    """The description of a value in its schema, and its bounds; for `Annotated`."""

    description: str = ""
    minimum: int | None = None
    maximum: int | None = None
    shortest: int | None = None  # characters of a text, or items of a list
    longest: int | None = None


def parameters(function: Callable[..., Json]) -> Schema:
    """The schema of a function's arguments, without its first parameter."""
    hints = typing.get_type_hints(function, include_extras=True)
    given = list(inspect.signature(function).parameters.values())[1:]
    properties: Schema = {}
    for parameter in given:
        properties[parameter.name] = _bound_list(derive_schema(hints[parameter.name]))
        if parameter.default not in (inspect.Parameter.empty, None):
            properties[parameter.name]["default"] = parameter.default
    required = [each.name for each in given if each.default is inspect.Parameter.empty]
    return _object(properties, required)


def _bound_list(schema: Schema) -> Schema:
    """A list has an end, so that one call cannot hold a server up."""
    return {"maxItems": MOST_ITEMS, **schema} if schema.get("type") == "array" else schema


def result(function: Callable[..., Json]) -> Schema | None:
    """The schema of a function's result; None for text."""
    hint = typing.get_type_hints(function, include_extras=True)["return"]
    return None if hint is str else derive_schema(hint)


def derive_schema(hint: Any) -> Schema:  # Any: type hints have no type in common
    """The schema of a type hint."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        schema = derive_schema(inner[0])
        for note in inner[1:]:
            schema |= _bounds(note, schema.get("type"))
        return schema
    if typing.is_typeddict(hint):
        return _typed_dict(hint)
    if origin in (Union, types.UnionType):
        options = [derive_schema(each) for each in inner if each is not types.NoneType]
        return options[0] if len(options) == 1 else {"anyOf": options}
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": derive_schema(inner[0])}
    if origin in (dict, Mapping):
        return {"type": "object"}
    return {"type": _TYPES[hint]} if hint in _TYPES else {}


def _typed_dict(hint: type) -> Schema:
    properties: Schema = {}
    required = []
    for name, inner in typing.get_type_hints(hint, include_extras=True).items():
        if typing.get_origin(inner) is NotRequired:
            inner = typing.get_args(inner)[0]
        else:
            required.append(name)
        properties[name] = derive_schema(inner)
        if types.NoneType in typing.get_args(inner):
            properties[name] = _or_null(properties[name])
    return _object(properties, required)


def _or_null(schema: Schema) -> Schema:
    """A field that may be null. An argument is left out instead."""
    if "type" in schema and "enum" not in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}


def _object(properties: Schema, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema | {"additionalProperties": False}


def _bounds(note: object, kind: Json) -> Schema:
    if not isinstance(note, About):
        return {}
    least, most = ("minItems", "maxItems") if kind == "array" else ("minLength", "maxLength")
    found: Schema = {
        "description": note.description or None,
        "minimum": note.minimum,
        "maximum": note.maximum,
        least: note.shortest,
        most: note.longest,
    }
    return {key: value for key, value in found.items() if value is not None}
