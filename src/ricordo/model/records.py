"""Nouns of records: values under a path and a key, for the key-value stores of frameworks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from ricordo.model.choices import Origin
from ricordo.model.json import Json
from ricordo.model.noun import Noun, quote


@dataclass(frozen=True, slots=True, repr=False)
class Record(Noun):
    """A value under a path and a key."""

    _key: ClassVar[tuple[str, ...]] = ("path", "key")

    space: str
    path: tuple[str, ...]  # from the top, whatever handle it was read through
    key: str
    value: Json | bytes  # None as well where it was listed without values
    revision: int  # rises with each put
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    ttl: float | None  # seconds that a touch adds
    metadata: Mapping[str, Json]
    texts: tuple[str, ...]  # what recall finds it by
    origin: Origin

    def _describe(self) -> str:
        return f"{'/'.join((*self.path, self.key))!r} {quote(self.value)}"


@dataclass(frozen=True, slots=True, repr=False)
class RecordHit(Noun):
    """A record that recall found, and the text it was found by."""

    record: Record
    score: float  # the cosine in mode "vector"
    text: str

    def _describe(self) -> str:
        return f"{self.score:.3f} {self.record._describe()}"
