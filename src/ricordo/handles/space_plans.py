"""Plans of a space: goals to run at set times, and texts to deliver."""

from datetime import datetime, timedelta

from ricordo.flows import time
from ricordo.handles.references import SessionName
from ricordo.handles.space_collections import SpaceCollections
from ricordo.model import Cadence, Missed, Notify, Reminder, Schedule


class SpacePlans(SpaceCollections):
    """What a space does later; its collections list and change these plans."""

    def schedule(
        self,
        goal: str,
        cadence: str | timedelta | datetime | Cadence,
        *,
        tz: str = "UTC",
        name: str | None = None,
        notify: Notify = "always",
        once: bool = False,
        trusted: bool = False,
        missed: Missed = "once",
        keep: bool = True,
        channel: str | None = None,
        channel_context: str | None = None,
    ) -> Schedule:
        """Run a goal on a cadence: a phrase, cron fields, a timedelta, a time or a `Cadence`.

        `notify` is "always", "conditional" (if the output starts with [NOTIFY]) or "never". With
        `once` it runs only the first time. A `trusted` schedule need not ask. `missed` is
        "once" (make up one run) or "skip". With `keep=False` a one-shot is deleted when done.
        """
        plan = time.schedule.SchedulePlan(
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
        return time.schedule.create(self._engine, self.name, plan)

    def remind(
        self,
        text: str,
        *,
        at: str | datetime | timedelta | None = None,
        cue: str | None = None,
        tz: str = "UTC",
        recipient: str | None = None,
        channel: str | None = None,
        session: SessionName | None = None,
    ) -> Reminder:
        """Deliver a text once: at a time ("10m", "tomorrow 9am"), or when a cue is mentioned."""
        wish = time.remind.ReminderWish(
            text, at, cue, tz, recipient, channel, self._session_of(session)
        )
        return time.remind.remind(self._engine, self.name, wish)
