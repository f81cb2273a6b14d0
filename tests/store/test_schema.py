"""The schema and the named queries, read like a lint: everything is bound to a space."""

import ast
import re
from pathlib import Path

import apsw
import pytest

import ricordo.store
from ricordo.store import catalogue, migrate
from ricordo.store.catalogue import OPEN_TABLES
from ricordo.store.sqlite import file

FOLDER = Path(ricordo.store.__file__).parent
QUERIES = catalogue.load("sqlite")
INDEX_TABLES = re.compile(r"(words|vocabulary)(_|$)")
# Keys that do not begin with the space, and why.
EXPLAINED = {
    "chunks": "FTS5 knows rows by number only, so chunks have one number through the whole file",
}
NEXT_ROW = {"chunks.last_row", "spaces.grew"}  # these ask for the highest number


@pytest.fixture(scope="module")
def raw() -> apsw.Connection:
    raw = file.in_ram()
    # With it the plans would show how SQLite itself looks for children of a row.
    raw.execute("PRAGMA foreign_keys=OFF").fetchall()
    return raw


def tables(raw: apsw.Connection) -> list[str]:
    found = raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return [
        name
        for (name,) in found.fetchall()
        if not name.startswith("sqlite_") and not INDEX_TABLES.match(name)
    ]


def columns(raw: apsw.Connection, table: str) -> list[tuple]:
    return raw.execute(f"SELECT name, pk FROM pragma_table_info('{table}')").fetchall()


def keys(raw: apsw.Connection, table: str) -> dict[str, list[str]]:
    """The columns of every index of a table, its primary key included."""
    found = {}
    primary = sorted((place, name) for name, place in columns(raw, table) if place)
    if primary:
        found["primary key"] = [name for _, name in primary]
    for (index,) in raw.execute(f"SELECT name FROM pragma_index_list('{table}')").fetchall():
        inside = raw.execute(f"SELECT name FROM pragma_index_info('{index}')").fetchall()
        found[index] = [name for (name,) in inside]
    return found


def test_every_table_belongs_to_a_space_or_is_about_the_whole_memory(raw):
    for table in tables(raw):
        names = [name for name, _ in columns(raw, table)]
        if table in OPEN_TABLES:
            continue
        assert "space" in names, table
        if table not in EXPLAINED:
            assert names[0] == "space", table


def test_every_key_and_index_begins_with_the_space(raw):
    for table in set(tables(raw)) - OPEN_TABLES:
        for key, names in keys(raw, table).items():
            if key == "primary key" and table in EXPLAINED:
                assert names == ["row"], table
                continue
            assert names[0] == "space", (table, key, names)


def test_every_reference_to_another_table_includes_the_space(raw):
    for table in set(tables(raw)) - OPEN_TABLES:
        found = raw.execute(
            f'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(\'{table}\')'
        ).fetchall()
        for number in {row[0] for row in found}:
            pairs = [(row[2], row[3]) for row in found if row[0] == number]
            target = next(row[1] for row in found if row[0] == number)
            if target not in OPEN_TABLES - {"spaces", "counters"}:
                assert ("space", "space") in pairs, (table, target)


def touched(raw: apsw.Connection, sql: str) -> set[str]:
    """The tables a statement reads or writes, as SQLite itself reports them."""
    seen: set[str] = set()

    def note(action: int, first: str | None, second: str | None, *rest: object) -> int:
        if action in (
            apsw.SQLITE_READ, apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE,
        ):  # fmt: skip
            seen.add(str(first))
        return apsw.SQLITE_OK

    raw.authorizer = note
    try:
        raw.execute(f"EXPLAIN {sql}", bindings(sql)).fetchall()
    finally:
        raw.authorizer = None
    return seen


def bindings(sql: str) -> dict[str, None]:
    return dict.fromkeys(re.findall(r":([a-z_]+)", sql))


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_parses_and_is_bound_to_a_space(raw, name):
    query = QUERIES[name]
    assert query.comment.strip()
    assert " * " not in query.sql.replace("count(*)", "")

    owned = {
        table
        for table in touched(raw, query.sql)
        if table not in OPEN_TABLES
        and not INDEX_TABLES.match(table)
        and not table.startswith(("json_each", "sqlite_"))
    }

    explained = {"chunks.last_row", "words.prune"}  # row numbers alone, through the whole file
    if owned and name not in explained:
        assert query.is_spaced, (name, owned)


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_walks_through_the_rows_of_other_spaces(raw, name):
    query = QUERIES[name]
    plan = raw.execute(f"EXPLAIN QUERY PLAN {query.sql}", bindings(query.sql)).fetchall()
    details = [row[3] for row in plan]
    aliases = dict(
        re.findall(r"(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?([a-z]))?\b", query.sql)
    )
    by_alias = {alias or table: table for table, alias in aliases.items()}

    for detail in details:
        step = re.match(r"(SCAN|SEARCH) (\w+)(.*)", detail)
        table = by_alias.get(step[2], step[2]) if step else None
        if step is None or table not in set(tables(raw)) - OPEN_TABLES:
            continue
        if table in EXPLAINED and ("INTEGER PRIMARY KEY" in step[3] or name in NEXT_ROW):
            continue
        assert step[1] == "SEARCH", (name, detail)
        assert "(space=?" in step[3], (name, detail)


def names_in_code() -> set[str]:
    """Every text in the code of the store that looks like the name of a query."""
    found = set()
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and re.fullmatch(r"[a-z_]+\.[a-z_]+", text):
                found.add(text)
    return found


def test_every_query_asked_for_exists_and_every_query_is_asked_for():
    nouns = {name.partition(".")[0] for name in QUERIES}
    asked = {name for name in names_in_code() if name.partition(".")[0] in nouns}

    assert asked - set(QUERIES) == set()
    assert set(QUERIES) - asked == set()


def test_no_sql_is_written_outside_its_files_but_for_the_driver():
    statement = re.compile(r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\s+\w")
    for path in FOLDER.rglob("*.py"):
        if path.parent.name == "sqlite" or path.name == "schema.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not statement.search(node.value), (path.name, node.value)


def test_a_name_that_stands_twice_in_a_file_is_refused():
    with pytest.raises(ricordo.StoreError, match="twice"):
        catalogue.parse("-- a.b: one\nSELECT 1;\n-- a.b: two\nSELECT 2;\n")


def test_a_dialect_wins_over_the_common_text():
    common = {
        query.name
        for path in (FOLDER / "sql" / "common").glob("*.sql")
        for query in catalogue.parse(path.read_text(encoding="utf-8"))
    }
    own = {
        query.name: query.sql
        for path in (FOLDER / "sql" / "sqlite").glob("*.sql")
        for query in catalogue.parse(path.read_text(encoding="utf-8"))
    }

    assert set(QUERIES) == common | set(own)
    assert all(QUERIES[name].sql == sql for name, sql in own.items())


def test_migrations_are_numbered_without_a_gap():
    found = migrate.load("sqlite")

    assert [item.number for item in found] == list(range(1, len(found) + 1))
    with pytest.raises(ricordo.NewerSchema, match="install a newer"):
        migrate.list_pending(found, {len(found) + 1: "x"})
    assert migrate.list_pending(found, {}) == list(found)
