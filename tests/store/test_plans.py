"""The plans of every statement of the catalogue on a filled memory: none reads a whole space."""

import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from ricordo.store.catalogue import OPEN_TABLES, Query, load
from ricordo.store.postgres.query import translate_query
from ricordo.store.schema import chunks, list_space_tables
from ricordo.store.sqlite import file

sys.path.append(str(Path(__file__).parent.parent / "crash"))

TABLES = {table.name for table in list_space_tables()} | {"chunks", "words"}
PAGE_NODES = ("Index Scan", "Index Only Scan", "Bitmap Heap Scan", "Seq Scan")

# Statements that read all of a space, or all of a table that stays small, and why they may.
EXPLAINED = {
    "check.*": "a check reads everything; that is its purpose",
    "salvage.*": "salvage saves everything",
    "empty.*": "erasing a space deletes everything",
    "porting.*": "an export writes everything",
    "upkeep.holding": "the proof of an erasure looks for a text in every row",
    "upkeep.asked": "the same, among what was asked",
    "upkeep.from_source": "erasing a session looks for all entries that came from it",
    "upkeep.revisions_from": "the same, among what entries said before",
    "upkeep.reminders_of": "the same, among reminders",
    "retellings.below": "renaming a space moves the files of its archives",
    "stats.space": "it counts",
    "documents.recent": "a feed of changes puts few documents in the order of their times",
    "runs.recent": "the same, among the runs that retention keeps",
    "tombstones.erased": "the same, among what was erased",
    "spaces.recount": "it counts again, after a reindex",
    "words.prune": "a reindex compares the whole index with the chunks",
    "words.rows": "a check does the same",
    "words.substring": "a text inside a word is in no index; the profile says so",
    "chunks.ids": "recall without a filter, where something has expired",
    "chunks.allowed": "a filter of times, kinds or origins; most of a space may pass it",
    "chunks.later": "recall as of a time: most of a space may be later, or earlier",
    "revisions.all_then": "the same, of what entries said; as many as were changed",
    "chunks.first_of_entries": "the profile bm25 ranks all entries",
    "folding.*": "the same, for words.substring",
    "signals.crowded": "PostgreSQL expects that many entries got a signal lately",
    "signals.prune": "bookkeeping in batches; PostgreSQL reads a few pages at once",
    "sessions.list": "an index by time would cost every append a write",
    "sessions.newest": "the same, for a feed of changes",
    "clocks.ahead": "after a wrong clock, once, in the background",
    "consolidations.waiting": "a sweep in the background; what is done leaves the list",
    "upkeep.*": "the nightly job deletes what is old, in batches; it need not be fast",
    "sweeps.*": "a dream reads all signals of a space, at most once a day",
    "promotions.*": "a dream reads what earlier ones promoted",
    "approvals.list": "a space has a few approvals",
    "coverage.*": "a space has a row for each model",
    "dreamers.*": "a space has one row",
    "due.*": "a space has a row for each kind of work, and few unfinished changes of files",
    "outbox.*": "it holds changes of files that are not finished",
    "erasures.*": "it holds erasures that are not finished",
    "macros.list": "a space has a few macros that were used",
    "successions.tools": "the tools that an agent has",
    "spending.list": "a space has a row for each model",
    "schedules.*": "a space has a few schedules",
    "reminders.*": "a space has a few reminders; delivered ones are deleted in time",
    "retellings.unfiled": "an index of archives whose file is missing, almost always empty",
    "workspaces.of_folder": "a sync compares the whole folder",
    "failures.*": "texts that could not be embedded, almost always none",
    "embeddings.*": "the vectors of a space are read into RAM once, in batches",
    "records.all": "erasing a space deletes everything",
    "records.begin": "the proof of an erasure looks for bytes in every row",
    "record_revisions.old": "the nightly job deletes what is old, in batches",
    "entries.facts": "the facts of one category, to find one that means the same",
}


