"""Outcomes: what a finished run means for its schedule and for the user. Pure."""

from datetime import datetime, timedelta
from typing import NamedTuple

from ricordo.core.text.graphemes import cut_text
from ricordo.core.time.cadence import next_run
from ricordo.model import Cadence, Status

SUMMARY_CHARACTERS = 500
NOTIFY_AT = 3  # consecutive failures that are reported to the user once, under every policy
DISABLE_AT = 5
RETRY_SECONDS = 60  # a one-shot that failed is tried again after this, then twice as long
MISSED_SECONDS = 300  # later than this, a run of a schedule that skips is left out
MARK = "[NOTIFY]"


class RunVerdict(NamedTuple):
    """Where a schedule stands after a run."""

    status: Status
    failures: int
    next_run_at: datetime | None


def summary(output: str) -> str:
    """The beginning of an output, cut between two characters."""
    return cut_text(output, SUMMARY_CHARACTERS)


def failures_after(failures: int, outcome: str) -> int:
    """Consecutive failures; a cancelled run does not change them."""
    return {"success": 0, "failed": failures + 1}.get(outcome, failures)


def notice(policy: str, outcome: str, output: str, failures: int) -> str | None:
    """What to tell the user, or None; `failures` includes this run."""
    if outcome == "failed":
        if failures != NOTIFY_AT:
            return None
        return f"failed {failures} times in a row; last: {summary(output)}"
    if outcome != "success" or policy == "never":
        return None
    if policy == "always":
        return output
    said = output.lstrip()
    return said.removeprefix(MARK).strip() if said.startswith(MARK) else None


def verdict(
    cadence: Cadence, outcome: str, failures: int, planned: datetime, now: datetime
) -> RunVerdict:
    """The status of an active schedule after a run; `failures` includes this run."""
    if outcome == "failed" and failures >= DISABLE_AT:
        return RunVerdict("disabled", failures, None)
    if cadence.kind == "once":
        if outcome == "success":
            return RunVerdict("completed", failures, None)
        return RunVerdict("active", failures, now + retry_after(failures))
    at = next_run_after(cadence, planned, now)
    return RunVerdict("completed" if at is None else "active", failures, at)


def retry_after(failures: int) -> timedelta:
    return timedelta(seconds=RETRY_SECONDS * 2 ** max(0, failures - 1))


def next_run_after(cadence: Cadence, planned: datetime, now: datetime) -> datetime | None:
    """The run after a planned one: in the future, and later than it even if the clock went back."""
    return next_run(cadence, max(now, planned), planned)


def is_missed(policy: str, planned: datetime, now: datetime) -> bool:
    """Whether a due run is so late that its schedule would rather leave it out."""
    return policy == "skip" and now - planned > timedelta(seconds=MISSED_SECONDS)
