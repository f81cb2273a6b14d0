"""Nouns of the workspace: what a sync did, what a checkpoint is."""

from dataclasses import dataclass
from datetime import datetime

from ricordo.model.noun import Noun, quote


@dataclass(frozen=True, slots=True, repr=False)
class Refusal(Noun):
    """A file that a sync left alone."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Sync(Noun):
    """What a sync of files and entries did. Everything is empty when both were in step."""

    space: str
    folder: str
    written: tuple[str, ...] = ()  # files that follow their entries
    created: tuple[str, ...] = ()  # names of entries made from new files
    revised: tuple[str, ...] = ()  # names of entries that follow an edited file
    moved: tuple[str, ...] = ()  # files found, or put, at another path
    restored: tuple[str, ...] = ()  # files that were deleted and are back
    forgotten: tuple[str, ...] = ()  # names of entries whose files were deleted
    removed: tuple[str, ...] = ()  # files whose entries are gone
    conflicts: tuple[str, ...] = ()  # files that keep what an entry said when both had changed
    refused: tuple[Refusal, ...] = ()  # files that cannot be used

    @property
    def is_clean(self) -> bool:
        """Whether there was nothing to do and nothing to complain about."""
        return self == Sync(self.space, self.folder)


@dataclass(frozen=True, slots=True, repr=False)
class Checkpoint(Noun):
    """One commit of a workspace's history."""

    id: str  # seven characters
    subject: str
    body: str
    author: str
    at: datetime
    diff: str = ""  # on the newest of a list, when asked for: the change since the oldest of it

    def _describe(self) -> str:
        return f"{self.id} {quote(self.subject)}"
