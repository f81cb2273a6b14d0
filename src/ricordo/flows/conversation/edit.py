"""Edit: an event says something else from now on, and nothing finds what it said before.

Its place, its speaker and its time stay. The hash chain keeps the digest of what was said first;
the new payload is linked to that.
"""

from ricordo.core.integrity import chain
from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.flows.conversation.cut import refuse_retold
from ricordo.flows.engine import Engine, whole
from ricordo.flows.writing import append, unsay
from ricordo.flows.writing.append import LAST_SEQ, Message, digest_of, put, sameness
from ricordo.model import Event
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import Placed
from ricordo.store.tables.events import ChainRow

Change = tuple[int, Message, int | None]  # the seq, what it says from now on, expected revision


def edit(engine: Engine, space: str, session: str, change: Change) -> Event:
    """Replace what an event says; returns it as it is now."""
    seq = whole(change[0], "seq", 0, LAST_SEQ)
    if not engine.store.read_only:
        engine.store.settle()  # a signal on its way may hold the old text

    def work(tx: Tx) -> Event:
        number = tx.spaces.number(space)
        old = None if number is None else tx.events.one(number, (space, session), seq)
        if number is None or old is None:
            raise NotFound(f"there is no event {seq} in session {session!r} of space {space!r}")
        tx.sessions.touch(number, session, engine.now(), chain.START)  # locks the log
        _check_change(old, change)
        log = (space, number, session)
        refuse_retold(tx, log, seq)
        unsay.drop_chunks(engine, tx, log, {seq}, tx.upkeep.list_chunks_at(number, session, seq))
        tx.signals.delete_between(number, session, seq, seq)
        tx.events.rewrite(number, session, _make_row(engine, tx, number, old, change[1]))
        tx.sessions.rewrite(number, session)
        event = tx.events.one(number, (space, session), seq)
        assert event is not None
        _index(engine, tx, number, event)
        return event

    event = engine.store.write(work)
    engine.recent.drop((space, session))
    engine.wake()
    return event


def _check_change(old: Event, change: Change) -> None:
    seq, message, expected = change
    if old.kind != "message":
        raise InvalidInput(f"event {seq} is a marker of a compaction, which cannot be edited")
    if expected is not None and expected != old.revision:
        raise Conflict(
            f"event {seq} of session {old.session!r} has revision {old.revision}, not {expected}; "
            "read it again"
        )
    if message.content is None and not message.tool_calls:
        raise InvalidInput(f"event {seq} needs content or tool_calls; give '' if it says nothing")


def _make_row(engine: Engine, tx: Tx, number: int, old: Event, message: Message) -> ChainRow:
    """The event with its new payload, linked to the place of the old one."""
    held = tx.events.link(number, old.session, old.seq)
    assert held is not None
    place = tx.upkeep.keep_place(number, old.session, old.seq)
    said = message._replace(role=old.role, name=old.name if message.name is None else message.name)
    content, body = append.pack_payload(said, engine.settings, old.revision + 1)
    row = held._replace(content=content, body=body)
    digest = digest_of(tx.spaces.secret(number), row)
    return row._replace(digest=digest, link=chain.link(place.link, old.seq, digest))


def _index(engine: Engine, tx: Tx, number: int, event: Event) -> None:
    """Write its chunks, as its own: one that begins later must not stand for it."""
    fresh = {sameness(row): row for row in unsay.list_rows(engine, event)}
    put(tx, number, [Placed(row, event.seq, event.seq) for row in fresh.values()])
