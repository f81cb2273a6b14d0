"""recollect: memory for AI agents in one file.

import recollect

ana = recollect.open("agent.db").space("ana")
ana.remember("Prefers window seats")
ana.recall("where does she like to sit?")
"""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from recollect.config import Settings
from recollect.consolidator import Consolidator
from recollect.embed.chat import ChatModel
from recollect.errors import (
    Busy,
    ClaimLost,
    Conflict,
    Corrupt,
    InvalidInput,
    NameTaken,
    NewerSchema,
    NotFound,
    OutOfOrder,
    RecollectError,
    StaleEpoch,
    StoreError,
    Unavailable,
)
from recollect.memory import Memory, Session, Space, open
from recollect.model import (
    Cadence,
    Claim,
    Consolidation,
    Context,
    Document,
    Entry,
    Event,
    Explanation,
    Hit,
    Profile,
    Receipt,
    Reminder,
    Revision,
    Run,
    Schedule,
    ScratchpadWrite,
    SessionInfo,
    Signal,
    Source,
    Spending,
    Stats,
    Summary,
    SummaryWrite,
    Violation,
)
from recollect.scheduler import Scheduler

__version__ = "0.1.0"


def __getattr__(name: str) -> _ModuleType:
    """`recollect.aio` without a second import, and without asyncio for those who do not need it."""
    if name == "aio":
        return _import_module("recollect.aio")
    raise AttributeError(f"module 'recollect' has no attribute {name!r}")


__all__ = [
    "Busy",
    "Cadence",
    "ChatModel",
    "Claim",
    "ClaimLost",
    "Conflict",
    "Consolidation",
    "Consolidator",
    "Context",
    "Corrupt",
    "Document",
    "Entry",
    "Event",
    "Explanation",
    "Hit",
    "InvalidInput",
    "Memory",
    "NameTaken",
    "NewerSchema",
    "NotFound",
    "OutOfOrder",
    "Profile",
    "Receipt",
    "RecollectError",
    "Reminder",
    "Revision",
    "Run",
    "Schedule",
    "Scheduler",
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
    "Unavailable",
    "Violation",
    "__version__",
    "open",
]
