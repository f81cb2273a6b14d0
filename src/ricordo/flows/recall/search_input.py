"""What a profile is asked, and what it answers: candidates, each with its place decided."""

from typing import NamedTuple

from ricordo.flows.recall.query_vector import QueryVector
from ricordo.model import Profile


class SearchInput(NamedTuple):
    """Everything a profile needs to find its candidates."""

    space: int
    query: str
    limit: int
    mode: str
    meaning: QueryVector | None
    allowed: list[int] | None
    profile: Profile
    shown: list[int] | None = None  # chunks to rank as if they were not there


class Candidate(NamedTuple):
    """A candidate with its place decided."""

    chunk: int
    score: float
    parts: dict[str, float]
    confidence: float | None = None
