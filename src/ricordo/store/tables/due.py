"""Due work: when each space has something to do next. Polling reads this and nothing else."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ricordo.store.database import Tx

SCHEDULE, REMINDER, OUTBOX = "schedule", "reminder", "outbox"
_EARLIEST = {SCHEDULE: "due.schedules", REMINDER: "due.reminders", OUTBOX: "due.outbox"}


_WORKER = "schedules_looked_for"  # in meta: when a worker last looked, noted once an hour


class DueSpace(NamedTuple):
    space: int
    name: str


class LeaseTerms(NamedTuple):
    """Who takes something, from when and until when."""

    worker: str
    at: int
    until: int


class Due:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def look(self, kind: str, now: int) -> tuple[bool, int | None]:
        """Whether there is anything to do in any space, and when a worker last looked for goals."""
        is_any, worker_at = self._tx.rows("due.any", kind=kind, now=now, worker=_WORKER)[0]
        return bool(is_any), None if worker_at is None else int(worker_at)

    def poll(self, kind: str, now: int, limit: int) -> list[DueSpace]:
        """Spaces with something to do by now, the longest waiting first."""
        rows = self._tx.rows("due.poll", kind=kind, now=now, limit=limit)
        return [DueSpace(*row) for row in rows]

    def spaces(self) -> list[DueSpace]:
        """Spaces in which something is planned, due or not."""
        return [DueSpace(*row) for row in self._tx.rows("due.spaces")]

    def after(self, kind: str, now: int) -> int | None:
        """When the next thing is due that is not due yet."""
        row = self._tx.row("due.after", kind=kind, now=now)
        return int(row[0]) if row else None

    def earliest(self, space: int, kind: str) -> int | None:
        row = self._tx.row(_EARLIEST[kind], space=space)
        return int(row[0]) if row else None

    def refresh(self, space: int, kind: str) -> None:
        """Update when the space has something due; part of every write that may change it."""
        at = self.earliest(space, kind)
        if at is None:
            self._tx.rows("due.delete", space=space, kind=kind)
        else:
            self._tx.rows("due.put", space=space, kind=kind, at=at)

    def worker_at(self) -> int | None:
        """When a worker last looked for due schedules, as far as it was noted."""
        row = self._tx.row("meta.get", key=_WORKER)
        return int(row[0]) if row else None

    def note_worker(self, at: int) -> None:
        self._tx.rows("meta.put", key=_WORKER, value=str(at))

    def list_due(self, space: int) -> dict[str, int]:
        return {row[0]: row[1] for row in self._tx.rows("due.listed", space=space)}
