"""Fork: a new session that begins with what another one holds up to a seq."""

import dataclasses

from ricordo.core.integrity import chain
from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.flows.engine import Engine, check_name, whole
from ricordo.flows.writing import append
from ricordo.flows.writing.append import LAST_SEQ, Logged, Message
from ricordo.model import Event, Summary
from ricordo.store.codec import micros
from ricordo.store.database import Tx
from ricordo.store.tables.events import BEYOND


def fork(engine: Engine, address: tuple[str, str], name: str, at: int | None) -> None:
    """Copy the messages of a session up to `at` to a new one, with their seqs and times.

    The summary comes along if it covers nothing beyond. Markers do not: the archives that they
    name belong to the other session, and the fork has all of its messages.
    """
    space, session = address
    last = BEYOND if at is None else whole(at, "at", 0, LAST_SEQ)
    if name == session:
        raise InvalidInput(f"a fork of session {session!r} needs another name")
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None or tx.sessions.head(number, session) is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        events = tx.events.between(number, address, 0, last)
        summary = tx.summaries.get(number, session)
        held = tx.sessions.info(number, space, session)
    now = engine.now()
    messages = [_copy(event) for event in events if event.kind == "message"]
    prepared = append.prepare(engine, name, messages, now) if messages else []

    def work(tx: Tx) -> Logged | None:
        number = engine.ensure_space(tx, space)
        if tx.sessions.head(number, name) is not None:
            raise Conflict(f"there is a session {name!r} already; delete it or choose another name")
        tx.sessions.touch(number, name, now, chain.START)
        if held is not None and held.agent is not None:
            tx.sessions.assign(number, name, held.agent)
        logged = append.log(tx, number, (space, name), prepared, now) if prepared else None
        if logged is not None and summary is not None and summary.upto <= logged.after.last_seq:
            _take_summary(tx, number, dataclasses.replace(summary, session=name, epoch=1))
        return logged

    logged = engine.store.write(work)
    if logged is not None:
        append.follow(engine, logged)


def create(engine: Engine, space: str, session: str, agent: str | None = None) -> bool:
    """Create a session without an event, or say which agent holds it; whether it is new."""
    who = None if agent is None else check_name(agent, "agent")

    def work(tx: Tx) -> bool:
        number = engine.ensure_space(tx, space)
        is_new = tx.sessions.head(number, session) is None
        tx.sessions.touch(number, session, engine.now(), chain.START)
        if who is not None:
            tx.sessions.assign(number, session, who)
        return is_new

    return engine.store.write(work)


def _take_summary(tx: Tx, number: int, summary: Summary) -> None:
    tx.summaries.put(number, summary, micros(summary.at))


def _copy(event: Event) -> Message:
    return Message(
        role=event.role,
        content=event.content,
        seq=event.seq,
        at=event.at,
        importance=event.importance,
        tool_calls=event.tool_calls,
        tool_call_id=event.tool_call_id,
        name=event.name,
        origin=event.origin,
        metadata=event.metadata,
        index=event.index,
    )
