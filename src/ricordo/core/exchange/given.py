"""What an export holds, and what a file of another memory becomes: nouns only.

Fields that a file may leave out have a default, so that older exports can be read.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from ricordo.model import Content, EventKind, Json


class GivenRevision(NamedTuple):
    """What an entry said before."""

    name: str
    category: str
    content: str
    tags: list[str]
    origin: str
    source: str
    importance: float
    metadata: dict[str, Json]
    since: datetime
    until: datetime


class GivenEntry(NamedTuple):
    """An entry to import; without a name it gets one from its uid."""

    uid: str
    content: str
    created_at: datetime
    updated_at: datetime
    name: str | None = None
    aliases: tuple[str, ...] = ()
    kind: str = "note"
    category: str = "core"
    tags: tuple[str, ...] = ()
    origin: str = "import"
    source: str = ""
    importance: float = 0.5
    metadata: Mapping[str, Json] = {}
    expires_at: datetime | None = None
    revisions: tuple[GivenRevision, ...] = ()
    retells: tuple[str, int, int] | None = None  # session, first and last seq
    pin: bool = False
    mute: bool = False
    embed_name: bool = True


class GivenEvent(NamedTuple):
    """An event to import; without a seq it gets the next one."""

    session: str
    uid: str
    role: str
    content: Content
    at: datetime
    seq: int | None = None
    kind: EventKind = "message"
    name: str | None = None
    tool_calls: list[Json] | None = None
    tool_call_id: str | None = None
    importance: float | None = None
    origin: str | None = None
    metadata: Mapping[str, Json] | None = None
    consolidated_at: datetime | None = None
    index: bool = True  # type: ignore[assignment]  # it hides tuple.index


class GivenSummary(NamedTuple):
    """What a summary said before."""

    summary: str
    upto: int
    summarized_at: datetime


class GivenSession(NamedTuple):
    """What a session holds besides its events; it comes after them."""

    session: str
    scratchpad: list[str]
    summary: str | None
    upto: int | None
    summarized_at: datetime | None
    earlier: tuple[GivenSummary, ...] = ()  # oldest first
    last_seq: int | None = None  # the highest seq that was ever used, also by what was cut
    agent: str | None = None  # who holds it


class GivenDocument(NamedTuple):
    uri: str
    text: str
    origin: str
    metadata: dict[str, Json]
    tags: tuple[str, ...] = ()


class GivenReminder(NamedTuple):
    id: str
    text: str
    at: datetime | None
    cue: str | None
    recipient: str | None
    channel: str | None
    session: str | None
    created_at: datetime
    delivered_at: datetime | None = None


class GivenPast(NamedTuple):
    """What a record said before."""

    revision: int
    updated_at: datetime
    until: datetime
    origin: str
    texts: tuple[str, ...]
    metadata: dict[str, Json] | None
    value: Json
    base64: str | None


class GivenRecord(NamedTuple):
    """A value under a path and a key; bytes are in base64."""

    path: tuple[str, ...]
    key: str
    value: Json
    base64: str | None
    texts: tuple[str, ...]
    metadata: dict[str, Json] | None
    origin: str
    revision: int
    ttl: float | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime
    past: tuple[GivenPast, ...] = ()  # oldest first


class GivenSchedule(NamedTuple):
    """A schedule; it is planned again from the time of the import."""

    id: str
    goal: str
    name: str
    cadence: str | dict[str, Json]  # a phrase, or what `cadence.from_json` reads
    notify: str = "always"
    status: str = "active"
    is_once: bool = False
    trusted: bool = False
    channel: str | None = None
    channel_context: str | None = None
    missed: str = "once"
    source: str = "tool"
    failures: int = 0
    created_at: datetime | None = None
    last_run_at: datetime | None = None
    last_run_status: str | None = None


class GivenRun(NamedTuple):
    """A run of a schedule, which stands before it."""

    id: str
    schedule: str
    planned_at: datetime
    started_at: datetime
    finished_at: datetime
    status: str
    output: str
    turns: int
    cost: float
    notified: bool


class GivenApproval(NamedTuple):
    """Whether commands that begin so may run."""

    words: tuple[str, ...] | str  # a text is split as a shell does it
    allow: bool = True
    created_at: datetime | None = None


class GivenSignal(NamedTuple):
    """A recall of an entry."""

    entry: str  # its uid
    query: str
    score: float
    at: datetime
    asker: str = "agent"
    session: str | None = None
    seq: int | None = None


class GivenPromotion(NamedTuple):
    """An entry that was promoted, by its uid, and how its score came about."""

    entry: str
    phase: str
    score: float
    at: datetime
    frequency: float = 0.0
    relevance: float = 0.0
    recency: float = 0.0
    diversity: float = 0.0
    consolidation: float = 0.0
    hits: int = 0
    queries: int = 0
    days: int = 0


class GivenMacro(NamedTuple):
    """A macro of another memory: a call, what follows it, and how often; exports hold none."""

    trigger: dict[str, Json]
    next: dict[str, Json]
    times: int
    created_at: datetime
    updated_at: datetime


class GivenSuccession(NamedTuple):
    """Which tool call followed which, and how often; a pattern may be unknown."""

    trigger_tool: str
    trigger_pattern: dict[str, Json] | None
    next_tool: str
    next_pattern: dict[str, Json] | None
    times: int
    created_at: datetime
    updated_at: datetime


Given = (
    GivenEntry
    | GivenEvent
    | GivenSession
    | GivenDocument
    | GivenReminder
    | GivenRecord
    | GivenSchedule
    | GivenRun
    | GivenApproval
    | GivenSignal
    | GivenPromotion
    | GivenMacro
    | GivenSuccession
)
