"""Salvage: every readable row of a damaged file, copied into a new one. It decides nothing else.

A table's pages are those below its root and those that the pointer map says belong to it, so that a
lost page costs only its own rows. Derived tables are not copied: the flow rebuilds them.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import apsw

from ricordo.store.database import Tx
from ricordo.store.sqlite import file
from ricordo.store.sqlite.cipher import Cipher
from ricordo.store.sqlite.connection import SQLiteConnection
from ricordo.store.sqlite.orphans import drop_orphans
from ricordo.store.sqlite.pages import LEAF_TABLE, Damage, Pages, Value, record

# Rebuilt from the rest, or about the file and not about its contents.
_DERIVED = frozenset(
    {"chunks", "embeddings", "coverage", "failures", "models", "due", "pending"}
    | {"entry_values", "event_values", "blocks", "block_words", "block_signs"}
)
_OF_THE_FILE = frozenset({"migrations"})
_FILE_KEYS = frozenset({"commits", "identity"})  # of `meta`: the new memory has its own
_TYPES: dict[str, type | tuple[type, ...]] = {
    "TEXT": str, "BLOB": bytes, "INTEGER": int, "REAL": (int, float),
}  # fmt: skip


_SPACED = ("events", "entries", "documents", "records", "schedules", "reminders")

# In a file of an older schema the row of a space also holds its counters, in front of the seal.
_COUNTED = (
    "next_entry", "next_chunk", "next_signal", "revision", "pruned", "documents", "tokens",
)  # fmt: skip
_BEFORE_COUNTERS = 4  # space, name, secret, created_at

Adopt = Callable[[Tx, list[int]], None]  # gets the numbers of spaces that are lost


class SalvageColumn(NamedTuple):
    name: str
    kind: str
    is_needed: bool
    default: Value  # what a record has that was written before the column was added


class SalvageTable(NamedTuple):
    """A table as the present schema has it."""

    name: str
    columns: tuple[SalvageColumn, ...]  # in the order in which a record holds them
    has_rowid: bool
    key: int | None  # where among the columns the rowid stands
    root: int


@dataclass
class Yield:
    """What a salvage got out of a file."""

    saved: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)  # records that make no sense, by table
    lost_pages: int = 0  # of tables, that cannot be read at all
    bad_frames: int = 0
    dropped: Counter[str] = field(default_factory=Counter)  # rows that refer to what is lost


def copy_rows(path: str, new: str, adopt: Adopt, cipher: Cipher | None = None) -> Yield:
    """Copy what can be read of every table that is not derived into a new memory.

    `adopt` makes what rows need that refer to something lost; what nobody adopts is dropped.
    """
    found = Yield()
    with (
        contextlib.closing(Pages(path, cipher)) as pages,
        contextlib.closing(file.open_writer(new, "FULL", None, cipher)) as target,
    ):
        tables = list(_tables(target))
        roots = _roots(pages) or {table.name: table.root for table in tables}
        owners = _owners(pages, {root: name for name, root in roots.items()}, found)
        target.execute("PRAGMA foreign_keys=OFF").fetchall()
        target.execute("BEGIN IMMEDIATE").fetchall()
        for table in tables:
            _copy(pages, table, owners.get(table.name, []), target, found)
        adopt(SQLiteConnection(target).tx, _lost_spaces(target))
        found.dropped = drop_orphans(target)
        target.execute("COMMIT").fetchall()
        found.bad_frames = pages.bad_frames
    return found


def _lost_spaces(target: apsw.Connection) -> list[int]:
    """Spaces that rows belong to, though their own row is lost."""
    union = " UNION ".join(f"SELECT space FROM {table}" for table in _SPACED)
    rows: list[Any] = target.execute(
        f"SELECT space FROM ({union}) WHERE space NOT IN (SELECT space FROM spaces) ORDER BY space"
    ).fetchall()
    return [int(row[0]) for row in rows]


def _tables(target: apsw.Connection) -> Iterator[SalvageTable]:
    """The tables to copy, from the schema of the new memory."""
    listed: list[Any] = target.execute(
        "SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
    ).fetchall()
    for name, root, sql in listed:
        if name in _DERIVED | _OF_THE_FILE or name.startswith(("sqlite_", "words")):
            continue
        told: list[Any] = target.execute(f"PRAGMA table_info({name})").fetchall()
        has_rowid = "WITHOUT ROWID" not in sql.upper()
        keyed = [place for place, each in enumerate(told) if each[5]]
        key = [place for place in keyed if len(keyed) == 1 and told[place][2] == "INTEGER"]
        if not has_rowid:  # such a record begins with its key
            told.sort(key=lambda each: (each[5] == 0, each[5]))
        columns = tuple(
            SalvageColumn(each[1], each[2], bool(each[3] or each[5]), _default(target, each[4]))
            for each in told
        )
        yield SalvageTable(name, columns, has_rowid, key[0] if has_rowid and key else None, root)


def _default(target: apsw.Connection, told: str | None) -> Value:
    """The default of a column, which a record written before it was added does not hold."""
    if told is None:
        return None
    rows: list[Any] = target.execute(f"SELECT {told}").fetchall()
    value: Value = rows[0][0]
    return value


def _roots(pages: Pages) -> dict[str, int]:
    """Where the tables begin, by the file's own schema; nothing if that cannot be read."""
    roots = {}
    for number in _below(pages, 1, set(), Yield()):
        for values in _records(pages, number, Counter(), "schema"):
            if len(values) == 5 and values[0] == "table" and isinstance(values[3], int):
                roots[str(values[1])] = values[3]
    roots = {name: root for name, root in roots.items() if root > 0}  # 0: a virtual table
    return roots if "spaces" in roots and "events" in roots else {}


