"""What stands beside the hits anyway, in a context: recall ranks as if it were not there."""

from collections.abc import Iterable
from typing import NamedTuple

from ricordo.core.text import chunking, content
from ricordo.model import Event
from ricordo.store.database import Tx


class Shown(NamedTuple):
    """Texts of a session, by the hashes of their chunks, and entries, by their numbers."""

    session: str | None = None
    hashes: tuple[bytes, ...] = ()
    entries: tuple[int, ...] = ()
    last_seq: int | None = None  # of the session, when it was shown


def list_hashes(events: Iterable[Event], *, arguments: bool) -> tuple[bytes, ...]:
    """The hashes of the chunks that events are made of."""
    said = (content.extract(e.content, e.tool_calls, arguments=arguments) for e in events)
    return tuple({piece.hash: None for words in said for piece in chunking.chunks(words)})


def find_shown(tx: Tx, space: int, shown: Shown | None) -> list[int] | None:
    """The chunks of what is shown; None if there are none."""
    if shown is None:
        return None
    found = [chunk for entry in shown.entries for chunk in tx.chunks.of_entry(space, entry)]
    if shown.session is not None and shown.hashes:
        known = tx.chunks.find_known(space, shown.session, shown.hashes)
        found += [each.chunk for each in known]
    return found or None
