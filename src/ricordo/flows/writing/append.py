"""Append: from messages to durable, searchable events in one transaction.

Everything that takes time (reading, cutting, stemming, hashing) happens before it opens.
"""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from ricordo.config import Settings
from ricordo.core.conversation import importance
from ricordo.core.integrity import chain, ids
from ricordo.core.text import content as text
from ricordo.errors import InvalidInput, OutOfOrder, shorten
from ricordo.flows.engine import Engine, check_name, one_of, shallow, whole
from ricordo.flows.writing.chunk_rows import MESSAGE, Subject, spans
from ricordo.flows.writing.free_json import check_size, count_least
from ricordo.flows.writing.show_writes import show_events
from ricordo.model import EVENT_KINDS, ORIGINS, ROLES, Content, Event, EventKind, Json, Origin
from ricordo.store.codec import DAY, dumps, loads, micros, moment
from ricordo.store.database import Tx
from ricordo.store.tables.chunks import ChunkRow, KnownChunk, Placed
from ricordo.store.tables.events import ChainRow, EventRow
from ricordo.store.tables.sessions import LogHead
from ricordo.store.tables.upkeep import Spoken

LAST_SEQ = 2**63 - 2
_SHAPES: dict[str, tuple[type, str]] = {
    "tool_calls": (list, "a list"),
    "tool_call_id": (str, "a text"),
    "metadata": (Mapping, "an object, names with values"),
}
_ORIGIN_OF_ROLE: dict[str, Origin] = {"user": "user", "tool": "tool"}
_moment = lru_cache(16)(moment)  # messages of one batch are of one time


class Message(NamedTuple):
    """What a caller appends. Only role and content are usual; the rest has defaults."""

    role: str
    content: Content = None
    seq: int | None = None
    at: datetime | None = None
    importance: float | None = None
    tool_calls: list[Json] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    origin: str | None = None
    metadata: Mapping[str, Json] | None = None
    kind: EventKind = "message"
    key: str | None = None  # see `append_once`
    index: bool = True  # type: ignore[assignment]  # recall finds it; hides tuple.index

    @classmethod
    def of(cls, given: object) -> "Message":
        """A message from a mapping with the same names, as `extend` takes it."""
        if isinstance(given, Message):
            return given
        if not isinstance(given, Mapping):
            raise InvalidInput(
                f"a message is a mapping with role and content, not {type(given).__name__}"
            )
        if "role" not in given:
            raise InvalidInput(f"message {sorted(map(str, given))} has no 'role'; say whose it is")
        if given.keys() <= _FIELDS:
            return cls(**given)
        known = {name: value for name, value in given.items() if name in _FIELDS}
        rest = {name: value for name, value in given.items() if name not in _FIELDS}
        known["metadata"] = _with_rest(known.get("metadata"), rest)
        return cls(**known)


_FIELDS = frozenset(Message._fields)


def _with_rest(metadata: object, rest: Mapping[str, Json]) -> object:
    """What else a message holds is kept with its metadata, unless it looks like a slip."""
    from difflib import get_close_matches

    for name in rest:
        is_long = len(str(name)) > 3  # a short word is like any other
        if is_long and (meant := get_close_matches(str(name), Message._fields, 1, 0.8)):
            raise InvalidInput(f"a message has no {name!r}; did you mean {meant[0]!r}?")
    if metadata is not None and not isinstance(metadata, Mapping):
        return metadata  # refused where all of it is checked
    said = {name: value for name, value in rest.items() if value is not None}
    if twice := said.keys() & (metadata or {}).keys():
        raise InvalidInput(f"a message has {min(twice)!r} beside and in its metadata; give it once")
    return {**said, **(metadata or {})}


class Prepared(NamedTuple):
    """A message ready to be written: seq, link and chunk numbers are all that is missing."""

    message: Message
    seq: int | None
    uid: str
    role: str
    content: str | None
    body: str
    importance: float
    origin: Origin
    at: int
    chunks: list[ChunkRow]


class Logged(NamedTuple):
    """Events just written, and where the log stood before and after them."""

    events: list[Event]
    before: LogHead
    after: LogHead


def append(engine: Engine, space: str, session: str, messages: Sequence[Message]) -> list[Event]:
    """Append messages to a session: durable when this returns, or none of them is there."""
    if not messages:
        return []
    check_messages(engine, messages)
    now = engine.now()
    prepared = prepare(engine, session, messages, now)

    def work(tx: Tx) -> Logged:
        return log(tx, engine.ensure_space(tx, space), (space, session), prepared, now)

    with engine.steps.begin("append", space=space, session=session) as step:
        logged = engine.store.write(work)
        show_events(step, logged.events)
    follow(engine, logged)
    return logged.events


