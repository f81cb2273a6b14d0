"""Seals say which columns they cover: a schema that adds a column leaves older rows as good as new.

The schema to come is made here: a migration that gives every sealed table one more column, and a
list that covers it. The code of that schema would give the column to every row it seals.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import furnished
import pytest
import released

import ricordo
from backends import BACKENDS, urls
from ricordo import Memory
from ricordo.flows.upkeep import reseal
from ricordo.store import migrate, seals
from ricordo.store import schema as tables
from ricordo.store.catalogue import Query
from ricordo.store.migrate import Migration
from ricordo.store.sqlite import file

SCHEMA = {dialect: len(migrate.load(dialect)) for dialect in ("sqlite", "postgres")}
NEXT = SCHEMA["sqlite"] + 1
COLUMN = "lang"

# What seals cover, for good: rows in users' files were sealed so. A new list adds a line here; a
# line that is here never changes and never goes.
RELEASED = {
    ("approvals", 8): "71a805b19a4a",
    ("documents", 8): "a0f764bdeba9",
    ("documents", 15): "d04e044b1791",
    ("entries", 8): "6e6f19266565",
    ("entries", 12): "f210d964fc57",
    ("erasures", 8): "9313984ac172",
    ("macros", 8): "facd66eb0d42",
    ("names", 8): "bf40f38d4dd6",
    ("outbox", 8): "28237d41435e",
    ("past_summaries", 11): "90b874c317b4",
    ("promotions", 8): "90f12c20b89a",
    ("record_revisions", 18): "84ad73be59dc",
    ("records", 18): "bffa3ff042a4",
    ("reminders", 8): "35d60ac981a3",
    ("retellings", 8): "82285661614c",
    ("revisions", 8): "042d9562e650",
    ("runs", 8): "66de544195fd",
    ("schedules", 8): "d03451680155",
    ("scratchpads", 8): "dd16dc14fe47",
    ("signals", 8): "91020a3300fd",
    ("signals", 14): "9927e8f1eab3",
    ("spaces", 8): "b956240571d4",
    ("successions", 8): "26057e267dd0",
    ("summaries", 8): "90b874c317b4",
    ("sweeps", 8): "cdc485707cf1",
    ("tombstones", 8): "a14338202633",
    ("workspace_files", 8): "9aa8c3605c29",
}


def digest(columns: tuple[str, ...]) -> str:
    return hashlib.sha256(" ".join(columns).encode()).hexdigest()[:12]


def test_a_list_of_columns_that_was_released_never_changes():
    listed = {
        (table, number): digest(columns)
        for table, lists in seals.LISTS.items()
        for number, columns in lists.items()
    }

    assert listed == RELEASED


def columns_at(schema: int) -> dict[str, set[str]]:
    """The columns of every table after this many migrations."""
    raw = apsw.Connection(":memory:")
    for migration in migrate.load("sqlite")[:schema]:
        raw.execute(migration.sql).fetchall()
    names = raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    found = {
        name: {row[0] for row in raw.execute(f"SELECT name FROM pragma_table_info('{name}')")}
        for (name,) in names
    }
    raw.close()
    return found


def test_every_list_has_the_number_of_a_schema_with_all_its_columns():
    present = columns_at(SCHEMA["sqlite"])
    for table, lists in seals.LISTS.items():
        for number, columns in lists.items():
            assert seals.BARE <= number <= SCHEMA["sqlite"] < 256, table
            assert set(columns) <= columns_at(number)[table], (table, number)
            assert set(columns) <= present[table], f"{table}: rows of list {number} need them"


# --- files of released schemas ----------------------------------------------------------------


DERIVED = ("embeddings", "coverage", "failures")
COUNTERS = tables.counters().columns  # in the row of a space before they had a table of their own
REBUILT = ("next_chunk", "revision", "pruned")  # what a salvage counts again


def shape(path: Path) -> dict[str, str]:
    """The columns of every table that is not derived, as this file has them."""
    raw = apsw.Connection(str(path))
    found = {}
    for table in [tables.space_row(), *tables.list_space_tables()]:
        told = raw.execute(f"SELECT name FROM pragma_table_info('{table.name}')").fetchall()
        names = [name for (name,) in told if name not in COUNTERS]
        if names and table.name not in DERIVED:
            found[table.name] = ", ".join(names)
    raw.close()
    return found


def rows(path: Path, columns: Mapping[str, str]) -> dict[str, list[tuple[Any, ...]]]:
    """These columns of these tables, as they lie in the file."""
    raw = apsw.Connection(str(path))
    file._teach(raw)
    found = {
        table: raw.execute(f"SELECT {names} FROM {table} ORDER BY 1, 2, 3").fetchall()
        for table, names in columns.items()
    }
    raw.close()
    return found


def counters(path: Path) -> list[tuple[Any, ...]]:
    """The counters of every space, wherever this file has them."""
    raw = apsw.Connection(str(path))
    tables_there = raw.execute("SELECT name FROM sqlite_schema").fetchall()
    table = "counters" if ("counters",) in tables_there else "spaces"
    names = ", ".join(["space", *(name for name in COUNTERS if name not in REBUILT)])
    found = raw.execute(f"SELECT {names} FROM {table} ORDER BY space").fetchall()
    raw.close()
    return found


@pytest.mark.parametrize("schema", released.known())
def test_a_file_of_a_released_schema_is_clean_and_loses_nothing(schema, tmp_path):
    path = released.unpack(schema, tmp_path / "a.db")
    columns = shape(path)
    before = rows(path, columns)
    counted = counters(path)
    assert all(before.values()), "a table is empty in this file"

    done = ricordo.salvage(path, tmp_path / "saved.db")

    assert done.lost == ()
    assert rows(tmp_path / "saved.db", columns) == before
    assert counters(tmp_path / "saved.db") == counted
    for name in ("a.db", "saved.db"):
        with ricordo.open(tmp_path / name, **furnished.OPTIONS) as memory:
            assert [found for found in memory.check() if "maintain" not in found.detail] == []
            memory.maintain()
            assert memory.check() == []


def test_the_first_schema_with_seals_is_among_the_files():
    assert 8 in released.known()


# --- the schema to come -----------------------------------------------------------------------


@contextmanager
def schema_to_come(*, keeps_lists: bool = True) -> Iterator[None]:
    """One more column in every sealed table, covered by a new list."""
    text = f"ALTER TABLE {{}} ADD COLUMN {COLUMN} TEXT NOT NULL DEFAULT '';"
    sql = "\n".join(text.format(table) for table in seals.LISTS)
    known = {dialect: migrate.load(dialect) for dialect in SCHEMA}
    covered = {
        table: (dict(lists) if keeps_lists else {}) | {NEXT: (*lists[max(lists)], COLUMN)}
        for table, lists in seals.LISTS.items()
    }
    plain = seals.seal
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            migrate, "load", lambda name: (*known[name], Migration(SCHEMA[name] + 1, "lang", sql))
        )
        patch.setattr(seals, "LISTS", covered)
        patch.setattr(seals, "seal", lambda table, row: plain(table, {COLUMN: "", **row}))
        if not keeps_lists:
            patch.setattr(seals, "BARE", NEXT)
        forget_tables()
        try:
            yield
        finally:
            forget_tables()


def forget_tables() -> None:
    for table in (tables.list_space_tables, tables.chunks, tables.space_row, tables.counters):
        table.cache_clear()


def change(memory: Memory, sql: str) -> None:
    """Write behind the back of the seals."""
    query = Query("tests.change", "", f"{sql} AND space = :space")

    def work(tx: Any) -> None:
        tx.run(query, space=tx.spaces.number("ana"))

    memory._engine.store.write(work)


def find(memory: Memory) -> list[str]:
    """What check() finds, without the keys."""
    found = memory.check()
    assert {violation.rule for violation in found} <= {"seal"}
    return sorted("/".join(violation.where.split("/")[:2]) for violation in found)


def count_sealed(memory: Memory) -> int:
    """The rows that have a seal."""
    with memory._engine.store.read() as tx:
        return sum(
            tx.copying.count(space.space, table)
            for space in tx.spaces.numbers()
            for table in [tables.space_row(), *tx.copying.tables()]
            if table.name in seals.LISTS
        )


@pytest.mark.parametrize("backend", ["sqlite", *BACKENDS])
def test_rows_of_an_older_list_verify_and_are_renewed(backend, tmp_path):
    with places(backend, tmp_path) as url:
        furnished.furnish(url, tmp_path)
        with (
            schema_to_come(),
            ricordo.open(url, clock=furnished.Clock(), **furnished.OPTIONS) as memory,
        ):
            assert find(memory) == []
            follow(memory)


@contextmanager
def places(backend: str, folder: Path) -> Iterator[str]:
    if backend == "sqlite":
        yield str(folder / "a.db")
        return
    with urls(backend, folder) as make:
        yield make()


def follow(memory: Memory) -> None:
    """A write renews one row, maintain the rest, and a change is found before and after."""
    change(memory, "UPDATE reminders SET text = 'call Tim' WHERE text = 'call Kim'")
    assert find(memory) == ["ana/reminders"]
    memory.space("ana").session("trip").write_scratchpad(["a new line"])
    change(memory, f"UPDATE scratchpads SET {COLUMN} = 'xx' WHERE session = 'trip'")
    assert find(memory) == ["ana/reminders", "ana/scratchpads"]
    change(memory, f"UPDATE scratchpads SET {COLUMN} = '' WHERE session = 'trip'")

    older = count_sealed(memory) - 2  # one is new, one does not match its seal
    assert memory.maintain(dry_run=True).resealed == older
    assert memory.maintain().resealed == older
    assert find(memory) == ["ana/reminders"], "what does not match its seal is not sealed anew"
    change(memory, "UPDATE reminders SET text = 'call Kim' WHERE text = 'call Tim'")
    assert find(memory) == []
    assert (memory.maintain().resealed, memory.maintain().resealed) == (1, 0)
    for table in ("approvals", "entries", "spaces"):
        change(memory, f"UPDATE {table} SET {COLUMN} = 'xx' WHERE space > 0")
        assert set(find(memory)) == {f"ana/{table}"}
        change(memory, f"UPDATE {table} SET {COLUMN} = '' WHERE space > 0")
    assert find(memory) == []


def test_renewing_goes_on_page_by_page(tmp_path, monkeypatch):
    furnished.furnish(tmp_path / "a.db", tmp_path)
    monkeypatch.setattr(reseal, "STEP", 2)
    with (
        schema_to_come(),
        ricordo.open(tmp_path / "a.db", clock=furnished.Clock(), **furnished.OPTIONS) as memory,
    ):
        change(memory, "UPDATE names SET since = since + 1 WHERE name = 'place'")

        assert memory.maintain().resealed == count_sealed(memory) - 1


def test_salvage_keeps_rows_of_an_older_list(tmp_path):
    path = released.unpack(8, tmp_path / "a.db")
    with schema_to_come():
        done = ricordo.salvage(path, tmp_path / "saved.db")

        assert done.lost == ()
        with ricordo.open(tmp_path / "saved.db", **furnished.OPTIONS) as memory:
            assert memory.check() == []
            assert memory.maintain(dry_run=True).resealed > 20


def test_a_schema_that_replaces_its_lists_loses_older_rows(tmp_path):
    """The control."""
    path = released.unpack(8, tmp_path / "a.db")
    with schema_to_come(keeps_lists=False):
        lost = ricordo.salvage(path, tmp_path / "saved.db").lost
        with ricordo.open(path, **furnished.OPTIONS) as memory:
            found = memory.check()

    assert len(lost) > 20
    assert len(found) > 20
