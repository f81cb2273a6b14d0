"""What a copy from one memory to another did."""

from collections.abc import Mapping
from dataclasses import dataclass

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Copied(Noun):
    """One space that is now in the target too: its rows by table, compared on both sides."""

    space: str
    rows: Mapping[str, int]
    changed: bool  # False: it was there already, and equal
