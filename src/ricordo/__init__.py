"""ricordo: memory for AI agents in one file.

import ricordo

with ricordo.open("agent.db") as memory:
    ana = memory.space("ana")
    ana.remember("Prefers window seats")
    ana.recall("where does she like to sit?")
"""

import typing as _typing
from importlib import import_module as _import_module

if _typing.TYPE_CHECKING:
    from ricordo import aio as aio
    from ricordo.config import Settings
    from ricordo.embed.chat import ChatModel
    from ricordo.errors import (
        Busy,
        ClaimLost,
        Conflict,
        Corrupt,
        DiskFull,
        InvalidInput,
        KeyNeeded,
        NameTaken,
        NewerSchema,
        NotFound,
        OutcomeUnknown,
        OutOfOrder,
        RicordoError,
        StaleEpoch,
        StoreError,
        Unavailable,
        WrongKey,
    )
    from ricordo.handles.encryption import decrypt, encrypt, rekey
    from ricordo.handles.memory import Keeper, Memory, Session, Space, open, salvage
    from ricordo.model import (
        Approval,
        Cadence,
        Change,
        Checkpoint,
        Chunk,
        Claim,
        Consolidation,
        Context,
        Contradiction,
        Copied,
        Document,
        Duplicate,
        Entry,
        Event,
        Explanation,
        Export,
        Hit,
        Hits,
        Import,
        Job,
        LeftOut,
        Macro,
        Profile,
        Promotion,
        Receipt,
        Record,
        RecordHit,
        Refusal,
        Reminder,
        Revision,
        Run,
        Salvage,
        Schedule,
        ScratchpadWrite,
        SessionInfo,
        Signal,
        Source,
        Spending,
        Stats,
        Summary,
        SummaryWrite,
        Sweep,
        Sync,
        Upkeep,
        Verdict,
        Violation,
    )

__version__ = "0.1.0"  # the only place: the build reads it here

# Where the names below live. They are looked up at their first use: a hook that a host runs at
# every prompt also imports this package, and must not pay for all of it.
_HOMES = (
    "ricordo.handles.memory",
    "ricordo.handles.encryption",
    "ricordo.errors",
    "ricordo.model",
    "ricordo.config",
    "ricordo.embed.chat",
)
_MODULES = ("aio", "errors", "model", "handles", "config", "testing")


if not _typing.TYPE_CHECKING:  # to a type checker a name that is not exported is an error

    def __getattr__(name: str) -> object:
        """A public name, or a module of ours, on first use."""
        if name in _MODULES:
            return _import_module(f"ricordo.{name}")
        if name in __all__:
            for home in map(_import_module, _HOMES):
                if hasattr(home, name):
                    globals()[name] = getattr(home, name)
                    return globals()[name]
        raise AttributeError(f"module 'ricordo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Approval",
    "Busy",
    "Cadence",
    "Change",
    "ChatModel",
    "Checkpoint",
    "Chunk",
    "Claim",
    "ClaimLost",
    "Conflict",
    "Consolidation",
    "Context",
    "Contradiction",
    "Copied",
    "Corrupt",
    "DiskFull",
    "Document",
    "Duplicate",
    "Entry",
    "Event",
    "Explanation",
    "Export",
    "Hit",
    "Hits",
    "Import",
    "InvalidInput",
    "Job",
    "Keeper",
    "KeyNeeded",
    "LeftOut",
    "Macro",
    "Memory",
    "NameTaken",
    "NewerSchema",
    "NotFound",
    "OutOfOrder",
    "OutcomeUnknown",
    "Profile",
    "Promotion",
    "Receipt",
    "Record",
    "RecordHit",
    "Refusal",
    "Reminder",
    "Revision",
    "RicordoError",
    "Run",
    "Salvage",
    "Schedule",
    "ScratchpadWrite",
    "Session",
    "SessionInfo",
    "Settings",
    "Signal",
    "Source",
    "Space",
    "Spending",
    "StaleEpoch",
    "Stats",
    "StoreError",
    "Summary",
    "SummaryWrite",
    "Sweep",
    "Sync",
    "Unavailable",
    "Upkeep",
    "Verdict",
    "Violation",
    "WrongKey",
    "__version__",
    "decrypt",
    "encrypt",
    "open",
    "rekey",
    "salvage",
]
