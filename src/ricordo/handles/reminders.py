"""The reminders of a space. Every method calls a flow."""

import builtins  # `list` is a method here
from collections.abc import Sequence
from datetime import timedelta

from ricordo.errors import InvalidInput, shorten
from ricordo.flows.time import remind as reminding
from ricordo.handles.collection import Collection
from ricordo.model import Receipt, Reminder


class SpaceReminders(Collection):
    """Texts to deliver at a time or on a cue; `Space.remind` adds one."""

    def list(
        self, *, pending: bool = True, recipient: str | None = None, limit: int = 100
    ) -> builtins.list[Reminder]:
        """Pending reminders, soonest first, cues last; with `pending=False` all, newest first."""
        return reminding.list_reminders(
            self._engine, self._space, pending=pending, recipient=recipient, limit=limit
        )

    def get(self, reminder: str | Reminder) -> Reminder | None:
        """The reminder with this id, delivered or not, or None."""
        return reminding.get(self._engine, self._space, self._refer(reminder, Reminder))

    def claim(
        self, limit: int = 32, worker: str = "worker", lease: float | timedelta = 300.0
    ) -> builtins.list[Reminder]:
        """Take due reminders to deliver; nobody else gets them during the lease."""
        return reminding.claim(self._engine, self._space, limit, worker, lease)

    def deliver(self, reminder: Reminder) -> bool:
        """Record that a claimed reminder was delivered; False if the claim was lost."""
        self._refer(reminder, Reminder)  # refuses one of another space
        return reminding.deliver(self._engine, self._space, reminder)

    def release(self, reminder: Reminder) -> bool:
        """Return a reminder, so that it can be claimed again; False if the claim was lost."""
        self._refer(reminder, Reminder)  # refuses one of another space
        return reminding.release(self._engine, self._space, reminder)

    def due(
        self, text: str = "", *, limit: int = 32, deliver: bool = True
    ) -> builtins.list[Reminder]:
        """Reminders for a conversation in which `text` was said: due now, or with a cue in it.

        Each is delivered once; with `deliver=False` it stays due.
        """
        return reminding.due_reminders(
            self._engine, self._space, text, limit=limit, deliver=deliver
        )

    def give_out(self, reminders: Sequence[Reminder]) -> builtins.list[Reminder]:
        """Deliver exactly these, which `due` found without delivering them, once they are shown.

        The result leaves out those that somebody else took or deleted in the meantime.
        """
        self._check(reminders)
        return reminding.give_out(self._engine, self._space, reminders)

    def put_back(self, reminders: Sequence[Reminder]) -> int:
        """Make delivered reminders due again, because their reader did not get them; how many."""
        self._check(reminders)
        return reminding.put_back(self._engine, self._space, reminders)

    def _check(self, reminders: Sequence[Reminder]) -> None:
        if not isinstance(reminders, builtins.list | tuple):
            raise InvalidInput(f"reminders is {shorten(reminders)}; give a list of reminders")
        for reminder in reminders:
            if not isinstance(reminder, Reminder):
                raise InvalidInput(f"{shorten(reminder)} is not a reminder; give those of `due`")
            self._refer(reminder, Reminder)  # one of another space is refused

    def delete(self, reminder: str | Reminder) -> Receipt:
        """Delete a reminder."""
        return reminding.delete(self._engine, self._space, self._refer(reminder, Reminder))
