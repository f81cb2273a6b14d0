"""The time side of the handle of a space: schedules, runs and reminders. All of it are flows."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from ricordo.flows.engine import Engine
from ricordo.flows.time import declared_schedules
from ricordo.flows.time import remind as reminding
from ricordo.flows.time import schedule as scheduling
from ricordo.flows.time.schedule import SchedulePlan
from ricordo.model import Cadence, Json, Receipt, Reminder, Run, Schedule


class Timed:
    """What a space does by the clock, or on a cue."""

    _engine: Engine
    name: str

    def schedule(
        self,
        goal: str,
        cadence: str | timedelta | datetime | Cadence,
        *,
        tz: str = "UTC",
        name: str | None = None,
        notify: str = "always",
        once: bool = False,
        trusted: bool = False,
        missed: str = "once",
        keep: bool = True,
        channel: str | None = None,
        channel_context: str | None = None,
    ) -> Schedule:
        """Run a goal by a cadence: a phrase, cron fields, a timedelta, a time or a `Cadence`.

        `notify` is "always", "conditional" (an output that starts with [NOTIFY]) or "never". With
        `once` only the first run counts. `trusted` runs need not ask. A run that was `missed` is
        made up for "once", or left out with "skip". Without `keep` a one-shot is deleted when done.
        """
        plan = SchedulePlan(
            goal=goal,
            cadence=cadence,
            tz=tz,
            name=name,
            notify=notify,
            once=once,
            trusted=trusted,
            missed=missed,
            keep=keep,
            channel=channel,
            channel_context=channel_context,
        )
        return scheduling.create(self._engine, self.name, plan)

    def get_schedule(self, schedule: str | Schedule) -> Schedule | None:
        """The schedule of an id, or of a name that only one has; None if there is none."""
        return scheduling.get(self._engine, self.name, schedule)

    def schedules(
        self,
        *,
        name: str | None = None,
        status: str | None = None,
        cadence: str | None = None,
        notify: str | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> list[Schedule]:
        """Schedules, newest first; `name` is any part of it, `cadence` is once, every or cron."""
        wanted = scheduling.check_filter(name, status, cadence, notify)
        return scheduling.list_schedules(self._engine, self.name, wanted, limit, offset)

    def count_schedules(
        self,
        *,
        name: str | None = None,
        status: str | None = None,
        cadence: str | None = None,
        notify: str | None = None,
    ) -> int:
        """How many schedules there are, by the filters of `schedules`."""
        wanted = scheduling.check_filter(name, status, cadence, notify)
        return scheduling.count(self._engine, self.name, wanted)

    def due_schedules(self, limit: int = 100) -> list[Schedule]:
        """Active schedules whose time has come, oldest first, claimed or not."""
        return scheduling.due(self._engine, self.name, limit)

    def update_schedule(
        self,
        schedule: str | Schedule,
        *,
        goal: str | None = None,
        cadence: str | timedelta | datetime | Cadence | None = None,
        tz: str | None = None,
        name: str | None = None,
        notify: str | None = None,
        trusted: bool | None = None,
        missed: str | None = None,
        keep: bool | None = None,
        channel: str | None = None,
        channel_context: str | None = None,
    ) -> Schedule:
        """Change what is given; a new cadence or zone plans the next run anew."""
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
        return scheduling.update(self._engine, self.name, schedule, plan)

    def pause(self, schedule: str | Schedule) -> Schedule:
        """Let a schedule not fire until it is resumed."""
        return scheduling.pause(self._engine, self.name, schedule)

    def resume(self, schedule: str | Schedule) -> Schedule:
        """Let a paused or disabled schedule fire again; its next run is planned from now."""
        return scheduling.resume(self._engine, self.name, schedule)

    def unschedule(self, schedule: str | Schedule) -> Receipt:
        """Remove a schedule with its runs."""
        return scheduling.delete(self._engine, self.name, schedule)

    def sync_schedules(self, declared: str | Path | Iterable[Mapping[str, Json]]) -> list[Schedule]:
        """Keep schedules in step with a TOML file's [[schedules]], or with a list of mappings.

        What did not change keeps its next run; what is no longer declared is removed.
        """
        return declared_schedules.declare(self._engine, self.name, declared)

    def runs(self, schedule: str | Schedule, limit: int = 5) -> list[Run]:
        """The runs of a schedule, newest first, each with its whole output."""
        return scheduling.runs(self._engine, self.name, schedule, limit)

    def get_run(self, run: str) -> Run | None:
        """The run of an id, or None."""
        return scheduling.run(self._engine, self.name, run)

    def upcoming(self, schedule: str | Schedule, limit: int = 5) -> list[datetime]:
        """When a schedule runs next, in its own time zone."""
        return scheduling.list_next_runs(self._engine, self.name, schedule, limit)

    def remind(
        self,
        text: str,
        *,
        at: str | datetime | timedelta | None = None,
        cue: str | None = None,
        tz: str = "UTC",
        recipient: str | None = None,
        channel: str | None = None,
        session: str | None = None,
    ) -> Reminder:
        """Deliver a text once: at a time ("10m", "tomorrow 9am"), or when a cue is spoken of."""
        wish = reminding.ReminderWish(text, at, cue, tz, recipient, channel, session)
        return reminding.remind(self._engine, self.name, wish)

    def reminders(
        self, *, pending: bool = True, recipient: str | None = None, limit: int = 100
    ) -> list[Reminder]:
        """Reminders to come, soonest first, cues last; without `pending` all, newest first."""
        return reminding.list_reminders(
            self._engine, self.name, pending=pending, recipient=recipient, limit=limit
        )

    def claim_reminders(
        self, limit: int = 32, worker: str = "worker", lease: float | timedelta = 300.0
    ) -> list[Reminder]:
        """Take due reminders to deliver them; nobody else gets them while the lease runs."""
        return reminding.claim(self._engine, self.name, limit, worker, lease)

    def deliver(self, reminder: Reminder) -> bool:
        """Note that a claimed reminder reached its reader; False if it was not yours any more."""
        return reminding.deliver(self._engine, self.name, reminder)

    def release(self, reminder: Reminder) -> bool:
        """Give a claimed reminder back, to be claimed again; False if it was not yours any more."""
        return reminding.release(self._engine, self.name, reminder)

    def due_reminders(
        self, text: str = "", *, limit: int = 32, deliver: bool = True
    ) -> list[Reminder]:
        """Reminders for a conversation in which `text` was said: due by now, or on a cue in it.

        Each is given out once, unless `deliver` is False.
        """
        return reminding.due_reminders(self._engine, self.name, text, limit=limit, deliver=deliver)

    def forget_reminder(self, reminder: str) -> Receipt:
        """Take a reminder back, by its id."""
        return reminding.delete(self._engine, self.name, reminder)
