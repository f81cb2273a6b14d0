"""The scheduler: runs due schedules and delivers reminders for the keeper, in one process or many.

It polls with one indexed read. Between polls it looks when something is due or, on PostgreSQL, when
another process has written. It claims with a lease and a fence, runs several claims at once on its
own threads, renews their leases and records every run. `stop` lets started runs finish. A schedule
runs at least once: if a process dies during a run, another one claims the schedule.
"""

import inspect
import logging
import os
import platform
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Any

from ricordo.errors import ClaimLost, InvalidInput, RicordoError, shorten
from ricordo.flows.engine import Engine
from ricordo.flows.redaction import redact_deep
from ricordo.flows.time import claims, remind
from ricordo.flows.time.clocks import planning_time
from ricordo.model import Claim, Reminder, Run

log = logging.getLogger("ricordo.scheduler")

_LEAST_PAUSE = 0.001  # seconds
_MOST_REMINDERS = 32  # at a time

Output = str | Run | None
Work = Callable[[Claim], Output | Awaitable[Output]]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Callbacks and limits of the scheduler; times in seconds."""

    deliver: Callable[[Reminder], object] | None = None
    notify: Callable[[Claim, Run], object] | None = None
    concurrency: int = 2
    poll: float = 15.0
    lease: float = 300.0
    timeout: float | None = None
    worker: str = ""  # its name; default: a unique one

    def check(self) -> None:
        """Refuse options that are not valid."""
        _check_functions(deliver=self.deliver, notify=self.notify)
        _check_numbers(concurrency=self.concurrency, poll=self.poll, lease=self.lease)
        if not isinstance(self.concurrency, int):
            raise InvalidInput(
                f"concurrency is {self.concurrency}; give a whole number greater than 0"
            )
        if self.timeout is not None:
            _check_numbers(timeout=self.timeout)


class Scheduler:
    """Runs what is due in a memory, on its own thread or once with `run_due`.

    The keeper describes `run` and `deliver`. Without `run`, schedules stay due.
    """

    def __init__(self, engine: Engine, run: Work | None, options: RunOptions) -> None:
        _check_functions(run=run)
        options.check()
        self.worker = options.worker or f"{platform.node()}-{os.getpid()}-{os.urandom(4).hex()}"
        self._engine = engine
        self._run = run
        self._deliver = options.deliver
        self._notify = options.notify
        self._concurrency = options.concurrency
        self._poll = options.poll
        self._lease = options.lease
        self._timeout = options.timeout
        self._changed = threading.Condition()
        self._held: dict[str, Claim] = {}  # what runs now, by schedule
        self._renewed: dict[str, float] = {}  # when, on the clock of this process
        self._news = 0  # reasons to look again: runs that ended, hints of others
        self._is_stopping = False
        self._thread: threading.Thread | None = None

    def run_due(self) -> int:
        """Run due schedules and deliver due reminders; returns the number of runs."""
        made = 0
        self._deliver_due()
        while started := self._start_due():
            made += started
            self._drain()
        return made

    def serve(self) -> None:
        """Poll and run until `stop` is called; then finish started runs."""
        with self._engine.store.listen(self._hear):
            while not self._is_stopping:
                news, pause = self._news, self._poll
                try:
                    looked_at = planning_time(self._engine)
                    self._deliver_due()
                    self._start_due()
                    pause = self._until_due(looked_at)
                except RicordoError:
                    log.exception("polling failed; trying again in %s s", self._poll)
                self._rest(news, pause)
        self._drain()

    def start(self) -> None:
        """Serve on its own thread."""
        if self._thread is not None:
            raise InvalidInput("this scheduler is already running; stop it first")
        self._is_stopping = False
        self._thread = threading.Thread(target=self.serve, name="ricordo-scheduler", daemon=True)
        self._thread.start()

    def stop(self, timeout: float | None = None) -> bool:
        """Claim nothing more and wait for started runs; False if `timeout` passes before."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        if self._thread.is_alive():
            return False
        self._thread = None
        return True

    def __enter__(self) -> "Scheduler":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def runs_schedules(self) -> bool:
        """Whether it carries out goals, or delivers reminders alone."""
        return self._run is not None

    # what runs

    def _start_due(self) -> int:
        """Claim as many schedules as there are free places, and start them."""
        with self._changed:
            room = self._concurrency - len(self._held)
        if room <= 0 or self._run is None:
            return 0
        taken = claims.claim(self._engine, None, room, self.worker, self._lease)
        for claim in taken:
            with self._changed:
                self._held[claim.schedule.id] = claim
                self._renewed[claim.schedule.id] = time.monotonic()
            threading.Thread(
                target=self._carry_out, args=(claim,), name="ricordo-run", daemon=True
            ).start()
        return len(taken)

    def _carry_out(self, claim: Claim) -> None:
        try:
            self._file(claim, self._outcome(claim))
        finally:
            with self._changed:
                del self._held[claim.schedule.id], self._renewed[claim.schedule.id]
                self._news += 1
                self._changed.notify_all()

    def _outcome(self, claim: Claim) -> Run:
        """Call the function; an exception is a failed run."""
        try:
            output = self._call(claim)
            if isinstance(output, Run):
                return output
            return Run("success", "" if output is None else str(output))
        except BaseException as error:  # sys.exit() ends the run, not the scheduler
            log.warning("schedule %s failed", claim.schedule.id, exc_info=True)
            if isinstance(error, TimeoutError) and not error.args and self._timeout is not None:
                return Run("failed", f"TimeoutError: not finished within {self._timeout:g} s")
            return Run("failed", _describe_error(error))

    def _call(self, claim: Claim) -> Output:
        run = self._run
        assert run is not None  # nothing is claimed without it
        if inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(
            getattr(run, "__call__", None)  # noqa: B004 - its kind matters, not whether it exists
        ):
            return self._wait_for(run(claim))  # type: ignore[arg-type]
        answer = run(claim) if self._timeout is None else self._within(run, claim, self._timeout)
        return self._wait_for(answer) if inspect.isawaitable(answer) else answer

    def _wait_for(self, answer: Awaitable[Output]) -> Output:
        import asyncio  # only coroutines need it

        async def main() -> Output:
            return await asyncio.wait_for(answer, self._timeout)

        return asyncio.run(main())

    def _within(self, run: Work, claim: Claim, timeout: float) -> Any:  # what the function returned
        """Call a plain function and stop waiting at the timeout; a thread cannot be killed."""
        answers: list[Any] = []
        failures: list[BaseException] = []

        def call() -> None:
            try:
                answers.append(run(claim))
            except BaseException as error:  # noqa: BLE001 - the waiting thread raises it
                failures.append(error)

        thread = threading.Thread(target=call, name="ricordo-call", daemon=True)
        thread.start()
        thread.join(min(timeout, threading.TIMEOUT_MAX))
        if failures:
            raise failures[0]
        if not answers:
            raise TimeoutError(f"not finished within {timeout:g} s")
        return answers[0]

    def _file(self, claim: Claim, run: Run) -> None:
        try:
            filed = self._finish(claim, run)
        except ClaimLost:
            log.warning("schedule %s was taken over or deleted in the meantime", claim.schedule.id)
            return
        except RicordoError:
            log.exception("the run of schedule %s could not be recorded", claim.schedule.id)
            return
        if self._notify is not None and filed.notice is not None:
            try:
                self._notify(claim, filed)
            except Exception:
                log.exception("the notice of schedule %s was not delivered", claim.schedule.id)

    def _finish(self, claim: Claim, run: Run) -> Run:
        """Record a run. One that cannot be kept counts as failed, so it is not repeated forever."""
        try:
            return claims.finish(self._engine, claim, self._redact(run))
        except InvalidInput as error:
            log.warning("the run of schedule %s cannot be kept: %s", claim.schedule.id, error)
            failed = Run("failed", f"the run cannot be kept: {error}")
            return claims.finish(self._engine, claim, self._redact(failed))

    def _redact(self, run: Run) -> Run:
        """A run without what must not be kept: no handle has redacted it."""
        hook = self._engine.redact
        redacted: Run = run if hook is None else redact_deep(hook, run)
        return redacted

    def _deliver_due(self) -> None:
        """Deliver due reminders one by one; a failure does not stop the others."""
        if self._deliver is None:
            return
        for reminder in remind.claim(self._engine, None, _MOST_REMINDERS, self.worker, self._lease):
            try:
                self._deliver(reminder)
            except Exception:
                log.exception("reminder %s was not delivered; it stays due", reminder.id)
                remind.release(self._engine, reminder.space, reminder)
            else:
                remind.deliver(self._engine, reminder.space, reminder)

    # time

    def _until_due(self, looked_at: int) -> float:
        """Seconds until the next poll, or until something is due before it."""
        seconds = claims.due_in(self._engine, looked_at, reminders=self._deliver is not None)
        return self._poll if seconds is None else min(self._poll, max(seconds, _LEAST_PAUSE))

    def _hear(self) -> None:
        """Another process has written: look again."""
        with self._changed:
            self._news += 1
            self._changed.notify_all()

    def _rest(self, news: int, seconds: float) -> None:
        """Wait, unless there was news since the last look or the scheduler stops."""
        with self._changed:
            if self._news == news and not self._is_stopping:
                self._changed.wait(min(seconds, self._lease / 3))
        self._renew()

    def _drain(self) -> None:
        """Wait until nothing runs, renewing leases meanwhile."""
        while True:
            with self._changed:
                if not self._held:
                    return
                self._changed.wait(self._lease / 3)
            self._renew()

    def _renew(self) -> None:
        """Renew what has less than two thirds of its lease left."""
        now = time.monotonic()
        with self._changed:
            old = [c for id, c in self._held.items() if now - self._renewed[id] > self._lease / 3]
        for claim in old:
            try:
                claims.renew(self._engine, claim, timedelta(seconds=self._lease))
            except RicordoError as error:
                log.warning(
                    "the claim on schedule %s was not renewed: %s", claim.schedule.id, error
                )
            with self._changed:
                if claim.schedule.id in self._renewed:
                    self._renewed[claim.schedule.id] = now


def _check_functions(**given: object) -> None:
    for name, each in given.items():
        if each is not None and not callable(each):
            raise InvalidInput(f"{name} is {shorten(each)}; give a function")


def _check_numbers(**given: object) -> None:
    for name, each in given.items():
        if isinstance(each, bool) or not isinstance(each, int | float) or not each > 0:
            raise InvalidInput(f"{name} is {shorten(each)}; give a number greater than 0")


def _describe_error(error: BaseException) -> str:
    """An error as the output of its run, even if its own `str` fails."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - a foreign `__str__`
        return type(error).__name__
