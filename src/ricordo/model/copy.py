"""What a copy from one memory to another did."""

from collections.abc import Mapping
from dataclasses import dataclass

from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Copied(Noun):
    """A space that was copied to the target: its rows by table, compared on both sides."""

    space: str
    rows: Mapping[str, int]
    changed: bool  # False: the target already had an equal copy
