"""Cut: take the end of a log away, or put other messages in its place, in one transaction.

The hash chain keeps the place of what was cut, so a seq is never used again. What a summary or an
archive retells stays: it would go on telling what is gone.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ricordo.core.integrity import chain
from ricordo.errors import Conflict, NotFound
from ricordo.flows.engine import Engine, whole
from ricordo.flows.writing import append, unsay
from ricordo.flows.writing.append import Logged, Message
from ricordo.flows.writing.unsay import Log
from ricordo.model import Event
from ricordo.store.database import Tx
from ricordo.store.tables.events import BEYOND


class Cut(NamedTuple):
    """Where to cut, and the last event that the caller knows of."""

    after: int
    expect_last: int | None = None


class Replaced(NamedTuple):
    """What went, and what came in its place."""

    gone: list[Event]
    logged: Logged | None


def truncate(engine: Engine, space: str, session: str, cut: Cut) -> list[Event]:
    """Take every event after a seq out of a log; returns them."""
    return _cut(engine, space, session, cut, []).gone


def replace(
    engine: Engine, space: str, session: str, cut: Cut, messages: Sequence[Message]
) -> list[Event]:
    """Put messages in the place of every event after a seq; returns the new events."""
    logged = _cut(engine, space, session, cut, messages).logged
    return [] if logged is None else logged.events


def _cut(
    engine: Engine, space: str, session: str, cut: Cut, messages: Sequence[Message]
) -> Replaced:
    after = whole(cut.after, "after", -1, BEYOND)
    append.check_messages(engine, messages)
    now = engine.now()
    prepared = append.prepare(engine, session, messages, now) if messages else []
    if not engine.store.read_only:
        engine.store.settle()  # signals on their way would come back after the cut

    def work(tx: Tx) -> Replaced:
        number = tx.spaces.number(space)
        if number is None or tx.sessions.head(number, session) is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        tx.sessions.touch(number, session, now, chain.START)  # locks the log
        log = (space, number, session)
        _check_last(tx, log, cut.expect_last)
        gone = tx.events.after(number, (space, session), after)
        if gone:
            refuse_retold(tx, log, gone[0].seq)
            unsay.take_out(engine, tx, log, {event.seq for event in gone})
            tx.signals.delete_between(number, session, gone[0].seq, BEYOND)
        if not prepared:
            return Replaced(gone, None)
        return Replaced(gone, append.log(tx, number, (space, session), prepared, now))

    made = engine.delete(work) if not prepared else engine.store.write(work)
    engine.recent.drop((space, session))
    engine.wake()
    return made


def _check_last(tx: Tx, log: Log, expected: int | None) -> None:
    if expected is None:
        return
    space, number, session = log
    newest = tx.events.latest(number, (space, session), 1)
    last = newest[0].seq if newest else -1
    if last != whole(expected, "expect_last", -1, BEYOND):
        raise Conflict(
            f"session {session!r} ends at seq {last}, not at {expected}; read it again with tail()"
        )


def refuse_retold(tx: Tx, log: Log, first: int) -> None:
    """Refuse to change events from a seq on that a marker, a summary or an entry retells."""
    space, number, session = log
    marker = tx.events.last_marker(number, (space, session))
    if marker is not None and marker.seq >= first:
        raise Conflict(
            f"session {session!r} was compacted at seq {marker.seq}, and seq {first} lies before "
            "it; only what came after it can be changed, or delete the session"
        )
    summary = tx.summaries.get(number, session)
    if summary is not None and summary.upto >= first:
        raise Conflict(
            f"the summary of session {session!r} tells of events up to seq {summary.upto}, and "
            f"seq {first} is one of them; only later ones can be changed, or delete the session"
        )
    for retelling in tx.retellings.of_session(number, session):
        if retelling.last_seq >= first:
            name = tx.entries.names(number, retelling.entry)[0]
            raise Conflict(
                f"entry {name!r} retells session {session!r} up to seq {retelling.last_seq}, and "
                f"seq {first} is part of it; forget the entry first"
            )
