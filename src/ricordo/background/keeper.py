"""The keeper: does the background work of a memory in every long-lived process that opens it.

One thread finds the next due job, does it unless somebody else does, and sleeps. The memory records
what was done and what is next. A failed job is tried again later and does not stop the others.
Schedules and reminders need a process that says how to run them.
"""

import logging
import time
from typing import TYPE_CHECKING

from ricordo import background
from ricordo.core.time import jobs as job_times
from ricordo.core.time.jobs import JobState
from ricordo.embed.worker import Worker
from ricordo.errors import InvalidInput, RicordoError
from ricordo.flows.engine import Engine
from ricordo.flows.time.clocks import planning_time
from ricordo.flows.upkeep import jobs as job_flow
from ricordo.flows.upkeep.jobs import JobLease, JobTerms
from ricordo.forks import PATIENCE_SECONDS
from ricordo.locks import PausableLock
from ricordo.model import Job
from ricordo.store.codec import moment

if TYPE_CHECKING:
    from ricordo.background.jobs import JobSpec
    from ricordo.background.passes import JobPass
    from ricordo.background.scheduler import RunOptions, Scheduler, Work

log = logging.getLogger("ricordo.keeper")

FIRST_LOOK_SECONDS = 10.0  # a program that ends sooner does not pay for the keeper
LOOK_SECONDS = 60.0  # the longest sleep, to notice a changed clock or a machine that woke up
IDLE_SECONDS = 30.0  # without a write, before the log is folded back into the file
_SECOND = 1_000_000


