"""A schema that can be distributed: the tables and queries of PostgreSQL, read like a lint.

What Citus and its like ask for is checked on the server's own catalogue and plans: `space` first
in every key, in every statement, and nothing that joins two spaces. docs/scaling.md says what was
run on such an engine.
"""

import re
from collections.abc import Iterator
from typing import Any

import apsw
import psycopg
import pytest
from postgres_server import planned, shared

import ricordo
from ricordo.store import catalogue, migrate
from ricordo.store.catalogue import FOLDER, OPEN_TABLES, REFERENCE_TABLES
from ricordo.store.postgres.query import translate_query
from ricordo.store.sqlite import file

QUERIES = catalogue.load("postgres")
OWN = ("driver", "folding")  # what the driver asks for itself
# The keyword index is a table of its own kind in each dialect.
INDEX_TABLES = re.compile(r"(words|vocabulary)(_|$)")

# Keys that do not begin with the space, all of tables about the whole memory, and why.
EXPLAINED_KEYS = {
    "meta_pkey": "settings of the memory",
    "migrations_pkey": "what the schema has been through",
    "models_pkey": "models are few and common to all spaces",
    "models_fingerprint_key": "likewise",
    "spaces_name_key": "a space is found by its name, then only by its number",
    "due_at": "a poll finds spaces with something to do by time",
    "pending_at": "one look finds the spaces with texts to embed",
}
# Statements about rows of a space that do not name it as such, and why.
EXPLAINED_QUERIES = {
    "words.insert": "the row holds the number of the space",
    "words.delete": "the row holds the number of the space",
}
# Statements that ask every server, because they look for a space; none is part of an append.
SCATTERED = {
    "due.any": "a poll finds spaces with something to do",
    "due.poll": "likewise",
    "due.spaces": "likewise",
    "due.after": "likewise",
    "pending.look": "a flush finds spaces with texts to embed",
    "pending.after": "likewise",
    "pending.mark_all": "a model is new in the memory",
    "spaces.find": "the driver asks two questions instead, where tables are spread",
    "spaces.numbers": "upkeep goes through every space",
    "salvage.count_spaces": "a damaged file is read into a new one",
}


# Where nothing in a statement says it the driver does, with the value.
TYPES = {"until": "::bigint"}


@pytest.fixture(scope="module")
def schema() -> str:
    url = shared().url()
    with ricordo.open(url, embedder="none") as memory:
        memory.space("ana").remember("x")
    return url.rpartition("schema=")[2]


@pytest.fixture(scope="module")
def raw(schema: str) -> Iterator[psycopg.Connection]:
    """A superuser: its plans show what a statement binds itself, without row-level security."""
    with psycopg.connect(
        shared().dsn("postgres"), autocommit=True, cursor_factory=psycopg.RawCursor
    ) as raw:
        raw.execute(f"SET search_path TO {schema}")
        raw.execute("SET enable_seqscan = off")
        raw.execute("SET plan_cache_mode = force_generic_plan")
        yield raw


def keys(raw: psycopg.Connection, schema: str) -> list[tuple[str, str, list[str]]]:
    """Every index, those of primary and unique keys included: table, name, columns in order."""
    return raw.execute(
        """
        SELECT t.relname, i.relname, array_agg(a.attname::text ORDER BY k.place)
          FROM pg_index x
          JOIN pg_class i ON i.oid = x.indexrelid
          JOIN pg_class t ON t.oid = x.indrelid
          CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k (number, place)
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
         WHERE t.relnamespace = $1::text::regnamespace
         GROUP BY 1, 2 ORDER BY 1, 2
        """,
        [schema],
    ).fetchall()


def columns(raw: psycopg.Connection, schema: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for table, column in raw.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = $1",
        [schema],
    ):
        found.setdefault(table, set()).add(column)
    return found


def owned(raw: psycopg.Connection, schema: str) -> set[str]:
    """The tables that are spread over servers: each row of them lies with its space."""
    return set(columns(raw, schema)) - REFERENCE_TABLES


