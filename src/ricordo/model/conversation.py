"""What is made of a conversation: summary, scratchpad, context, documents, consolidation."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from ricordo.model.choices import Origin
from ricordo.model.json import Json
from ricordo.model.memory import Event, Hit
from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Summary(Noun):
    """The rolling text of a session: it covers every event up to `upto`."""

    session: str
    epoch: int
    upto: int
    text: str
    metadata: Mapping[str, Json] | None
    at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class SummaryWrite(Noun):
    """What became of a summary: `applied`, or refused because `current_epoch` is another."""

    applied: bool
    current_epoch: int


@dataclass(frozen=True, slots=True, repr=False)
class ScratchpadWrite(Noun):
    """What became of a scratchpad: `updated` is true only if its lines changed."""

    updated: bool
    item_count: int


@dataclass(frozen=True, slots=True, repr=False)
class Context(Noun):
    """What to put in front of a model. `tokens` counts `messages`; `parts` says for what."""

    messages: tuple[Mapping[str, Json], ...]
    text: str
    events: tuple[Event, ...]
    hits: tuple[Hit, ...]
    tokens: int
    budget: int
    parts: Mapping[str, int]

    def _describe(self) -> str:
        return f"{self.tokens} of {self.budget} tokens, {len(self.messages)} messages"


@dataclass(frozen=True, slots=True, repr=False)
class Document(Noun):
    """An indexed document. `changed`: this call gave it another text, origin or metadata."""

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
    changed: bool = False

    def _describe(self) -> str:
        return f"{self.uri!r} {self.chunks} chunks"


@dataclass(frozen=True, slots=True, repr=False)
class Spending(Noun):
    """Tokens that a chat model was paid for."""

    model: str
    calls: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True, repr=False)
class Consolidation(Noun):
    """What one pass did. Sessions that failed are not marked and come again."""

    events: int
    summaries: tuple[str, ...]
    facts: tuple[str, ...]
    failed: Mapping[str, str]
