"""The format of exports: JSON Lines, one record a line, and how a line is read again. Pure.

The first line names the format and its version, the last one counts the records, so that a file
that was cut off is refused before anything is written.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from ricordo.core.exchange.given import (
    Given,
    GivenApproval,
    GivenDocument,
    GivenEntry,
    GivenEvent,
    GivenPast,
    GivenPromotion,
    GivenRecord,
    GivenReminder,
    GivenRevision,
    GivenRun,
    GivenSchedule,
    GivenSession,
    GivenSignal,
    GivenSuccession,
    GivenSummary,
)
from ricordo.core.integrity import ids
from ricordo.errors import InvalidInput
from ricordo.model import Json

VERSION = 1
FORMAT = "ricordo"
END = "end"
LARGEST = 2**63 - 2  # whole number


_TYPES: dict[str, type[Any]] = {  # Any: they share nothing but being tuples with names
    "entry": GivenEntry,
    "event": GivenEvent,
    "session": GivenSession,
    "document": GivenDocument,
    "reminder": GivenReminder,
    "record": GivenRecord,
    "schedule": GivenSchedule,
    "run": GivenRun,
    "approval": GivenApproval,
    "succession": GivenSuccession,
    "signal": GivenSignal,
    "promotion": GivenPromotion,
}
_NAMES = {each: name for name, each in _TYPES.items()}

# `_OPTIONAL` says where a field may be null.
_SHAPES: dict[str, str] = {
    "uid": "uid", "id": "uid", "content": "content", "created_at": "time", "updated_at": "time",
    "name": "text", "aliases": "texts", "kind": "text", "category": "text", "tags": "texts",
    "origin": "text", "source": "text", "importance": "number", "metadata": "object",
    "expires_at": "time", "revisions": "revisions", "retells": "range", "session": "text",
    "role": "text", "at": "time", "seq": "whole", "tool_calls": "list", "tool_call_id": "text",
    "consolidated_at": "time", "scratchpad": "texts", "summary": "text", "upto": "whole",
    "summarized_at": "time", "uri": "text", "text": "text", "cue": "text", "recipient": "text",
    "channel": "text", "since": "time", "until": "time", "earlier": "summaries",
    "path": "texts", "key": "text", "value": "any", "base64": "text", "texts": "texts",
    "revision": "whole", "ttl": "number", "past": "past", "pin": "switch", "mute": "switch",
    "embed_name": "switch", "index": "switch", "last_seq": "whole", "agent": "text",
    "delivered_at": "time", "goal": "text", "cadence": "object", "notify": "text",
    "status": "text", "is_once": "switch", "trusted": "switch", "channel_context": "text",
    "missed": "text", "failures": "whole", "last_run_at": "time", "last_run_status": "text",
    "schedule": "uid", "planned_at": "time", "started_at": "time", "finished_at": "time",
    "output": "text", "turns": "whole", "cost": "number", "notified": "switch", "words": "texts",
    "allow": "switch", "entry": "uid", "query": "text", "score": "number", "asker": "text",
    "phase": "text", "frequency": "number", "relevance": "number", "recency": "number",
    "diversity": "number", "consolidation": "number", "hits": "whole", "queries": "whole",
    "days": "whole", "trigger_tool": "text", "trigger_pattern": "object", "next_tool": "text",
    "next_pattern": "object", "times": "whole",
}  # fmt: skip
_OPTIONAL: dict[type, set[str]] = {
    GivenEntry: {"name", "expires_at", "retells"},
    GivenEvent: {
        "content", "seq", "name", "tool_calls", "tool_call_id", "importance", "origin",
        "metadata", "consolidated_at",
    },
    GivenSession: {"summary", "upto", "summarized_at", "last_seq", "agent"},
    GivenRecord: {"value", "base64", "metadata", "ttl", "expires_at"},
    GivenPast: {"value", "base64", "metadata"},
    GivenReminder: {"at", "cue", "recipient", "channel", "session", "delivered_at"},
    GivenSchedule: {"channel", "channel_context", "created_at", "last_run_at", "last_run_status"},
    GivenApproval: {"created_at"},
    GivenSignal: {"session", "seq"},
    GivenSuccession: {"trigger_pattern", "next_pattern"},
}  # fmt: skip
_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,), "number": (int, float), "whole": (int,), "list": (list,), "object": (dict,),
    "content": (str, list, dict), "switch": (bool,),
}  # fmt: skip


def name_of(given: Given) -> str:
    """The type of a record, as its line says it."""
    return _NAMES[type(given)]


def header(space: str, at: datetime) -> str:
    """The first line of an export."""
    return _line({FORMAT: "export", "version": VERSION, "space": space, "at": _plain(at)})


def line(given: Given) -> str:
    """A record as one line."""
    return _line({"type": name_of(given), **_fields(given)})


def end(records: int) -> str:
    """The last line of an export."""
    return _line({"type": END, "records": records})


def check_header(text: str) -> None:
    """Refuse a file that does not begin as an export of a version that is known."""
    record = _object(text)
    if record.get(FORMAT) != "export":
        raise InvalidInput(
            f"this is not an export: the first line must begin {{{FORMAT!r}: 'export'"
        )
    if record.get("version") != VERSION:
        raise InvalidInput(
            f"the export has version {record.get('version')!r}, this ricordo reads {VERSION}; "
            "install a newer ricordo"
        )


def read(text: str) -> Given | int:
    """The record of a line, or for the last line how many records come before it."""
    record = _object(text)
    kind = record.pop("type", None)
    if kind == END:
        return int(_value("records", record.get("records"), "whole"))
    if kind not in _TYPES:
        raise InvalidInput(f"unknown type {kind!r}; known are {', '.join(_TYPES)} and {END}")
    given: Given = _TYPES[kind](**_read(_TYPES[kind], record))
    return given


def _read(kind: type[Any], record: dict[str, Json]) -> dict[str, Any]:
    unknown = sorted(set(record) - set(kind._fields))
    if unknown:
        raise InvalidInput(f"unknown field {unknown[0]!r}")
    missing = sorted(set(kind._fields) - set(kind._field_defaults) - set(record))
    if missing:
        raise InvalidInput(f"field {missing[0]!r} is missing")
    return {name: _field(kind, name, value) for name, value in record.items()}


def _field(kind: type[Any], name: str, value: Json) -> Any:
    if value is None and name in _OPTIONAL.get(kind, ()):
        return None
    is_plain = name == "content" and kind is not GivenEvent
    return _value(name, value, "text" if is_plain else _SHAPES[name])


def _value(name: str, value: Json, shape: str) -> Any:
    if shape == "time":
        return _time(name, value)
    if shape == "uid":
        if not ids.is_uuid(value):
            raise InvalidInput(f"{name} {value!r} is not a UUID")
        return value.lower()
    if shape == "texts":
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise InvalidInput(f"{name} is not a list of texts")
        return value
    if shape == "revisions":
        rows = value if isinstance(value, list) else [value]
        return tuple(GivenRevision(**_read(GivenRevision, _dict(row))) for row in rows)
    if shape == "summaries":
        rows = value if isinstance(value, list) else [value]
        return tuple(GivenSummary(**_read(GivenSummary, _dict(row))) for row in rows)
    if shape == "past":
        rows = value if isinstance(value, list) else [value]
        return tuple(GivenPast(**_read(GivenPast, _dict(row))) for row in rows)
    if shape == "any":
        return value
    if shape == "range":
        return _range(name, value)
    if not isinstance(value, _KINDS[shape]) or (
        isinstance(value, bool) and shape in ("number", "whole")
    ):
        raise InvalidInput(f"{name} is {type(value).__name__}, not a {shape}")
    if shape == "whole" and not -LARGEST <= value <= LARGEST:  # type: ignore[operator]
        raise InvalidInput(f"{name} {value} is beyond {LARGEST}, the largest number that is kept")
    return value


def _range(name: str, value: Json) -> tuple[str, int, int]:
    held = list(value) if isinstance(value, list) else []
    if [type(each) for each in held] != [str, int, int]:
        raise InvalidInput(f"{name} is {value!r}; it must be a session, a first and a last seq")
    if not 0 <= held[1] <= held[2] <= LARGEST:
        raise InvalidInput(f"{name} from {held[1]} to {held[2]} is not a valid part of a log")
    return held[0], held[1], held[2]


def _time(name: str, value: Json) -> datetime:
    try:
        at = datetime.fromisoformat(value)
        utc = at.astimezone(UTC)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(f"{name} {value!r} is not a time in ISO 8601") from error
    if at.tzinfo is None:
        raise InvalidInput(f"{name} {value!r} has no time zone")
    return utc


def _object(text: str) -> dict[str, Json]:
    try:
        return _dict(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"this is not a JSON object: {error}") from error


def _dict(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise InvalidInput(f"it is a JSON {type(value).__name__}, not an object")
    return value


def _fields(given: Any) -> dict[str, Json]:
    return {name: _plain(value) for name, value in given._asdict().items()}


def _plain(value: Any) -> Json:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, GivenRevision | GivenSummary | GivenPast):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def _line(record: dict[str, Json]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
