"""The handle of the keeper: what a memory does by itself, and how to run schedules with it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ricordo import background
from ricordo.background.keeper import JobLoop
from ricordo.model import Claim, Job, Reminder, Run

if TYPE_CHECKING:
    from ricordo.background.scheduler import Work


class Keeper:
    """Does the background work of a memory. It starts by itself with the first write."""

    def __init__(self, loop: JobLoop) -> None:
        self._loop = loop

    def __repr__(self) -> str:
        return "<Keeper>"

    def start(
        self,
        run: "Work | None" = None,
        *,
        deliver: Callable[[Reminder], object] | None = None,
        notify: Callable[[Claim, Run], object] | None = None,
        concurrency: int = 2,
        poll: float = 15.0,
        lease: float = 300.0,
        timeout: float | None = None,
    ) -> None:
        """Start at once; with `run` also run schedules, with `deliver` also deliver reminders.

        `run` takes a Claim and returns the output as text, a Run, or nothing; it may be async. If
        it raises, the run has failed. `notify` gets every finished run with a `notice` for the
        user.
        """
        options = background.scheduler.RunOptions(
            deliver, notify, concurrency, poll, lease, timeout
        )
        self._loop.start(run, options)

    def stop(self) -> None:
        """Stop after the current step; an interrupted job is due again."""
        self._loop.stop()

    def run_due(self) -> list[Job]:
        """Do every job that is due now, in this thread, and return the jobs that were done."""
        return self._loop.run_due()

    def run_schedules(
        self,
        run: "Work | None" = None,
        *,
        deliver: Callable[[Reminder], object] | None = None,
        notify: Callable[[Claim, Run], object] | None = None,
        concurrency: int = 2,
        lease: float = 300.0,
        timeout: float | None = None,
    ) -> int:
        """Run due schedules, wait for them, and return how many were run.

        The parameters are those of `start`.
        """
        options = background.scheduler.RunOptions(
            deliver, notify, concurrency, lease=lease, timeout=timeout
        )
        return self._loop.run_schedules(run, options)

    def status(self) -> list[Job]:
        """Every job of this memory: when it last ran, its result, and when it runs next."""
        return self._loop.status()
