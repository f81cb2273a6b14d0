"""Append once: a message with a key is written at most once in its session.

A client that lost the answer sends the message again with the same key and gets the event that is
there. The key is not kept: the uid of the event is made from it and the session, so an index on
such uids alone finds it, and it stays known in exports, imports and copies.
"""

from collections.abc import Sequence

from ricordo.core.integrity import chain, ids
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.writing import append as append_flow
from ricordo.flows.writing.append import Logged, Message, Prepared
from ricordo.flows.writing.show_writes import show_events
from ricordo.model import Event
from ricordo.store.database import Tx


def append(engine: Engine, space: str, session: str, messages: Sequence[Message]) -> list[Event]:
    """Append messages; of those with a key only the ones that are new, the others as they stand."""
    if all(message.key is None for message in messages):
        return append_flow.append(engine, space, session, messages)
    append_flow.check_messages(engine, messages)
    now, address = engine.now(), (space, session)
    prepared = [
        item if item.message.key is None else item._replace(uid=_make_uid(session, item.message))
        for item in append_flow.prepare(engine, session, messages, now)
    ]
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        known = {} if number is None else _find_known(tx, number, address, prepared)
    if all(item.uid in known for item in prepared):
        return [known[item.uid] for item in prepared]

    def work(tx: Tx) -> tuple[dict[str, Event], Logged | None]:
        number = engine.ensure_space(tx, space)
        tx.sessions.touch(number, session, now, chain.START)  # locks: nobody else appends a key
        known = _find_known(tx, number, address, prepared)
        fresh = {item.uid: item for item in prepared if item.uid not in known}
        if not fresh:
            return known, None
        return known, append_flow.log(tx, number, address, list(fresh.values()), now)

    with engine.steps.begin("append", space=space, session=session) as step:
        known, logged = engine.store.write(work)
        show_events(step, [] if logged is None else logged.events)
    if logged is not None:
        append_flow.follow(engine, logged)
        known |= {event.uid: event for event in logged.events}
    return [known[item.uid] for item in prepared]


def _make_uid(session: str, message: Message) -> str:
    return ids.uuid8(session, check_name(message.key, "key"))


def _find_known(
    tx: Tx, number: int, address: tuple[str, str], prepared: list[Prepared]
) -> dict[str, Event]:
    keyed = [item.uid for item in prepared if item.message.key is not None]
    found = (tx.events.by_key(number, address, uid) for uid in dict.fromkeys(keyed))
    return {event.uid: event for event in found if event is not None}
