"""Maintain: delete expired data, reclaim disk space, finish erasures.

Rows go in small transactions, each of them whole, so that others can read and write meanwhile and a
crash in between loses nothing: the next run goes on. Two processes may do it at once.
"""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ricordo.flows.engine import Engine
from ricordo.flows.erasure import erase, note_files, removal
from ricordo.flows.erasure.deletion import Deletion
from ricordo.flows.erasure.note_files import Copy
from ricordo.flows.learning import dream_files
from ricordo.flows.recall.index import index, is_outdated
from ricordo.flows.recall.make_blocks import make_blocks
from ricordo.flows.records.write import remove_rows
from ricordo.flows.time import clocks
from ricordo.flows.time.replan import replan
from ricordo.flows.upkeep.recut import recut
from ricordo.flows.upkeep.reseal import reseal
from ricordo.flows.writing import unsay
from ricordo.model import Upkeep
from ricordo.store.check import Checks
from ricordo.store.codec import DAY, FIRST, moment
from ricordo.store.database import Tx
from ricordo.store.tables.tombstones import Erasure
from ricordo.store.tables.upkeep import UpkeepRows as Rows

_log = logging.getLogger("ricordo.clock")

BATCH = 500  # rows that go in one transaction
EVERYTHING = 2**31

Progress = Callable[[int, int], None]
Space = tuple[str, int]  # its name and its number
Due = Callable[[Tx, int, int], list[Any]]  # Any: what a row is known by differs by table


