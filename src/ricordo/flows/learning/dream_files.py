"""Dream files: carry to MEMORY.md and DREAMS.md what the ledger has and they do not.

Ledger and outbox change in one transaction. Then the files are replaced, each as a whole, and the
outbox is cleared. Whoever finds something in the outbox carries it out, and doing so twice changes
nothing, so a crash anywhere is made up for by the next sweep, sync or opening.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from ricordo.core.learning import diary
from ricordo.core.learning.diary import DREAMS, MEMORY, Block, Bullet, Night, Remark
from ricordo.errors import InvalidInput, RicordoError, StoreError
from ricordo.flows.engine import Engine
from ricordo.flows.files.folder import files_of
from ricordo.model import Json
from ricordo.store.codec import loads, moment
from ricordo.store.database import Tx
from ricordo.store.tables.due import OUTBOX
from ricordo.store.tables.outbox import FORGET, SWEEP, UNDO, WITHDRAW, OutboxMessage
from ricordo.store.tables.sweeps import PromotionRow
from ricordo.workspace.files import Files

REASONS = {
    "key": "both are facts of this key, with different values",
    "value": "it holds a value that the fact had before",
    "line": "it was rewritten after MEMORY.md listed it",
}
_EVER = 2**62
_MANY = 1_000
_log = logging.getLogger("ricordo")


class ReportedPair(NamedTuple):
    """Two entries that a report names together, and what it says of them."""

    entries: tuple[int, int]
    names: tuple[str, str]
    detail: Json


class Texts(NamedTuple):
    memory: str | None
    diary: str | None


class Carried(NamedTuple):
    """MEMORY.md before and after."""

    before: str | None
    after: str | None


def finish_all(engine: Engine) -> None:
    """Carry out what is left in any space; for the opening of a memory."""
    if engine.store.read_only or not engine.settings.workspace:
        return
    with engine.store.read() as tx:
        waiting = tx.due.poll(OUTBOX, _EVER, _MANY)
    for space in waiting:
        finish(engine, space.name)


def finish(engine: Engine, space: str) -> bool:
    """Carry out what is left in a space; False if something still is, to be tried again later."""
    try:
        carry(engine, space)
    except RicordoError as error:
        _log.warning("the dream files of space %r are not up to date: %s", space, error)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return number is None or not tx.outbox.list_pending(number)


def carry(engine: Engine, space: str) -> Carried:
    """Write the outbox to the files. If that fails, undo the sweeps in it."""
    files = files_of(engine, space)
    number = _find_waiting_space(engine, space)
    if files is None or number is None or engine.store.read_only:
        return Carried(None, None)
    try:
        with files.lock():
            return _carry(engine, number, files)
    except (OSError, InvalidInput) as error:
        engine.store.write(partial(_withdraw, space=number))
        raise StoreError(
            f"{MEMORY} and {DREAMS} of space {space!r} cannot be written ({error}); nothing was "
            f"promoted, make {str(files.root)!r} writable and try again"
        ) from error


def _find_waiting_space(engine: Engine, space: str) -> int | None:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return number if number is not None and tx.outbox.list_pending(number) else None


def _carry(engine: Engine, number: int, files: Files) -> Carried:
    first = before = Texts(files.read(MEMORY), files.read(DREAMS))
    while True:
        with engine.store.read() as tx:
            messages = tx.outbox.list_pending(number)
            after = before
            for message in messages:
                after = _apply_change(tx, number, message, after)
        if not messages:
            return Carried(first.memory, before.memory)
        _replace(files, before, after)
        engine.store.write(partial(_clear, space=number, messages=messages))
        before = after


def _clear(tx: Tx, space: int, messages: list[OutboxMessage]) -> None:
    tx.outbox.clear(space, messages)


def _withdraw(tx: Tx, space: int) -> None:
    """Undo the sweeps that are in no file."""
    for message in tx.outbox.list_pending(space):
        if message.kind == SWEEP:
            tx.sweeps.withdraw(space, message.target)
            tx.outbox.drop(space, SWEEP, message.target)


def _replace(files: Files, before: Texts, after: Texts) -> None:
    """Replace what changed; if the second file refuses, the first is put back as it was."""
    done: list[tuple[str, str | None]] = []
    try:
        for name, old, new in zip((MEMORY, DREAMS), before, after, strict=True):
            if new is not None and new != old:
                files.write(name, new)
                done.append((name, old))
    except (OSError, InvalidInput):
        _put_back(files, done)
        raise


def _put_back(files: Files, done: list[tuple[str, str | None]]) -> None:
    try:
        for name, old in done:
            if old is None:
                files.remove(name)
            else:
                files.write(name, old)
    except (OSError, InvalidInput) as error:
        raise StoreError(
            f"the folder {str(files.root)!r} broke off while it was written to ({error}); "
            "dream again once it can be written, to finish what was begun"
        ) from error


def _apply_change(tx: Tx, space: int, message: OutboxMessage, texts: Texts) -> Texts:
    """The files once they know of one change."""
    memory, told = texts
    if message.kind == FORGET:
        gone = (message.target,)
        return Texts(diary.without(memory, gone), diary.without(told, gone))
    if message.kind == WITHDRAW:
        return Texts(diary.without(memory, (message.target,)), told)
    row = tx.sweeps.get(space, message.target)
    if row is None:
        return texts
    if message.kind == UNDO and row.undone_at is not None:
        return Texts(
            memory, diary.add_undo_note(told, row.id, moment(row.undone_at), row.withdrawn)
        )
    # A missing file is made from the whole ledger.
    sweeps = tx.sweeps.in_force(space) if memory is None else [row.id]
    memory = diary.add_promotions(memory, [block(tx, space, sweep) for sweep in sweeps])
    return Texts(memory, diary.add_night(told, _night(tx, space, row.id)))


def block(tx: Tx, space: int, sweep: int) -> Block:
    """The promotions of a sweep as MEMORY.md lists them."""
    row = tx.sweeps.get(space, sweep)
    assert row is not None
    found = tx.sweeps.promotions_of(space, sweep)
    return Block(sweep, moment(row.at), tuple(bullet(tx, space, each) for each in found))


def bullet(tx: Tx, space: int, promotion: PromotionRow) -> Bullet:
    """One promotion as MEMORY.md lists it, in the entry's present words."""
    row = tx.entries.row(space, promotion.entry)
    content = "" if row is None else row.content
    return Bullet(promotion.entry, content, promotion.score, promotion.hits, promotion.days)


