"""Events: the log, item by item, exactly as it was given."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.model import Event
from recollect.store.codec import loads, moment

if TYPE_CHECKING:
    from recollect.store.database import Record, Tx

EVERYTHING = -1  # SQLite's and ours: no limit


class EventRow(NamedTuple):
    """An event as it stands in the log, ready to be written."""

    space: int
    session: str
    seq: int
    uid: str
    kind: str
    role: str
    content: str | None
    body: str
    importance: float
    origin: str
    at: int
    digest: bytes
    link: bytes


class ChainRow(NamedTuple):
    seq: int
    role: str
    kind: str
    content: str | None
    body: str
    importance: float
    origin: str
    at: int
    digest: bytes
    link: bytes


class Events:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, rows: Iterable[EventRow]) -> None:
        self._tx.many("events.insert", rows)

    def after(
        self, space: int, address: tuple[str, str], after: int = -1, limit: int = EVERYTHING
    ) -> list[Event]:
        rows = self._tx.rows(
            "events.list", space=space, session=address[1], after=after, limit=limit
        )
        return [_event(address, row) for row in rows]

    def latest(self, space: int, address: tuple[str, str], limit: int) -> list[Event]:
        """The newest events, oldest of them first."""
        rows = self._tx.rows("events.latest", space=space, session=address[1], limit=limit)
        return [_event(address, row) for row in reversed(rows)]

    def first_by(self, space: int, address: tuple[str, str], role: str) -> Event | None:
        row = self._tx.row("events.first_by", space=space, session=address[1], role=role)
        return _event(address, row) if row else None

    def chain(self, space: int, session: str) -> list[ChainRow]:
        rows = self._tx.rows("events.chain", space=space, session=session)
        return [ChainRow(*row) for row in rows]

    def delete(self, space: int, session: str) -> None:
        self._tx.rows("events.delete", space=space, session=session)


def _event(address: tuple[str, str], row: "Record") -> Event:
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
    )