@dataclass(slots=True)
class Gone:
    """What went so far: rows by table, files, and sessions whose log is shorter now."""

    removed: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)
    planned: set[tuple[str, int, Any]] = field(default_factory=set)  # what a dry run counted


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the retention table: which rows of a space are due, and how they go."""

    table: str
    due: Due
    remove: Callable[[Tx, Space, list[Any], Gone], None]


def maintain(
    engine: Engine,
    *,
    dry_run: bool = False,
    deep: bool = False,
    confirm_clock: bool = False,
    progress: Progress | None = None,
) -> Upkeep:
    """Do all of it, for every space; without what goes by age while the clock may be wrong."""
    if not engine.store.read_only:
        engine.store.settle()
    doubts = _settle_clock(engine, confirm=confirm_clock, dry_run=dry_run)
    now = engine.now()
    before = engine.store.size()
    gone = Gone()
    with engine.store.read() as tx:
        spaces = [(space.name, space.space) for space in tx.spaces.numbers()]
    rules = [] if doubts else table(engine, now)
    recuts = resealed = 0
    for number, space in enumerate(spaces, start=1):
        for rule in rules:
            (_count if dry_run else _apply)(engine, space, rule, gone)
        if not dry_run:
            dream_files.finish(engine, space[0])
        recuts += recut(engine, space, dry_run=dry_run)
        resealed += reseal(engine, space[1], dry_run=dry_run)
        if not dry_run:
            make_blocks(engine.store, space[1])
        if progress is not None:
            progress(number, len(spaces))
    indexed = _read_anew(engine, progress, dry_run=dry_run)
    erased, pending = (0, _count_pending(engine)) if dry_run else _finish(engine, deep)
    return Upkeep(
        removed={name: count for name, count in sorted(gone.removed.items()) if count},
        files=tuple(gone.files),
        orphans=_orphans(engine),
        indexed=indexed,
        recut=recuts,
        resealed=resealed,
        erased=erased,
        pending=pending,
        bytes_before=before,
        bytes_after=engine.store.size(),
        dry_run=dry_run,
        at=moment(now),
        doubts=doubts,
    )


def _settle_clock(engine: Engine, *, confirm: bool, dry_run: bool) -> tuple[str, ...]:
    """Plan again what was planned in a wrong time; why nothing may go by its age, if so."""
    if confirm and not dry_run:
        clocks.confirm(engine)
    if not dry_run:
        replan(engine)
    doubts = () if confirm else tuple(clocks.find_doubts(engine))
    if doubts and not dry_run:
        _log.warning("nothing was deleted by its age: %s; %s", doubts[0], clocks.WAY_OUT)
    return doubts


def _read_anew(engine: Engine, progress: Progress | None, *, dry_run: bool) -> int:
    """Index every text again if the tokenizer has changed; how many chunks that are."""
    with engine.store.read() as tx:
        if not is_outdated(tx):
            return 0
        chunks = sum(tx.spaces.counts(space.space)[3] for space in tx.spaces.numbers())
    return chunks if dry_run else index(engine, progress)


def table(engine: Engine, now: int) -> list[Rule]:
    """The retention table; a line whose days are 0 is left out."""
    settings = engine.settings

    def rows_older_than(days: int, rows: Callable[[Rows, int, int, int], list[Any]]) -> Due:
        before = now - days * DAY
        return lambda tx, n, limit: rows(tx.upkeep, n, before, limit) if days else []

    def beyond(tx: Tx, n: int, limit: int) -> list[Any]:
        return tx.upkeep.runs(n, settings.runs_kept, limit)

    past = settings.revision_days
    events = partial(_drop_events, engine=engine)
    return [
        _plain("signals", rows_older_than(settings.signal_days, Rows.signals), Rows.drop_signals),
        _plain("revisions", rows_older_than(past, Rows.revisions), Rows.drop_revisions),
        _plain("past_names", rows_older_than(past, Rows.past_names), Rows.drop_past_names),
        Rule("events", rows_older_than(settings.event_days, Rows.list_consolidated), events),
        Rule("entries", rows_older_than(settings.daily_days, Rows.daily), _drop_entries),
        Rule("entries", lambda tx, n, limit: tx.upkeep.list_expired(n, now, limit), _drop_entries),
        Rule(
            "records", lambda tx, n, limit: [*tx.records.list_expired(n, now, limit)], _drop_records
        ),
        Rule("record_revisions", _older_revisions(past, now), _drop_record_revisions),
        _plain("runs", beyond, Rows.drop_runs),
    ]


def _plain(table: str, due: Due, drop: Callable[[Rows, int, list[Any]], None]) -> Rule:
    """A line of the table whose rows have nothing that hangs on them."""

    def remove(tx: Tx, space: Space, rows: list[Any], gone: Gone) -> None:
        drop(tx.upkeep, space[1], rows)
        gone.removed[table] += len(rows)

    return Rule(table, due, remove)


def _count(engine: Engine, space: Space, rule: Rule, gone: Gone) -> None:
    with engine.store.read() as tx:
        rows = {(rule.table, space[1], row) for row in rule.due(tx, space[1], EVERYTHING)}
    gone.removed[rule.table] += len(rows - gone.planned)
    gone.planned |= rows  # two lines of the table may name the same row


def _apply(engine: Engine, space: Space, rule: Rule, gone: Gone) -> None:
    """One line of the table, batch by batch until nothing is due."""
    while True:
        with engine.store.read() as tx:
            if not rule.due(tx, space[1], 1):
                return  # the usual case takes no lock

        def work(tx: Tx) -> Gone:
            part = Gone()
            rule.remove(tx, space, rule.due(tx, space[1], BATCH), part)
            return part

        part = engine.delete(work)
        gone.removed += part.removed
        gone.files += note_files.remove_files(part.files).gone
        gone.files += note_files.clear(engine, space[0], part.copies).gone
        for session in part.sessions:
            engine.recent.drop((space[0], session))


# how it goes


def _drop_entries(tx: Tx, space: Space, rows: list[Any], gone: Gone) -> None:
    """Delete an entry with everything that forgetting it deletes."""
    for entry in rows:
        going = Deletion()
        removal.remove_entry(tx, space, entry, going)
        gone.removed += Counter(going.removed)
        gone.files += going.files
        gone.copies += going.copies


def _drop_records(tx: Tx, space: Space, rows: list[Any], gone: Gone) -> None:
    """Delete expired records with their texts."""
    found = tx.records.of(space[1], rows, FIRST, values=False)
    gone.removed["records"] += len(remove_rows(tx, space[1], found.values()))


def _older_revisions(days: int, now: int) -> Due:
    """What records said until so many days ago; nothing for 0."""
    before = now - days * DAY
    return lambda tx, n, limit: [*tx.records.list_old(n, before, limit)] if days else []


def _drop_record_revisions(tx: Tx, space: Space, rows: list[Any], gone: Gone) -> None:
    tx.records.drop_old(space[1], rows)
    gone.removed["record_revisions"] += len(rows)


def _drop_events(tx: Tx, space: Space, rows: list[Any], gone: Gone, engine: Engine) -> None:
    """Events leave their log with their chunks; the hash chain keeps what it needs of them."""
    for session in dict.fromkeys(session for session, _ in rows):
        seqs = {seq for each, seq in rows if each == session}
        gone.removed += Counter(unsay.take_out(engine, tx, (*space, session), seqs))
        gone.removed["consolidations"] += len(seqs)
        gone.sessions.add(session)


# the file


def _finish(engine: Engine, deep: bool) -> tuple[int, int]:
    """Tidy the file and make pending erasures physical; how many are, and how many wait."""
    engine.store.tidy(deep=deep)
    waiting = _list_erasures(engine)
    if not waiting:
        return 0, 0
    files = {path for erasure in waiting for path in erasure.files}
    if note_files.remove_files(sorted(files - _list_living_notes(engine))).remains:
        return 0, len(waiting)  # a file that cannot be removed now may be next time
    engine.store.write(partial(_note_files_gone, waiting=waiting))
    if not engine.store.scrub(erase.PATIENCE_SECONDS):
        return 0, len(waiting)

    def work(tx: Tx) -> None:
        for erasure in waiting:
            tx.tombstones.close(erasure.space, erasure.id)

    engine.store.write(work)
    return len(waiting), 0


def _list_living_notes(engine: Engine) -> set[str]:
    """The notes of entries that are there: one may have the place of a note that was erased."""
    with engine.store.read() as tx:
        spaces = [(space.name, space.space) for space in tx.spaces.numbers()]
        return {path for space in spaces for path in note_files.list_note_paths(engine, tx, space)}


def _note_files_gone(tx: Tx, waiting: list[Erasure]) -> None:
    for space in {erasure.space for erasure in waiting}:
        tx.tombstones.note_files_gone(space)


def _list_erasures(engine: Engine) -> list[Erasure]:
    with engine.store.read() as tx:
        return [
            erasure
            for space in tx.spaces.numbers()
            for erasure in tx.tombstones.list_pending(space.space)
        ]


def _count_pending(engine: Engine) -> int:
    return len(_list_erasures(engine))


def _orphans(engine: Engine) -> int:
    """Rows that belong to nothing; nothing is done about them, `check()` says which they are."""
    found = 0
    with engine.store.read() as tx:
        checks = Checks(tx)
        for space in tx.spaces.numbers():
            for rows in (
                checks.orphan_events(space.space),
                checks.dangling_names(space.space),
                checks.stray_chunks(space.space),
                checks.stray_vectors(space.space),
            ):
                found += len(rows)
    return found