# --- tables -----------------------------------------------------------------------------------


def test_every_table_belongs_to_a_space_or_is_about_the_whole_memory(raw, schema):
    for table, names in columns(raw, schema).items():
        assert "space" in names or table in REFERENCE_TABLES, table


def test_every_key_and_index_begins_with_the_space(raw, schema):
    found = keys(raw, schema)
    others = {name: table for table, name, names in found if names[0] != "space"}

    assert len(found) > 30
    assert set(others) == set(EXPLAINED_KEYS)
    assert set(others.values()) <= REFERENCE_TABLES | {"due", "pending"}


def test_every_reference_to_another_table_begins_with_the_space(raw, schema):
    found = raw.execute(
        """
        SELECT c.conrelid::regclass::text, c.confrelid::regclass::text,
               a.attname, b.attname
          FROM pg_constraint c
          JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
          JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
         WHERE c.contype = 'f' AND c.connamespace = $1::text::regnamespace
        """,
        [schema],
    ).fetchall()

    assert len(found) > 10
    for table, target, column, referred in found:
        assert table not in REFERENCE_TABLES, (table, target)
        if target not in REFERENCE_TABLES - {"spaces"}:
            assert (column, referred) == ("space", "space"), (table, target)


def test_no_number_is_made_by_the_server(raw, schema):
    """Ids are made by the application: no sequence, no identity, no default that calls one."""
    sequences = raw.execute(
        "SELECT relname FROM pg_class"
        " WHERE relkind = 'S' AND relnamespace = $1::text::regnamespace",
        [schema],
    ).fetchall()

    assert sequences == []


def test_nothing_is_used_that_distributed_engines_lack(raw, schema):
    """No triggers of ours, no exclusion or deferrable constraints, B-trees only."""
    triggers = raw.execute(
        "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE NOT t.tgisinternal AND c.relnamespace = $1::text::regnamespace",
        [schema],
    ).fetchall()
    odd = raw.execute(
        "SELECT conname FROM pg_constraint"
        " WHERE connamespace = $1::text::regnamespace AND (contype = 'x' OR condeferrable)",
        [schema],
    ).fetchall()
    kinds = raw.execute(
        "SELECT DISTINCT m.amname FROM pg_class i JOIN pg_am m ON m.oid = i.relam"
        " WHERE i.relkind = 'i' AND i.relnamespace = $1::text::regnamespace",
        [schema],
    ).fetchall()

    assert (triggers, odd, kinds) == ([], [], [("btree",)])


def test_every_table_of_a_space_is_guarded_for_its_owner_too(raw, schema):
    found = raw.execute(
        """
        SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity,
               (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid)
          FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = $1::text::regnamespace
        """,
        [schema],
    ).fetchall()

    guarded = {table for table, is_forced, policies in found if is_forced and policies == 1}
    assert guarded == owned(raw, schema) - OPEN_TABLES


def test_every_text_sorts_by_its_bytes(raw, schema):
    found = raw.execute(
        "SELECT table_name, column_name, collation_name FROM information_schema.columns"
        " WHERE table_schema = $1 AND data_type = 'text'",
        [schema],
    ).fetchall()

    assert [row for row in found if row[2] != "C"] == []
    assert len(found) > 60


def test_both_dialects_have_the_same_tables_and_columns(raw, schema):
    other = file.in_ram()
    theirs = {
        table: {
            name
            for (name,) in other.execute(
                f"SELECT name FROM pragma_table_info('{table}')"
            ).fetchall()
        }
        for table in sqlite_tables(other)
    }
    ours = {
        table: names
        for table, names in columns(raw, schema).items()
        if not INDEX_TABLES.match(table)
    }

    assert ours == theirs


def sqlite_tables(raw: apsw.Connection) -> list[str]:
    found = raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return [
        str(name)
        for (name,) in found
        if not str(name).startswith("sqlite_") and not INDEX_TABLES.match(str(name))
    ]


def test_both_dialects_have_the_same_migrations():
    ours, theirs = migrate.load("postgres"), migrate.load("sqlite")

    assert [each.name for each in ours] == [each.name for each in theirs]


