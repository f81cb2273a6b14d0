"""Parameters of a request, in the query or the body, read strictly.

Each is declared once; the OpenAPI document shows the same declaration that reads the request.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ricordo.model import Json
from ricordo.surfaces.server.problems import Problem

_KINDS = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "time": (str,),
    "moment": (str,),
    "object": (dict,),
    "content": (str, list, dict),  # of a message: text, or parts
    "message": (dict,),
    "entry": (str, dict),  # its text, or an object with its options
}
MOST_ITEMS = 100_000  # of an array: what one transaction takes
_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d")
_TIMES = {"message": ("at",), "entry": ("at", "expires_at")}  # fields that are times
_WORDS = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One named value. With `many` it may be repeated, in JSON as an array."""

    name: str
    kind: str
    told: str
    required: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    default: int | None = None
    argument: str | None = None  # its name in Python, where that differs

    def schema(self) -> dict[str, Json]:
        """Its JSON schema."""
        one: dict[str, Json] = {"type": "string" if self.kind in ("time", "moment") else self.kind}
        if self.kind == "content":
            one["type"] = ["string", "array", "object"]
        if self.kind in _TIMES:
            one["type"] = ["string", "object"] if self.kind == "entry" else "object"
        if self.kind == "time":
            one["format"] = "date-time"
        if self.choices:
            one["enum"] = list(self.choices)
        if self.least is not None:
            one["minimum"] = self.least
        if self.most is not None:
            one["maximum"] = self.most
        if self.default is not None:
            one["default"] = self.default
        return {"type": "array", "items": one, "maxItems": MOST_ITEMS} if self.many else one

    def of_text(self, value: str) -> object:
        """The value of a query, which is always text."""
        if self.kind == "boolean":
            if value.lower() not in _WORDS:
                raise self._refuse(value)
            return _WORDS[value.lower()]
        if self.kind == "object":
            try:
                return self.of_json(json.loads(value))
            except (ValueError, RecursionError) as error:
                raise self._refuse(value) from error
        if self.kind in ("integer", "number"):
            try:
                number: float = int(value) if self.kind == "integer" else float(value)
            except ValueError as error:
                raise self._refuse(value) from error
            return self.of_json(number)
        return self.of_json(value)

    def of_json(self, value: Json) -> object:
        """One value of a JSON body."""
        is_odd_boolean = isinstance(value, bool) and self.kind != "boolean"
        if not isinstance(value, _KINDS[self.kind]) or is_odd_boolean:
            raise self._refuse(value)
        if self.choices and value not in self.choices:
            raise self._refuse(value)
        if isinstance(value, int | float) and not self._is_within(value):
            raise self._refuse(value)
        if self.kind == "moment":
            return self._time(str(value)) if _DATE.match(str(value)) else value
        if isinstance(value, dict):
            return value | {each: self._time(str(value[each])) for each in self._list_times(value)}
        return self._time(str(value)) if self.kind == "time" else value

    def _list_times(self, value: dict[str, Json]) -> list[str]:
        """The fields of a message or an entry that hold a time; "never" is for the library."""
        times = _TIMES.get(self.kind, ())
        return [
            each for each in times if isinstance(value.get(each), str) and value[each] != "never"
        ]

    def _is_within(self, value: float) -> bool:
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )

    def _time(self, value: str) -> datetime:
        try:
            # An unescaped plus sign arrives as a blank.
            moment = datetime.fromisoformat(value.strip().replace(" ", "+"))
            return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError) as error:
            raise self._refuse(value) from error

    def _refuse(self, value: object) -> Problem:
        wanted = self.kind if not self.choices else f"one of {', '.join(self.choices)}"
        if self.least is not None and self.most is not None:
            wanted += f" from {self.least} to {self.most}"
        return Problem(
            400, f"{self.name} = {value!r:.80} is not valid; give {wanted}", "InvalidInput"
        )


def read_query(
    items: Iterable[tuple[str, str]], declared: Sequence[Parameter]
) -> dict[str, object]:
    """Read the arguments in a query. An unknown or repeated name is refused."""
    known = {parameter.name: parameter for parameter in declared}
    lists: dict[str, list[object]] = {}
    for name, value in items:
        lists.setdefault(name, []).append(_find_parameter(known, name).of_text(value))
    for name, values in lists.items():
        if len(values) > 1 and not known[name].many:
            raise Problem(400, f"{name} was given {len(values)} times; give it once")
    return _name_in_python(declared, {n: v if known[n].many else v[0] for n, v in lists.items()})


def read_body(body: Json, declared: Sequence[Parameter]) -> dict[str, object]:
    """Read the arguments in a JSON object."""
    known = {parameter.name: parameter for parameter in declared}
    found: dict[str, object] = {}
    for name, value in _object(body).items():
        parameter = _find_parameter(known, name)
        if value is None:
            continue
        if parameter.many and not isinstance(value, list):
            raise Problem(400, f"{name} must be an array", "InvalidInput")
        if parameter.many and len(value) > MOST_ITEMS:
            told = f"{name} has {len(value):,} items; give at most {MOST_ITEMS:,}"
            raise Problem(400, told, "InvalidInput")
        found[name] = (
            [parameter.of_json(each) for each in value]
            if parameter.many
            else parameter.of_json(value)
        )
    return _name_in_python(declared, found)


def read_known(
    items: Iterable[tuple[str, str]], body: Json, declared: Sequence[Parameter]
) -> dict[str, object]:
    """Read the arguments in a query and a JSON object; names that are not declared are ignored."""
    known = {parameter.name: parameter for parameter in declared}
    found = {name: value for name, value in _object(body).items() if name in known}
    for name, text in items:
        if name in known and name not in found:
            found[name] = known[name].of_text(text)
    return read_body(found, declared)


def _object(body: Json) -> Mapping[str, Json]:
    if not isinstance(body, dict):
        raise Problem(400, "the request body must be a JSON object")
    return body


def _find_parameter(known: Mapping[str, Parameter], name: str) -> Parameter:
    if name not in known:
        hint = ", ".join(known) or "none"
        raise Problem(400, f"unknown parameter {name!r:.80}; use one of: {hint}", "InvalidInput")
    return known[name]


def _name_in_python(
    declared: Sequence[Parameter], found: Mapping[str, object]
) -> dict[str, object]:
    """The arguments under their names in Python; a missing one is refused."""
    for parameter in declared:
        if parameter.required and parameter.name not in found:
            raise Problem(400, f"parameter {parameter.name!r} is missing", "InvalidInput")
    return {p.argument or p.name: found[p.name] for p in declared if p.name in found}
