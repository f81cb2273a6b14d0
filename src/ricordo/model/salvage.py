"""What a salvage recovered."""

from collections.abc import Mapping
from dataclasses import dataclass

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Salvage(Noun):
    """What was recovered from a damaged file, and what was lost."""

    path: str  # the new memory
    saved: Mapping[str, int]  # rows by table
    lost: tuple[str, ...]  # one line for each known loss