class JobLoop:
    """Runs the jobs of one memory in one process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._worker = Worker(self._step, "ricordo-keeper")
        self._lock = PausableLock()
        self._is_started = False
        self._has_looked = False
        self._has_content = False  # whether anything was ever written
        self._wrote_at = 0.0  # on the clock of this process
        self._is_unfolded = False  # whether something was written since the log was folded
        self._next: dict[str, int] = {}  # when each job is due, as far as this process knows
        self._seen: dict[str, dict[int, int]] = {}
        self._running = ""
        self._scheduler: Scheduler | None = None

    # what the handle uses

    def start(self, run: "Work | None", options: "RunOptions") -> None:
        """Start at once; with `run` also run schedules, with `deliver` also deliver reminders."""
        self._check_writable()
        if run is not None or options.deliver is not None:
            if self._scheduler is not None:
                raise InvalidInput("the keeper already runs schedules; stop it first")
            self._scheduler = background.scheduler.Scheduler(self._engine, run, options)
            self._scheduler.start()
        if self._worker.is_stopping:
            self._worker = Worker(self._step, "ricordo-keeper")
        self._has_looked = True
        self._begin()

    def stop(self) -> None:
        """Stop after the current step; an interrupted job is due again."""
        scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.stop()
        self._worker.stop()

    def run_due(self) -> list[Job]:
        """Do every job that is due now, in this thread, and return the jobs that were done."""
        self._check_writable()
        done: list[str] = []
        with self._lock:
            for spec in self._list_specs():
                if self._run_if_due(spec):
                    done.append(spec.name)
        return [job for job in self.status() if job.name in done]

    def run_schedules(self, run: "Work | None", options: "RunOptions") -> int:
        """Run due schedules, wait for them, and return how many were run."""
        self._check_writable()
        return background.scheduler.Scheduler(self._engine, run, options).run_due()

    def status(self) -> list[Job]:
        """Every job of this memory: when it last ran, its result, and when it runs next."""
        return [self._describe(spec) for spec in self._list_all()]

    # what the engine uses

    @property
    def runs_schedules(self) -> bool:
        """Whether this process carries out goals."""
        return self._scheduler is not None and self._scheduler.runs_schedules

    def note_write(self) -> None:
        """Note a write, and start unless the settings say otherwise."""
        self._wrote_at = time.monotonic()
        self._is_unfolded = True
        if not self._is_started and self._engine.settings.keep and not self._engine.store.read_only:
            self._begin()

    def pause(self) -> None:
        """Before a fork: wait a limited time until no job runs, and start none."""
        self._lock.pause(PATIENCE_SECONDS)

    def go_on(self) -> None:
        """After a fork: let jobs run again."""
        self._lock.go_on()

    def renew(self) -> "JobLoop":
        """A loop for the child of a fork; it starts with the child's first write."""
        return JobLoop(self._engine)

    # the loop

    def _begin(self) -> None:
        self._is_started = True
        self._worker.wake()

    def _step(self) -> float | None:
        if not self._has_looked:
            self._has_looked = True
            return FIRST_LOOK_SECONDS
        with self._lock:
            for spec in self._list_specs():
                if self._worker.is_stopping:
                    return None
                self._run_if_due(spec)
        self._fold_if_idle()
        return self._until_next()

    def _run_if_due(self, spec: "JobSpec") -> bool:
        """Do a job if it is due and nobody else does it; returns whether it was done."""
        try:
            lease = self._take(spec)
            if lease is None:
                return False
            self._running = spec.name
            return self._carry_out(spec, lease)
        except RicordoError as error:
            log.warning("the state of job %s could not be read or written: %s", spec.name, error)
            self._next[spec.name] = planning_time(self._engine) + job_times.FIRST_RETRY
            return False
        finally:
            self._running = ""

    def _take(self, spec: "JobSpec") -> JobLease | None:
        now, terms = planning_time(self._engine), self._terms(spec)
        if now < self._next.get(spec.name, 0) <= now + terms.every:
            return None  # known without a read; a later time comes from a wrong clock
        state = job_flow.look(self._engine, terms)
        self._next[spec.name] = state.next_at
        if not job_times.is_due(state, now):
            return None
        lease = job_flow.take(self._engine, terms)
        if lease is None:  # somebody else does it: look again soon
            self._next[spec.name] = now + int(LOOK_SECONDS * _SECOND)
        return lease

    def _carry_out(self, spec: "JobSpec", lease: JobLease) -> bool:
        try:
            with self._engine.steps.begin("job", job=spec.name):
                result = spec.work(self._make_pass(spec, lease))
        except background.passes.BrokenOff:
            job_flow.release(self._engine, lease)
            return False
        except Exception as error:
            log.warning("job %s failed; it will be tried again later", spec.name, exc_info=True)
            self._seen.pop(spec.name, None)  # spaces that failed are looked at again as well
            job_flow.fail(self._engine, lease, f"{type(error).__name__}: {error}")
        else:
            job_flow.finish(self._engine, lease, result)
        state = job_flow.read(self._engine, spec.name)
        self._next[spec.name] = 0 if state is None else state.next_at
        return True

    def _make_pass(self, spec: "JobSpec", lease: JobLease) -> "JobPass":
        renewed = time.monotonic()

        def check() -> None:
            nonlocal renewed
            if self._worker.is_stopping:
                raise background.passes.BrokenOff("the memory is being closed")
            if time.monotonic() - renewed > job_times.LEASE / _SECOND / 3:
                renewed = time.monotonic()
                if not job_flow.renew(self._engine, lease):
                    raise background.passes.BrokenOff("somebody else has taken over the job")

        state = job_flow.read(self._engine, spec.name)
        assert state is not None
        return background.passes.JobPass(
            self._engine, state, check, self._seen.setdefault(spec.name, {})
        )

    def _fold_if_idle(self) -> None:
        """Fold the log back into the file after a while without writes."""
        if self._is_unfolded and time.monotonic() - self._wrote_at >= IDLE_SECONDS:
            self._is_unfolded = False
            self._engine.store.fold()

    def _until_next(self) -> float:
        """Seconds until there is something to do."""
        now = planning_time(self._engine)
        pauses = [(at - now) / _SECOND for at in self._next.values()]
        if self._is_unfolded:
            pauses.append(self._wrote_at + IDLE_SECONDS - time.monotonic())
        return max(min([LOOK_SECONDS, *pauses]), 0.1)

    # what there is to do

    def _list_all(self) -> "tuple[JobSpec, ...]":
        return background.jobs.JOBS

    def _list_specs(self) -> "list[JobSpec]":
        """The jobs that this process can do; none before the first write."""
        if not self._has_content:
            with self._engine.store.read() as tx:
                self._has_content = tx.spaces.tokenizer() is not None
            if not self._has_content:
                return []
        return [spec for spec in self._list_all() if self._can_do(spec)]

    def _can_do(self, spec: "JobSpec") -> bool:
        return spec.every(self._engine.settings) > 0 and spec.can_do(self._engine)

    def _terms(self, spec: "JobSpec") -> JobTerms:
        every = int(spec.every(self._engine.settings) * _SECOND)
        has_model = spec.uses_model and bool(self._engine.settings.chat_model)
        return JobTerms(spec.name, every, has_model)

    def _describe(self, spec: "JobSpec") -> Job:
        state = job_flow.read(self._engine, spec.name) or JobState(0)
        return Job(
            name=spec.name,
            every_seconds=spec.every(self._engine.settings),
            can_run=self._can_do(spec),
            is_running=self._running == spec.name,
            last_at=None if state.last_at is None else moment(state.last_at),
            next_at=moment(state.next_at) if state.next_at else None,
            result=state.result,
            error=state.error,
            failures=state.failures,
            owner=state.owner,
        )

    def _check_writable(self) -> None:
        if self._engine.store.read_only:
            raise InvalidInput("this memory is read-only; the keeper needs write access")
