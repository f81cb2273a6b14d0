"""Two guards at the level of statements: one reads a statement, one watches it being executed."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import apsw

from ricordo.store.catalogue import OPEN_TABLES, Query
from ricordo.store.sqlite import driver

# Row numbers run through the whole file, because FTS5 knows rows by number only.
EXPLAINED = frozenset({"chunks.last_row", "spaces.grew", "words.prune", "words.rows"})
_EQUAL = re.compile(r"\bspace\s*(?:=|IS)\s*(\(|:?\w+(?:\.\w+)?)", re.IGNORECASE)
_COLUMN = re.compile(r"\w+\.space")


def tables(raw: apsw.Connection) -> set[str]:
    """Tables whose rows belong to a space."""
    listed = raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    owned = set()
    for (name,) in listed:
        columns = raw.execute(f"SELECT name FROM pragma_table_info('{name}')").fetchall()
        if ("space",) in columns and name not in OPEN_TABLES:
            owned.add(name)
    return owned


def read(raw: apsw.Connection, query: Query) -> list[str]:
    """What is wrong with a statement, as far as its text and its plan tell."""
    if query.name in EXPLAINED:
        return []
    given = dict.fromkeys(re.findall(r":([a-z_]+)", query.sql))
    touched = _touched(raw, query.sql, given) & tables(raw)
    wrong = []
    if touched and "space" not in given:
        wrong.append(f"touches {sorted(touched)} and binds no space")
    for other in _EQUAL.findall(query.sql):
        if other != ":space" and not _COLUMN.fullmatch(other) and other.upper() != "NOT":
            wrong.append(f"compares space with {other}")
    for *_, detail in raw.execute(f"EXPLAIN QUERY PLAN {query.sql}", given).fetchall():
        step = re.match(r"(SCAN|SEARCH) (\w+)(.*)", detail)
        if step and _named(query.sql, step[2]) & touched:
            is_rowid = "INTEGER PRIMARY KEY" in step[3] and ":space" in query.sql
            if not is_rowid and "(space=?" not in step[3]:
                wrong.append(f"walks through all spaces: {detail}")
    return wrong


def _named(sql: str, word: str) -> set[str]:
    """The table that a plan means by a word: its own name, or an alias in the statement."""
    return {word, *re.findall(rf"(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)\s+(?:AS\s+)?{word}\b", sql)}


def _touched(raw: apsw.Connection, sql: str, given: Mapping[str, Any]) -> set[str]:
    seen: set[str] = set()

    def note(action: int, first: str | None, *rest: object) -> int:
        if action in (
            apsw.SQLITE_READ, apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE,
        ):  # fmt: skip
            seen.add(str(first))
        return apsw.SQLITE_OK

    raw.authorizer = note
    try:
        raw.execute(f"EXPLAIN {sql}", given).fetchall()
    finally:
        raw.authorizer = None
    return seen


@dataclass
class Watch:
    """Every statement that was executed, and the spaces it was bound to."""

    spaces: dict[str, set[object]] = field(default_factory=dict)
    count: int = 0

    def note(self, query: Query, values: Any) -> None:
        self.count += 1
        bound = self.spaces.setdefault(query.name, set())
        if query.is_spaced:
            bound.add(_space(query, values))

    def strangers(self, space: int) -> list[str]:
        """Statements that were bound to another space than this."""
        return sorted(name for name, seen in self.spaces.items() if seen - {space})


def _space(query: Query, values: Any) -> object:
    if isinstance(values, Mapping):
        return values.get("space")
    order = list(dict.fromkeys(re.findall(r":([a-z_]+)", query.sql)))
    return values[order.index("space")]


@contextlib.contextmanager
def watching() -> Iterator[Watch]:
    """Watch every statement of every SQLite memory in this process."""
    watch = Watch()
    rows, many = driver.SQLiteConnection.rows, driver.SQLiteConnection.many

    def watched_rows(self: driver.SQLiteConnection, query: Query, values: Mapping[str, Any]) -> Any:
        watch.note(query, values)
        return rows(self, query, values)

    def watched_many(self: driver.SQLiteConnection, query: Query, batch: Any) -> None:
        listed = list(batch)
        for values in listed:
            watch.note(query, values)
        many(self, query, listed)

    driver.SQLiteConnection.rows = watched_rows  # type: ignore[method-assign]
    driver.SQLiteConnection.many = watched_many  # type: ignore[method-assign]
    try:
        yield watch
    finally:
        driver.SQLiteConnection.rows = rows  # type: ignore[method-assign]
        driver.SQLiteConnection.many = many  # type: ignore[method-assign]
