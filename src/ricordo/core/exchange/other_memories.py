"""Other memories: rows of other programs' tables read as events and entries. Pure."""

import json
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from ricordo.core.exchange.export_format import GivenEntry, GivenEvent
from ricordo.core.integrity import ids
from ricordo.core.learning import fact_keys
from ricordo.errors import InvalidInput
from ricordo.model import Json

DIMENSIONS = 384
VECTOR_BYTES = 4 * DIMENSIONS
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000  # a number above it counts milliseconds, not seconds
_HEX = 32


class Shape(NamedTuple):
    """A table that is known: its columns, and whose rows they are if it says so."""

    table: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    owner: str | None = None  # the column that names an agent or a group

    @property
    def text_column(self) -> str:
        """The column of an entry's text."""
        return "value" if self.table == "facts" else "content"

    @property
    def is_log(self) -> bool:
        """Whether its rows are events; others are entries."""
        return self.table in ("messages", "conversation_events", "interactions")


SHAPES = (
    Shape(
        "messages",
        ("id", "session_id", "role", "content", "created_at"),
        (
            "tool_call_id",
            "tool_name",
            "tool_calls_json",
            "importance",
            "embedding",
            "consolidated_at",
        ),
    ),
    Shape("facts", ("category", "key", "value", "created_at", "updated_at"), ("id", "source")),
    Shape("conversation_events", ("session_id", "sequence", "payload_json", "created_at")),
    Shape("memories", ("id", "content", "created_at", "agent_id"), ("tags",), owner="agent_id"),
    Shape(
        "interactions",
        ("id", "session_id", "agent_id", "role", "content", "created_at"),
        owner="agent_id",
    ),
    Shape(
        "memories",
        ("id", "group_folder", "key", "content", "created_at", "updated_at"),
        ("category", "metadata"),
        owner="group_folder",
    ),
)

Row = Mapping[str, Json]


def vector(blob: bytes) -> list[float]:
    """The numbers of a vector: 1,536 bytes are 384 of 32 bits, a bracket begins a JSON list."""
    if len(blob) == VECTOR_BYTES:
        return list(struct.unpack(f"<{DIMENSIONS}f", blob))
    if blob[:1] == b"[":
        try:
            numbers = json.loads(blob)
            return [float(number) for number in numbers]
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidInput(f"embedding is not a JSON list of numbers: {error}") from error
    raise InvalidInput(
        f"embedding has {len(blob)} bytes; it must have {VECTOR_BYTES}, or be a JSON list"
    )


def moment(value: Json) -> datetime:
    """A time as other programs keep it: ISO text, UTC unless it says so, or a number since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        thousandths = value if abs(value) >= _MILLISECONDS_FROM else value * 1000
        try:
            return _EPOCH + timedelta(milliseconds=thousandths)
        except OverflowError as error:
            raise InvalidInput(f"time {value!r} is in no calendar") from error
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise InvalidInput(f"time {value!r} is neither ISO 8601 nor a number") from error
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def uid(table: str, *key: Json) -> str:
    """A row's own UUID, or one made from its table and key: the same row, the same uid."""
    own = key[-1] if len(key) == 1 else None
    if isinstance(own, str) and ids.is_uuid(own):
        return own.lower()
    digits = own.lower() if isinstance(own, str) and len(own) == _HEX else ""
    if not digits or set(digits) - set("0123456789abcdef"):
        try:
            told = json.dumps([table, *key], ensure_ascii=False)
        except TypeError as error:
            raise InvalidInput(f"id {key!r} is neither text nor a number") from error
        raw = bytearray(sha256(told.encode()).digest()[:16])
        raw[6], raw[8] = raw[6] & 0x0F | 0x80, raw[8] & 0x3F | 0x80  # a UUID of version 8
        digits = raw.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def read_row(shape: Shape, row: Row) -> GivenEvent | GivenEntry:
    """A row as the event or the entry that it is."""
    readers: dict[str, Callable[[Row], GivenEvent | GivenEntry]] = {
        "messages": _message,
        "conversation_events": _event,
        "interactions": _interaction,
        "facts": _fact,
    }
    if shape.table in readers:
        return readers[shape.table](row)
    return _keyed_entry(row) if shape.owner == "group_folder" else _memory(row)


