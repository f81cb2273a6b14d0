"""recollect: memory for AI agents in one file.

import recollect

ana = recollect.open("agent.db").space("ana")
ana.remember("Prefers window seats")
ana.recall("where does she like to sit?")
"""

from importlib import import_module as _import_module
from types import ModuleType as _ModuleType

from recollect.config import Settings
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

__version__ = "0.1.0"


def __getattr__(name: str) -> _ModuleType:
    """`recollect.aio` without a second import, and without asyncio for those who do not need it."""
    if name == "aio":
        return _import_module("recollect.aio")
    raise AttributeError(f"module 'recollect' has no attribute {name!r}")


__all__ = [
    "Busy",
    "ClaimLost",
    "Conflict",
    "Corrupt",
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
    "Revision",
    "Session",
    "SessionInfo",
    "Settings",
    "Signal",
    "Source",
    "Space",
    "StaleEpoch",
    "Stats",
    "StoreError",
    "Unavailable",
    "Violation",
    "__version__",
    "open",
]
