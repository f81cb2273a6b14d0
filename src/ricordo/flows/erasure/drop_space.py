"""Drop a space: erase everything in it, then its name, its tombstones and its row.

What stands in the memory afterwards is the highest number that a space has had, so that no later
space gets the number of a dropped one: other processes know their views of a space by its number.
"""

import contextlib
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ricordo.errors import Conflict, NotFound
from ricordo.flows.engine import Engine
from ricordo.flows.erasure import remnants
from ricordo.flows.erasure.deletion import STAYS, Deletion
from ricordo.flows.erasure.erase import PATIENCE_SECONDS, erase_space
from ricordo.flows.files.folder import files_of
from ricordo.model import Receipt
from ricordo.store.database import Tx

_ATTEMPTS = 3


def drop(engine: Engine, space: str, *, dry_run: bool = False) -> Receipt:
    """Take a space out of the memory and leave no byte of it, nor of its name."""
    receipt = erase_space(engine, space, dry_run=dry_run)
    if dry_run:
        return replace(receipt, removed={**receipt.removed, "spaces": 1})
    if receipt.pending:
        told = f"the name of the space, {space!r}: somebody still reads it; drop it again later"
        return replace(receipt, remains=(*_without_name(receipt, space), told))
    for _ in range(_ATTEMPTS):
        if engine.delete(lambda tx: _remove_row(tx, space)):
            break
        more = erase_space(engine, space)  # somebody wrote to it meanwhile
        receipt = replace(more, removed=_add(receipt.removed, more.removed))
    else:
        raise Conflict(f"space {space!r} is written to all the time; stop that, then drop it again")
    engine.recent.drop_space(space)
    if engine.answers is not None:
        engine.answers.drop_space(space)
    return _scan(engine, space, receipt)


def _remove_row(tx: Tx, space: str) -> bool:
    """Remove the row of an empty space and what stays of an erased one; False if it has more."""
    number = tx.spaces.number(space)
    if number is None:
        raise NotFound(f"there is no space {space!r} in this memory")
    held = [table for table in tx.copying.tables() if table.name not in STAYS]
    if any(tx.copying.count(number, table) for table in held):
        return False
    tx.copying.clear(number)
    tx.copying.move_mark(space, None)
    tx.spaces.delete(number)
    return True


def _scan(engine: Engine, space: str, receipt: Receipt) -> Receipt:
    """Make the removal of the name physical and look whether it is."""
    sought = Deletion(buries=True)
    sought.note(space)
    is_done = engine.store.scrub(PATIENCE_SECONDS)
    wanted = remnants.ErasedParts(frozenset(sought.texts), frozenset())
    found = remnants.scan(engine, space, wanted)
    count = None if receipt.remnants is None else receipt.remnants + (found.remnants or 0)
    folder = _remove_folder(engine, space)
    return replace(
        receipt,
        removed={**receipt.removed, "spaces": 1},
        remains=(*_without_name(receipt, space), *found.copies, *folder),
        pending=not is_done,
        remnants=count,
    )


def _remove_folder(engine: Engine, space: str) -> list[str]:
    """Remove the empty folders of its workspace; what is said about one that is not empty."""
    files = files_of(engine, space)
    if files is None or not files.root.is_dir():
        return []
    if not (files.root / ".git").exists():
        for place, _, _ in os.walk(files.root, topdown=False):
            with contextlib.suppress(OSError):  # it holds something that is not ours to remove
                Path(place).rmdir()
    return [f"the folder {files.root}, whose name tells it"] if files.root.is_dir() else []


def _without_name(receipt: Receipt, space: str) -> list[str]:
    """What remains, without what erasing says about the name: dropping sees to that."""
    told = f"the name of the space, {space!r}"
    return [each for each in receipt.remains if not each.startswith(told)]


def _add(before: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {table: before.get(table, 0) + more.get(table, 0) for table in {**before, **more}}
