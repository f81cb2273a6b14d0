"""Rows that refer to something lost: found by the keys and columns of the schema itself."""

from collections import Counter
from typing import Any

import apsw

# What rows belong to by a column of this name, also where the schema declares no key.
_OWNERS = {"space": "p.space = t.space", "entry": "p.space = t.space AND p.id = t.entry"}
_TABLES = {"space": "spaces", "entry": "entries"}
_DERIVED = frozenset({"chunks"})  # its entries may be documents; a salvage builds it again


def drop_orphans(raw: apsw.Connection) -> Counter[str]:
    """Delete such rows until none is left; how many went, by table."""
    dropped: Counter[str] = Counter()
    while wrong := raw.execute("PRAGMA foreign_key_check").fetchall():
        for table in {str(row[0]) for row in wrong}:
            dropped[table] += _drop(raw, table)
    return dropped + _drop_undeclared(raw)


def _drop_undeclared(raw: apsw.Connection) -> Counter[str]:
    """Signals, tags, files and the like of entries and spaces that are lost."""
    dropped: Counter[str] = Counter()
    listed: list[Any] = raw.execute(
        "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c "
        "WHERE t.type = 'table' AND t.rootpage > 0"
    ).fetchall()
    for table, column in listed:
        if column in _OWNERS and table not in _DERIVED:
            before = raw.total_changes()
            raw.execute(
                f"DELETE FROM {table} AS t WHERE NOT EXISTS "
                f"(SELECT 1 FROM {_TABLES[column]} AS p WHERE {_OWNERS[column]})"
            ).fetchall()
            dropped[table] += int(raw.total_changes() - before)
    return +dropped


def _drop(raw: apsw.Connection, table: str) -> int:
    """SQLite does not name the rows of tables without rowids, so each key is looked up here."""
    before = raw.total_changes()
    keys: dict[int, list[tuple[str, str, str]]] = {}
    listed: list[Any] = raw.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    for number, _, parent, own, other, *_ in listed:
        keys.setdefault(number, []).append((parent, own, other or own))
    for parts in keys.values():
        same = " AND ".join(f"p.{other} = t.{own}" for _, own, other in parts)
        given = " AND ".join(f"t.{own} IS NOT NULL" for _, own, _ in parts)
        raw.execute(
            f"DELETE FROM {table} AS t WHERE {given} "
            f"AND NOT EXISTS (SELECT 1 FROM {parts[0][0]} AS p WHERE {same})"
        ).fetchall()
    return int(raw.total_changes() - before)
