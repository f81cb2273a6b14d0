"""Append: from messages to durable, searchable events in one transaction.

Everything that takes time (reading, cutting, stemming, hashing) happens before it opens.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.core import chain, ids, importance, text
from recollect.errors import InvalidInput, NotFound, OutOfOrder
from recollect.flows.engine import Engine, named, one_of, whole
from recollect.flows.spans import MESSAGE, Subject, spans
from recollect.model import ORIGINS, Event, Json, Receipt
from recollect.store.chunks import ChunkRow
from recollect.store.codec import dumps, micros, moment
from recollect.store.database import Tx
from recollect.store.events import ChainRow, EventRow
from recollect.store.sessions import Head

LAST_SEQ = 2**63 - 2
_ORIGIN_OF_ROLE = {"user": "user", "tool": "tool"}


@dataclass(frozen=True, slots=True)
class Message:
    """What a caller appends. Only role and content are usual; the rest has defaults."""

    role: str
    content: str | list[Json] | None = None
    seq: int | None = None
    at: datetime | None = None
    importance: float | None = None
    tool_calls: list[Json] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    origin: str | None = None
    metadata: Mapping[str, Json] | None = None
    kind: str = MESSAGE

    @classmethod
    def of(cls, given: object) -> "Message":
        """A message from a mapping with the same names, as `extend` takes it."""
        if isinstance(given, Message):
            return given
        if not isinstance(given, Mapping):
            raise InvalidInput(
                f"a message is a mapping with role and content, not {type(given).__name__}"
            )
        unknown = set(given) - set(cls.__slots__)
        if unknown or "role" not in given:
            raise InvalidInput(
                f"message {sorted(map(str, given))} needs 'role' and may hold "
                f"{', '.join(cls.__slots__)}"
            )
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A message ready to be written: seq, link and chunk numbers are all that is missing."""

    seq: int | None
    row: EventRow
    event: Event
    chunks: list[ChunkRow]


def append(engine: Engine, space: str, session: str, messages: Sequence[Message]) -> list[Event]:
    """Append messages to a session: durable when this returns, or none of them is there."""
    if not messages:
        return []
    now = engine.now()
    prepared = [_prepare(engine, (space, session), message, now) for message in messages]

    def work(tx: Tx) -> tuple[list[Event], bytes, bytes]:
        number = engine.ensure_space(tx, space)
        # Touch the session first: the upsert locks its row, which keeps seq without gaps
        # when several processes append at once.
        head = tx.sessions.touch(number, session, now, chain.START)
        secret = tx.spaces.counters(number).secret
        placed = _place(prepared, number, head, secret)
        rows = [row for row, _, _ in placed]
        tx.events.insert(rows)
        end = Head(rows[-1].seq, rows[-1].link)
        tx.sessions.advance(number, session, end, len(rows))
        _index(tx, number, session, [(row.seq, chunks) for row, _, chunks in placed])
        return [event for _, event, _ in placed], head.link, end.link

    events, before, after = engine.store.write(work)
    engine.recent.add(events, before, after)
    engine.embedding.wake()
    return events


def delete(engine: Engine, space: str, session: str) -> Receipt:
    """Remove a session with its events, chunks, index rows and vectors."""
    now = engine.now()

    def work(tx: Tx) -> Receipt:
        number = tx.spaces.number(space)
        head = None if number is None else tx.sessions.head(number, session)
        if number is None or head is None:
            raise NotFound(f"there is no session {session!r} in space {space!r}")
        removed = {"events": len(tx.events.chain(number, session))}
        removed |= tx.chunks.delete_session(number, session)
        tx.events.delete(number, session)
        tx.sessions.delete(number, session)
        return Receipt(space, session, removed | {"sessions": 1}, moment(now))

    receipt = engine.store.write(work)
    engine.recent.drop((space, session))
    return receipt


