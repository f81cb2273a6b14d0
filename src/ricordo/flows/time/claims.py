"""Claims: one worker at a time takes a due schedule, runs it, and says how it went.

A claim is a lease with a fence. Work is found by one indexed read over all spaces; only if there
is some is the database locked for writing. That somebody looks at all is noted once an hour.
"""

import math
import os
from contextlib import suppress
from datetime import timedelta

from ricordo.core.integrity import ids
from ricordo.core.text import content
from ricordo.core.time import clocks, outcomes
from ricordo.errors import ClaimLost, InvalidInput, StoreError, shorten
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.time.clocks import planning_time
from ricordo.flows.time.replan import replan, replan_if_due
from ricordo.flows.time.schedule import kept_cadence, plan_next_run, to_run, to_schedule
from ricordo.model import OUTCOMES, Claim, Run
from ricordo.store.codec import micros, moment
from ricordo.store.database import Tx
from ricordo.store.tables.due import REMINDER, SCHEDULE, DueSpace, LeaseTerms
from ricordo.store.tables.schedules import RunRow, ScheduleRow

MOST = 1_000  # claims at a time
LONGEST_LEASE_SECONDS = clocks.LONGEST_LEASE // 1_000_000


_NOTED_EVERY = clocks.HOUR  # how often it is noted that somebody looks for due schedules


def claim(
    engine: Engine, space: str | None, limit: int, worker: str, lease: float | timedelta
) -> list[Claim]:
    """Claim due schedules of one space, or of all, for a worker, oldest first in each.

    Nobody else gets them during the lease.
    """
    most = whole(limit, "limit", 1, MOST)
    worker, span = check_name(worker, "worker"), seconds(lease)
    if space is None:
        now = replan_if_due(engine)
    else:
        replan(engine, space)
        now = planning_time(engine)
    with engine.store.read() as tx:
        is_any, looked_at = tx.due.look(SCHEDULE, now)
    if looked_at is None or abs(now - looked_at) >= _NOTED_EVERY:
        _note_worker(engine, now)
    if not is_any:
        return []
    lease_of = LeaseTerms(worker, engine.watch.steady(), engine.watch.lease_end(span))

    def work(tx: Tx) -> list[Claim]:
        claims: list[Claim] = []
        for waiting in list_due_spaces(tx, SCHEDULE, space, now, most):
            if len(claims) == most:
                break
            rows = tx.schedules.claim(waiting.space, lease_of, now, most - len(claims))
            kept = [row for row in rows if not _skip_if_missed(engine, tx, waiting.space, row, now)]
            claims += [_claim(waiting.name, row) for row in kept]
        return claims

    return engine.store.write(work)


def list_due_spaces(tx: Tx, kind: str, space: str | None, now: int, limit: int) -> list[DueSpace]:
    """The spaces to look into: those with something due, or the one asked for if it has."""
    if space is None:
        return tx.due.poll(kind, now, limit)
    number = tx.spaces.number(space)
    at = None if number is None else tx.due.earliest(number, kind)
    return [DueSpace(number, space)] if number is not None and at is not None and at <= now else []


def has_worker(engine: Engine) -> bool:
    """Whether this process carries out goals, or somebody looked for due ones within two hours."""
    if engine.background is not None and engine.background.runs_schedules:
        return True
    now = planning_time(engine)
    with engine.store.read() as tx:
        at = tx.due.worker_at()
    return at is not None and abs(now - at) < 2 * _NOTED_EVERY


def _note_worker(engine: Engine, now: int) -> None:
    """Note that somebody looks; not in a memory that has nothing yet."""
    if engine.store.read_only:
        return
    with engine.store.read() as tx:
        if tx.spaces.tokenizer() is None:
            return
    with suppress(StoreError):  # a full disk fails a claim, not a look; the next one notes it
        engine.store.write(lambda tx: tx.due.note_worker(now))


def due_in(engine: Engine, since: int, *, reminders: bool) -> float | None:
    """Seconds until the next thing becomes due; None if nothing is planned.

    What became due since the last look began has not been looked at: then it is 0 or less.
    """
    kinds = (SCHEDULE, REMINDER) if reminders else (SCHEDULE,)
    with engine.store.read() as tx:
        times = [at for kind in kinds if (at := tx.due.after(kind, since)) is not None]
    return (min(times) - planning_time(engine)) / 1_000_000 if times else None


def finish(engine: Engine, claim: Claim, run: Run) -> Run:
    """File the run and plan the next one, in one transaction; ClaimLost if the claim is not ours.

    The result says in `notice` what to tell the user, if anything.
    """
    now = planning_time(engine)
    draft = _check_run(engine, claim, run, now)

    def work(tx: Tx) -> Run:
        number, row = _find_claimed(tx, claim)
        failures = outcomes.failures_after(row.failures, draft.status)
        notice = outcomes.notice(row.notify, draft.status, draft.output, failures)
        filed = draft._replace(notified=int(notice is not None))
        row = _settle(row, claim, filed, failures, now)
        tx.schedules.update(number, row)
        tx.schedules.add_run(number, filed, engine.settings.runs_kept)
        if row.status == "completed" and not row.keep:
            tx.schedules.delete(number, row.id)
        return to_run(claim.schedule.space, filed, notice)

    return engine.store.write(work)


def renew(engine: Engine, claim: Claim, lease: float | timedelta) -> Claim:
    """Hold a claim for longer, counted from now."""
    until = engine.watch.lease_end(seconds(lease))

    def work(tx: Tx) -> Claim:
        number, row = _find_claimed(tx, claim)
        tx.schedules.renew(number, row.id, claim.worker, claim.fence, until)
        return Claim(
            claim.schedule,
            claim.worker,
            claim.fence,
            claim.planned_at,
            claim.claimed_at,
            moment(until),
        )

    return engine.store.write(work)


