"""What would go: told by reading alone, for `--dry-run` of the verbs that remove."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.errors import NotFound

if TYPE_CHECKING:
    from recollect.memory import Space
    from recollect.surfaces.calling import Call

_EVERY = 1_000


@dataclass(frozen=True, slots=True)
class Going:
    """A target and how many of each kind would go with it. Nothing has gone."""

    space: str
    target: str
    would_remove: dict[str, int]
    dry_run: bool = True


def of_entry(space: "Space", name: str) -> Going:
    """An entry by any of its names, or a document by its URI."""
    entry = space.get(name)
    if entry is None or entry.kind in ("message", "marker"):
        raise NotFound(f"there is no entry {name!r} in space {space.name!r}")
    if entry.kind == "file":
        return Going(space.name, entry.name, {"documents": 1})
    counts = {
        "entries": 1,
        "names": 1 + len(entry.aliases),
        "revisions": len(space.history(entry.name)),
        "signals": len(space.signals(entry.name, _EVERY)),
    }
    return Going(space.name, entry.name, counts)


def of_session(space: "Space", session: str) -> Going:
    """A session that is there."""
    chat = space.session(session)
    counts = {
        "sessions": 1,
        "events": len(chat.events()),
        "summaries": int(chat.summary() is not None),
        "scratchpads": int(bool(chat.scratchpad())),
    }
    return Going(space.name, session, counts)


def of_everything(space: "Space") -> Going:
    """All that is in a space."""
    stats = space.stats()
    names = ("sessions", "events", "entries", "chunks", "signals")
    return Going(space.name, space.name, {name: getattr(stats, name) for name in names})


def show(call: "Call", going: Going) -> None:
    """Print it as a receipt is printed, and say that it is none."""
    rows = [("would go", going.target), *going.would_remove.items()]
    call.out.table(going, ("what", "would go"), rows)
    call.out.note("nothing was changed; what is derived from these would go with them")
