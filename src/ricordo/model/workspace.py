"""Nouns of the workspace: syncs and checkpoints."""

from dataclasses import dataclass
from datetime import datetime

from ricordo.model.noun import Noun, quote


@dataclass(frozen=True, slots=True, repr=False)
class Refusal(Noun):
    """A file that a sync refused, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Sync(Noun):
    """What a sync of files and entries did. All fields are empty if nothing had changed."""

    space: str
    folder: str
    written: tuple[str, ...] = ()  # files written from changed entries
    created: tuple[str, ...] = ()  # names of entries created from new files
    revised: tuple[str, ...] = ()  # names of entries changed by an edited file
    moved: tuple[str, ...] = ()  # files found at, or moved to, another path
    restored: tuple[str, ...] = ()  # deleted files that were written again
    forgotten: tuple[str, ...] = ()  # names of entries whose files were deleted
    removed: tuple[str, ...] = ()  # files whose entries are gone
    conflicts: tuple[str, ...] = ()  # files that keep the entry's text if both changed
    refused: tuple[Refusal, ...] = ()  # files that are not valid

    @property
    def is_clean(self) -> bool:
        """Whether there was nothing to do and nothing was refused."""
        return self == Sync(self.space, self.folder)


@dataclass(frozen=True, slots=True, repr=False)
class Checkpoint(Noun):
    """One commit of a workspace's history."""

    id: str  # seven characters
    subject: str
    body: str
    author: str
    at: datetime
    diff: str = ""  # on request, the first of a list has the patch since the last

    def _describe(self) -> str:
        return f"{self.id} {quote(self.subject)}"
