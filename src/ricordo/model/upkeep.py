"""What upkeep, export and import did."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Upkeep(Noun):
    """What `maintain()` did, or with `dry_run` would do. `removed` counts rows by table."""

    removed: Mapping[str, int]
    files: tuple[str, ...]  # that were removed with what they retold
    orphans: int  # rows that belong to nothing; `check()` says which
    indexed: int  # chunks read anew, because the tokenizer has changed since they were written
    resealed: int  # rows that got a seal of the newest list of columns
    erased: int  # erasures that had been pending and are physical now
    pending: int  # erasures that still wait for somebody who reads
    bytes_before: int
    bytes_after: int
    dry_run: bool
    at: datetime
    doubts: tuple[str, ...] = ()  # why the clock may be wrong: nothing went by its age


@dataclass(frozen=True, slots=True, repr=False)
class Job(Noun):
    """A task of the keeper: when it ran last, how that went, and when it runs next."""

    name: str
    every_seconds: float  # 0 if the settings turn it off
    can_run: bool  # whether this process is able to do it
    is_running: bool  # in this process, at this moment
    last_at: datetime | None
    next_at: datetime | None
    result: str  # of the last pass that went well
    error: str  # of the last pass, empty if it went well
    failures: int  # in a row
    owner: str  # the process that does it now, empty if none does


@dataclass(frozen=True, slots=True, repr=False)
class Export(Noun):
    """What went into a file: records by type."""

    space: str
    path: str
    records: Mapping[str, int]
    bytes: int
    at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class Import(Noun):
    """What an import did. A second import of the same file adds nothing."""

    space: str
    path: str
    format: str  # what the file was recognised as
    added: Mapping[str, int]
    known: Mapping[str, int]  # records that were there already
    erased: int  # records left out because they had been erased here
    renamed: Mapping[str, str]  # entries whose name belonged to another one: asked for, given
    notes: tuple[str, ...]  # what was not taken, and why
    at: datetime
