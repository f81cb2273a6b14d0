"""Where the clock of these tests stands, and what a worker does with what is due by it."""

from datetime import UTC, datetime

import ricordo

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
DAILY = "daily at 9"


def run_once(memory, output="done", status="success", worker="w"):
    """Claim what is due and finish it; the run filed, or None if nothing was due."""
    claims = memory.claim(1, worker, 60)
    return memory.finish(claims[0], ricordo.Run(status, output)) if claims else None