def is_explained(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in EXPLAINED)


def used(query: Query) -> dict[str, str]:
    """The tables of a statement by the names that it gives them."""
    found = re.findall(r"(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?", query.sql)
    words = {"WHERE", "ON", "SET", "ORDER", "GROUP", "CROSS", "JOIN", "LIMIT", "AS"}
    return {alias if alias and alias not in words else table: table for table, alias in found}


# --- SQLite -----------------------------------------------------------------------------------


def list_sqlite_scans(raw: apsw.Connection, query: Query) -> list[str]:
    """Steps of the plan that read a whole space. A page in the order of an index is not one."""
    names = dict.fromkeys(re.findall(r"(?<!:):([a-z_]+)", query.sql))
    steps = [row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {query.sql}", names).fetchall()]
    is_sorted = any("TEMP B-TREE" in step for step in steps)
    tables = used(query)
    found = []
    for step in steps:
        word = [*step.split(), ""][1]
        table = tables.get(word, word)
        is_scan = step.startswith("SCAN") and not re.search(r"VIRTUAL TABLE INDEX \d+:.", step)
        is_page = step.endswith("(space=?)") and "LIMIT" in query.sql and not is_sorted
        if table in TABLES and (is_scan or step.endswith("(space=?)")) and not is_page:
            found.append(step)
    return found


def test_no_statement_scans_a_space_on_sqlite(tmp_path):
    import furnished

    furnished.furnish(tmp_path / "a.db", tmp_path)
    raw = apsw.Connection(str(tmp_path / "a.db"))
    file._teach(raw)
    queries = load("sqlite").values()

    scans = {query.name: found for query in queries if (found := list_sqlite_scans(raw, query))}

    assert {name: found for name, found in scans.items() if not is_explained(name)} == {}
    assert len(scans) > 10  # the rule still sees those that are explained


def test_a_statement_is_planned_once_whatever_runs_in_between(tmp_path):
    import furnished

    furnished.furnish(tmp_path / "a.db", tmp_path)
    raw = file.open_reader(str(tmp_path / "a.db"))
    planned: list[str] = []
    running = ""
    raw.authorizer = lambda *_: planned.append(running) or apsw.SQLITE_OK
    queries = [query for query in load("sqlite").values() if can_run(raw, query)]

    for _ in range(2):
        planned.clear()
        for query in queries:
            running = query.name
            run(raw, query)

    # The vocabulary of the index is asked by a statement that SQLite makes inside.
    assert set(planned) == {"words.frequency"}
    assert len(queries) > 250


def can_run(raw: apsw.Connection, query: Query) -> bool:
    """Whether a statement reads, and takes the values that it gets here."""
    try:
        run(raw, query)
    except (apsw.Error, AttributeError):
        return False
    return True


def run(raw: apsw.Connection, query: Query) -> None:
    names = re.findall(r"(?<!:):([a-z_]+)", query.sql)
    raw.execute(query.sql, dict.fromkeys(names, 1)).fetchall()


@pytest.mark.parametrize("name", ["check.unlike_entries", "check.stray_chunks"])
def test_a_check_seeks_no_entry_for_each_of_its_chunks(tmp_path, name):
    """Seeking an entry takes as long as its text: a long one would be read again and again."""
    import furnished

    furnished.furnish(tmp_path / "a.db", tmp_path)
    raw = file.open_reader(str(tmp_path / "a.db"))

    plan = raw.execute(f"EXPLAIN QUERY PLAN {load('sqlite')[name].sql}", {"space": 1}).fetchall()

    assert [step[3] for step in plan if re.match(r"SEARCH e .*\bid=\?", step[3])] == []
    assert [step[3] for step in plan if step[3].startswith("SEARCH e ")] != []


# --- PostgreSQL -------------------------------------------------------------------------------


def multiply(raw: psycopg.Connection, schema: str) -> None:
    """Give every table of the first space thousands of rows, and let the server count them."""
    raw.execute(f"SET search_path TO {schema}")
    raw.execute("SET session_replication_role = replica")  # rows without their parents
    for table in (*list_space_tables(), chunks()):
        indexed = {
            row[0]
            for row in raw.execute(
                "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid"
                " AND a.attnum = ANY (i.indkey) WHERE i.indrelid = %s::regclass",
                (table.name,),
            )
        } - {"space"}
        types = dict(
            raw.execute(
                "SELECT column_name, data_type FROM information_schema.columns"
                " WHERE table_schema = %s AND table_name = %s",
                (schema, table.name),
            ).fetchall()
        )
        given = ", ".join(vary(name, types[name], name in indexed) for name in types)
        listed = ", ".join(types)
        raw.execute(
            f"INSERT INTO {table.name} ({listed}) SELECT {given} FROM (SELECT {listed}"
            f" FROM {table.name} WHERE space = 1 LIMIT 4) AS t, generate_series(1, 1500) AS n"
            " ON CONFLICT DO NOTHING"
        )
    raw.execute("ANALYZE")
    raw.execute("SET enable_seqscan = off")  # some tables are empty here


def vary(name: str, kind: str, is_indexed: bool) -> str:
    if name == "row":
        return "t.row + n * 1000"
    if not is_indexed:
        return f"t.{name}"
    if kind == "text":
        return f"t.{name} || n"
    return f"t.{name} + n * 1000" if kind in ("bigint", "integer") else f"t.{name}"


def type_times(query: Query) -> str:
    """The statement with the type of a time that is given twice, which the driver knows."""
    sql = re.sub(r"(?<!:):(until|at|due_at)\b(?! IS)", r":\1::bigint", query.sql)
    return translate_query(Query(query.name, query.comment, sql)).sql.decode()


def list_postgres_scans(plan: dict[str, Any]) -> list[str]:
    return [f"{node['Node Type']} on {node['Relation Name']}" for node in _scans(plan, False)]


def _scans(plan: dict[str, Any], is_page: bool) -> Iterator[dict[str, Any]]:
    """Nodes that read all rows of a space; those of a page end after some."""
    kind = plan["Node Type"]
    in_page = kind == "Limit" or (is_page and kind not in ("Sort", "Aggregate", "Hash"))
    condition = plan.get("Index Cond", "")
    inner = [*plan.get("Plans", ())]
    if kind == "Bitmap Heap Scan":
        condition = inner[0].get("Index Cond", "") if inner else ""
        inner = []
    is_wide = re.fullmatch(r"\((\w+\.)?space = [^()]*\)", condition) is not None
    is_of_space = plan.get("Relation Name") in TABLES and kind in PAGE_NODES
    if is_of_space and not in_page and (kind == "Seq Scan" or is_wide):
        yield plan
    for each in inner:
        yield from _scans(each, in_page)


def test_no_statement_scans_a_space_on_postgresql(tmp_path):
    import furnished
    from postgres_server import planned, shared

    url = shared().url()
    furnished.furnish(url, tmp_path)
    with psycopg.connect(shared().dsn("postgres"), autocommit=True) as raw:
        multiply(raw, url.rpartition("schema=")[2])

        scans = {}
        for query in load("postgres").values():
            noun = query.name.split(".")[0]
            if noun in OPEN_TABLES | {"driver"} or not query.is_spaced:
                continue
            if found := list_postgres_scans(planned(raw, type_times(query))):
                scans[query.name] = found

    assert {name: found for name, found in scans.items() if not is_explained(name)} == {}
    assert len(scans) > 10  # the rule still sees those that are explained


@pytest.mark.parametrize("pattern", sorted(EXPLAINED))
def test_every_explained_statement_is_there(pattern):
    assert any(fnmatch(name, pattern) for name in load("sqlite") | load("postgres"))
