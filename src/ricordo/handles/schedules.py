"""The schedules of a space and their runs. Every method calls a flow."""

import builtins  # `list` is a method here
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from ricordo.flows.time import claims, declared_schedules
from ricordo.flows.time import schedule as scheduling
from ricordo.flows.time.schedule import SchedulePlan
from ricordo.handles.collection import Collection
from ricordo.model import (
    Cadence,
    CadenceKind,
    Claim,
    Json,
    Missed,
    Notify,
    Receipt,
    Run,
    Schedule,
    Status,
)


class SpaceSchedules(Collection):
    """What a space does at set times; `Space.schedule` adds one."""

    def list(
        self,
        *,
        name: str | None = None,
        status: Status | None = None,
        cadence: CadenceKind | None = None,
        notify: Notify | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> builtins.list[Schedule]:
        """Schedules, newest first; `name` is part of a name, `cadence` is once, every or cron."""
        wanted = scheduling.check_filter(name, status, cadence, notify)
        return scheduling.list_schedules(self._engine, self._space, wanted, limit, offset)

    def get(self, schedule: str | Schedule) -> Schedule | None:
        """The schedule with this id or unique name, or None."""
        return scheduling.get(self._engine, self._space, self._refer(schedule, Schedule))

    def count(
        self,
        *,
        name: str | None = None,
        status: Status | None = None,
        cadence: CadenceKind | None = None,
        notify: Notify | None = None,
    ) -> int:
        """How many schedules match the filters of `list`."""
        wanted = scheduling.check_filter(name, status, cadence, notify)
        return scheduling.count(self._engine, self._space, wanted)

    def due(self, limit: int = 100) -> builtins.list[Schedule]:
        """Active schedules that are due, oldest first, claimed or not."""
        return scheduling.due(self._engine, self._space, limit)

    def claim(
        self, limit: int = 1, worker: str = "worker", lease: float | timedelta = 300.0
    ) -> builtins.list[Claim]:
        """Claim due schedules of this space; `Memory.claim` takes those of all spaces."""
        return claims.claim(self._engine, self._space, limit, worker, lease)

    def has_worker(self) -> bool:
        """Whether somebody carries out goals: this process, or one that looked within two hours."""
        return claims.has_worker(self._engine)

    def update(
        self,
        schedule: str | Schedule,
        *,
        goal: str | None = None,
        cadence: str | timedelta | datetime | Cadence | None = None,
        tz: str | None = None,
        name: str | None = None,
        notify: Notify | None = None,
        trusted: bool | None = None,
        missed: Missed | None = None,
        keep: bool | None = None,
        channel: str | None = None,
        channel_context: str | None = None,
    ) -> Schedule:
        """Change the given fields; a new cadence or zone plans a new next run."""
        plan = SchedulePlan(
            goal=goal,
            cadence=cadence,
            tz=tz,
            name=name,
            notify=notify,
            trusted=trusted,
            missed=missed,
            keep=keep,
            channel=channel,
            channel_context=channel_context,
        )
        return scheduling.update(self._engine, self._space, self._refer(schedule, Schedule), plan)

    def pause(self, schedule: str | Schedule) -> Schedule:
        """Pause a schedule until it is resumed."""
        return scheduling.pause(self._engine, self._space, self._refer(schedule, Schedule))

    def resume(self, schedule: str | Schedule) -> Schedule:
        """Resume a paused or disabled schedule; its next run is planned from now."""
        return scheduling.resume(self._engine, self._space, self._refer(schedule, Schedule))

    def delete(self, schedule: str | Schedule) -> Receipt:
        """Delete a schedule and its runs."""
        return scheduling.delete(self._engine, self._space, self._refer(schedule, Schedule))

    def sync(self, declared: str | Path | Iterable[Mapping[str, Json]]) -> builtins.list[Schedule]:
        """Keep schedules in step with a TOML file's [[schedules]], or with a list of mappings.

        An unchanged schedule keeps its next run; one that is no longer declared is deleted.
        """
        return declared_schedules.declare(self._engine, self._space, declared)

    def runs(self, schedule: str | Schedule, limit: int = 5) -> builtins.list[Run]:
        """The runs of a schedule, newest first, each with its whole output."""
        return scheduling.runs(self._engine, self._space, self._refer(schedule, Schedule), limit)

    def get_run(self, run: str | Run) -> Run | None:
        """The run with this id, or None."""
        return scheduling.run(self._engine, self._space, self._refer(run, Run))

    def upcoming(self, schedule: str | Schedule, limit: int = 5) -> builtins.list[datetime]:
        """The next times a schedule runs, in its own time zone."""
        return scheduling.list_next_runs(
            self._engine, self._space, self._refer(schedule, Schedule), limit
        )
