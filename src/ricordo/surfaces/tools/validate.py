"""Validate: whether arguments match a schema, and if not, what to change.

The messages are for a model: they name the argument, the value and the way out.
"""

import difflib
import json
from collections.abc import Mapping
from typing import NoReturn

from ricordo.model import Json

Schema = Mapping[str, Json]

_SHOWN = 60  # characters of a wrong value in a message
_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def read(given: object) -> Mapping[str, Json] | str:
    """Arguments as an object, also from JSON text; or what is wrong with them."""
    if isinstance(given, str | bytes):
        try:
            given = json.loads(given, parse_constant=_no_number) if given.strip() else {}
        except (ValueError, RecursionError) as error:
            return f"the arguments are not valid JSON ({error}); send one JSON object"
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return f"the arguments are {_type(given)}; send one JSON object"
    return given


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def drop_nulls(schema: Schema, given: Mapping[str, Json]) -> dict[str, Json]:
    """Drop optional arguments that are null: strict clients send every argument they know.

    5.0 is as whole a number as 5, says JSON Schema, and some clients know no other.
    """
    required, known = schema.get("required", []), schema.get("properties", {})
    kept = {k: v for k, v in given.items() if v is not None or k in required}
    return {
        k: _whole(v) if known.get(k, {}).get("type") == "integer" else v for k, v in kept.items()
    }


def _whole(value: Json) -> Json:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def complaint(schema: Schema, value: Json, where: str = "") -> str | None:
    """What is wrong with a value, in one sentence; None if nothing is."""
    if "anyOf" in schema:
        found = [complaint(option, value, where) for option in schema["anyOf"]]
        return None if None in found else found[0]
    kinds = schema.get("type")
    if kinds is not None:
        accepted = kinds if isinstance(kinds, list) else [kinds]
        if not any(_is(value, kind) for kind in accepted):
            told = " or ".join(_WORDS[kind] for kind in accepted)
            return f"{where or 'the value'} is {_shorten(value)}; give {told}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {_shorten(value)}; use one of {', '.join(schema['enum'])}"
    return _deeper(schema, value, where)


def _deeper(schema: Schema, value: Json, where: str) -> str | None:
    if isinstance(value, str):
        return _size(schema, len(value), where, ("minLength", "maxLength"), "characters")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _range(schema, value, where)
    if isinstance(value, list | tuple):
        wrong = _size(schema, len(value), where, ("minItems", "maxItems"), "items")
        each = schema.get("items", {})
        inner = (complaint(each, item, f"{where}[{at}]") for at, item in enumerate(value))
        return wrong or next((found for found in inner if found), None)
    if isinstance(value, Mapping):
        return _fields(schema, value, where)
    return None


def _fields(schema: Schema, value: Mapping[str, Json], where: str) -> str | None:
    known = schema.get("properties", {})
    prefix = f"{where}." if where else ""
    if schema.get("additionalProperties") is False:
        for name in (each for each in value if each not in known):
            told = f"{prefix}{_shorten(name, quoted=False)}"
            return f"{told} is not an argument; {_near(name, known)}"
    for name in schema.get("required", []):
        if name not in value:
            return f"{prefix}{name} is missing; it is required"
    inner = (complaint(known[n], value[n], f"{prefix}{n}") for n in value if n in known)
    return next((wrong for wrong in inner if wrong), None)


def _near(name: object, known: Mapping[str, Json]) -> str:
    close = difflib.get_close_matches(str(name), known, 1)
    if close:
        return f"did you mean {close[0]}?"
    return f"use one of {', '.join(known)}" if known else "this tool takes none"


def _size(schema: Schema, size: int, where: str, bounds: tuple[str, str], unit: str) -> str | None:
    least, most = schema.get(bounds[0], 0), schema.get(bounds[1])
    if size == 0 and least:
        return f"{where} is empty; give at least {least} {unit if least > 1 else unit[:-1]}"
    if size < least:
        return f"{where} has {size} {unit}; give at least {least}"
    if most is not None and size > most:
        return f"{where} has {size} {unit}; the limit is {most}"
    return None


def _range(schema: Schema, value: float, where: str) -> str | None:
    least, most = schema.get("minimum"), schema.get("maximum")
    if (least is None or value >= least) and (most is None or value <= most):
        return None
    if most is None:
        return f"{where} is {_shorten(value)}; give {least} or more"
    return f"{where} is {_shorten(value)}; give {least} to {most}"


def _is(value: Json, kind: str) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "array":
        return isinstance(value, list | tuple)
    classes: dict[str, type] = {
        "string": str,
        "boolean": bool,
        "object": Mapping,
        "null": type(None),
    }
    return isinstance(value, classes[kind])


def _type(value: object) -> str:
    return "a list" if isinstance(value, list) else type(value).__name__


def _shorten(value: object, *, quoted: bool = True) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        return "a huge number"  # turning it into digits may be refused
    text = repr(value) if quoted or not isinstance(value, str) else value
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
