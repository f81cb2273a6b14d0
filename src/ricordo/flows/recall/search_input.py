"""What a profile is asked, and what it answers: candidates, each with its place decided."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.recall.confidence import Figures
from ricordo.core.recall.growable import Floats
from ricordo.core.time.moments import read_moment
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.recall.query_vector import QueryVector
from ricordo.model import Profile
from ricordo.store.codec import micros

if TYPE_CHECKING:
    from ricordo.flows.recall.past import PastChunks


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
    past: "PastChunks | None" = None  # what entries said at the time of the recall


class Evidence(NamedTuple):
    """What is known of a candidate beside its score, for a second look at the first hits."""

    figures: Figures
    by: str  # what its confidence rests on
    vector: Floats | None = None  # of length one; only the first candidates have it


class Candidate(NamedTuple):
    """A candidate with its place decided."""

    chunk: int
    score: float
    parts: dict[str, float]
    confidence: float | None = None
    evidence: Evidence | None = None
    is_repeat: bool = False  # of a better hit, or an archive too many: it only fills up


def check_time(at: datetime | str | None, now: datetime) -> int | None:
    """A time of a filter, also as people say it, in microseconds."""
    if at is None:
        return None
    return micros(read_moment(at, now) if isinstance(at, str) else at)


def check_variety(given: object, mode: str, *, can_vary: bool) -> bool:
    """Whether repeats go behind other hits; default: in every mode but `vector`."""
    if given is None:
        return can_vary and mode != "vector"
    if not isinstance(given, bool):
        raise InvalidInput(f"variety is {shorten(given)}; give True or False, or leave it out")
    if given and not can_vary:
        raise InvalidInput("only profile 'default' sets repeats apart; leave variety out")
    return given