def check_messages(engine: Engine, messages: Sequence[Message]) -> None:
    """Refuse more messages than one transaction takes, and one that says nothing."""
    if len(messages) > engine.settings.max_batch:
        raise InvalidInput(
            f"more than {engine.settings.max_batch:,} messages at once; extend in several parts"
        )
    for message in messages:
        if message.content is None and not message.tool_calls and message.kind == MESSAGE:
            raise InvalidInput(_describe_missing(message))


def _describe_missing(message: Message) -> str:
    """What is wrong with a message without content, and the way out."""
    beside = message.metadata if isinstance(message.metadata, Mapping) else ()
    if other := sorted({"text", "message", "body", "parts"}.intersection(beside)):
        return f"a message by {message.role!r} has {other[0]!r} and no 'content'; call it 'content'"
    if not isinstance(message.role, str) or message.role not in ROLES:
        return (
            f"{shorten(message.role)} stands where the role belongs, and there is no content; "
            "write append('user', text)"
        )
    return (
        f"a message by {message.role!r} has neither content nor tool_calls; give one of them, or "
        "'' if it says nothing"
    )


def log(
    tx: Tx, number: int, address: tuple[str, str], prepared: list[Prepared], now: int
) -> Logged:
    """Write prepared messages at the end of a session, inside a transaction of the caller's."""
    session = address[1]
    # Nobody else appends meanwhile: the transaction holds the lock of the file or of the space.
    head, secret = tx.sessions.find_end(number, session, now, chain.START)
    rows = _place(prepared, (number, session), head, secret)
    tx.events.insert(rows)
    end = LogHead(rows[-1].seq, rows[-1].link, head.events + len(rows), head.rewrites)
    tx.sessions.advance(number, session, end, len(rows), now)
    _index(tx, number, session, prepared, rows)
    events = [_event(address[0], *pair) for pair in zip(prepared, rows, strict=True)]
    return Logged(events, head, end)


def follow(engine: Engine, logged: Logged) -> None:
    """Once it is durable: tell working memory and the embedder."""
    engine.recent.add(logged.events, logged.before, logged.after)
    engine.wake()


def prepare(engine: Engine, session: str, messages: Sequence[Message], now: int) -> list[Prepared]:
    """Everything that takes time, done before a transaction opens."""
    size = ids.RANDOM_BYTES
    noise = os.urandom(size * len(messages))  # asked for once: each time is a syscall
    return [
        _prepare(engine.settings, session, message, now, noise[size * place : size * (place + 1)])
        for place, message in enumerate(messages)
    ]


def _prepare(
    settings: Settings, session: str, message: Message, now: int, noise: bytes
) -> Prepared:
    role = _check_role(message.role)
    one_of(message.kind, "kind", EVENT_KINDS)
    at = now if message.at is None else micros(message.at)
    if message.origin is None:
        origin = _ORIGIN_OF_ROLE.get(role, "agent")
    else:
        origin = one_of(message.origin, "origin", ORIGINS)
    content, body = pack_payload(message, settings)
    words = text.extract(
        message.content, message.tool_calls, arguments=settings.index_tool_arguments
    )
    subject = Subject(MESSAGE, session, None, role, message.name or "", origin, at)
    return Prepared(
        message=message,
        seq=None if message.seq is None else whole(message.seq, "seq", 0, LAST_SEQ),
        uid=ids.uuid7(max(at, 0), noise),
        role=role,
        content=content,
        body=body,
        importance=_importance(settings.importance, message.importance, role, words),
        origin=origin,
        at=at,
        chunks=spans(subject, words) if message.kind == MESSAGE and message.index else [],
    )


def _check_role(role: object) -> str:
    if role in ROLES:
        return str(role)
    raise InvalidInput(
        f"role {shorten(role)} is not valid; use one of {', '.join(ROLES)}, and name= for who spoke"
    )


def _importance(scorer: str, given: float | None, role: str, words: str) -> float:
    if given is not None:
        return importance.check_share(given)
    if scorer == "heuristic":
        return importance.heuristic(role, text.normalise(words))
    return importance.by_role(role)


def pack_payload(message: Message, settings: Settings, revision: int = 0) -> tuple[str | None, str]:
    """Plain content as it is, and everything else of the payload as one JSON text."""
    limit = settings.max_text
    content = message.content
    rest = _beside(message, settings)
    if revision:
        rest["revision"] = revision
    if content is not None and not isinstance(content, str):
        if not isinstance(content, list | dict):
            raise InvalidInput(f"content is {type(content).__name__}; give text, parts or None")
        rest = {"parts": content, **rest}
        content = None
    body = _body(rest, settings) if rest else ""
    return None if content is None else text.clean(content, "content", limit=limit), body


def _body(rest: dict[str, Json], settings: Settings) -> str:
    """As JSON, which is not even made of what is far too large."""
    limit = settings.max_text
    shallow(rest, "the message", settings.max_depth)
    least = count_least(rest)
    body = "" if least > limit else dumps(rest, "the message")
    if (size := max(least, len(body))) > limit:
        raise InvalidInput(f"the message has {size:,} characters, the limit is {limit:,}")
    return body


