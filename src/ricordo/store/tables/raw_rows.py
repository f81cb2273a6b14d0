"""Raw rows: the rows of a space as they lie in the tables, out of one store and into another."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.errors import Corrupt
from ricordo.store import schema
from ricordo.store.schema import Table
from ricordo.store.tables.chunks import ChunkRow, Placed

if TYPE_CHECKING:
    from ricordo.store.database import Tx

PAGE = 1_000

Row = tuple[Any, ...]


class CopyPosition(NamedTuple):
    """How far a copy has come: the table, and the last key of it."""

    table: str
    after: tuple[Any, ...]


class RawRows:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def tables(self) -> list[Table]:
        """What a space consists of, in the order in which it can be written."""
        return [*schema.list_space_tables(), schema.chunks()]

    def count(self, space: int, table: Table) -> int:
        return int(self._tx.run(table.count, space=space)[0][0])

    def page(self, space: int, table: Table, after: Sequence[Any] | None) -> list[Row]:
        """Rows by key, those after a key, or the first ones."""
        if after is None:
            return self._tx.run(table.first, space=space, limit=PAGE)
        if not table.key:
            return []
        keys = {f"after_{name}": value for name, value in zip(table.key, after, strict=True)}
        return self._tx.run(table.page, space=space, limit=PAGE, **keys)

    def pages(self, space: int, table: Table) -> Iterator[list[Row]]:
        after: tuple[Any, ...] | None = None
        passed: set[tuple[Any, ...]] = set()
        while rows := self.page(space, table, after):
            yield rows
            after = self.key(table, rows[-1])
            if after in passed:  # a damaged tree is out of order: it would lead round for ever
                raise Corrupt(f"the rows of {table.name} are out of order; run: ricordo check")
            passed.add(after)

    def key(self, table: Table, row: Row) -> tuple[Any, ...]:
        return tuple(row[table.columns.index(name)] for name in table.key)

    def put(self, space: int, table: Table, rows: Sequence[Row]) -> None:
        if table.name == "chunks":
            self._put_chunks(space, table, rows)
            return
        self._tx.run_many(
            table.put,
            [{"space": space, **dict(zip(table.columns, row, strict=True))} for row in rows],
        )

    def _put_chunks(self, space: int, table: Table, rows: Sequence[Row]) -> None:
        """Chunks go in with their rows of the keyword index, in runs of following numbers."""
        run: list[Placed] = []
        first = 0
        for row in rows:
            named = dict(zip(table.columns, row, strict=True))
            chunk = int(named.pop("chunk"))
            start, end = named.pop("seq_start"), named.pop("seq_end")
            if run and chunk != first + len(run):
                self._tx.chunks.insert(space, first, run)
                run = []
            if not run:
                first = chunk
            run.append(Placed(ChunkRow(**named), start, end))
        if run:
            self._tx.chunks.insert(space, first, run)

    def clear(self, space: int) -> None:
        """Delete every row of a space except its own."""
        self._tx.blocks.clear(space)
        for table in reversed(self.tables()):
            self._tx.run(table.clear, space=space)
        self._tx.search.prune()

    def space_row(self, space: int) -> Mapping[str, Any]:
        return self._own_row(space, schema.space_row())

    def counters(self, space: int) -> Mapping[str, Any]:
        return self._own_row(space, schema.counters())

    def _own_row(self, space: int, table: Table) -> Mapping[str, Any]:
        (row,) = self._tx.run(table.first, space=space, limit=1)
        return dict(zip(table.columns, row, strict=True))

    def change_space(self, space: int, row: Mapping[str, Any], counters: Mapping[str, Any]) -> None:
        self._tx.run(schema.space_row().change, space=space, **row)
        self._tx.run(schema.counters().change, space=space, **counters)

    # how far a copy has come is kept in the copy itself, in the same transaction as its rows

    def place(self, name: str) -> CopyPosition | None:
        """Where an unfinished copy of this space stopped, or None."""
        kept = self._tx.spaces.get_setting(_mark(name))
        if not kept:
            return None
        table, after = json.loads(kept, object_hook=lambda given: bytes.fromhex(given["hex"]))
        return CopyPosition(table, tuple(after))

    def reach(self, name: str, place: CopyPosition | None) -> None:
        """Note how far the copy has come; None when it is whole."""
        told = "" if place is None else json.dumps(place, default=_hex)
        self._tx.spaces.set(_mark(name), told)

    def move_mark(self, name: str, new: str | None) -> None:
        """Let the note about a copy follow the name of its space; None removes it."""
        kept = self._tx.spaces.get_setting(_mark(name))
        self._tx.rows("meta.delete", key=_mark(name))
        if kept is not None and new is not None:
            self._tx.spaces.set(_mark(new), kept)


def _hex(value: bytes) -> dict[str, str]:
    """A key of bytes, as JSON can tell it."""
    return {"hex": bytes(value).hex()}


def _mark(name: str) -> str:
    return f"copy:{name}"
