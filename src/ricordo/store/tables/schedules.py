"""Schedules and their runs: rows in, rows out. When and whether is decided elsewhere."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.model import CadenceKind, Missed, Notify, Outcome, Status
from ricordo.store.seals import seal_row
from ricordo.store.tables.due import SCHEDULE, LeaseTerms

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class ScheduleRow(NamedTuple):
    id: str
    name: str
    goal: str
    kind: CadenceKind
    cadence: str
    phrase: str
    notify: Notify
    status: Status
    source: str
    trusted: int
    missed: Missed
    keep: int
    channel: str | None
    channel_context: str | None
    created_at: int
    updated_at: int
    next_run_at: int | None = None
    last_run_at: int | None = None
    last_run_status: Outcome | None = None
    failures: int = 0
    worker: str | None = None
    fence: int = 0
    claimed_at: int | None = None
    until: int | None = None
    due_at: int | None = None


class RunRow(NamedTuple):
    id: str
    schedule: str
    planned_at: int
    started_at: int
    finished_at: int
    status: Outcome
    summary: str
    output: str
    turns: int
    cost: float
    notified: int


class Filter(NamedTuple):
    """Which schedules to list."""

    name: str | None = None
    status: Status | None = None
    kind: CadenceKind | None = None
    notify: Notify | None = None
    source: str | None = None


class Schedules:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, space: int, row: ScheduleRow) -> None:
        self._tx.rows("schedules.insert", space=space, **seal_row("schedules", row._asdict()))
        self._tx.due.refresh(space, SCHEDULE)
        self._tx.hint()

    def update(self, space: int, row: ScheduleRow) -> None:
        """Write everything but what never changes, and the fence, which only claims raise."""
        values = seal_row("schedules", row._asdict())
        for field in ("source", "created_at", "fence"):
            del values[field]
        self._tx.rows("schedules.update", space=space, **values)
        self._tx.due.refresh(space, SCHEDULE)

    def change(self, space: int, row: ScheduleRow) -> None:
        """The same for what people do to a schedule, of which waiting workers should know."""
        self.update(space, row)
        self._tx.hint()

    def get(self, space: int, id: str) -> ScheduleRow | None:
        row = self._tx.row("schedules.get", space=space, id=id)
        return ScheduleRow(*row) if row else None

    def list_named(self, space: int, name: str) -> list[str]:
        return [row[0] for row in self._tx.rows("schedules.named", space=space, name=name)]

    def page(self, space: int, wanted: Filter, limit: int, skip: int) -> list[ScheduleRow]:
        rows = self._tx.rows(
            "schedules.list", space=space, limit=limit, skip=skip, **wanted._asdict()
        )
        return [ScheduleRow(*row) for row in rows]

    def count(self, space: int, wanted: Filter) -> int:
        row = self._tx.row("schedules.count", space=space, **wanted._asdict())
        return int(row[0]) if row else 0

    def due(self, space: int, now: int, limit: int) -> list[ScheduleRow]:
        rows = self._tx.rows("schedules.due", space=space, now=now, limit=limit)
        return [ScheduleRow(*row) for row in rows]

    def ahead(self, space: int, now: int) -> list[ScheduleRow]:
        """Those that cannot be claimed yet."""
        rows = self._tx.rows("schedules.ahead", space=space, now=now)
        return [ScheduleRow(*row) for row in rows]

    def claim(self, space: int, lease: LeaseTerms, now: int, limit: int) -> list[ScheduleRow]:
        """Take the oldest due ones; RETURNING has no order of its own."""
        values = {"space": space, "now": now, "limit": limit, **lease._asdict()}
        rows = self._tx.rows("schedules.claim", **values)
        self._tx.due.refresh(space, SCHEDULE)
        found = [ScheduleRow(*row) for row in rows]
        return sorted(found, key=lambda row: (row.next_run_at or 0, row.id))

    def renew(self, space: int, id: str, worker: str, fence: int, until: int) -> bool:
        rows = self._tx.rows(
            "schedules.renew", space=space, id=id, worker=worker, fence=fence, until=until
        )
        self._tx.due.refresh(space, SCHEDULE)
        return bool(rows)

    def delete(self, space: int, id: str) -> dict[str, int]:
        """Delete a schedule with its runs; what went, by table."""
        counted = self._tx.row("runs.count", space=space, schedule=id)
        assert counted is not None
        self._tx.rows("runs.delete_of", space=space, schedule=id)
        self._tx.rows("schedules.delete", space=space, id=id)
        self._tx.due.refresh(space, SCHEDULE)
        return {"schedules": 1, "runs": int(counted[0])}

    def add_run(self, space: int, row: RunRow, keep: int) -> None:
        """File a run and drop the oldest beyond `keep`."""
        self._tx.rows("runs.insert", space=space, **seal_row("runs", row._asdict()))
        self.prune(space, row.schedule, keep)

    def prune(self, space: int, schedule: str, keep: int) -> None:
        self._tx.rows("runs.prune", space=space, schedule=schedule, keep=keep)

    def is_run(self, space: int, schedule: str, planned_at: int, before: int) -> bool:
        """Whether a run of that planned time was made then or later, before the time given."""
        values = {"schedule": schedule, "planned_at": planned_at, "before": before}
        return bool(self._tx.rows("runs.planned", space=space, **values))

    def runs(self, space: int, schedule: str, limit: int) -> list[RunRow]:
        rows = self._tx.rows("runs.list", space=space, schedule=schedule, limit=limit)
        return [RunRow(*row) for row in rows]

    def list_recent_runs(self, space: int, limit: int) -> list[RunRow]:
        """The newest runs of all schedules."""
        rows = self._tx.rows("runs.recent", space=space, limit=limit)
        return [RunRow(*row) for row in rows]

    def run(self, space: int, id: str) -> RunRow | None:
        row = self._tx.row("runs.get", space=space, id=id)
        return RunRow(*row) if row else None
