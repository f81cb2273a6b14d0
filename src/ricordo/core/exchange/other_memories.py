"""Other memories: rows of other programs' tables read as events and entries. Pure."""

import json
import struct
from collections.abc import Callable
from typing import NamedTuple

from ricordo.core.exchange.given import Given, GivenEntry, GivenEvent
from ricordo.core.exchange.other_tables import read_other_row
from ricordo.core.exchange.other_values import Row, moment, optional, text, uid
from ricordo.core.learning import fact_keys
from ricordo.errors import InvalidInput
from ricordo.model import Json

DIMENSIONS = 384
VECTOR_BYTES = 4 * DIMENSIONS


_TEXT_COLUMNS = {
    "facts": "value",
    "macros": "trigger_tool",
    "memory_promotions": "memory_id",
    "recall_events": "query",
    "reminders": "message",
    "schedules": "goal",
    "scheduled_tasks": "prompt",
    "terminal_allowed_prefixes": "prefix",
}


class Shape(NamedTuple):
    """A table that is known: its columns, and whose rows they are if it says so."""

    table: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ()
    owner: str | None = None  # the column that names an agent or a group

    @property
    def text_column(self) -> str:
        """The column of an entry's text."""
        return _TEXT_COLUMNS.get(self.table, "content")

    @property
    def is_log(self) -> bool:
        """Whether its rows are events, or what belongs to a log; others have a text to keep."""
        return self.table in ("messages", "conversation_events", "interactions", "session_state")


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
    Shape("session_state", ("session_id", "state_json"), ("updated_at",)),
    Shape(
        "schedules",
        ("schedule_id", "user_id", "goal", "cadence_json", "status"),
        ("name", "notification_policy", "channel_id", "channel_context_id"),
        owner="user_id",
    ),
    Shape(
        "scheduled_tasks",
        ("id", "name", "cron_expr", "prompt"),
        ("is_oneshot", "is_paused", "is_trusted"),
    ),
    Shape("terminal_allowed_prefixes", ("prefix",)),
    Shape(
        "reminders",
        ("id", "agent_id", "message", "due_at", "delivered_at", "created_at"),
        ("session_id", "plugin", "recipient"),
        owner="agent_id",
    ),
    Shape("recall_events", ("agent_id", "memory_id", "query", "score", "ts_ms"), owner="agent_id"),
    Shape(
        "memory_promotions",
        ("memory_id", "agent_id", "promoted_at", "score"),
        ("phase",),
        owner="agent_id",
    ),
    Shape(
        "macros",
        ("trigger_tool", "next_tool", "used_count", "created_at", "updated_at"),
        ("trigger_args_pattern", "next_args"),
    ),
)


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


def read_row(shape: Shape, row: Row) -> Given | None:
    """A row as the record that it is; None if it is over or says nothing."""
    readers: dict[str, Callable[[Row], GivenEvent | GivenEntry]] = {
        "messages": _message,
        "conversation_events": _event,
        "interactions": _interaction,
        "facts": _fact,
    }
    if shape.table in readers:
        return readers[shape.table](row)
    if shape.table == "memories":
        return _keyed_entry(row) if shape.owner == "group_folder" else _memory(row)
    return read_other_row(shape.table, row)


def _message(row: Row) -> GivenEvent:
    if (blob := row.get("embedding")) is not None:
        vector(blob if isinstance(blob, bytes) else str(blob).encode())
    importance = row.get("importance")
    consolidated = row.get("consolidated_at")
    return GivenEvent(
        session=text(row, "session_id"),
        uid=uid("messages", row["id"]),
        role=text(row, "role"),
        content=optional(row, "content"),
        at=moment(row["created_at"]),
        name=optional(row, "tool_name") or None,
        tool_calls=_list(row.get("tool_calls_json"), "tool_calls_json") or None,
        tool_call_id=optional(row, "tool_call_id") or None,
        importance=None if importance is None else float(importance),
        metadata=_kept_id(row["id"]),
        consolidated_at=None if consolidated is None else moment(consolidated),
    )


def _event(row: Row) -> GivenEvent:
    """Keep an unreadable payload unchanged; it cannot be searched."""
    session, seq = text(row, "session_id"), row["sequence"]
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
        session=text(row, "session_id"),
        uid=uid("interactions", row["id"]),
        role=text(row, "role"),
        content=optional(row, "content"),
        at=moment(row["created_at"]),
        metadata=_kept_id(row["id"]),
    )


def _fact(row: Row) -> GivenEntry:
    category, key = text(row, "category"), fact_keys.key(text(row, "key"))
    return GivenEntry(
        uid=uid("facts", category, row["key"]),  # two keys may become one name; both are kept
        content=text(row, "value"),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        name=f"{category}/{key}",
        kind="fact",
        category=category,
        source=optional(row, "source") or "",
    )


def _memory(row: Row) -> GivenEntry:
    at = moment(row["created_at"])
    tags = _list(row.get("tags"), "tags")
    return GivenEntry(
        uid=uid("memories", row["id"]),
        content=text(row, "content"),
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
        content=text(row, "content"),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        name=text(row, "key"),
        category=optional(row, "category") or "core",
        metadata=held,
    )


def _kept_id(id: Json) -> dict[str, Json] | None:
    """Keep an id that is not a UUID beside the one made from it."""
    is_own = isinstance(id, str) and uid("", id).replace("-", "") == id.lower().replace("-", "")
    return None if is_own else {"id": id}


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
