"""Dream: a sweep over the signals of a space, which promotes what is recalled again and again.

No model is asked. A sweep writes the ledger, the concept tags of what it promotes, and through the
outbox MEMORY.md and DREAMS.md. Nothing else of an entry changes.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ricordo.core.learning import concepts, diary, promotion
from ricordo.core.learning.diary import Block
from ricordo.core.learning.promotion import Scored
from ricordo.errors import Conflict, InvalidInput, NotFound, shorten
from ricordo.flows import signals
from ricordo.flows.engine import Engine, whole
from ricordo.flows.files import checkpoint
from ricordo.flows.files.folder import files_of
from ricordo.flows.learning import dream_files, dream_lease
from ricordo.flows.learning.dream_files import Carried
from ricordo.flows.learning.dream_lease import Lease
from ricordo.flows.learning.dream_report import SweepReport, report
from ricordo.flows.writing import remember
from ricordo.model import Contradiction, Duplicate, Promotion, Rejection, Sweep
from ricordo.store.codec import dumps, loads, moment
from ricordo.store.database import Tx
from ricordo.store.tables.outbox import SWEEP, UNDO, WITHDRAW
from ricordo.store.tables.sweeps import PromotionRow, SweepRow

_MOST = 10_000
_SHOWN = 50  # candidates of a dry run that a gate stopped
_NONE = SweepRow(0, 0, 0, 0, "", 0, None, 0)


def dream(
    engine: Engine, space: str, *, dry_run: bool, weights: Mapping[str, float] | None
) -> Sweep:
    """One sweep; with `dry_run` only what it would do."""
    chosen = promotion.weights(weights)
    if not engine.store.read_only:
        engine.store.settle()
    if dry_run:
        return _preview(engine, space, report(engine, space, chosen))
    with dream_lease.hold_lease(engine, space) as lease:
        engine.store.write(lambda tx: _strike_gone(tx, lease.space))
        dream_files.carry(engine, space)  # what an earlier sweep left undone
        seen = report(engine, space, chosen)
        number = engine.store.write(
            partial(_record, engine=engine, space=space, lease=lease, seen=seen)
        )
        carried = dream_files.carry(engine, space)
        sweep = _load(engine, space, number, _difference(engine, lease, number, carried))
    engine.wake()
    signals.prune(engine, lease.space)
    _commit(engine, space, sweep)
    return sweep


def undo(engine: Engine, space: str, sweep: int) -> Sweep:
    """Undo the promotions of a sweep, and what it did to files."""
    number = _check_number(sweep)
    with engine.store.read() as tx:
        filed = tx.spaces.number(space)
        if filed is None or tx.sweeps.get(filed, number) is None:
            raise NotFound(f"there is no sweep {number} in space {space!r}")
    with dream_lease.hold_lease(engine, space) as lease:
        dream_files.carry(engine, space)
        before = engine.store.write(
            partial(_undo, engine=engine, space=space, lease=lease, sweep=number)
        )
        carried = dream_files.carry(engine, space)
        found = _load(engine, space, number, diary.diff(carried.before, carried.after))
    return replace(found, promoted=before)


def sweeps(engine: Engine, space: str, limit: int) -> list[Sweep]:
    """The sweeps of a space, newest first, with the promotions that are in force."""
    most = whole(limit, "limit", 0, _MOST)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        rows = [] if number is None else tx.sweeps.latest(number, most)
        return [_tell(tx, number, space, row) for row in rows if number is not None]


def get_sweep(engine: Engine, space: str, sweep: int) -> Sweep | None:
    """One sweep by its number, with its promotions that are in force."""
    wanted = _check_number(sweep)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.sweeps.get(number, wanted)
        return None if number is None or row is None else _tell(tx, number, space, row)


def promotions(engine: Engine, space: str, limit: int) -> list[Promotion]:
    """The ledger of a space, newest first."""
    most = whole(limit, "limit", 0, _MOST)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        rows = [] if number is None else tx.sweeps.promotions(number, most)
        return [_promotion(row) for row in rows]


def _check_number(sweep: object) -> int:
    if isinstance(sweep, bool) or not isinstance(sweep, int) or not 0 < sweep < 2**62:
        raise InvalidInput(
            f"{shorten(sweep)} is not a completed sweep; use an id from `ricordo dream --list`"
        )
    return sweep


def _strike_gone(tx: Tx, space: int) -> None:
    """Whatever removed an entry, the ledger follows."""
    for entry in tx.sweeps.stale(space):
        tx.sweeps.forget(space, entry)


def _record(tx: Tx, engine: Engine, space: str, lease: Lease, seen: SweepReport) -> int:
    """The sweep, its promotions and the pending changes of files, in one transaction."""
    dream_lease.confirm(tx, lease, space)
    now, is_filed = engine.now(), bool(engine.settings.workspace)
    sweep = tx.sweeps.insert(
        lease.space,
        at=now,
        candidates=seen.candidates,
        skipped=seen.verdict.skipped,
        report=_pack_report(seen),
        is_filed=is_filed,
    )
    for scored in seen.verdict.promoted:
        if tx.sweeps.promote(lease.space, _line(scored, sweep, now)):
            _label(tx, lease.space, scored.tally.entry)
    if is_filed:
        tx.outbox.put(lease.space, SWEEP, [sweep])
    return sweep


def _undo(tx: Tx, engine: Engine, space: str, lease: Lease, sweep: int) -> tuple[Promotion, ...]:
    dream_lease.confirm(tx, lease, space)
    before = tuple(map(_promotion, tx.sweeps.promotions_of(lease.space, sweep)))
    gone = tx.sweeps.undo(lease.space, sweep, engine.now())
    if gone is None:
        raise Conflict(f"sweep {sweep} of space {space!r} was undone before; nothing is left of it")
    if tx.sweeps.is_filed(lease.space):
        tx.outbox.put(lease.space, WITHDRAW, gone)
        tx.outbox.put(lease.space, UNDO, [sweep])
    return before


def _line(scored: Scored, sweep: int, now: int) -> PromotionRow:
    tally, parts = scored.tally, scored.parts
    return PromotionRow(
        name="",  # the entry has it
        entry=tally.entry,
        sweep=sweep,
        phase=promotion.PHASE,
        at=now,
        score=scored.score,
        frequency=parts["frequency"],
        relevance=parts["relevance"],
        recency=parts["recency"],
        diversity=parts["diversity"],
        consolidation=parts["consolidation"],
        hits=tally.hits,
        queries=tally.queries,
        days=tally.days,
    )


def _label(tx: Tx, space: int, entry: int) -> None:
    """Derive concept tags again for an entry that has none, or those of an older rule."""
    row = tx.entries.row(space, entry)
    assert row is not None
    fresh = dumps(list(concepts.concepts(row.content)), "concept tags")
    if fresh != row.concept_tags:
        tx.entries.update(space, row._replace(concept_tags=fresh))
        remember.reindex(tx, space, entry)


def _preview(engine: Engine, space: str, seen: SweepReport) -> Sweep:
    """The sweep as it would be."""
    files = files_of(engine, space)
    before = None if files is None else files.read(diary.MEMORY)
    with engine.store.read() as tx:
        number = tx.spaces.number(space) or 0
        now, next_id = engine.now(), (tx.sweeps.latest(number, 1) or [_NONE])[0].id + 1
        lines = [
            _line(scored, next_id, now)._replace(name=names[0])
            for scored in seen.verdict.promoted
            if (names := tx.entries.names(number, scored.tally.entry))
        ]
        bullets = tuple(dream_files.bullet(tx, number, line) for line in lines)
        blocks = [Block(next_id, moment(now), bullets)]
        if files is not None and before is None:  # it will be made from the whole ledger
            past = tx.sweeps.in_force(number)
            blocks[:0] = [dream_files.block(tx, number, sweep) for sweep in past]
        row = _NONE._replace(
            at=now,
            candidates=seen.candidates,
            skipped=seen.verdict.skipped,
            report=_pack_report(seen),
        )
        sweep = _sweep(tx, number, space, row)
        rejected = tuple(
            Rejection(names[0], each.gate, each.score, each.tally.hits, each.tally.queries)
            for each in seen.verdict.rejected[:_SHOWN]
            if (names := tx.entries.names(number, each.tally.entry))
        )
    after = diary.add_promotions(before, blocks)
    return replace(
        sweep,
        id=None,
        dry_run=True,
        promoted=tuple(replace(_promotion(line), sweep=None) for line in lines),
        rejected=rejected,
        diff=diary.diff(before, after),
    )


def _difference(engine: Engine, lease: Lease, sweep: int, carried: Carried) -> str:
    """What changed in MEMORY.md; without files, what would have."""
    if engine.settings.workspace:
        return diary.diff(carried.before, carried.after)
    with engine.store.read() as tx:
        block = dream_files.block(tx, lease.space, sweep)
    return diary.diff(None, diary.add_promotions(None, [block]))


def _load(engine: Engine, space: str, sweep: int, diff: str) -> Sweep:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        row = None if number is None else tx.sweeps.get(number, sweep)
        if number is None or row is None:
            raise Conflict(f"sweep {sweep} of space {space!r} was erased while it was written")
        return replace(_sweep(tx, number, space, row), diff=diff)


def _tell(tx: Tx, number: int, space: str, row: SweepRow) -> Sweep:
    """A past sweep; its `diff` says what is in force of it, in the entries' present words."""
    sweep = _sweep(tx, number, space, row)
    if not sweep.promoted:
        return sweep
    block = dream_files.block(tx, number, row.id)
    return replace(sweep, diff=diary.diff(None, diary.add_promotions(None, [block])))


