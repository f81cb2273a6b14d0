"""Toolsets in the shape of nexo: `memory`, `reminders` and `workspace`.

`memory` is one tool with the actions remember, recall and forget: an unknown id is answered with
{ok: false}, bad arguments raise, scores are never shown. `reminders` has forge_reminder, and
schedule_reminder, which is the same under another name. `workspace` has forge_memory_checkpoint and
memory_history, over the files of a space.
"""

import uuid
from typing import Annotated, Literal, NotRequired, TypedDict

from ricordo.errors import InvalidInput, NotFound, Unavailable
from ricordo.model import Json
from ricordo.surfaces.tools.format import Tags, UpTo, maybe, recall_entries, require_text, when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import ADDS, READS, SETS, Annotations, Bound, ToolFailure, Toolset

MEMORY = Toolset("memory", "long-term memory in one tool with three actions")


class MemoryItem(TypedDict):
    id: str
    content: str
    tags: list[str]


class MemoryAnswer(TypedDict):
    ok: bool
    id: NotRequired[str]
    results: NotRequired[list[MemoryItem]]


@MEMORY.tool(
    {"action": "remember", "content": "Prefers window seats", "tags": ["travel"]},
    {"action": "recall", "query": "seat", "limit": 3, "mode": "keyword"},
    {"action": "forget", "id": "0198c0de-0000-7000-8000-000000000000"},
    hints=Annotations(destructive=True),
    errors=("content, query or id is missing", "the id is not a UUID", "an unknown mode or action"),
)
def memory(
    bound: Bound,
    action: Literal["remember", "recall", "forget"],
    content: Annotated[str | None, About("remember: what to keep")] = None,
    tags: Annotated[Tags | None, About("remember: labels")] = None,
    context: Annotated[str | None, About("remember: why, or on what occasion")] = None,
    query: Annotated[str | None, About("recall: what to look for")] = None,
    limit: UpTo = 5,
    mode: Literal["keyword", "vector", "hybrid"] = "keyword",
    id: Annotated[str | None, About("forget: the id that recall gave")] = None,
) -> MemoryAnswer:
    """Long-term memory: remember a text, recall by a query, forget by id."""
    if action == "remember":
        return _remember(bound, content, tags, context)
    if action == "recall":
        return _recall(bound, query, limit, mode)
    return _forget(bound, id)


def _remember(
    bound: Bound, content: str | None, tags: list[str] | None, context: str | None
) -> MemoryAnswer:
    metadata = None if context is None else {"context": context}
    entry = bound.space.remember(
        require_text(content, "content"),
        tags=tags,
        metadata=metadata,
        origin="agent",
        replace=False,  # in this document each call makes a memory of its own
        source="memory",
    )
    return {"ok": True, "id": entry.uid}


def _recall(bound: Bound, query: str | None, limit: int, mode: str) -> MemoryAnswer:
    if query is None:
        raise InvalidInput("query is missing; say what to look for")
    try:
        entries = list(recall_entries(bound.space, query, limit, profile="rrf", mode=mode))
    except Unavailable:  # its words may name a server or a file
        raise ToolFailure("nothing here makes vectors now; use the mode keyword") from None
    results: list[MemoryItem] = [
        {"id": entry.uid, "content": entry.content, "tags": list(entry.tags)} for entry in entries
    ]
    return {"ok": True, "results": results}


def _forget(bound: Bound, id: str | None) -> MemoryAnswer:
    wanted = require_text(id, "id")
    try:
        uid = str(uuid.UUID(wanted))
    except ValueError:
        raise InvalidInput(f"id {wanted!r:.60} is not a UUID; use an id from recall") from None
    try:
        bound.space.forget(uid)
    except NotFound:
        return {"ok": False}
    return {"ok": True}


REMINDERS = Toolset("reminders", "texts that a channel delivers to a recipient at a time")


class ReminderResult(TypedDict):
    ok: bool
    id: str
    due_at: str | None
    session_id: str | None
    source_plugin: str | None
    recipient: str | None


