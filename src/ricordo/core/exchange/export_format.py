"""The format of exports: JSON Lines, one record a line, and how a line is read again. Pure.

The first line names the format and its version, the last one counts the records, so that a file
that was cut off is refused before anything is written.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ricordo.core.integrity import ids
from ricordo.errors import InvalidInput
from ricordo.model import Content, EventKind, Json

VERSION = 1
FORMAT = "ricordo"
END = "end"
LARGEST = 2**63 - 2  # whole number


class GivenRevision(NamedTuple):
    """What an entry said before."""

    name: str
    category: str
    content: str
    tags: list[str]
    origin: str
    source: str
    importance: float
    metadata: dict[str, Json]
    since: datetime
    until: datetime


class GivenEntry(NamedTuple):
    """An entry to import; without a name it gets one from its uid."""

    uid: str
    content: str
    created_at: datetime
    updated_at: datetime
    name: str | None = None
    aliases: tuple[str, ...] = ()
    kind: str = "note"
    category: str = "core"
    tags: tuple[str, ...] = ()
    origin: str = "import"
    source: str = ""
    importance: float = 0.5
    metadata: Mapping[str, Json] = {}
    expires_at: datetime | None = None
    revisions: tuple[GivenRevision, ...] = ()
    retells: tuple[str, int, int] | None = None  # session, first and last seq
    pin: bool = False
    mute: bool = False
    embed_name: bool = True


class GivenEvent(NamedTuple):
    """An event to import; without a seq it gets the next one."""

    session: str
    uid: str
    role: str
    content: Content
    at: datetime
    seq: int | None = None
    kind: EventKind = "message"
    name: str | None = None
    tool_calls: list[Json] | None = None
    tool_call_id: str | None = None
    importance: float | None = None
    origin: str | None = None
    metadata: Mapping[str, Json] | None = None
    consolidated_at: datetime | None = None
    index: bool = True  # type: ignore[assignment]  # it hides tuple.index


class GivenSummary(NamedTuple):
    """What a summary said before."""

    summary: str
    upto: int
    summarized_at: datetime


class GivenSession(NamedTuple):
    """What a session holds besides its events; it comes after them."""

    session: str
    scratchpad: list[str]
    summary: str | None
    upto: int | None
    summarized_at: datetime | None
    earlier: tuple[GivenSummary, ...] = ()  # oldest first
    last_seq: int | None = None  # the highest seq that was ever used, also by what was cut
    agent: str | None = None  # who holds it


class GivenDocument(NamedTuple):
    uri: str
    text: str
    origin: str
    metadata: dict[str, Json]
    tags: tuple[str, ...] = ()


class GivenReminder(NamedTuple):
    id: str
    text: str
    at: datetime | None
    cue: str | None
    recipient: str | None
    channel: str | None
    session: str | None
    created_at: datetime


class GivenPast(NamedTuple):
    """What a record said before."""

    revision: int
    updated_at: datetime
    until: datetime
    origin: str
    texts: tuple[str, ...]
    metadata: dict[str, Json] | None
    value: Json
    base64: str | None


class GivenRecord(NamedTuple):
    """A value under a path and a key; bytes are in base64."""

    path: tuple[str, ...]
    key: str
    value: Json
    base64: str | None
    texts: tuple[str, ...]
    metadata: dict[str, Json] | None
    origin: str
    revision: int
    ttl: float | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    past: tuple[GivenPast, ...] = ()  # oldest first


class GivenSchedule(NamedTuple):
    """A schedule of another memory; exports hold none."""

    id: str
    goal: str
    name: str
    cadence: str | dict[str, Json]  # a phrase, or what `cadence.from_json` reads
    notify: str = "always"
    is_paused: bool = False
    is_once: bool = False
    trusted: bool = False
    channel: str | None = None
    channel_context: str | None = None


class GivenApproval(NamedTuple):
    """A command prefix that another memory allows; exports hold none."""

    prefix: str


class GivenSignal(NamedTuple):
    """A recall of an entry of another memory; exports hold none."""

    entry: str  # its uid
    query: str
    score: float
    at: datetime


class GivenPromotion(NamedTuple):
    """An entry that another memory promoted, by its uid; exports hold none."""

    entry: str
    phase: str
    score: float
    at: datetime


class GivenMacro(NamedTuple):
    """A macro of another memory: a call, what follows it, and how often; exports hold none."""

    trigger: dict[str, Json]
    next: dict[str, Json]
    times: int
    created_at: datetime
    updated_at: datetime


Given = (
    GivenEntry
    | GivenEvent
    | GivenSession
    | GivenDocument
    | GivenReminder
    | GivenRecord
    | GivenSchedule
    | GivenApproval
    | GivenSignal
    | GivenPromotion
    | GivenMacro
)

_TYPES: dict[str, type[Any]] = {  # Any: they share nothing but being tuples with names
    "entry": GivenEntry,
    "event": GivenEvent,
    "session": GivenSession,
    "document": GivenDocument,
    "reminder": GivenReminder,
    "record": GivenRecord,
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
    GivenReminder: {"at", "cue", "recipient", "channel", "session"},
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
