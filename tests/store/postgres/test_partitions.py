"""Hash partitions on PostgreSQL: the same promises, the same guard, one partition per statement."""

import re
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from postgres_server import ORDINARY, fresh_schema, planned, running, shared

import ricordo
from ricordo.store import catalogue, migrate
from ricordo.store.catalogue import OPEN_TABLES
from ricordo.store.postgres.partitions import partition_sql
from ricordo.store.postgres.query import translate_query
from ricordo.testing import Case, Lab, cases
from tier import tier

QUERIES = catalogue.load("postgres")
STATEMENTS = [name for name in QUERIES if not name.startswith("driver.")]
PARTITION = re.compile(r"(?P<table>\w+)_p(?P<number>\d+)")
# Every case of the full tier; of the short one so many that each file of them has its share.
CHOSEN = cases()[:: tier(20, 1)]


def url_of(partitions: int, schema: str | None = None) -> str:
    return f"{shared().url(schema)}&partitions={partitions}"


def schema_of(url: str) -> str:
    return url.partition("schema=")[2].partition("&")[0]


def plain(url: str, user: str = ORDINARY) -> psycopg.Connection:
    """A connection that knows nothing of ricordo but where its tables are."""
    raw = psycopg.connect(shared().dsn(user), autocommit=True, cursor_factory=psycopg.RawCursor)
    raw.execute(f"SET search_path TO {schema_of(url)}")
    return raw


def parts_of(raw: psycopg.Connection, url: str) -> dict[str, set[int]]:
    """The numbers of the partitions of every table of spaces; none for one that is whole."""
    names = raw.execute(
        "SELECT relname, relispartition FROM pg_class"
        " WHERE relkind IN ('r', 'p') AND relnamespace = $1::text::regnamespace",
        [schema_of(url)],
    ).fetchall()
    found: dict[str, set[int]] = {
        name: set() for name, is_part in names if not (is_part or name in OPEN_TABLES)
    }
    for name, is_part in names:
        if is_part:
            part = PARTITION.fullmatch(name)
            assert part is not None
            found[part["table"]].add(int(part["number"]))
    return found


def count(raw: psycopg.Connection, table: str) -> int:
    found = raw.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert found is not None
    return int(found[0])


@pytest.fixture(scope="module")
def filled() -> str:
    """A memory in four partitions, with rows of several spaces in each."""
    url = url_of(4)
    with ricordo.open(url, embedder="hash") as memory:
        for number in range(12):
            space = memory.space(f"space {number}")
            space.session("s").append("user", "hello")
            space.remember("likes tea", name="tea", tags=["drink"])
            space.remind("call", at=timedelta(hours=1))
        memory.flush()
    return url


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(lambda: url_of(2)) as lab:
        yield lab


# --- the same promises ------------------------------------------------------------------------


@pytest.mark.parametrize("case", CHOSEN, ids=str)
def test_a_memory_in_partitions_keeps_the_promise(case: Case, lab: Lab):
    case.run(lab)


def test_rows_of_spaces_are_spread_and_found_again(filled):
    with plain(filled, "postgres") as raw:
        spread = [count(raw, f"entries_p{number}") for number in range(4)]
    assert sum(spread) == 12
    assert sum(map(bool, spread)) > 1

    with ricordo.open(filled, embedder="hash") as memory:
        for number in range(12):
            assert memory.space(f"space {number}").recall("tea")[0].text == "likes tea"
        assert memory.check() == []


def test_upkeep_reaches_every_partition(filled):
    with ricordo.open(filled, embedder="hash") as memory:
        assert memory.stats().bytes > 4 * 34 * 8192  # a page of an index, for each part of a table
        memory.maintain(deep=True)
        assert memory.check() == []
    with plain(filled, "postgres") as raw:
        told = raw.execute(
            "SELECT reltuples FROM pg_class WHERE oid IN ('entries'::regclass, 'events'::regclass)"
        ).fetchall()
    assert told == [(12.0,), (12.0,)]


# --- how the tables are made ------------------------------------------------------------------


def test_every_table_of_a_space_is_cut_and_no_other(filled):
    with plain(filled) as raw:
        found = parts_of(raw, filled)

    assert len(found) > 30
    assert set(map(frozenset, found.values())) == {frozenset(range(4))}


def test_without_the_option_nothing_is_cut():
    url = shared().url()
    with ricordo.open(url, embedder="none") as memory:
        memory.space("ana").remember("x")
    with plain(url) as raw:
        assert set(map(len, parts_of(raw, url).values())) == {0}


def test_the_text_of_a_migration_is_the_same_with_and_without(filled):
    with plain(filled) as raw:
        applied = dict(raw.execute("SELECT number, digest FROM migrations").fetchall())

    assert applied == {each.number: each.digest for each in migrate.load("postgres")}
    assert all(partition_sql(each.sql, 0) == each.sql for each in migrate.load("postgres"))


def test_later_migrations_cut_their_tables_alike_without_being_told(monkeypatch):
    url, every = url_of(3), migrate.load("postgres")
    monkeypatch.setattr(migrate, "load", lambda _: every[:1])
    with ricordo.open(url, embedder="none") as memory:
        memory._engine.store.write(lambda _: None)
    monkeypatch.undo()

    with ricordo.open(url.replace("&partitions=3", ""), embedder="none") as memory:
        memory.space("ana").schedule("look", "in 1 hour")
        assert memory.check() == []

    with plain(url) as raw:
        assert set(map(frozenset, parts_of(raw, url).values())) == {frozenset(range(3))}


