"""Schedules, their runs and claims, reminders."""

from dataclasses import dataclass
from datetime import datetime

from ricordo.model.choices import CadenceKind, Missed, Notify, Outcome, Status
from ricordo.model.noun import Noun, quote


@dataclass(frozen=True, slots=True, repr=False)
class Cadence(Noun):
    """When a schedule runs: `once` at a time, `every` N seconds, or by `cron` in a time zone."""

    kind: CadenceKind
    at: datetime | None = None
    seconds: int | None = None
    expression: str | None = None
    tz: str = "UTC"


@dataclass(frozen=True, slots=True, repr=False)
class Schedule(Noun):
    """A goal with a cadence. Only an active schedule has `next_run_at`."""

    space: str
    id: str
    name: str
    goal: str
    cadence: Cadence
    phrase: str  # the cadence as given
    description: str  # the cadence in plain English
    warning: str | None  # set if the cadence can be read in another way
    notify: Notify
    status: Status
    source: str
    trusted: bool  # set with the user's approval: its runs need not ask
    missed: Missed  # "once": make up one overdue run; "skip": make up none
    keep: bool  # False: a one-shot is deleted after its run
    channel: str | None
    channel_context: str | None
    session: str  # the session that its runs write to
    created_at: datetime
    updated_at: datetime
    next_run_at: datetime | None
    next_run_local: str | None  # the same in its own zone: 2026-03-02 08:30:00 CET
    last_run_at: datetime | None
    last_run_status: Outcome | None
    failures: int  # consecutive

    def _describe(self) -> str:
        return f"{self.name!r} {self.status}, {self.description}: {quote(self.goal)}"


@dataclass(frozen=True, slots=True, repr=False)
class Run(Noun):
    """One execution. To finish a claim, give `status` and `output`; the rest is filled in."""

    status: Outcome = "success"
    output: str = ""
    turns: int = 0
    cost: float = 0.0
    started_at: datetime | None = None
    finished_at: datetime | None = None
    planned_at: datetime | None = None
    id: str = ""
    space: str = ""
    schedule: str = ""
    summary: str = ""  # the first 500 characters of the output
    notified: bool = False
    notice: str | None = None  # what to tell the user, or None; not stored

    def _describe(self) -> str:
        return f"{self.id!r} {self.status} {quote(self.output)}"


@dataclass(frozen=True, slots=True, repr=False)
class Claim(Noun):
    """A lease on a due schedule. Pass `fence` on to what acts: a later claim has a higher one."""

    schedule: Schedule
    worker: str
    fence: int
    planned_at: datetime
    claimed_at: datetime
    until: datetime

    def _describe(self) -> str:
        return f"on {self.schedule.name!r} by {self.worker!r} until {self.until.isoformat()}"


@dataclass(frozen=True, slots=True, repr=False)
class Reminder(Noun):
    """A text to deliver once, at a time or when the conversation mentions the cue."""

    space: str
    id: str
    text: str
    at: datetime | None
    cue: str | None
    recipient: str | None
    channel: str | None
    session: str | None
    created_at: datetime
    delivered_at: datetime | None
    worker: str | None  # these three describe the present claim
    until: datetime | None
    fence: int

    def _describe(self) -> str:
        when = f"on {quote(self.cue)}" if self.at is None else f"at {self.at.isoformat()}"
        return f"{self.id!r} {when} {quote(self.text)}"
