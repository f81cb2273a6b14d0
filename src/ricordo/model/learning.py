"""What is learned from use: sweeps, promotions, and what a sweep reports."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Promotion(Noun):
    """The record that an entry passed the gates; `parts` are the figures behind its score."""

    entry: str
    id: int
    score: float
    parts: Mapping[str, float]
    hits: int
    queries: int  # distinct ones
    days: int  # distinct ones, UTC
    phase: str
    sweep: int | None  # None in a dry run
    at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class Rejection(Noun):
    """A candidate that did not pass, and the gate that stopped it.

    The gate is `promoted` (it was promoted before), `recalls`, `queries`, `score` or `cap`.
    """

    entry: str
    gate: str
    score: float
    hits: int
    queries: int  # distinct ones


@dataclass(frozen=True, slots=True, repr=False)
class Duplicate(Noun):
    """Two entries that say nearly the same; `likeness` is the share of words in common."""

    first: str
    second: str
    likeness: float


@dataclass(frozen=True, slots=True, repr=False)
class Contradiction(Noun):
    """An `older` entry that disagrees with a `newer` one about the same thing."""

    older: str
    newer: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Noun):
    """One pass over the signals of a space. `diff` is what changes in MEMORY.md.

    A dry run has no id. `duplicates` and `contradictions` are for people to review: the sweep
    changes nothing about them.
    """

    space: str
    id: int | None
    at: datetime
    dry_run: bool
    candidates: int
    skipped: int  # candidates that were promoted before
    promoted: tuple[Promotion, ...]
    duplicates: tuple[Duplicate, ...]
    contradictions: tuple[Contradiction, ...]
    diff: str
    undone_at: datetime | None = None
    rejected: tuple[Rejection, ...] = ()  # of a dry run, the best first, at most 50

    def _describe(self) -> str:
        return f"{self.id} of {self.at.isoformat()}, {len(self.promoted)} promoted"
