"""Changes: what happened in a space lately, of every kind, in one list."""

from dataclasses import dataclass
from datetime import datetime

from ricordo.model.choices import ChangeKind
from ricordo.model.memory import Source
from ricordo.model.noun import Noun, quote


@dataclass(frozen=True, slots=True, repr=False)
class Change(Noun):
    """Something that happened in a space. `text` is its beginning, up to 300 characters.

    `about` says more in a word or two: the role of a message, the status of a run, who asked.
    """

    kind: ChangeKind
    id: str  # no other change of the space has it
    at: datetime
    text: str
    about: str = ""
    name: str = ""  # of the schedule, for a run
    source: Source | None = None  # where to read it whole

    def _describe(self) -> str:
        return f"{self.kind} {self.at.isoformat()} {quote(self.text)}"
