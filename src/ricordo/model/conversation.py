"""Nouns of a conversation: summary, scratchpad, context, documents, consolidation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from ricordo.model.choices import LeftOutReason, Origin
from ricordo.model.json import Json
from ricordo.model.memory import Event, Hit, Source
from ricordo.model.noun import Noun
from ricordo.model.time import Reminder


@dataclass(frozen=True, slots=True, repr=False)
class Summary(Noun):
    """The rolling summary of a session: it covers every event up to `upto`."""

    session: str
    epoch: int
    upto: int
    text: str
    metadata: Mapping[str, Json] | None
    at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class SummaryWrite(Noun):
    """The result of writing a summary: `applied`, or refused because the epoch is another."""

    applied: bool
    current_epoch: int


@dataclass(frozen=True, slots=True, repr=False)
class ScratchpadWrite(Noun):
    """The result of writing a scratchpad: `updated` is true only if its lines changed."""

    updated: bool
    item_count: int


@dataclass(frozen=True, slots=True, repr=False)
class LeftOut(Noun):
    """What was on offer for a context and is not in it, and why: see `reason`."""

    section: str
    text: str
    reason: LeftOutReason
    source: Source | None = None  # of a hit
    confidence: float | None = None  # of a hit


@dataclass(frozen=True, slots=True, repr=False)
class Context(Noun):
    """What to give a model. `tokens` is the size of `messages`; `parts` splits it by section.

    `covered` counts the messages of the session that summary and notes stand for, `omitted` those
    that are neither shown nor covered. `left_out` lists what was recalled or due and found no room,
    `reminders` those that were delivered with it.
    """

    messages: list[dict[str, Json]]
    text: str
    events: tuple[Event, ...]
    hits: tuple[Hit, ...]
    tokens: int
    budget: int
    parts: Mapping[str, int]
    covered: int = 0
    omitted: int = 0
    left_out: tuple[LeftOut, ...] = ()
    reminders: tuple[Reminder, ...] = ()

    def _describe(self) -> str:
        return f"{self.tokens} of {self.budget} tokens, {len(self.messages)} messages"


@dataclass(frozen=True, slots=True, repr=False)
class Document(Noun):
    """An indexed document. `changed`: this call changed its text, origin, metadata or tags."""

    _key: ClassVar[tuple[str, ...]] = ("uri",)

    space: str
    uri: str
    hash: str
    chunks: int
    characters: int
    origin: Origin
    metadata: Mapping[str, Json]
    created_at: datetime
    updated_at: datetime
    tags: tuple[str, ...] = ()
    changed: bool = False

    def _describe(self) -> str:
        return f"{self.uri!r} {self.chunks} chunks"


@dataclass(frozen=True, slots=True, repr=False)
class Chunk(Noun):
    """A span of a document as it is indexed, and where its passage stands in the text."""

    number: int  # in the document, counted from 0
    text: str
    headings: tuple[str, ...] = ()  # above it, the outermost first
    line_start: int | None = None  # counted from 1
    line_end: int | None = None
    offset: int | None = None  # characters before its passage


@dataclass(frozen=True, slots=True, repr=False)
class Spending(Noun):
    """The calls and tokens of a chat model."""

    model: str
    calls: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True, repr=False)
class Consolidation(Noun):
    """What one pass did. Failed sessions stay unmarked and are tried again."""

    events: int
    summaries: tuple[str, ...]
    facts: tuple[str, ...]
    failed: Mapping[str, str]
