"""What a salvage brought home."""

from collections.abc import Mapping
from dataclasses import dataclass

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Salvage(Noun):
    """What was got out of a damaged file, and what was not."""

    path: str  # the new memory
    saved: Mapping[str, int]  # rows by table
    lost: tuple[str, ...]  # one line for everything known to be missing; empty when nothing is