def _sweep(tx: Tx, number: int, space: str, row: SweepRow) -> Sweep:
    report = loads(row.report) if row.report else {}
    return Sweep(
        space=space,
        id=row.id,
        at=moment(row.at),
        dry_run=False,
        candidates=row.candidates,
        skipped=row.skipped,
        promoted=tuple(map(_promotion, tx.sweeps.promotions_of(number, row.id))),
        duplicates=tuple(
            Duplicate(*pair.names, pair.detail)
            for pair in dream_files.pairs(tx, number, report.get("duplicates", []))
        ),
        contradictions=tuple(
            Contradiction(*pair.names, dream_files.REASONS[pair.detail])
            for pair in dream_files.pairs(tx, number, report.get("contradictions", []))
        ),
        diff="",
        undone_at=None if row.undone_at is None else moment(row.undone_at),
    )


def _pack_report(seen: SweepReport) -> str:
    """Numbers only: the store keeps no second copy of what entries say."""
    found = {
        "duplicates": [list(pair) for pair in seen.duplicates],
        "contradictions": [list(clash) for clash in seen.clashes],
    }
    return dumps({name: pairs for name, pairs in found.items() if pairs}, "report")


def _promotion(row: PromotionRow) -> Promotion:
    return Promotion(
        entry=row.name,
        id=row.entry,
        score=row.score,
        parts={name: getattr(row, name) for name in promotion.WEIGHTS},
        hits=row.hits,
        queries=row.queries,
        days=row.days,
        phase=row.phase,
        sweep=row.sweep,
        at=moment(row.at),
    )


def _commit(engine: Engine, space: str, sweep: Sweep) -> None:
    count = len(sweep.promoted)
    body = "\n".join(" ".join(each.entry.split()) for each in sweep.promoted)
    checkpoint.commit(engine, space, f"dream: {count} promotion(s)", body)
