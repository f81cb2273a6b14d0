"""All nouns that cross a boundary, as frozen dataclasses. No behaviour, no I/O."""

import typing as _typing
from importlib import import_module as _import_module

from ricordo.model.conversation import (
    Consolidation,
    Context,
    Document,
    ScratchpadWrite,
    Spending,
    Summary,
    SummaryWrite,
)
from ricordo.model.json import Content, Json
from ricordo.model.memory import (
    ASKERS,
    KINDS,
    MODES,
    ORIGINS,
    ROLES,
    Entry,
    Event,
    Explanation,
    Hit,
    Profile,
    Receipt,
    Revision,
    SessionInfo,
    Signal,
    Source,
    Stats,
    Violation,
)

# To make a dataclass takes time, and most of a process never sees most of these. What every
# process needs is made above; the rest is made when it is first asked for.
_LATE = {
    "copy": "Copied",
    "learning": "Contradiction Duplicate Promotion Sweep",
    "macros": "ANSWERS SCOPES Approval Macro Verdict",
    "parts": "PARTS Part",
    "salvage": "Salvage",
    "time": "CADENCES OUTCOMES POLICIES STATUSES Cadence Claim Reminder Run Schedule",
    "upkeep": "Export Import Upkeep",
    "workspace": "Checkpoint Refusal Sync",
}

if _typing.TYPE_CHECKING:
    from ricordo.model.copy import Copied
    from ricordo.model.learning import Contradiction, Duplicate, Promotion, Sweep
    from ricordo.model.macros import ANSWERS, SCOPES, Approval, Macro, Verdict
    from ricordo.model.parts import PARTS, Part
    from ricordo.model.salvage import Salvage
    from ricordo.model.time import (
        CADENCES,
        OUTCOMES,
        POLICIES,
        STATUSES,
        Cadence,
        Claim,
        Reminder,
        Run,
        Schedule,
    )
    from ricordo.model.upkeep import Export, Import, Upkeep
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
    "KINDS",
    "MODES",
    "ORIGINS",
    "OUTCOMES",
    "PARTS",
    "POLICIES",
    "ROLES",
    "SCOPES",
    "STATUSES",
    "Approval",
    "Cadence",
    "Checkpoint",
    "Claim",
    "Consolidation",
    "Content",
    "Context",
    "Contradiction",
    "Copied",
    "Document",
    "Duplicate",
    "Entry",
    "Event",
    "Explanation",
    "Export",
    "Hit",
    "Import",
    "Json",
    "Macro",
    "Part",
    "Profile",
    "Promotion",
    "Receipt",
    "Refusal",
    "Reminder",
    "Revision",
    "Run",
    "Salvage",
    "Schedule",
    "ScratchpadWrite",
    "SessionInfo",
    "Signal",
    "Source",
    "Spending",
    "Stats",
    "Summary",
    "SummaryWrite",
    "Sweep",
    "Sync",
    "Upkeep",
    "Verdict",
    "Violation",
]
