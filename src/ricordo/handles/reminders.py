"""The reminders of a space. All of it are flows."""

import builtins  # `list` is a method here
from datetime import timedelta

from ricordo.flows.time import remind as reminding
from ricordo.handles.collection import Collection
from ricordo.model import Receipt, Reminder


class SpaceReminders(Collection):
    """Texts to be delivered at a time or on a cue; `Space.remind` adds to it."""

    def list(
        self, *, pending: bool = True, recipient: str | None = None, limit: int = 100
    ) -> builtins.list[Reminder]:
        """Reminders to come, soonest first, cues last; without `pending` all, newest first."""
        return reminding.list_reminders(
            self._engine, self._space, pending=pending, recipient=recipient, limit=limit
        )

    def get(self, reminder: str | Reminder) -> Reminder | None:
        """The reminder of an id, delivered or not; None if there is none."""
        return reminding.get(self._engine, self._space, self._refer(reminder, Reminder))

    def claim(
        self, limit: int = 32, worker: str = "worker", lease: float | timedelta = 300.0
    ) -> builtins.list[Reminder]:
        """Take due reminders to deliver them; nobody else gets them while the lease runs."""
        return reminding.claim(self._engine, self._space, limit, worker, lease)

    def deliver(self, reminder: Reminder) -> bool:
        """Note that a claimed reminder reached its reader; False if it was not yours any more."""
        self._refer(reminder, Reminder)  # one of another space is refused
        return reminding.deliver(self._engine, self._space, reminder)

    def release(self, reminder: Reminder) -> bool:
        """Give a claimed reminder back, to be claimed again; False if it was not yours any more."""
        self._refer(reminder, Reminder)  # one of another space is refused
        return reminding.release(self._engine, self._space, reminder)

    def due(
        self, text: str = "", *, limit: int = 32, deliver: bool = True
    ) -> builtins.list[Reminder]:
        """Reminders for a conversation in which `text` was said: due by now, or on a cue in it.

        Each is given out once, unless `deliver` is False.
        """
        return reminding.due_reminders(
            self._engine, self._space, text, limit=limit, deliver=deliver
        )

    def delete(self, reminder: str | Reminder) -> Receipt:
        """Take a reminder back, by its id or itself."""
        return reminding.delete(self._engine, self._space, self._refer(reminder, Reminder))