def _prepare(engine: Engine, address: tuple[str, str], message: Message, now: int) -> Prepared:
    settings = engine.settings
    role = named(message.role, "role")
    at = now if message.at is None else micros(message.at)
    origin = message.origin or _ORIGIN_OF_ROLE.get(role, "agent")
    content, body = _payload(message, settings.max_text)
    words = text.normalise(
        text.extract(message.content, message.tool_calls, arguments=settings.index_tool_arguments)
    )
    given = message.importance
    if given is None and settings.importance == "heuristic":
        weight = importance.heuristic(role, words)
    else:
        weight = importance.by_role(role) if given is None else importance.checked(given)
    row = EventRow(
        space=0,
        session=address[1],
        seq=0,
        uid=ids.uuid7(at if at >= 0 else now, os.urandom(10)),
        kind=message.kind,
        role=role,
        content=content,
        body=body,
        importance=weight,
        origin=one_of(origin, "origin", ORIGINS),
        at=at,
        digest=b"",
        link=b"",
    )
    subject = Subject(MESSAGE, address[1], 0, None, role, message.name or "", origin, at)
    chunks = spans(subject, words) if message.kind == MESSAGE else []
    seq = None if message.seq is None else whole(message.seq, "seq", 0, LAST_SEQ)
    return Prepared(seq, row, _event(address, message, row), chunks)


def _payload(message: Message, limit: int) -> tuple[str | None, str]:
    """Plain content as it is, and everything else of the payload as one JSON text."""
    rest: dict[str, Json] = {}
    content = message.content
    if content is not None and not isinstance(content, str):
        if not isinstance(content, list):
            raise InvalidInput(
                f"content is {type(content).__name__}; give text, a list of parts or None"
            )
        rest["parts"], content = content, None
    if message.name is not None:
        rest["name"] = named(message.name, "name")
    for field in ("tool_calls", "tool_call_id", "metadata"):
        if (value := getattr(message, field)) is not None:
            rest[field] = value
    body = dumps(rest, "the message") if rest else ""
    if len(body) > limit:
        raise InvalidInput(f"the message has {len(body):,} characters, the limit is {limit:,}")
    return None if content is None else text.clean(content, "content", limit=limit), body


def _event(address: tuple[str, str], message: Message, row: EventRow) -> Event:
    return Event(
        space=address[0],
        session=address[1],
        seq=row.seq,
        uid=row.uid,
        kind=row.kind,
        role=row.role,
        content=message.content,
        name=message.name,
        tool_calls=message.tool_calls,
        tool_call_id=message.tool_call_id,
        importance=row.importance,
        origin=row.origin,
        metadata=message.metadata,
        at=moment(row.at),
    )


def _place(
    prepared: list[Prepared], number: int, head: Head, secret: bytes
) -> list[tuple[EventRow, Event, list[ChunkRow]]]:
    """Give every message its seq and its link in the chain."""
    placed = []
    last, link = head
    for item in prepared:
        seq = max(last, 0) + 1 if item.seq is None else item.seq
        if seq <= last:
            raise OutOfOrder(
                f"seq {seq} does not rise above {last}, the last of session "
                f"{item.row.session!r}; leave seq out to get the next one"
            )
        digest = chain.digest(secret, payload(item.row))
        link = chain.link(link, seq, digest)
        row = item.row._replace(space=number, seq=seq, digest=digest, link=link)
        placed.append((row, replace(item.event, seq=seq), item.chunks))
        last = seq
    return placed


def payload(row: EventRow | ChainRow) -> bytes:
    """What the digest of an event covers: everything a reader is given."""
    content = "\0" if row.content is None else row.content
    fields = (row.kind, row.role, content, row.body, row.origin, str(row.at), repr(row.importance))
    return "\x1f".join(fields).encode()


def _index(tx: Tx, space: int, session: str, placed: list[tuple[int, list[ChunkRow]]]) -> None:
    """Write the chunks; a text the session has heard before only widens its first chunk."""
    fresh: dict[bytes, ChunkRow] = {}
    for seq, chunks in placed:
        for chunk in chunks:
            if chunk.hash in fresh:
                fresh[chunk.hash] = fresh[chunk.hash]._replace(seq_end=seq)
                continue
            known = tx.chunks.same(space, session, chunk.hash)
            if known is not None:
                tx.chunks.widen(space, known, seq)
            else:
                fresh[chunk.hash] = chunk._replace(seq_start=seq, seq_end=seq)
    put(tx, space, list(fresh.values()))


def put(tx: Tx, space: int, rows: list[ChunkRow]) -> None:
    """Write new chunks with their index rows and move the counters of the space."""
    if rows:
        first = tx.spaces.counters(space).next_chunk
        tx.chunks.insert(space, first, rows)
        tx.spaces.grew(space, len(rows), sum(row.words for row in rows))
