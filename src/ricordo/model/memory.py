"""What a memory holds and what recall returns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

from ricordo.model.choices import Asker, EntryKind, EventKind, Origin, Reached, SourceKind
from ricordo.model.json import Content, Json
from ricordo.model.noun import Noun, quote


@dataclass(frozen=True, slots=True, repr=False)
class Event(Noun):
    """One item of a session's log. With `index` False recall does not find it.

    `revision` counts how often it was edited; what it said before is gone.
    """

    _key: ClassVar[tuple[str, ...]] = ("session", "seq")

    space: str
    session: str
    seq: int
    uid: str
    kind: EventKind
    role: str
    content: Content
    name: str | None
    tool_calls: list[Json] | None
    tool_call_id: str | None
    importance: float
    origin: Origin
    metadata: Mapping[str, Json] | None
    at: datetime
    index: bool = True
    revision: int = 0
    consolidated_at: datetime | None = None  # told by `events` and `tail` alone

    def _describe(self) -> str:
        return (
            f"{self.session}#{self.seq} {self.role} {quote(self.content or self.tool_calls or '')}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Noun):
    """A durable, named piece of memory."""

    space: str
    id: int
    uid: str
    name: str
    aliases: tuple[str, ...]
    kind: EntryKind
    category: str
    content: str
    tags: tuple[str, ...]
    concept_tags: tuple[str, ...]
    origin: Origin
    source: str
    importance: float
    metadata: Mapping[str, Json]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    pin: bool = False  # it stands in every context
    mute: bool = False  # it is kept and never recalled
    embed_name: bool = True  # its name is embedded with its content
    revision: int = 1  # rises with each write that changes what it says

    def _describe(self) -> str:
        return f"{self.name!r} {self.kind} {quote(self.content)}"


@dataclass(frozen=True, slots=True, repr=False)
class Revision(Noun):
    """What an entry said before a write, and during which time."""

    number: int
    name: str
    category: str
    content: str
    tags: tuple[str, ...]
    origin: Origin
    source: str
    importance: float
    metadata: Mapping[str, Json]
    since: datetime
    until: datetime

    def _describe(self) -> str:
        return f"{self.number} of {self.name!r} {quote(self.content)}"


@dataclass(frozen=True, slots=True, repr=False)
class SessionInfo(Noun):
    """One conversation of a space, as `sessions()` lists it; `agent` is who holds it, if told."""

    _key: ClassVar[tuple[str, ...]] = ("session",)

    space: str
    session: str
    events: int
    last_seq: int
    created_at: datetime
    updated_at: datetime
    agent: str | None = None

    def _describe(self) -> str:
        return f"{self.session!r} {self.events} events"


@dataclass(frozen=True, slots=True, repr=False)
class Source(Noun):
    """Where a hit comes from: an event (session, seq), an entry (name), a file (uri) or a record.

    A record has a `path`, and its key as the name. The text of a file's hit stands at `offset` of
    its text, from line to line, under `headings`.
    """

    kind: SourceKind
    session: str | None = None
    seq_start: int | None = None
    seq_end: int | None = None
    name: str | None = None
    uri: str | None = None
    headings: tuple[str, ...] = ()  # above it in the document, the outermost first
    line_start: int | None = None  # counted from 1
    line_end: int | None = None
    offset: int | None = None  # characters before it
    path: tuple[str, ...] = ()  # of a record

    @property
    def place(self) -> str:
        """Where it is, as a user types it: `trip#3`, a name or a URI."""
        if self.kind == "event":
            return f"{self.session}#{self.seq_start}"
        return "/".join((*self.path, self.name or self.uri or self.kind))

    def _describe(self) -> str:
        return f"{self.kind} {self.place!r}"


@dataclass(frozen=True, slots=True, repr=False)
class Hit(Noun):
    """A ranked result. `parts` holds one figure per feature, so that the score explains itself."""

    text: str
    score: float
    source: Source
    at: datetime
    parts: Mapping[str, float]
    entry: Entry | None = None
    role: str | None = None
    author: str | None = None
    origin: Origin = "agent"
    confidence: float | None = None  # how likely it answers
    superseded_by: Source | None = None  # a later text about the same thing
    space: str | None = None  # where several spaces were asked

    def _describe(self) -> str:
        return f"{self.score:.2f} {quote(self.text)} from {self.source.place!r}"


class Hits(list[Hit]):
    """What a recall found, the best first; a list that says whether it is complete."""

    __slots__ = ("pending",)

    def __init__(self, hits: Iterable[Hit] = (), pending: int = 0) -> None:
        super().__init__(hits)
        self.pending = pending  # texts that have no vector yet, and were compared by words alone


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Noun):
    """Why a target was recalled or not: found, ranked, filtered, unmatched, waiting or textless."""

    verdict: Reached
    reason: str
    rank: int | None
    score: float | None
    parts: Mapping[str, float]
    last_score: float | None  # of the last hit, for comparison
    last_parts: Mapping[str, float]

    def _describe(self) -> str:
        return f"{self.verdict}: {self.reason}"


@dataclass(frozen=True, slots=True, repr=False)
class Signal(Noun):
    """The record that an entry was recalled for a query.

    `session` and `seq` say in which session it was asked, and after which of its events.
    """

    entry: str
    query: str
    score: float
    asker: Asker
    at: datetime
    session: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Receipt(Noun):
    """What a deletion removed, counted by table. `erase` also scans the files."""

    space: str
    target: str
    removed: Mapping[str, int]
    at: datetime
    files: tuple[str, ...] = ()  # removed files
    remains: tuple[str, ...] = ()  # what was not removed, and how to remove it
    pending: bool = False  # a reader still uses the old state; `maintain()` finishes it
    remnants: int | None = None  # traces found by the scan; None without a scan
    dry_run: bool = False  # nothing was removed; `removed` counts what would be
    entries: tuple[str, ...] = ()  # names of the entries, where a filter chose them


@dataclass(frozen=True, slots=True, repr=False)
class Violation(Noun):
    """One broken promise found by `check()`: which rule, where, and what was seen."""

    rule: str
    where: str
    detail: str

    def _describe(self) -> str:
        return f"{self.rule} at {self.where}: {self.detail}"


@dataclass(frozen=True, slots=True, repr=False)
class Profile(Noun):
    """A named way to rank. `weights` holds its parameters; see `docs/recall.md`."""

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class Stats(Noun):
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
    model: str | None  # of the vectors, "a and b" if spaces differ; None if none or unknown
    embedding_error: str | None = None  # why the newest of the failed chunks failed
    model_reason: str | None = None  # why a space is asked under this model; None for a memory
