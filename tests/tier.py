"""Two tiers: the short one runs with every change, the full one with RICORDO_CRASH=all.

With RICORDO_FIGURES=path every test adds what it counted to that file, one JSON line each.
"""

import json
import os
from pathlib import Path
from typing import TypeVar

IS_WHOLE = os.environ.get("RICORDO_CRASH") == "all"

Value = TypeVar("Value")


def tier(short: Value, full: Value) -> Value:
    """What to use in the tier that runs."""
    return full if IS_WHOLE else short


def report(row: str, **figures: object) -> None:
    """Keep the figures of a test where `make torture` prints them from."""
    path = os.environ.get("RICORDO_FIGURES")
    if path:
        line = json.dumps({"row": row, "tier": tier("short", "full"), **figures})
        with Path(path).open("a", encoding="utf-8") as lines:
            lines.write(line + "\n")
