"""All nouns that cross a boundary, as frozen dataclasses. No behaviour, no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Json = Any  # whatever json.dumps takes: payloads are the caller's own shape

ORIGINS = ("user", "agent", "tool", "web", "import", "dream")
KINDS = ("note", "fact", "archive")
ROLES = ("user", "assistant", "tool", "system")
MODES = ("keyword", "vector", "hybrid")
ASKERS = ("user", "agent", "auto", "schedule")


@dataclass(frozen=True, slots=True)
class Event:
    """One immutable item of a session's log."""

    space: str
    session: str
    seq: int
    uid: str
    kind: str
    role: str
    content: str | list[Json] | None
    name: str | None
    tool_calls: list[Json] | None
    tool_call_id: str | None
    importance: float
    origin: str
    metadata: Mapping[str, Json] | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A durable, named piece of memory."""

    space: str
    id: int
    uid: str
    name: str
    aliases: tuple[str, ...]
    kind: str
    category: str
    content: str
    tags: tuple[str, ...]
    concept_tags: tuple[str, ...]
    origin: str
    source: str
    importance: float
    metadata: Mapping[str, Json]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Revision:
    """What an entry said before a write, and from when until when it said so."""

    number: int
    name: str
    category: str
    content: str
    tags: tuple[str, ...]
    origin: str
    source: str
    importance: float
    metadata: Mapping[str, Json]
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One conversation of a space, as `sessions()` lists it."""

    space: str
    session: str
    events: int
    last_seq: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Source:
    """Where a hit comes from: an event (session, seq), an entry (name) or a file (uri)."""

    kind: str
    session: str | None = None
    seq_start: int | None = None
    seq_end: int | None = None
    name: str | None = None
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked result. `parts` holds one figure per feature, so that the score explains itself."""

    text: str
    score: float
    source: Source
    at: datetime
    parts: Mapping[str, float]
    entry: Entry | None = None
    role: str | None = None
    author: str | None = None
    origin: str = "agent"
    confidence: float | None = None  # how likely the space speaks of what was asked, by this hit


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a target was recalled or not: found, ranked, filtered, unmatched, waiting or textless."""

    verdict: str
    reason: str
    rank: int | None
    score: float | None
    parts: Mapping[str, float]
    last_score: float | None  # of the last hit, to compare with
    last_parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Signal:
    """The trace that an entry was recalled for a query."""

    entry: str
    query: str
    score: float
    asker: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion removed, counted by table."""

    space: str
    target: str
    removed: Mapping[str, int]
    at: datetime


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise found by `check()`: which rule, where, and what was seen."""

    rule: str
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A named way to rank. `weights` holds its parameters; see `docs/recall.md`."""

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts for the whole memory or for one space."""

    path: str
    spaces: int
    sessions: int
    events: int
    entries: int
    chunks: int
    embedded: int
    failed: int
    signals: int
    bytes: int
    model: str | None


CADENCES = ("once", "every", "cron")
POLICIES = ("always", "conditional", "never")
STATUSES = ("active", "paused", "completed", "disabled")
OUTCOMES = ("success", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Cadence:
    """When a schedule runs: `once` at a time, `every` so many seconds, or by `cron` in a zone."""

    kind: str
    at: datetime | None = None
    seconds: int | None = None
    expression: str | None = None
    tz: str = "UTC"


@dataclass(frozen=True, slots=True)
class Schedule:
    """A goal with a cadence. `next_run_at` is None unless it is active."""

    space: str
    id: str
    name: str
    goal: str
    cadence: Cadence
    phrase: str  # the cadence as it was asked for
    description: str  # the cadence in plain English
    warning: str | None  # where another reading of the cadence would differ
    notify: str
    status: str
    source: str
    trusted: bool  # set with approval: its runs need not ask
    missed: str  # "once": an overdue run is made up for once; "skip": it is left out
    keep: bool  # False: a one-shot is deleted once it has run
    channel: str | None
    channel_context: str | None
    session: str  # where its runs keep their conversation
    created_at: datetime
    updated_at: datetime
    next_run_at: datetime | None
    next_run_local: str | None
    last_run_at: datetime | None
    last_run_status: str | None
    failures: int  # in a row


@dataclass(frozen=True, slots=True)
class Run:
    """One execution. To finish a claim give `status` and `output`; the rest is filled in."""

    status: str = "success"
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
    notice: str | None = None  # what to tell the user, if anything; not kept


@dataclass(frozen=True, slots=True)
class Claim:
    """A lease on a due schedule. Give `fence` to whatever acts: a later claim has a higher one."""

    schedule: Schedule
    worker: str
    fence: int
    planned_at: datetime
    claimed_at: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Reminder:
    """A text to deliver once, at a time or when the conversation touches the cue."""

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
    worker: str | None  # who holds it, until when, and the fence of that claim
    until: datetime | None
    fence: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The rolling text of a session: it covers every event up to `upto`."""

    session: str
    epoch: int
    upto: int
    text: str
    metadata: Mapping[str, Json] | None
    at: datetime


@dataclass(frozen=True, slots=True)
class SummaryWrite:
    """What became of a summary: `applied`, or refused because `current_epoch` is another."""

    applied: bool
    current_epoch: int


@dataclass(frozen=True, slots=True)
class ScratchpadWrite:
    """What became of a scratchpad: `updated` is true only if its lines changed."""

    updated: bool
    item_count: int


@dataclass(frozen=True, slots=True)
class Context:
    """What to put in front of a model. `tokens` counts `messages`; `parts` says for what."""

    messages: tuple[Mapping[str, Json], ...]
    text: str
    events: tuple[Event, ...]
    hits: tuple[Hit, ...]
    tokens: int
    budget: int
    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Document:
    """An indexed document. `changed` says whether this call wrote anything."""

    space: str
    uri: str
    hash: str
    chunks: int
    characters: int
    origin: str
    metadata: Mapping[str, Json]
    created_at: datetime
    updated_at: datetime
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens that a chat model was paid for."""

    model: str
    calls: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What one pass did. Sessions that failed are not marked and come again."""

    events: int
    summaries: tuple[str, ...]
    facts: tuple[str, ...]
    failed: Mapping[str, str]