def _night(tx: Tx, space: int, sweep: int) -> Night:
    row = tx.sweeps.get(space, sweep)
    assert row is not None
    report = loads(row.report) if row.report else {}
    promotions = tx.sweeps.promotions_of(space, sweep)
    return Night(
        sweep=sweep,
        at=moment(row.at),
        candidates=row.candidates,
        skipped=row.skipped,
        promoted=tuple(_describe_promotion(tx, space, each) for each in promotions),
        duplicates=_remarks(tx, space, report.get("duplicates", []), _alike),
        contradictions=_remarks(tx, space, report.get("contradictions", []), _clash),
    )


def _describe_promotion(tx: Tx, space: int, each: PromotionRow) -> Remark:
    said = bullet(tx, space, each).content
    figures = f"score={each.score:.2f}, hits={each.hits}, queries={each.queries}, days={each.days}"
    return Remark(f"`{each.name}`: {diary.excerpt(said)} _({figures})_", (each.entry,))


def pairs(tx: Tx, space: int, items: Iterable[Json]) -> Iterator[ReportedPair]:
    """Pairs of a report with their names; one is left out once an entry of it is gone."""
    for first, second, detail in items:
        one, other = (tx.entries.names(space, entry) for entry in (first, second))
        if one and other:
            yield ReportedPair((first, second), (one[0], other[0]), detail)


def _remarks(
    tx: Tx, space: int, items: Iterable[Json], tell: Callable[[str, str, Json], str]
) -> tuple[Remark, ...]:
    found = pairs(tx, space, items)
    return tuple(Remark(tell(*pair.names, pair.detail), pair.entries) for pair in found)


def _alike(first: str, second: str, likeness: float) -> str:
    return f"`{first}` and `{second}` share {likeness:.0%} of their words"


def _clash(older: str, newer: str, kind: str) -> str:
    reason = REASONS.get(kind, kind)
    return f"`{older}`: {reason}" if older == newer else f"`{older}` against `{newer}`: {reason}"