def release(engine: Engine, claim: Claim) -> bool:
    """Give a claim back unused; False if it was no longer ours."""
    now = planning_time(engine)

    def work(tx: Tx) -> bool:
        try:
            number, row = _find_claimed(tx, claim)
        except ClaimLost:
            return False
        free = row._replace(worker=None, claimed_at=None, until=None)
        tx.schedules.change(number, plan_next_run(free, free.next_run_at, now))
        return True

    return engine.store.write(work)


def seconds(lease: float | timedelta) -> int:
    """A lease in whole microseconds."""
    span = lease.total_seconds() if isinstance(lease, timedelta) else lease
    if (
        isinstance(span, bool)
        or not isinstance(span, int | float)
        or not (0 < span <= LONGEST_LEASE_SECONDS)
    ):
        raise InvalidInput(
            f"lease {shorten(lease)} is not valid; give seconds, more than 0 and up to a week"
        )
    return math.ceil(span * 1_000_000)


def _claim(space: str, row: ScheduleRow) -> Claim:
    assert row.worker is not None
    assert row.next_run_at is not None
    assert row.claimed_at is not None
    assert row.until is not None
    return Claim(
        schedule=to_schedule(space, row),
        worker=row.worker,
        fence=row.fence,
        planned_at=moment(row.next_run_at),
        claimed_at=moment(row.claimed_at),
        until=moment(row.until),
    )


def _skip_if_missed(engine: Engine, tx: Tx, space: int, row: ScheduleRow, now: int) -> bool:
    """Leave out a run that comes too late for its schedule, or that was made before."""
    assert row.next_run_at is not None
    at = moment(row.next_run_at)
    is_missed = outcomes.is_missed(row.missed, at, moment(now))
    if not is_missed and not _is_repeated(tx, space, row, now):
        return False
    # After a run that was made, the next may also be overdue: it was missed, or made as well.
    until = moment(now) if is_missed else at
    following = outcomes.next_run_after(kept_cadence(row), at, until)
    free = row._replace(worker=None, claimed_at=None, until=None)
    if following is None and engine.watch.is_suspicious:
        following = at  # whether a one-shot was missed is decided when the clock is right
    elif following is None:
        free = free._replace(status="disabled")
    tx.schedules.update(
        space, plan_next_run(free, None if following is None else micros(following), now)
    )
    return True


def _is_repeated(tx: Tx, space: int, row: ScheduleRow, now: int) -> bool:
    """Whether this very run of a cron expression was made before the clock was set back.

    One that began before its planned time, or in what is the future now, was made in a wrong
    time and does not count.
    """
    if row.kind != "cron" or row.last_run_at is None:
        return False
    assert row.next_run_at is not None
    return tx.schedules.is_run(space, row.id, row.next_run_at, now + clocks.HOUR)


def _find_claimed(tx: Tx, claim: Claim) -> tuple[int, ScheduleRow]:
    """The schedule of a claim that is still ours."""
    if not isinstance(claim, Claim):
        raise InvalidInput(f"{shorten(claim)} is not a claim; give one that was claimed")
    number = tx.spaces.number(claim.schedule.space)
    row = None if number is None else tx.schedules.get(number, claim.schedule.id)
    if number is None or row is None:
        raise ClaimLost(f"schedule {claim.schedule.name!r} was removed; the run is not kept")
    if (row.worker, row.fence) != (claim.worker, claim.fence):
        raise ClaimLost(
            f"the claim of {claim.worker!r} on schedule {row.name!r} is over (fence {claim.fence}, "
            f"now {row.fence}); renew claims before their lease ends"
        )
    return number, row


def _settle(row: ScheduleRow, claim: Claim, run: RunRow, failures: int, now: int) -> ScheduleRow:
    """Where the schedule stands once the run is filed."""
    is_as_claimed = row.next_run_at == micros(claim.planned_at)
    free = row._replace(
        worker=None,
        claimed_at=None,
        until=None,
        failures=failures,
        last_run_at=run.started_at,
        last_run_status=run.status,
    )
    if row.status != "active":
        return plan_next_run(free, None, now)
    verdict = outcomes.verdict(
        kept_cadence(row), run.status, failures, claim.planned_at, moment(now)
    )
    if verdict.status == "disabled" or is_as_claimed:
        at = None if verdict.next_run_at is None else micros(verdict.next_run_at)
        return plan_next_run(free._replace(status=verdict.status), at, now)
    # Somebody gave it another cadence while it ran: that one holds.
    return plan_next_run(free, free.next_run_at, now)


def _check_run(engine: Engine, claim: Claim, run: Run, now: int) -> RunRow:
    if not isinstance(claim, Claim) or not isinstance(run, Run):
        raise InvalidInput(
            f"finish takes a Claim and a Run, not {shorten(claim):.60} and {shorten(run):.60}"
        )
    if (
        isinstance(run.cost, bool)
        or not isinstance(run.cost, int | float)
        or not (0 <= run.cost < math.inf)
    ):
        raise InvalidInput(f"cost is {run.cost!r}; give a number from 0 up")
    output = content.clean(run.output, "output", limit=engine.settings.max_text)
    return RunRow(
        id=ids.uuid7(now, os.urandom(ids.RANDOM_BYTES)),
        schedule=claim.schedule.id,
        planned_at=micros(claim.planned_at),
        started_at=micros(claim.claimed_at if run.started_at is None else run.started_at),
        finished_at=now if run.finished_at is None else micros(run.finished_at),
        status=one_of(run.status, "status", OUTCOMES),
        summary=outcomes.summary(output),
        output=output,
        turns=whole(run.turns, "turns", 0, 2**31),
        cost=float(run.cost),
        notified=0,
    )
