"""Reminders: rows in, rows out. Whether a cue is touched is decided elsewhere."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.seals import seal_row
from ricordo.store.tables.due import REMINDER, LeaseTerms

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class ReminderRow(NamedTuple):
    id: str
    text: str
    at: int | None
    cue: str | None
    recipient: str | None
    channel: str | None
    session: str | None
    created_at: int
    delivered_at: int | None = None
    worker: str | None = None
    until: int | None = None
    fence: int = 0
    due_at: int | None = None


class Reminders:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, space: int, row: ReminderRow) -> None:
        self._tx.rows("reminders.insert", space=space, **seal_row("reminders", row._asdict()))
        self._refresh(space)
        self._tx.hint()

    def get(self, space: int, id: str) -> ReminderRow | None:
        row = self._tx.row("reminders.get", space=space, id=id)
        return ReminderRow(*row) if row else None

    def page(
        self, space: int, *, pending: bool, recipient: str | None, limit: int
    ) -> list[ReminderRow]:
        rows = self._tx.rows(
            "reminders.list", space=space, pending=int(pending), recipient=recipient, limit=limit
        )
        return [ReminderRow(*row) for row in rows]

    def list_at(self, space: int, at: int) -> list[ReminderRow]:
        """Undelivered ones of a time that nobody holds."""
        rows = self._tx.rows("reminders.at", space=space, at=at)
        return [ReminderRow(*row) for row in rows]

    def claim(self, space: int, lease: LeaseTerms, now: int, limit: int) -> list[ReminderRow]:
        """Take the oldest due ones; RETURNING has no order of its own."""
        values = {"space": space, "now": now, "limit": limit, **lease._asdict()}
        rows = self._tx.rows("reminders.claim", **values)
        self._refresh(space)
        found = [ReminderRow(*row) for row in rows]
        return sorted(found, key=lambda row: (row.at or row.created_at, row.id))

    def hold(self, space: int, id: str, worker: str, now: int, until: int) -> ReminderRow | None:
        """Claim one by its id, unless somebody else holds it."""
        row = self._tx.row(
            "reminders.hold", space=space, id=id, worker=worker, now=now, until=until
        )
        self._refresh(space)
        return ReminderRow(*row) if row else None

    def deliver(self, space: int, id: str, worker: str, fence: int, now: int) -> bool:
        rows = self._tx.rows(
            "reminders.deliver", space=space, id=id, worker=worker, fence=fence, now=now
        )
        self._refresh(space)
        return bool(rows)

    def release(self, space: int, id: str, worker: str, fence: int) -> bool:
        rows = self._tx.rows("reminders.release", space=space, id=id, worker=worker, fence=fence)
        self._refresh(space)
        return bool(rows)

    def put_back(self, space: int, id: str, fence: int, delivered_at: int) -> bool:
        rows = self._tx.rows(
            "reminders.put_back", space=space, id=id, fence=fence, delivered_at=delivered_at
        )
        self._refresh(space)
        return bool(rows)

    def held_after(self, space: int, until: int) -> list[str]:
        """Undelivered ones whose lease ends after a time."""
        return [row[0] for row in self._tx.rows("reminders.held_after", space=space, until=until)]

    def free_after(self, space: int, until: int) -> int:
        """Give those leases back; how many."""
        rows = self._tx.rows("reminders.free_after", space=space, until=until)
        if rows:
            self._refresh(space)
        return len(rows)

    def list_cued(self, space: int, now: int) -> list[ReminderRow]:
        return [ReminderRow(*row) for row in self._tx.rows("reminders.cued", space=space, now=now)]

    def ripe(self, space: int, now: int, limit: int) -> list[ReminderRow]:
        rows = self._tx.rows("reminders.ripe", space=space, now=now, limit=limit)
        return [ReminderRow(*row) for row in rows]

    def delete(self, space: int, id: str) -> bool:
        rows = self._tx.rows("reminders.delete", space=space, id=id)
        self._refresh(space)
        return bool(rows)

    def _refresh(self, space: int) -> None:
        self._tx.due.refresh(space, REMINDER)
