"""The choices: the words that a parameter or a field accepts. Each set is defined once."""

from collections.abc import Callable
from typing import Literal, get_args

Origin = Literal["user", "agent", "tool", "web", "import", "dream"]
Kind = Literal["note", "fact", "archive"]
EntryKind = Literal["note", "fact", "archive", "message", "marker", "file"]  # the last 3: cited
EventKind = Literal["message", "marker"]
Role = Literal["user", "assistant", "system", "developer", "tool", "function"]
RecallKind = Literal["message", "note", "fact", "archive", "file", "record"]
RecordOrder = Literal["key", "-key", "updated", "-updated"]
SourceKind = Literal["event", "entry", "file", "record"]
Reached = Literal["found", "ranked", "filtered", "unmatched", "waiting", "textless"]
ProfileName = Literal["default", "minmax", "rrf", "two_tier", "bm25"]
ContextProfile = Literal["default", "tri"]
Mode = Literal["keyword", "vector", "hybrid"]
Asker = Literal["user", "agent", "auto", "schedule"]
Durability = Literal["full", "normal"]
KeyGiven = str | bytes | Callable[[], str | bytes]  # what opens an encrypted file
CadenceKind = Literal["once", "every", "cron"]
Notify = Literal["always", "conditional", "never"]
Missed = Literal["once", "skip"]
Status = Literal["active", "paused", "completed", "disabled"]
Outcome = Literal["success", "failed", "cancelled"]
Scope = Literal["always", "session", "once"]
ChangeKind = Literal[
    "event",
    "entry",
    "revision",
    "document",
    "signal",
    "sweep",
    "run",
    "reminder",
    "erasure",
]
LeftOutReason = Literal["no room", "unlikely", "shown", "enough"]  # shown: elsewhere in the context
Answer = Literal["allow", "deny", "ask"]

ORIGINS: tuple[Origin, ...] = get_args(Origin)
KINDS: tuple[Kind, ...] = get_args(Kind)
ROLES: tuple[Role, ...] = get_args(Role)
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)
RECALL_KINDS: tuple[RecallKind, ...] = get_args(RecallKind)
RECORD_ORDERS: tuple[RecordOrder, ...] = get_args(RecordOrder)
PROFILE_NAMES: tuple[ProfileName, ...] = get_args(ProfileName)
MODES: tuple[Mode, ...] = get_args(Mode)
ASKERS: tuple[Asker, ...] = get_args(Asker)
CADENCES: tuple[CadenceKind, ...] = get_args(CadenceKind)
POLICIES: tuple[Notify, ...] = get_args(Notify)
MISSED: tuple[Missed, ...] = get_args(Missed)
STATUSES: tuple[Status, ...] = get_args(Status)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
SCOPES: tuple[Scope, ...] = get_args(Scope)
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
ANSWERS: tuple[Answer, ...] = get_args(Answer)
