"""All nouns that cross a boundary, as frozen dataclasses. No behaviour, no I/O."""

import typing as _typing
from importlib import import_module as _import_module

from ricordo.model.choices import (
    ANSWERS,
    ASKERS,
    CADENCES,
    CHANGE_KINDS,
    EVENT_KINDS,
    KINDS,
    MISSED,
    MODES,
    ORIGINS,
    OUTCOMES,
    POLICIES,
    PROFILE_NAMES,
    RECALL_KINDS,
    RECORD_ORDERS,
    ROLES,
    SCOPES,
    STATUSES,
    Answer,
    Asker,
    CadenceKind,
    ChangeKind,
    ContextProfile,
    Durability,
    EntryKind,
    EventKind,
    KeyGiven,
    Kind,
    LeftOutReason,
    Missed,
    Mode,
    Notify,
    Origin,
    Outcome,
    ProfileName,
    Reached,
    RecallKind,
    RecordOrder,
    Role,
    Scope,
    SourceKind,
    Status,
)
from ricordo.model.conversation import (
    Chunk,
    Consolidation,
    Context,
    Document,
    LeftOut,
    ScratchpadWrite,
    Spending,
    Summary,
    SummaryWrite,
)
from ricordo.model.json import Content, Json
from ricordo.model.memory import (
    Entry,
    Event,
    Explanation,
    Hit,
    Hits,
    Profile,
    Receipt,
    Revision,
    SessionInfo,
    Signal,
    Source,
    Stats,
    Violation,
)

# Creating a dataclass takes time, and a process rarely needs all of these. The ones above are
# created at import; the rest are created on first use.
_LATE = {
    "changes": "Change",
    "copy": "Copied",
    "learning": "Contradiction Duplicate Promotion Rejection Sweep",
    "macros": "Approval Macro Verdict",
    "parts": "PARTS Part",
    "salvage": "Salvage",
    "time": "Cadence Claim Reminder Run Schedule",
    "records": "Record RecordHit",
    "upkeep": "Export Import Job Upkeep",
    "workspace": "Checkpoint Refusal Sync",
}

if _typing.TYPE_CHECKING:
    from ricordo.model.changes import Change
    from ricordo.model.copy import Copied
    from ricordo.model.learning import Contradiction, Duplicate, Promotion, Rejection, Sweep
    from ricordo.model.macros import Approval, Macro, Verdict
    from ricordo.model.parts import PARTS, Part
    from ricordo.model.records import Record, RecordHit
    from ricordo.model.salvage import Salvage
    from ricordo.model.time import (
        Cadence,
        Claim,
        Reminder,
        Run,
        Schedule,
    )
    from ricordo.model.upkeep import Export, Import, Job, Upkeep
    from ricordo.model.workspace import Checkpoint, Refusal, Sync
else:

    def __getattr__(name: str) -> object:
        for home, names in _LATE.items():
            if name in names.split():
                globals()[name] = getattr(_import_module(f"{__name__}.{home}"), name)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ANSWERS",
    "ASKERS",
    "CADENCES",
    "CHANGE_KINDS",
    "EVENT_KINDS",
    "KINDS",
    "MISSED",
    "MODES",
    "ORIGINS",
    "OUTCOMES",
    "PARTS",
    "POLICIES",
    "PROFILE_NAMES",
    "RECALL_KINDS",
    "RECORD_ORDERS",
    "ROLES",
    "SCOPES",
    "STATUSES",
    "Answer",
    "Approval",
    "Asker",
    "Cadence",
    "CadenceKind",
    "Change",
    "ChangeKind",
    "Checkpoint",
    "Chunk",
    "Claim",
    "Consolidation",
    "Content",
    "Context",
    "ContextProfile",
    "Contradiction",
    "Copied",
    "Document",
    "Duplicate",
    "Durability",
    "Entry",
    "EntryKind",
    "Event",
    "EventKind",
    "Explanation",
    "Export",
    "Hit",
    "Hits",
    "Import",
    "Job",
    "Json",
    "KeyGiven",
    "Kind",
    "LeftOut",
    "LeftOutReason",
    "Macro",
    "Missed",
    "Mode",
    "Notify",
    "Origin",
    "Outcome",
    "Part",
    "Profile",
    "ProfileName",
    "Promotion",
    "Reached",
    "RecallKind",
    "Receipt",
    "Record",
    "RecordHit",
    "RecordOrder",
    "Refusal",
    "Rejection",
    "Reminder",
    "Revision",
    "Role",
    "Run",
    "Salvage",
    "Schedule",
    "Scope",
    "ScratchpadWrite",
    "SessionInfo",
    "Signal",
    "Source",
    "SourceKind",
    "Spending",
    "Stats",
    "Status",
    "Summary",
    "SummaryWrite",
    "Sweep",
    "Sync",
    "Upkeep",
    "Verdict",
    "Violation",
]
