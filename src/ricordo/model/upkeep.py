"""Results of upkeep, export and import, and the keeper's jobs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Upkeep(Noun):
    """What `maintain()` did, or with `dry_run` would do. `removed` counts rows by table."""

    removed: Mapping[str, int]
    files: tuple[str, ...]  # removed, because they repeated removed data
    orphans: int  # rows that belong to nothing; `check()` says which
    indexed: int  # chunks that were indexed again because the tokenizer changed
    recut: int  # documents that were cut again because the cut changed
    resealed: int  # rows that got a new seal over the current columns
    erased: int  # pending erasures that are now complete
    pending: int  # erasures that still wait for a reader to finish
    bytes_before: int
    bytes_after: int
    dry_run: bool
    at: datetime
    doubts: tuple[str, ...] = ()  # why the clock may be wrong; then nothing is deleted by age


@dataclass(frozen=True, slots=True, repr=False)
class Job(Noun):
    """A job of the keeper: when it last ran, its result, and when it runs next."""

    name: str
    every_seconds: float  # 0 if the settings turn it off
    can_run: bool  # whether this process can do it
    is_running: bool  # in this process, now
    last_at: datetime | None
    next_at: datetime | None
    result: str  # of the last successful pass
    error: str  # of the last pass, empty if it succeeded
    failures: int  # consecutive
    owner: str  # the process that does it now, or empty


@dataclass(frozen=True, slots=True, repr=False)
class Export(Noun):
    """What was written to a file: records by type."""

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
    format: str  # the detected format of the file
    added: Mapping[str, int]
    known: Mapping[str, int]  # records that already existed
    erased: int  # records that were skipped because they were erased here
    renamed: Mapping[str, str]  # name in the file: new name, if the first was in use
    notes: tuple[str, ...]  # what was not imported, and why
    at: datetime
