"""Events: the log, item by item, exactly as it was given."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.model import Event, EventKind, Origin
from ricordo.store.codec import loads, moment

if TYPE_CHECKING:
    from ricordo.store.database import Record, Tx

EVERYTHING = -1  # SQLite's and ours: no limit
BEYOND = 2**63 - 1  # no event has a seq as high
INDEXED_IMPORTANCE = 0.7  # what the partial index `events_salient` begins at


class EventRow(NamedTuple):
    """An event as it stands in the log, ready to be written."""

    space: int
    session: str
    seq: int
    uid: str
    kind: EventKind
    role: str
    content: str | None
    body: str
    importance: float
    origin: Origin
    at: int
    digest: bytes
    link: bytes


class ChainRow(NamedTuple):
    seq: int
    uid: str
    role: str
    kind: EventKind
    content: str | None
    body: str
    importance: float
    origin: Origin
    at: int
    digest: bytes
    link: bytes


class Events:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, rows: Sequence[EventRow]) -> None:
        """Write events of one session."""
        self._tx.many("events.insert", rows)
        if bodies := [(row.seq, row.body) for row in rows if row.body]:
            self._tx.metadata.put_events(rows[0].space, rows[0].session, bodies)

    def after(
        self, space: int, address: tuple[str, str], after: int = -1, limit: int = EVERYTHING
    ) -> list[Event]:
        rows = self._tx.rows(
            "events.list", space=space, session=address[1], after=after, limit=limit
        )
        return [read_event(address, row) for row in rows]

    def latest(
        self, space: int, address: tuple[str, str], limit: int, before: int = BEYOND
    ) -> list[Event]:
        """The newest events, those before a seq, oldest of them first."""
        rows = self._tx.rows(
            "events.latest", space=space, session=address[1], limit=limit, before=before
        )
        return [read_event(address, row) for row in reversed(rows)]

    def first_by(self, space: int, address: tuple[str, str], role: str) -> Event | None:
        row = self._tx.row("events.first_by", space=space, session=address[1], role=role)
        return read_event(address, row) if row else None

    def one(self, space: int, address: tuple[str, str], seq: int) -> Event | None:
        row = self._tx.row("events.one", space=space, session=address[1], seq=seq)
        return read_event(address, row) if row else None

    def by_key(self, space: int, address: tuple[str, str], uid: str) -> Event | None:
        """The event whose uid was made from a key."""
        row = self._tx.row("events.keyed", space=space, session=address[1], uid=uid)
        return read_event(address, row) if row else None

    def between(self, space: int, address: tuple[str, str], first: int, last: int) -> list[Event]:
        rows = self._tx.rows(
            "events.between", space=space, session=address[1], first=first, last=last
        )
        return [read_event(address, row) for row in rows]

    def before(self, space: int, address: tuple[str, str], before: int, limit: int) -> list[Event]:
        """Messages before a seq, newest first."""
        rows = self._tx.rows(
            "events.before", space=space, session=address[1], before=before, limit=limit
        )
        return [read_event(address, row) for row in rows]

    def salient(
        self, space: int, address: tuple[str, str], before: int, least: float, limit: int
    ) -> list[Event]:
        """Messages before a seq of at least this importance, newest first."""
        rows = self._tx.rows(
            "events.salient" if least >= INDEXED_IMPORTANCE else "events.weighty",
            space=space,
            session=address[1],
            before=before,
            least=least,
            limit=limit,
        )
        return [read_event(address, row) for row in rows]

    def count_messages(self, space: int, session: str, upto: int) -> tuple[int, int]:
        """How many messages a session has, and how many of them up to a seq."""
        row = self._tx.row("events.count", space=space, session=session, upto=upto)
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def count_after(self, space: int, session: str, after: int) -> tuple[int, bytes | None, int]:
        """How many messages follow a seq, the link of the event there, how many events left."""
        ((messages, link, gone),) = self._tx.rows(
            "events.count_after", space=space, session=session, after=after
        )
        return messages, link, gone

    def last_marker(self, space: int, address: tuple[str, str]) -> Event | None:
        row = self._tx.row("events.last_marker", space=space, session=address[1])
        return read_event(address, row) if row else None

    def chain(self, space: int, session: str) -> list[ChainRow]:
        rows = self._tx.rows("events.chain", space=space, session=session)
        return [ChainRow(*row) for row in rows]

    def link(self, space: int, session: str, seq: int) -> ChainRow | None:
        """One event as the chain sees it."""
        row = self._tx.row("events.link", space=space, session=session, seq=seq)
        return ChainRow(*row) if row else None

    def rewrite(self, space: int, session: str, row: ChainRow) -> None:
        """Put another payload in the place of an event's own."""
        self._tx.rows("events.rewrite", space=space, session=session, **row._asdict())
        self._tx.metadata.delete_event(space, session, row.seq)
        self._tx.metadata.put_events(space, session, [(row.seq, row.body)])

    def delete(self, space: int, session: str) -> None:
        self._tx.rows("events.delete", space=space, session=session)
        self._tx.metadata.delete_session(space, session)


def read_event(address: tuple[str, str], row: "Record") -> Event:
    """An event from its row, as the queries of the log select it."""
    seq, uid, kind, role, content, body, importance, origin, at = row
    fields: dict[str, Any] = loads(body) if body else {}
    return Event(
        space=address[0],
        session=address[1],
        seq=seq,
        uid=uid,
        kind=kind,
        role=role,
        content=fields.get("parts", content),
        name=fields.get("name"),
        tool_calls=fields.get("tool_calls"),
        tool_call_id=fields.get("tool_call_id"),
        importance=importance,
        origin=origin,
        metadata=fields.get("metadata"),
        at=moment(at),
        index=fields.get("index", True),
        revision=fields.get("revision", 0),
    )