# --- statements -------------------------------------------------------------------------------


def test_both_dialects_answer_the_same_questions():
    ours = {name for name in QUERIES if name.partition(".")[0] not in OWN}

    assert ours == set(catalogue.load("sqlite"))


def scans(plan: Any) -> Iterator[dict[str, Any]]:
    """Every step of a plan that reads a table."""
    if "Relation Name" in plan and plan["Node Type"] != "ModifyTable":
        yield plan
    for inner in plan.get("Plans", ()):
        yield from scans(inner)


STATEMENTS = [
    name
    for name in QUERIES
    if not name.startswith("driver.") and name not in EXPLAINED_QUERIES | SCATTERED.keys()
]


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_reads_rows_of_its_own_space_only(raw, schema, name):
    """The plan finds every row through a key that begins with the space that was bound."""
    statement = translate_query(QUERIES[name])
    sql = re.sub(
        r"\$(\d+)\b(?!::)",
        lambda found: found[0] + TYPES.get(statement.names[int(found[1]) - 1], ""),
        statement.sql.decode(),
    )
    plan = planned(raw, sql)

    touched = {step["Relation Name"] for step in scans(plan)} & owned(raw, schema)
    written = re.findall(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)", QUERIES[name].sql)
    if touched or set(written) & owned(raw, schema):
        assert QUERIES[name].is_spaced, name
    for step in scans(plan):
        if step["Relation Name"] in touched:
            condition = step.get("Index Cond") or recheck(plan, step)
            assert re.search(r"\(?\bspace = \$\d+", condition), (name, step)


def recheck(plan: Any, step: dict[str, Any]) -> str:
    """The condition of the index below a bitmap scan."""
    below = step.get("Plans", ())
    found = [each.get("Index Cond", "") for each in below]
    return found[0] if found else ""


@pytest.mark.parametrize("name", EXPLAINED_QUERIES)
def test_what_does_not_name_its_space_takes_it_from_its_row(name):
    assert ":row >> 32" in QUERIES[name].sql


@pytest.mark.parametrize("name", SCATTERED)
def test_what_asks_every_server_reads_open_tables_alone(raw, schema, name):
    """Row-level security would hide the rows of all spaces from it."""
    words = set(re.findall(r"\b(?:INTO|FROM|JOIN|UPDATE)\s+(\w+)", QUERIES[name].sql))

    assert words & (owned(raw, schema) | REFERENCE_TABLES)
    assert words <= OPEN_TABLES


# --- servers ----------------------------------------------------------------------------------


def test_an_append_writes_to_no_table_that_every_server_has(raw, schema):
    """In a known session and space: creating a space is the matter of all servers."""
    url = shared().url(schema)
    with ricordo.open(url, embedder="hash") as memory:
        memory.space("kate").session("trip").append("user", "a first message")
        memory.flush()
        for table in REFERENCE_TABLES:
            raw.execute(REFUSE.format(schema=schema, table=table).encode())
        try:
            memory.space("kate").session("trip").append("user", "a second message")
            memory.space("kate").session("trip").extend(
                [{"role": "user", "content": text} for text in ("more", "and more")]
            )
            memory.flush()
            with pytest.raises(ricordo.StoreError, match="is whole everywhere"):
                memory.space("new").session("trip").append("user", "a first message")
        finally:
            raw.execute("DROP FUNCTION refuse() CASCADE")


REFUSE = """
CREATE OR REPLACE FUNCTION {schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the table % is whole everywhere', TG_TABLE_NAME; END $$;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON {schema}.{table}
   FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse()
"""


def test_the_script_for_citus_names_the_tables_that_every_server_has():
    script = (FOLDER / "citus" / "distribute.sql").read_text(encoding="utf-8")

    found = re.search(r"known CONSTANT text\[\] := ARRAY\[(.+?)\]", script)
    assert found is not None
    assert set(re.findall(r"'(\w+)'", found[1])) == REFERENCE_TABLES
