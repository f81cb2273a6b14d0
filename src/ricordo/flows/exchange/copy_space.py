"""Copy: move spaces from one memory to another, of the same kind or not, and prove it.

A space is read in one transaction, so it is copied as it stood when the copy began, however much
is written meanwhile. Pages go into the target with a mark of how far the copy has come; a copy
that was interrupted resumes there. At the end every table is compared, row by row through a
digest that knows no order. Should the source have changed between two attempts, the copy begins
again from nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from ricordo.errors import Conflict, NotFound, StoreError
from ricordo.model import Copied
from ricordo.store.database import Database, Tx
from ricordo.store.schema import Table
from ricordo.store.tables.pending import BLOCKS
from ricordo.store.tables.raw_rows import CopyPosition, Row

Progress = Callable[[int, int], None]

_MODULUS = 1 << 128


class SpacePair(NamedTuple):
    """A space by its number in the source and in the target."""

    name: str
    source: int
    target: int


def copy(
    source: Database, target: Database, space: str | None, progress: Progress | None
) -> list[Copied]:
    """Copy one space or all; a space that is already there and equal stays unchanged."""
    with source.read() as tx:
        names = tx.spaces.names()
    if space is not None:
        if space not in names:
            raise NotFound(f"there is no space {space!r} in {source.url}")
        names = [space]
    return [_space(source, target, name, progress) for name in names]


def _space(source: Database, target: Database, name: str, progress: Progress | None) -> Copied:
    with source.read() as tx:
        number = tx.spaces.number(name)
        assert number is not None
        bounds = SpacePair(name, number, target.write(partial(_begin, name=name, origin=tx)))
        expected = _digests(tx, number)
        if _is_finished(target, name):
            return _confirm_copy(target, bounds, expected)
        for _ in range(2):
            _fill(tx, target, bounds, progress)
            if _digest_target(target, bounds.target) == expected:
                target.write(partial(_end, bounds=bounds, origin=tx))
                return Copied(name, _counts(expected), changed=True)
            target.write(partial(_again, bounds=bounds))
    raise StoreError(f"the copy of space {name!r} differs from its source; run it again")


def _begin(tx: Tx, name: str, origin: Tx) -> int:
    """File the space in the target, or find the unfinished copy of it there."""
    source = origin.spaces.number(name)
    assert source is not None
    row = origin.copying.space_row(source)
    number = tx.spaces.number(name)
    if number is None:
        _age(tx, origin)
        number = tx.spaces.create(name, row["secret"], row["created_at"])
        tx.copying.reach(name, CopyPosition("", ()))
    elif tx.spaces.secret(number) != row["secret"]:
        raise Conflict(
            f"the target has another space {name!r}; erase it there, or copy to a new memory"
        )
    return number


def _is_finished(target: Database, name: str) -> bool:
    with target.read() as tx:
        return tx.copying.place(name) is None


def _confirm_copy(
    target: Database, bounds: SpacePair, expected: Mapping[str, tuple[int, int]]
) -> Copied:
    if _digest_target(target, bounds.target) != expected:
        raise Conflict(
            f"space {bounds.name!r} was copied before, and one of the two has changed since; "
            "erase it in the target to copy it again"
        )
    return Copied(bounds.name, _counts(expected), changed=False)


def _fill(tx: Tx, target: Database, bounds: SpacePair, progress: Progress | None) -> None:
    """Write every page that the target lacks."""
    with target.read() as reader:
        place = reader.copying.place(bounds.name)
    all_tables = tx.copying.tables()
    total = sum(tx.copying.count(bounds.source, table) for table in all_tables)
    names = [table.name for table in all_tables]
    reached = names.index(place.table) if place is not None and place.table in names else 0
    done = sum(tx.copying.count(bounds.source, table) for table in all_tables[:reached])
    for table in all_tables[reached:]:
        after = place.after if place is not None and place.table == table.name else None
        while rows := tx.copying.page(bounds.source, table, after):
            after = tx.copying.key(table, rows[-1])
            marks = place, CopyPosition(table.name, after)
            target.write(_Page(bounds, table, rows, marks, _models(tx, table)).put)
            place = marks[1]
            done += len(rows)
            if progress is not None:
                progress(min(done, total), total)


class _Page(NamedTuple):
    """Rows on their way, with the mark to be found beside them and the one to leave."""

    bounds: SpacePair
    table: Table
    rows: Sequence[Row]
    marks: tuple[CopyPosition | None, CopyPosition]
    models: Mapping[int, tuple[str, int]]

    def put(self, tx: Tx) -> None:
        name = self.bounds.name
        if tx.copying.place(name) != self.marks[0]:
            raise Conflict(f"another copy of space {name!r} is running; let it finish, then copy")
        tx.copying.put(self.bounds.target, self.table, self._map_models(tx))
        tx.copying.reach(name, self.marks[1])

    def _map_models(self, tx: Tx) -> Sequence[Row]:
        """The rows with the numbers that the target has for their models."""
        if not self.table.has_model:
            return self.rows
        numbers = {}
        for number, (fingerprint, dim) in self.models.items():
            found = tx.embeddings.model(fingerprint) or tx.embeddings.create_model(fingerprint, dim)
            numbers[number] = found.model
        at = self.table.columns.index("model")
        return [(*row[:at], numbers[row[at]], *row[at + 1 :]) for row in self.rows]


def _models(tx: Tx, table: Table) -> dict[int, tuple[str, int]]:
    if not table.has_model:
        return {}
    return {model.model: (model.fingerprint, model.dim) for model in tx.embeddings.models()}


def _again(tx: Tx, bounds: SpacePair) -> None:
    tx.copying.clear(bounds.target)
    tx.copying.reach(bounds.name, CopyPosition("", ()))


def _age(tx: Tx, origin: Tx) -> None:
    """The index of the target is as old as the oldest rows in it."""
    versions = (origin.spaces.tokenizer(), tx.spaces.tokenizer())
    tx.spaces.set_tokenizer(min(version for version in versions if version is not None))


def _end(tx: Tx, bounds: SpacePair, origin: Tx) -> None:
    """The last step: write the counters of the space, and delete the mark."""
    row, counters = origin.copying.space_row(bounds.source), origin.copying.counters(bounds.source)
    _age(tx, origin)  # again: it may have been indexed meanwhile
    tx.copying.change_space(bounds.target, row, counters)
    tx.copying.reach(bounds.name, None)
    tx.blocks.clear(bounds.target)  # their numbers are revisions, which are those of the source now
    tx.pending.mark(bounds.target)
    tx.pending.set(bounds.target, BLOCKS, 0)


# --- proof ------------------------------------------------------------------------------------


def _digest_target(target: Database, space: int) -> dict[str, tuple[int, int]]:
    with target.read() as tx:
        return _digests(tx, space)


def _digests(tx: Tx, space: int) -> dict[str, tuple[int, int]]:
    """Of each table how many rows it has, and the sum of their digests: it knows no order."""
    models = {model.model: model.fingerprint for model in tx.embeddings.models()}
    found = {}
    for table in tx.copying.tables():
        count, total = 0, 0
        at = table.columns.index("model") if table.has_model else None
        for rows in tx.copying.pages(space, table):
            count += len(rows)
            for row in rows:
                if at is not None:
                    row = (*row[:at], models[row[at]], *row[at + 1 :])
                digest = blake2b(repr(row).encode(), digest_size=16).digest()
                total = (total + int.from_bytes(digest, "big")) % _MODULUS
        found[table.name] = count, total
    return found


def _counts(digests: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    return {name: count for name, (count, _) in digests.items() if count}
