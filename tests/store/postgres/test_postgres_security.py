"""Row-level security: no row is seen or written outside its space."""

from datetime import timedelta

import psycopg
import pytest
from bare_postgres import plain, schema_of
from postgres_server import fresh_schema

import ricordo
from ricordo.store.catalogue import OPEN_TABLES


@pytest.fixture
def filled(url) -> str:
    """A memory with two spaces and something in many tables."""
    with ricordo.open(url, embedder="hash") as memory:
        for name in ("ana", "ben"):
            space = memory.space(name)
            space.session("s").append("user", f"{name} says hello")
            space.remember(f"{name} likes tea", name="tea", tags=["drink"])
            space.schedule("look", "in 1 hour")
            space.remind("call", at=timedelta(hours=1))
            space.ingest("a text", uri="a.md")
        memory.space("ana").recall("tea")
        memory.flush()
    return url


def owned(raw: psycopg.Connection, url: str) -> list[str]:
    found = raw.execute(
        "SELECT table_name FROM information_schema.columns"
        " WHERE table_schema = %s AND column_name = 'space' ORDER BY table_name",
        [schema_of(url)],
    ).fetchall()
    return [name for (name,) in found if name not in OPEN_TABLES]


def count(raw: psycopg.Connection, table: str) -> int:
    found = raw.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert found is not None
    return int(found[0])


def test_the_owner_of_the_tables_sees_no_row_without_a_space(filled):
    with plain(filled) as raw:
        assert {table: count(raw, table) for table in owned(raw, filled)} == dict.fromkeys(
            owned(raw, filled), 0
        )


def test_another_role_without_the_setting_sees_no_row(filled):
    role = f"other_{fresh_schema()}"
    with plain(filled) as raw:
        raw.execute(f"GRANT USAGE ON SCHEMA {schema_of(filled)} TO PUBLIC")
        raw.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema_of(filled)} TO PUBLIC")
        tables = owned(raw, filled)
    with plain(filled, "postgres") as raw:
        raw.execute(f"CREATE ROLE {role} LOGIN")

    with plain(filled, role) as raw:
        assert sum(count(raw, table) for table in tables) == 0
        raw.execute("SELECT set_config('ricordo.space', '2', false)")
        assert {row[0] for row in raw.execute("SELECT space FROM chunks").fetchall()} == {2}


def test_a_superuser_sees_everything_so_an_application_should_not_be_one(filled):
    with plain(filled, "postgres") as raw:
        assert count(raw, "events") == 2


def test_no_row_can_be_written_into_another_space(filled):
    with plain(filled) as raw, raw.transaction():
        raw.execute("SELECT set_config('ricordo.space', '1', true)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            raw.execute("INSERT INTO entry_tags (space, tag, entry) VALUES (2, 'x', 1)")


def test_what_a_transaction_that_was_rolled_back_leaves_behind_opens_nothing(filled):
    with plain(filled) as raw:
        raw.execute("BEGIN")
        raw.execute("SELECT set_config('ricordo.space', '1', true)")
        raw.execute("ROLLBACK")
        left = raw.execute("SELECT current_setting('ricordo.space', true)").fetchone()

        assert left == ("",)
        assert count(raw, "events") == 0


def test_a_table_that_lost_its_guard_is_found(filled):
    with ricordo.open(filled, embedder="hash") as memory:
        with plain(filled) as raw:
            raw.execute("ALTER TABLE names NO FORCE ROW LEVEL SECURITY")

        assert [each.detail for each in memory.check()] == ["the table names is open across spaces"]


def test_an_index_that_disagrees_with_the_texts_is_found(filled):
    with ricordo.open(filled, embedder="hash") as memory:
        with plain(filled, "postgres") as raw:
            raw.execute("DELETE FROM words WHERE space = 1 AND chunk = 1")
            raw.execute("INSERT INTO words (space, term, chunk, field) VALUES (2, 0, 99, 0)")

        assert {each.rule for each in memory.check()} == {"index"}
        memory.index()
        assert memory.check() == []