def _owners(pages: Pages, roots: dict[int, str], found: Yield) -> dict[str, list[int]]:
    """The pages of each table: those below its root, then those that say they belong there."""
    owner: dict[int, str] = {}
    listed: dict[str, list[int]] = {}
    for root, name in roots.items():
        for number in _below(pages, root, set(owner), found):
            owner[number] = name
            listed.setdefault(name, []).append(number)
    for number in range(3, pages.count + 1):
        claimed = None if number in owner else _find_owner(pages, number, owner, roots)
        if claimed is not None:
            listed.setdefault(claimed, []).append(number)
    return listed


def _below(pages: Pages, root: int, seen: set[int], found: Yield) -> Iterator[int]:
    """The readable pages of a tree, from its root down."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        try:
            tree = pages.tree(number)
        except Damage:
            found.lost_pages += 1
            continue
        waiting += tree.children
        yield number


def _find_owner(
    pages: Pages, number: int, owner: dict[int, str], roots: dict[int, str]
) -> str | None:
    """Whose page it is by the pointer map, though no readable page leads to it."""
    at, steps = number, 0
    while steps < 32:
        try:
            above = pages.parent(at)
        except Damage:
            return None
        if above is None:
            return None
        if above == 0:
            return roots.get(at)
        if above in owner:
            return owner[above]
        at, steps = above, steps + 1
    return None


def _records(pages: Pages, number: int, broken: Counter[str], name: str) -> Iterator[list[Value]]:
    """The rows of one page; in a table with rowids each is preceded by its rowid."""
    try:
        tree = pages.tree(number)
    except Damage:
        return
    for rowid, length, at in tree.cells:
        try:
            values = record(pages.payload(number, tree.kind, length, at))
        except Damage:
            broken[name] += 1
            continue
        yield [rowid, *values] if name != "schema" and tree.kind == LEAF_TABLE else values


def _copy(
    pages: Pages, table: SalvageTable, numbers: list[int], target: apsw.Connection, found: Yield
) -> None:
    names = ", ".join(column.name for column in table.columns)
    slots = ", ".join("?" * len(table.columns))
    insert = f"INSERT INTO {table.name} ({names}) VALUES ({slots}) ON CONFLICT DO NOTHING"
    for number in numbers:
        for values in _records(pages, number, found.broken, table.name):
            if table.name == "spaces" and len(values) > _BEFORE_COUNTERS + len(_COUNTED):
                values = _split_counters(values, target)
            row = _fit_record(table, values)
            if row is None:
                found.broken[table.name] += 1
            elif table.name != "meta" or row[0] not in _FILE_KEYS:
                before = target.total_changes()
                with contextlib.suppress(apsw.ConstraintError):
                    target.execute(insert, row).fetchall()
                found.saved[table.name] += int(target.total_changes() - before)


def _split_counters(values: list[Value], target: apsw.Connection) -> list[Value]:
    """The row of a space as it is now, its rowid in front; the counters go into their table."""
    rowid, *row = values
    end = _BEFORE_COUNTERS + len(_COUNTED)
    numbers = row[_BEFORE_COUNTERS:end]
    if all(isinstance(number, int) for number in numbers):
        slots = ", ".join("?" * (1 + len(_COUNTED)))
        target.execute(
            f"INSERT INTO counters (space, {', '.join(_COUNTED)}) VALUES ({slots})"
            " ON CONFLICT DO NOTHING",
            (rowid, *numbers),
        ).fetchall()
    return [rowid, *row[:_BEFORE_COUNTERS], *row[end:]]


def _fit_record(table: SalvageTable, values: list[Value]) -> list[Value] | None:
    """A record in the shape of the present table; None if it cannot be one of its rows."""
    if table.has_rowid:
        rowid, *values = values
        if table.key is not None and values:
            values[table.key] = rowid
    if not values or len(values) > len(table.columns):
        return None
    row = [*values, *(column.default for column in table.columns[len(values) :])]
    fits = all(_suits(*pair) for pair in zip(table.columns, row, strict=True))
    return row if fits else None


def _suits(column: SalvageColumn, value: Value) -> bool:
    """A flipped bit can make text of a number: such a row would fail whoever reads it."""
    if value is None:
        return not column.is_needed
    return isinstance(value, _TYPES[column.kind])
