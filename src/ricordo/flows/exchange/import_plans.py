"""Plans and permissions of a file: schedules, their runs, reminders, approvals.

First what they become here, checked; then, in the transaction of an import, each once.
"""

from dataclasses import dataclass

from ricordo.core.exchange.given import GivenApproval, GivenReminder, GivenRun, GivenSchedule
from ricordo.core.integrity import erasure_digests
from ricordo.core.learning import approvals
from ricordo.core.time import cadence as cadences
from ricordo.core.time import outcomes
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, one_of, whole
from ricordo.flows.time.schedule import SchedulePlan, new_row
from ricordo.model import OUTCOMES, STATUSES, Cadence, Json
from ricordo.store.codec import dumps, micros
from ricordo.store.database import Tx
from ricordo.store.tables.approvals import ApprovalRow
from ricordo.store.tables.reminders import ReminderRow
from ricordo.store.tables.schedules import Filter, RunRow, ScheduleRow

ADDED, KNOWN, ERASED = (
    "added",
    "known",
    "erased",
)  # what became of a record; else why it is not here
_ANY = "hourly"  # a cadence for what is never planned again


def read_schedule(engine: Engine, given: GivenSchedule, *, is_trusted: bool) -> ScheduleRow:
    """The row of a schedule, planned from now; only a file that is trusted may trust it."""
    now = engine.now()
    status = one_of(given.status, "status", STATUSES)
    cadence = given.cadence if isinstance(given.cadence, str) else _read_cadence(given.cadence)
    is_over = status == "completed"
    plan = SchedulePlan(
        goal=given.goal,
        cadence=_ANY if is_over else cadence,
        name=given.name,
        notify=given.notify,
        trusted=given.trusted and is_trusted,
        missed=given.missed,
        channel=given.channel,
        channel_context=given.channel_context,
        once=given.is_once and not is_over,
        source=given.source,
    )
    row = new_row(engine, plan, now)
    if is_over and not isinstance(cadence, str):
        kept = dumps(cadences.to_json(cadence), "cadence")
        row = row._replace(kind=cadence.kind, cadence=kept, phrase="")
    if status != "active":
        row = row._replace(status=status, next_run_at=None, due_at=None)
    if given.last_run_at is not None:
        last = one_of(given.last_run_status, "last_run_status", OUTCOMES)
        row = row._replace(last_run_at=micros(given.last_run_at), last_run_status=last)
    created = now if given.created_at is None else micros(given.created_at)
    failures = whole(given.failures, "failures", 0, 1_000_000)
    return row._replace(id=given.id, created_at=created, failures=failures)


def _read_cadence(given: dict[str, Json]) -> Cadence:
    try:
        return cadences.from_json(given)
    except (KeyError, ValueError, TypeError) as error:
        raise InvalidInput(f"the cadence {given!r:.100} cannot be read") from error


def read_run(given: GivenRun) -> RunRow:
    """The row of a run."""
    return RunRow(
        given.id,
        given.schedule,
        micros(given.planned_at),
        micros(given.started_at),
        micros(given.finished_at),
        one_of(given.status, "status", OUTCOMES),
        outcomes.summary(given.output),
        given.output,
        whole(given.turns, "turns", 0, 2**31),
        float(given.cost),
        int(given.notified),
    )


def read_approval(given: GivenApproval, now: int) -> ApprovalRow:
    """The row of an approval."""
    words = given.words if isinstance(given.words, str) else list(given.words)
    created = now if given.created_at is None else micros(given.created_at)
    return ApprovalRow(approvals.prefix(words), given.allow, created)


@dataclass(frozen=True, slots=True)
class PlanWriter:
    """Writes plans, in the transaction of an import; each answers what became of it."""

    engine: Engine
    tx: Tx
    space: int
    key: bytes

    def add_schedule(self, row: ScheduleRow) -> str:
        if self.tx.schedules.get(self.space, row.id) is not None:
            return KNOWN
        if self._is_erased(row.id):
            return ERASED
        if self.tx.schedules.count(self.space, Filter()) >= self.engine.settings.max_schedules:
            return f"schedule {row.name!r} is not taken: see max_schedules"
        self.tx.schedules.insert(self.space, row)
        return ADDED

    def add_run(self, row: RunRow) -> str:
        if self.tx.schedules.run(self.space, row.id) is not None:
            return KNOWN
        if self._is_erased(row.schedule):
            return ERASED
        if self.tx.schedules.get(self.space, row.schedule) is None:
            return "a run is not taken: its schedule is not here"
        self.tx.schedules.add_run(self.space, row, self.engine.settings.runs_kept)
        return ADDED

    def add_approval(self, row: ApprovalRow) -> str:
        """An answer that stands here is not changed."""
        if any(known.words == row.words for known in self.tx.approvals.all(self.space)):
            return KNOWN
        self.tx.approvals.put(self.space, row)
        return ADDED

    def add_reminder(self, given: GivenReminder) -> str:
        if self.tx.reminders.get(self.space, given.id) is not None:
            return KNOWN
        if self._is_erased(given.id):
            return ERASED
        at = None if given.at is None else micros(given.at)
        delivered = None if given.delivered_at is None else micros(given.delivered_at)
        row = ReminderRow(
            given.id, given.text, at, given.cue, given.recipient, given.channel, given.session,
            micros(given.created_at), delivered_at=delivered,
            due_at=at if delivered is None else None,
        )  # fmt: skip
        self.tx.reminders.insert(self.space, row)
        return ADDED

    def _is_erased(self, id: str) -> bool:
        return self.tx.tombstones.holds(self.space, erasure_digests.of_uid(self.key, id))
