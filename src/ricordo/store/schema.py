"""Schema: what belongs to a space, read off the schema itself. Nothing here is written by hand,
so a table that a migration adds is copied without anybody remembering to say so.
"""

from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

import apsw

from ricordo.store.catalogue import Query
from ricordo.store.sqlite import file

# Filled by the store itself: renumbered, or derived, or common to all spaces.
_APART = frozenset(
    {"spaces", "counters", "chunks", "pending", "blocks", "block_words", "block_signs"}
)
# What columns of times are called, besides `at` and everything that ends in `_at`.
_TIMES = frozenset({"at", "since", "until", "next_try"})
# A seal of another list than the newest; PostgreSQL also has these two functions for bytes.
_IS_OLDER = " AND seal IS NOT NULL AND (length(seal) <> :size OR substr(seal, 1, 1) <> :mark)"


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose rows belong to one space; the space is the first part of its key."""

    name: str
    columns: tuple[str, ...]  # without the space
    key: tuple[str, ...]  # likewise
    times: tuple[str, ...]  # the columns that hold microseconds since 1970
    has_model: bool = False  # its column `model` is the number of a row of models

    @property
    def page(self) -> Query:
        """Rows after a key, by key."""
        return self._query("page", f"{self._select}{self._after}{self._in_order}")

    @property
    def first(self) -> Query:
        """The first rows by key."""
        return self._query("first", f"{self._select}{self._in_order}")

    @property
    def page_older(self) -> Query:
        """Rows after a key whose seals cover an older list of columns, by key."""
        return self._query("page_older", f"{self._select}{_IS_OLDER}{self._after}{self._in_order}")

    @property
    def first_older(self) -> Query:
        """The first rows by key whose seals cover an older list of columns."""
        return self._query("first_older", f"{self._select}{_IS_OLDER}{self._in_order}")

    @property
    def timeless(self) -> Query:
        """Keys and times of the rows with a time that no calendar has."""
        wrong = " OR ".join(f"{name} < :first OR {name} > :last" for name in self.times)
        told = _join((*self.key, *self.times))
        where = f"WHERE space = :space AND ({wrong}) ORDER BY {self._order}"
        return self._query("timeless", f"SELECT {told} FROM {self.name} {where}")

    @property
    def retime(self) -> Query:
        """Write all times of the row of a key that the key does not hold."""
        free = [name for name in self.times if name not in self.key]
        given = ", ".join(f"{name} = :{name}" for name in free)
        return self._query("retime", f"UPDATE {self.name} SET {given} WHERE {self._key_condition}")

    @property
    def one(self) -> Query:
        """The row of a key."""
        return self._query(
            "one", f"SELECT {_join(self.columns)} FROM {self.name} WHERE {self._key_condition}"
        )

    @property
    def count(self) -> Query:
        return self._query("count", f"SELECT count(*) FROM {self.name} WHERE space = :space")

    @property
    def put(self) -> Query:
        given = ", ".join(f":{name}" for name in self.columns)
        return self._query(
            "put",
            f"INSERT INTO {self.name} (space, {_join(self.columns)}) VALUES (:space, {given})",
        )

    @property
    def change(self) -> Query:
        """Overwrite the one row that a space has."""
        given = ", ".join(f"{name} = :{name}" for name in self.columns)
        return self._query("change", f"UPDATE {self.name} SET {given} WHERE space = :space")

    @property
    def clear(self) -> Query:
        return self._query("clear", f"DELETE FROM {self.name} WHERE space = :space")

    @property
    def drop(self) -> Query:
        """Delete the row of a key."""
        return self._query("drop", f"DELETE FROM {self.name} WHERE {self._key_condition}")

    @property
    def reseal(self) -> Query:
        return self._query(
            "reseal", f"UPDATE {self.name} SET seal = :seal WHERE {self._key_condition}"
        )

    @property
    def _key_condition(self) -> str:
        return " AND ".join(f"{name} = :{name}" for name in ("space", *self.key))

    @property
    def _select(self) -> str:
        return f"SELECT {_join(self.columns)} FROM {self.name} WHERE space = :space"

    @property
    def _after(self) -> str:
        after = ", ".join(f":after_{name}" for name in self.key)
        return f" AND ({_join(self.key)}) > ({after})" if self.key else ""

    @property
    def _in_order(self) -> str:
        return f" ORDER BY {self._order} LIMIT :limit"

    @property
    def _order(self) -> str:
        return _join(self.key) if self.key else "space"

    def _query(self, verb: str, sql: str) -> Query:
        return Query(f"{self.name}.copy_{verb}", "made from the schema", sql)


def _join(names: tuple[str, ...]) -> str:
    return ", ".join(names)


@cache
def list_space_tables() -> tuple[Table, ...]:
    """Every table of a space, those that others refer to first."""
    raw = file.in_ram()
    try:
        names = [
            str(row[0])
            for row in raw.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
                " ORDER BY name"
            ).fetchall()
        ]
        found = {name: table for name in names if (table := _table(raw, name)) is not None}
        order = TopologicalSorter(
            {name: _parents(raw, name) & (found.keys() - {name}) for name in found}
        )
        return tuple(found[name] for name in order.static_order())
    finally:
        raw.close()


@cache
def chunks() -> Table:
    """The table of chunks, whose row numbers are the store's own affair."""
    raw = file.in_ram()
    try:
        table = _describe_table(raw, "chunks")
    finally:
        raw.close()
    columns = tuple(name for name in table.columns if name != "row")
    return Table("chunks", columns, ("chunk",), table.times)


@cache
def space_row() -> Table:
    """The row of the space itself: its name, the secret of its chain."""
    raw = file.in_ram()
    try:
        return _describe_table(raw, "spaces")
    finally:
        raw.close()


@cache
def counters() -> Table:
    """The other row that a space has for itself: the numbers it counts up."""
    raw = file.in_ram()
    try:
        return _describe_table(raw, "counters")
    finally:
        raw.close()


def find_table(name: str) -> Table:
    """The table of this name, whichever it is."""
    known = (space_row(), counters(), chunks(), *list_space_tables())
    return next(table for table in known if table.name == name)


def _table(raw: apsw.Connection, name: str) -> Table | None:
    if name in _APART or name.startswith("words"):
        return None
    columns = [str(row[1]) for row in _info(raw, name)]
    return _describe_table(raw, name) if "space" in columns else None


def _describe_table(raw: apsw.Connection, name: str) -> Table:
    rows = _info(raw, name)
    keyed = sorted((int(row[5]), str(row[1])) for row in rows if row[5])
    return Table(
        name,
        tuple(str(row[1]) for row in rows if row[1] != "space"),
        tuple(column for _, column in keyed if column != "space"),
        tuple(str(row[1]) for row in rows if row[2] == "INTEGER" and _is_time(str(row[1]))),
        "models" in _parents(raw, name),
    )


def _is_time(column: str) -> bool:
    """Whether a column holds a time, by its name; a test looks at every other number."""
    return column in _TIMES or column.endswith("_at")


def _info(raw: apsw.Connection, name: str) -> list[tuple[Any, ...]]:
    return raw.execute(f"PRAGMA table_info({name})").fetchall()


def _parents(raw: apsw.Connection, name: str) -> set[str]:
    return {str(row[2]) for row in raw.execute(f"PRAGMA foreign_key_list({name})").fetchall()}