def _message(row: Row) -> GivenEvent:
    if (blob := row.get("embedding")) is not None:
        vector(blob if isinstance(blob, bytes) else str(blob).encode())
    importance = row.get("importance")
    consolidated = row.get("consolidated_at")
    return GivenEvent(
        session=_text(row, "session_id"),
        uid=uid("messages", row["id"]),
        role=_text(row, "role"),
        content=_optional(row, "content"),
        at=moment(row["created_at"]),
        name=_optional(row, "tool_name") or None,
        tool_calls=_list(row.get("tool_calls_json"), "tool_calls_json") or None,
        tool_call_id=_optional(row, "tool_call_id") or None,
        importance=None if importance is None else float(importance),
        metadata=_kept_id(row["id"]),
        consolidated_at=None if consolidated is None else moment(consolidated),
    )


def _event(row: Row) -> GivenEvent:
    """Keep an unreadable payload unchanged; it cannot be searched."""
    session, seq = _text(row, "session_id"), row["sequence"]
    if isinstance(seq, bool) or not isinstance(seq, int):
        raise InvalidInput(f"sequence {seq!r} is not a whole number")
    held = _payload(row["payload_json"])
    rest = {key: held[key] for key in held if key not in _PAYLOAD}
    return GivenEvent(
        session=session,
        uid=uid("conversation_events", session, seq),
        role=held.get("role") or "system",
        content=held.get("content"),
        at=moment(row["created_at"]),
        seq=seq,
        tool_calls=held.get("tool_calls") or None,
        tool_call_id=held.get("tool_call_id") or None,
        metadata={"payload": rest} if rest else None,
    )


_PAYLOAD: dict[str, tuple[type, ...]] = {
    "role": (str,),
    "content": (str, list, dict, type(None)),
    "tool_calls": (list, type(None)),
    "tool_call_id": (str, type(None)),
}


def _payload(value: Json) -> dict[str, Json]:
    try:
        held = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        held = None
    is_message = isinstance(held, dict) and isinstance(held.get("role"), str)
    if not is_message or any(not isinstance(held.get(k), t) for k, t in _PAYLOAD.items()):
        return {"raw": value if isinstance(value, str) else repr(value)}
    return dict(held)


def _interaction(row: Row) -> GivenEvent:
    return GivenEvent(
        session=_text(row, "session_id"),
        uid=uid("interactions", row["id"]),
        role=_text(row, "role"),
        content=_optional(row, "content"),
        at=moment(row["created_at"]),
        metadata=_kept_id(row["id"]),
    )


def _fact(row: Row) -> GivenEntry:
    category, key = _text(row, "category"), fact_keys.key(_text(row, "key"))
    return GivenEntry(
        uid=uid("facts", category, row["key"]),  # two keys may become one name; both are kept
        content=_text(row, "value"),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        name=f"{category}/{key}",
        kind="fact",
        category=category,
        source=_optional(row, "source") or "",
    )


def _memory(row: Row) -> GivenEntry:
    at = moment(row["created_at"])
    tags = _list(row.get("tags"), "tags")
    return GivenEntry(
        uid=uid("memories", row["id"]),
        content=_text(row, "content"),
        created_at=at,
        updated_at=at,
        tags=tuple(map(str, tags)),
        metadata=_kept_id(row["id"]) or {},
    )


def _keyed_entry(row: Row) -> GivenEntry:
    held = _json(row.get("metadata") or "{}", "metadata")
    if not isinstance(held, dict):
        raise InvalidInput("metadata is not a JSON object")
    return GivenEntry(
        uid=uid("memories", row["id"]),
        content=_text(row, "content"),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        name=_text(row, "key"),
        category=_optional(row, "category") or "core",
        metadata=held,
    )


def _kept_id(id: Json) -> dict[str, Json] | None:
    """Keep an id that is not a UUID beside the one made from it."""
    is_own = isinstance(id, str) and uid("", id).replace("-", "") == id.lower().replace("-", "")
    return None if is_own else {"id": id}


def _text(row: Row, column: str) -> str:
    value = row[column]
    if not isinstance(value, str):
        raise InvalidInput(f"{column} is {type(value).__name__}, not text")
    return value


def _optional(row: Row, column: str) -> str | None:
    return None if row.get(column) is None else _text(row, column)


def _list(value: Json, column: str) -> list[Json]:
    if value is None or value == "":
        return []
    held = _json(value, column)
    if held is None:
        return []
    if not isinstance(held, list):
        raise InvalidInput(f"{column} is not a JSON list")
    return held


def _json(value: Json, column: str) -> Json:
    try:
        return json.loads(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{column} is not valid JSON: {error}") from error