def forge_reminder(
    bound: Bound,
    at: Annotated[str, About("ISO 8601, or a duration: 10m, 2h, 1d", shortest=1)],
    message: Annotated[str, About("what to deliver", shortest=1)],
    session_id: Annotated[str | None, About("the session it belongs to")] = None,
    source_plugin: Annotated[str | None, About("the channel that delivers it")] = None,
    source_instance: Annotated[str | None, About("which one of that channel")] = None,
    recipient: Annotated[str | None, About("who gets it")] = None,
    to: Annotated[str | None, About("the same as recipient")] = None,
) -> ReminderResult:
    """Deliver a message at a time: to a recipient, or without one in this conversation."""
    channel = _channel(source_plugin, source_instance)
    reader = _blank_to_none(recipient if recipient is not None else to)
    if (reader is None) != (channel is None):
        missing = "recipient" if reader is None else "source_plugin"
        raise InvalidInput(
            f"{missing} is missing; give source_plugin and recipient, or neither of them"
        )
    made = bound.space.remind(
        require_text(message, "message"),
        at=require_text(at, "at"),
        recipient=reader,
        channel=channel,
        session=bound.session_name if session_id is None else _session(bound, session_id),
    )
    return {
        "ok": True,
        "id": made.id,
        "due_at": maybe(made.at),
        "session_id": made.session,
        "source_plugin": channel,
        "recipient": reader,
    }


def _session(bound: Bound, session_id: str) -> str:
    try:
        return bound.space.session(session_id).name
    except InvalidInput as error:
        raise InvalidInput(f"session_id cannot be one: {error}") from None


def _blank_to_none(given: str | None) -> str | None:
    return given if given is not None and given.strip() else None


def _channel(plugin: str | None, instance: str | None) -> str | None:
    plugin = _blank_to_none(plugin)
    if plugin is None:
        return None
    return plugin if not instance or "." in plugin else f"{plugin}.{instance}"


_EXAMPLE: dict[str, Json] = {
    "at": "10m",
    "message": "Call the bank",
    "source_plugin": "telegram",
    "source_instance": "main",
    "recipient": "ana",
}
for _name in ("forge_reminder", "schedule_reminder"):
    REMINDERS.tool(
        _EXAMPLE,
        hints=ADDS,
        name=_name,
        errors=(
            "a time that is not understood",
            "a bad session id",
            "only one of source_plugin and recipient",
        ),
    )(forge_reminder)


WORKSPACE = Toolset("workspace", "checkpoints of the space's files, and their history")


class Forged(TypedDict):
    ok: bool
    skipped: bool
    oid: NotRequired[str]
    subject: NotRequired[str]
    reason: NotRequired[str]


class Commit(TypedDict):
    oid: str
    subject: str
    body: str
    author: str
    timestamp: str


class CheckpointHistory(TypedDict):
    commits: list[Commit]
    diff: NotRequired[str]


@WORKSPACE.tool(
    {"note": "before the migration"}, hints=SETS, errors=("the memory keeps no history of files",)
)
def forge_memory_checkpoint(
    bound: Bound, note: Annotated[str, About("what this state is")] = "manual"
) -> Forged:
    """Commit notes and files of the workspace, so that this state can be found again."""
    try:
        made = bound.space.files.checkpoint(note)
    except InvalidInput as error:
        raise ToolFailure(str(error)) from None  # most likely there is no history to write to
    if made is None:
        return {"ok": True, "skipped": True, "reason": "nothing changed since the last checkpoint"}
    return {"ok": True, "skipped": False, "oid": made.id, "subject": made.subject}


@WORKSPACE.tool({"limit": 5, "include_diff": True}, hints=READS)
def memory_history(
    bound: Bound,
    limit: Annotated[int, About("how many commits, 1 to 100")] = 10,
    include_diff: Annotated[bool, About("with the changes since the oldest of them")] = False,
) -> CheckpointHistory:
    """List the newest checkpoints of the workspace."""
    try:
        found = bound.space.files.checkpoints(min(max(limit, 1), 100), diff=include_diff)
    except InvalidInput as error:
        raise ToolFailure(str(error)) from None  # about the folder: the limit is always one
    history: CheckpointHistory = {
        "commits": [
            {
                "oid": each.id,
                "subject": each.subject,
                "body": each.body,
                "author": each.author,
                "timestamp": when(each.at),
            }
            for each in found
        ]
    }
    if include_diff and found and found[0].diff:
        history["diff"] = found[0].diff
    return history
