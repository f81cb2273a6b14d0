"""What tools share: the form of times, entries and hits, and the lookup of a key."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypedDict

from ricordo.errors import InvalidInput
from ricordo.model import KINDS, Entry, Hit, Reminder
from ricordo.surfaces.tools.schema import About

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

ENTRIES = KINDS  # recall is limited to these where results must be deletable by id
Query = Annotated[str, About("what to look for, in plain words", shortest=1)]
Filled = Annotated[str, About(shortest=1)]
Limit = Annotated[int, About(minimum=1, maximum=50)]
Offset = Annotated[int, About(minimum=0, maximum=10_000)]
UpTo = Annotated[int, About(minimum=0, maximum=50)]  # where 0 is valid
# More than 16, or longer ones than 64 characters, are fine: the store keeps that much.
Tags = list[str]
MOST_ALIASES = 100  # of an entry, as the setting has it by default


def require_text(value: str | None, what: str) -> str:
    """A text that is not blank, or InvalidInput."""
    if value is None or not value.strip():
        raise InvalidInput(f"{what} is missing or blank; give a text")
    return value


def when(at: datetime) -> str:
    """A time in ISO 8601, UTC."""
    return at.astimezone(UTC).isoformat()


def maybe(at: datetime | None) -> str | None:
    return None if at is None else when(at)


def now(space: "Space") -> datetime:
    """The time by the clock of the memory."""
    return space._engine.clock()


class ReminderItem(TypedDict):
    id: str
    text: str
    at: str | None
    cue: str | None


def describe_reminder(reminder: Reminder) -> ReminderItem:
    """A reminder as tools show it."""
    return {
        "id": reminder.id,
        "text": reminder.text,
        "at": maybe(reminder.at),
        "cue": reminder.cue,
    }


def cite(hit: Hit) -> str:
    """The name of the hit's source for `get`: a name, SESSION#SEQ or a URI."""
    if hit.entry is not None:
        return hit.entry.name
    if hit.source.kind == "event":
        return f"{hit.source.session}#{hit.source.seq_start}"
    return hit.source.uri or ""


def recall_entries(
    space: "Space", query: str, limit: int, profile: str, **filters: object
) -> Iterator[Entry]:
    """The entries that recall finds with a profile, each once, the best first.

    A negative limit asks for all of them, which are as many as one recall gives.
    """
    seen = set()
    most = space._engine.settings.max_limit
    wanted = most if limit < 0 else min(limit, most)
    filters |= {"kinds": ENTRIES, "profile": profile}
    for hit in space.recall(query, wanted, **filters):  # type: ignore[arg-type]  # checked there
        if hit.entry is not None and hit.entry.id not in seen:
            seen.add(hit.entry.id)
            yield hit.entry


def find_by_key(space: "Space", key: str) -> Entry | None:
    """The entry with exactly this name or alias; an id or a citation is not a key."""
    entry = space.get(key)
    if entry is None or entry.kind not in KINDS or key not in (entry.name, *entry.aliases):
        return None
    return entry
