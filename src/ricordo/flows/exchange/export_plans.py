"""What an export holds beside texts: plans and their runs, permissions, and what was learnt."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime

from ricordo.core.exchange.given import (
    Given,
    GivenApproval,
    GivenPromotion,
    GivenReminder,
    GivenRun,
    GivenSchedule,
    GivenSignal,
    GivenSuccession,
)
from ricordo.model import Json
from ricordo.store.codec import loads, moment
from ricordo.store.database import Tx
from ricordo.store.tables.schedules import Filter, RunRow, ScheduleRow

_ALL = 2**31


def list_plans(tx: Tx, space: int) -> Iterator[Given]:
    """Reminders, schedules, each before its runs, and approvals; of each the oldest first."""
    for each in reversed(tx.reminders.page(space, pending=False, recipient=None, limit=_ALL)):
        yield GivenReminder(
            each.id, each.text, _maybe(each.at), each.cue, each.recipient, each.channel,
            each.session, moment(each.created_at), _maybe(each.delivered_at),
        )  # fmt: skip
    for row in reversed(tx.schedules.page(space, Filter(), _ALL, 0)):
        yield _schedule(row)
        yield from map(_run, reversed(tx.schedules.runs(space, row.id, _ALL)))
    for approval in tx.approvals.all(space):
        yield GivenApproval(approval.words, approval.allow, moment(approval.created_at))


def list_learnt(tx: Tx, space: int, uids: Mapping[str, str]) -> Iterator[Given]:
    """Successions of tool calls, signals and promotions, by the uids of their entries."""
    for tool in tx.macros.tools(space):
        for row in tx.macros.after(space, tool):
            yield GivenSuccession(
                row.trigger_tool, _pattern(row.trigger_args), row.next_tool,
                _pattern(row.next_args), row.times, moment(row.created_at),
                moment(row.updated_at),
            )  # fmt: skip
    for signal in reversed(tx.signals.latest(space, None, _ALL)):
        if signal.entry in uids:
            yield GivenSignal(
                uids[signal.entry], signal.query, signal.score, signal.at, signal.asker,
                signal.session, signal.seq,
            )  # fmt: skip
    for line in tx.sweeps.promotions(space, _ALL):
        if line.name in uids:
            parts = (line.frequency, line.relevance, line.recency, line.diversity)
            counts = (line.hits, line.queries, line.days)
            yield GivenPromotion(
                uids[line.name], line.phase, line.score, moment(line.at), *parts,
                line.consolidation, *counts,
            )  # fmt: skip


def _schedule(row: ScheduleRow) -> GivenSchedule:
    return GivenSchedule(
        id=row.id,
        goal=row.goal,
        name=row.name,
        cadence=loads(row.cadence),
        notify=row.notify,
        status=row.status,
        is_once=row.kind == "once",
        trusted=bool(row.trusted),
        channel=row.channel,
        channel_context=row.channel_context,
        missed=row.missed,
        source=row.source,
        failures=row.failures,
        created_at=moment(row.created_at),
        last_run_at=_maybe(row.last_run_at),
        last_run_status=row.last_run_status,
    )


def _run(row: RunRow) -> GivenRun:
    times = (moment(row.planned_at), moment(row.started_at), moment(row.finished_at))
    return GivenRun(
        row.id, row.schedule, *times, row.status, row.output, row.turns, row.cost,
        bool(row.notified),
    )  # fmt: skip


def _pattern(kept: str | None) -> dict[str, Json] | None:
    return None if kept is None else json.loads(kept)


def _maybe(at: int | None) -> datetime | None:
    return None if at is None else moment(at)