@pytest.mark.parametrize("number", ["", "0", "1025", "-1", "four", "1.5", "٣"])
def test_a_number_out_of_bounds_is_refused(number):
    with pytest.raises(ricordo.InvalidInput, match="from 1 to 1024"):
        ricordo.open(f"{shared().url()}&partitions={number}")


def test_another_number_than_that_of_the_tables_is_refused(filled):
    bare = filled.replace("&partitions=4", "")

    with pytest.raises(ricordo.InvalidInput, match="has 4 partitions and 8 were asked for"):
        ricordo.open(f"{bare}&partitions=8")
    for url in (bare, filled):
        with ricordo.open(url, embedder="none") as memory:
            assert len(memory.spaces()) == 12


def test_partitions_cannot_be_had_afterwards():
    url = shared().url()
    with ricordo.open(url, embedder="none") as memory:
        memory.space("ana").remember("x")

    with pytest.raises(ricordo.InvalidInput, match=r"has no partitions and 2 were .* copy"):
        ricordo.open(f"{url}&partitions=2")


def test_of_two_who_come_first_with_different_numbers_one_is_refused():
    schema = fresh_schema()
    memories = [ricordo.open(url_of(number, schema), embedder="none") for number in (1, 2)]
    barrier = threading.Barrier(2)
    refused: list[str] = []

    def begin(memory: ricordo.Memory) -> None:
        barrier.wait()
        try:
            memory.space("ana").remember("x")
        except ricordo.InvalidInput as error:
            refused.append(str(error))

    threads = [threading.Thread(target=begin, args=(memory,)) for memory in memories]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(refused) == 1
    assert "were asked for" in refused[0]
    for memory in memories:
        memory.close()


def test_a_server_that_cannot_lock_so_many_tables_says_so_and_nothing_is_made():
    with running(max_connections="10", max_locks_per_transaction="10", fsync="off") as small:
        url = f"{small.url()}&partitions=40"
        with ricordo.open(url, embedder="none") as memory:
            with pytest.raises(ricordo.StoreError, match="max_locks_per_transaction"):
                memory.space("ana").remember("x")
            assert memory.spaces() == []

        with ricordo.open(url.replace("=40", "=1"), embedder="none") as memory:
            memory.space("ana").remember("x")
            assert memory.spaces() == ["ana"]


# --- row-level security -----------------------------------------------------------------------


def test_a_partition_shows_no_row_to_who_has_entered_no_space(filled):
    role = f"other_{fresh_schema()}"
    with plain(filled) as raw:
        raw.execute(f"GRANT USAGE ON SCHEMA {schema_of(filled)} TO PUBLIC")
        raw.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema_of(filled)} TO PUBLIC")
        found = parts_of(raw, filled)
    with plain(filled, "postgres") as raw:
        raw.execute(f"CREATE ROLE {role} LOGIN")
        assert sum(count(raw, f"entries_p{number}") for number in range(4)) == 12

    for user in (ORDINARY, role):
        with plain(filled, user) as raw:
            seen = {
                f"{table}_p{number}": count(raw, f"{table}_p{number}")
                for table, numbers in found.items()
                for number in numbers
            }
            assert seen == dict.fromkeys(seen, 0)
            raw.execute("SELECT set_config('ricordo.space', '2', false)")
            assert sum(count(raw, f"entries_p{number}") for number in range(4)) == 1


def test_a_partition_that_lost_its_guard_is_found():
    url = url_of(2)
    with ricordo.open(url, embedder="none") as memory:
        memory.space("ana").remember("x")
        with plain(url) as raw:
            raw.execute("ALTER TABLE names_p1 NO FORCE ROW LEVEL SECURITY")

        told = [each.detail for each in memory.check()]
        assert told == ["the table names_p1 is open across spaces"]


# --- statements -------------------------------------------------------------------------------


def scanned(plan: Any) -> Iterator[str]:
    """The table of every step of a plan that reads one."""
    if "Relation Name" in plan and plan["Node Type"] != "ModifyTable":
        yield plan["Relation Name"]
    for inner in plan.get("Plans", ()):
        yield from scanned(inner)


@pytest.fixture(scope="module")
def planner(filled: str) -> Iterator[psycopg.Connection]:
    """A superuser: its plans show what a statement binds itself, without row-level security."""
    with plain(filled, "postgres") as raw:
        raw.execute("SET enable_seqscan = off")
        yield raw


# What is put in the place of a parameter. Everything else is left open.
BOUND = {"space": "1::bigint", "row": f"{(1 << 32) + 1}::bigint"}
TYPES = {"until": "::bigint"}  # where nothing in a statement says it the driver does


def bound(name: str) -> str:
    """A statement about the first space."""
    statement = translate_query(QUERIES[name])

    def value(found: re.Match[str]) -> str:
        parameter = statement.names[int(found["number"]) - 1]
        cast = found["cast"] or TYPES.get(parameter, "")
        return BOUND.get(parameter, found["place"]) + cast

    places = r"(?P<place>\$(?P<number>\d+))(?P<cast>::\w+)?"
    return re.sub(places, value, statement.sql.decode())


def test_a_statement_reads_one_partition_of_each_table(planner):
    read: set[str] = set()
    for name in STATEMENTS:
        plan = planned(planner, bound(name))
        parts = [PARTITION.fullmatch(table) for table in scanned(plan)]

        # Tables are cut alike, so that everything of a space lies in parts of one number.
        assert len({part["number"] for part in parts if part}) <= 1, (name, plan)
        read |= {part["table"] for part in parts if part}

    assert len(read) > 25