def _beside(message: Message, settings: Settings) -> dict[str, Json]:
    """What a message says beside its content, which most do not."""
    rest: dict[str, Json] = {}
    if message.name is not None:
        rest["name"] = check_name(message.name, "name")
    if message.index is not True:
        if message.index is not False:
            raise InvalidInput(f"index {shorten(message.index)} is not valid; give True or False")
        rest["index"] = False
    if message.tool_calls is None and message.tool_call_id is None and message.metadata is None:
        return rest
    for field, (shape, words) in _SHAPES.items():
        if (value := getattr(message, field)) is not None:
            if not isinstance(value, shape):
                raise InvalidInput(f"{field} {shorten(value)} is not valid; give {words}")
            check_size(value, field, settings)
            rest[field] = value
    return rest


def _event(space: str, item: Prepared, row: EventRow) -> Event:
    message = item.message
    # What the caller gave stays the caller's to change; the log and its copy in RAM do not.
    rest: dict[str, Json] = loads(row.body) if row.body else {}
    return Event(
        space,
        row.session,
        row.seq,
        row.uid,
        row.kind,
        row.role,
        rest.get("parts", row.content),
        message.name,
        rest.get("tool_calls"),
        message.tool_call_id,
        row.importance,
        row.origin,
        rest.get("metadata"),
        message.at or _moment(row.at),
        rest.get("index", True),
    )


def _place(
    prepared: list[Prepared], address: tuple[int, str], head: LogHead, secret: bytes
) -> list[EventRow]:
    """Give every message its seq and its link in the chain."""
    rows = []
    last, link, *_ = head
    for item in prepared:
        seq = max(last, 0) + 1 if item.seq is None else item.seq
        if seq > LAST_SEQ + 1:
            raise OutOfOrder(f"session {address[1]!r} ends at seq {last}; begin another session")
        if seq <= last:
            raise OutOfOrder(
                f"seq {seq} does not rise above {last}, the last of session "
                f"{address[1]!r}; leave seq out to get the next one"
            )
        kind, (_, _, uid, role, content, body, weight, origin, at, _) = item.message.kind, item
        said = payload(kind, role, content, body, origin, at, weight)
        digest = chain.digest(secret, _digest_with_owner(uid, said))
        link = chain.link(link, seq, digest)
        rows.append(
            EventRow(
                *address, seq, uid, kind, role, content, body, weight, origin, at, digest, link
            )
        )
        last = seq
    return rows


def digest_of(secret: bytes, row: ChainRow) -> bytes:
    """The digest that an event should have."""
    return chain.digest(secret, _digest_with_owner(row.uid, _digest_words(row)))


def verifies(secret: bytes, row: ChainRow) -> bool:
    """Whether an event is what its digest says; digests of old did not cover the uid."""
    return row.digest == digest_of(secret, row) or row.digest == chain.digest(
        secret, _digest_words(row)
    )


def _digest_words(row: ChainRow) -> bytes:
    return payload(row.kind, row.role, row.content, row.body, row.origin, row.at, row.importance)


def _digest_with_owner(uid: str, said: bytes) -> bytes:
    return uid.encode() + b"\x1f" + said


def payload(
    kind: EventKind,
    role: str,
    content: str | None,
    body: str,
    origin: Origin,
    at: int,
    importance: float,
) -> bytes:
    """What the digest of an event covers beside its uid: everything a reader is given."""
    held = "\0" if content is None else content
    return "\x1f".join((kind, role, held, body, origin, str(at), repr(importance))).encode()


def sameness(chunk: ChunkRow | KnownChunk | Spoken) -> tuple[bytes, int]:
    """What chunks of a session have in common that are one: the text and the day."""
    return chunk.hash, chunk.at // DAY


def _index(
    tx: Tx, space: int, session: str, prepared: list[Prepared], rows: list[EventRow]
) -> None:
    """Write the chunks; a text the session has heard on that day only widens its chunk."""
    fresh: dict[tuple[bytes, int], Placed] = {}
    hashes = [chunk.hash for item in prepared for chunk in item.chunks]
    heard = tx.chunks.find_known(space, session, hashes) if hashes else []
    known = {sameness(each): each.chunk for each in heard}
    for item, row in zip(prepared, rows, strict=True):
        for chunk in item.chunks:
            said = sameness(chunk)
            if said in known:
                tx.chunks.widen(space, known[said], row.seq)
            elif said in fresh:
                fresh[said] = fresh[said]._replace(seq_end=row.seq)
            else:
                fresh[said] = Placed(chunk, row.seq, row.seq)
    put(tx, space, list(fresh.values()))


def put(tx: Tx, space: int, placed: list[Placed]) -> None:
    """Write new chunks with their index rows and move the counters of the space."""
    if placed:
        first, row = tx.spaces.grew(space, len(placed), sum(item.row.words for item in placed))
        tx.chunks.insert_after(row, space, first, placed)
