"""Other tables: rows of other programs that are neither events nor plain entries. Pure.

A row that is over (a delivered reminder, a completed schedule) or that says nothing is None.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime

from ricordo.core.exchange.given import (
    Given,
    GivenApproval,
    GivenEntry,
    GivenEvent,
    GivenMacro,
    GivenPromotion,
    GivenReminder,
    GivenSchedule,
    GivenSession,
    GivenSignal,
)
from ricordo.core.exchange.other_values import Row, moment, number, optional, text, uid
from ricordo.errors import InvalidInput
from ricordo.model import Json

OVER = ("completed", "disabled")  # status of a schedule
ENDING = {"reminders": "delivered_at", "schedules": "status"}  # the column that tells
_NOTIFY = {"conditional": "conditional", "never": "never"}  # everything else is "always"


def read_other_row(table: str, row: Row) -> Given | None:
    """The record of a row, or None."""
    readers: dict[str, Callable[[Row], Given | None]] = {
        "reminders": _reminder,
        "session_state": _state,
        "schedules": _schedule,
        "scheduled_tasks": _task,
        "terminal_allowed_prefixes": lambda row: GivenApproval(text(row, "prefix")),
        "recall_events": _signal,
        "memory_promotions": _promotion,
        "macros": _macro,
    }
    return readers[table](row)


def read_note(given: GivenEvent, held: Mapping[str, Json]) -> GivenEntry:
    """An event that keeps a note, with the metadata that its chunks carry."""
    said = given.content if isinstance(given.content, str) else ""
    rest = (given.metadata or {}).get("payload", {})
    said = said or str(rest.get("note") or rest.get("text") or rest.get("raw") or "")
    tags = held.get("tags")
    created = _time_or(held.get("created_at"), given)
    return GivenEntry(
        uid=uid("notes", given.session, held["note_id"]),
        content=said,
        created_at=created,
        updated_at=max(created, _time_or(held.get("updated_at"), given)),
        name=str(held["note_id"]),
        tags=tuple(map(str, tags)) if isinstance(tags, list) else (),
        source=str(held.get("source") or ""),
    )


def note_metadata(written: Json) -> Mapping[str, Json] | None:
    """The metadata of a chunk that belongs to a note; None if it does not."""
    held = _object(written)
    return held if isinstance(held.get("note_id"), str) and held["note_id"].strip() else None


def is_over(table: str, row: Row) -> bool:
    """Whether nothing is left to do of a row."""
    return row["delivered_at"] is not None if table == "reminders" else row["status"] in OVER


def _reminder(row: Row) -> GivenReminder | None:
    if row["delivered_at"] is not None or row["due_at"] is None:
        return None
    at = moment(row["due_at"])
    return GivenReminder(
        id=uid("reminders", row["id"]),
        text=text(row, "message"),
        at=at,
        cue=None,
        recipient=optional(row, "recipient"),
        channel=optional(row, "plugin"),
        session=optional(row, "session_id"),
        created_at=at if row["created_at"] is None else moment(row["created_at"]),
    )


def _state(row: Row) -> GivenSession | None:
    """Summary and scratchpad of a session; what cannot be read is nothing to go on from."""
    held = _object(row["state_json"])
    told = held.get("summary_state")
    told = told if isinstance(told, dict) else {}
    summary, upto = told.get("summary") or told.get("text"), told.get("upper_sequence")
    is_told = isinstance(summary, str) and isinstance(upto, int) and upto >= 0
    pad = held.get("scratchpad")
    lines = pad.get("items") if isinstance(pad, dict) else pad
    lines = [each for each in lines if isinstance(each, str)] if isinstance(lines, list) else []
    if not is_told and not lines:
        return None
    at = optional(row, "updated_at")
    return GivenSession(
        session=text(row, "session_id"),
        scratchpad=lines,
        summary=summary if is_told else None,
        upto=upto if is_told else None,
        summarized_at=None if at is None else moment(at),
    )


def _schedule(row: Row) -> GivenSchedule | None:
    if row["status"] in OVER:
        return None
    goal = text(row, "goal")
    return GivenSchedule(
        id=uid("schedules", row["schedule_id"]),
        goal=goal,
        name=optional(row, "name") or goal[:80],
        cadence=_object(row["cadence_json"]),
        notify=_NOTIFY.get(str(row.get("notification_policy")), "always"),
        status="paused" if row["status"] == "paused" else "active",
        channel=optional(row, "channel_id"),
        channel_context=optional(row, "channel_context_id"),
    )


def _task(row: Row) -> GivenSchedule:
    return GivenSchedule(
        id=uid("scheduled_tasks", row["id"]),
        goal=text(row, "prompt"),
        name=text(row, "name"),
        cadence=text(row, "cron_expr"),
        status="paused" if row.get("is_paused") else "active",
        is_once=bool(row.get("is_oneshot")),
        trusted=bool(row.get("is_trusted")),
    )


def _signal(row: Row) -> GivenSignal:
    entry = uid("memories", row["memory_id"])
    return GivenSignal(entry, text(row, "query"), number(row, "score"), moment(row["ts_ms"]))


def _promotion(row: Row) -> GivenPromotion:
    entry, phase = uid("memories", row["memory_id"]), optional(row, "phase") or "deep"
    return GivenPromotion(entry, phase, number(row, "score"), moment(row["promoted_at"]))


def _macro(row: Row) -> GivenMacro:
    """Arguments that are not an object of JSON stand for any."""
    created = moment(row["created_at"])
    return GivenMacro(
        {"name": text(row, "trigger_tool"), "arguments": _object(row.get("trigger_args_pattern"))},
        {"name": text(row, "next_tool"), "arguments": _object(row.get("next_args"))},
        max(1, int(number(row, "used_count"))),
        created,
        max(created, moment(row["updated_at"])),
    )


def _time_or(value: Json, given: GivenEvent) -> datetime:
    try:
        return given.at if value is None else moment(value)
    except InvalidInput:
        return given.at


def _object(written: Json) -> dict[str, Json]:
    try:
        held = json.loads(written)
    except (TypeError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}
