"""Stored times: one that no calendar has is found in every table, and salvage puts it right.

The columns are read off the schema, and the file is one of a released schema with a row in every
table. Reading such a time raises; after a salvage everything can be read.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import furnished
import pytest
import released

import ricordo
from backends import BACKENDS, urls
from ricordo import Memory
from ricordo.core.time.times import replace_times
from ricordo.store import schema
from ricordo.store.catalogue import Query
from ricordo.store.codec import FIRST, LAST
from ricordo.store.seals import LISTS
from ricordo.store.sqlite import file

# Numbers that are not times. A new column is named here, or named as times are.
NUMBERS = {
    "id", "space", "entry", "chunk", "signal", "number", "model", "sweep", "target",
    "next_entry", "next_chunk", "next_signal", "revision", "pruned", "documents", "tokens",
    "seq", "last_seq", "first_seq", "seq_start", "seq_end", "events", "part", "upto", "epoch",
    "length", "words", "marks", "chunks", "attempts", "calls", "tokens_in", "tokens_out", "day",
    "canonical", "is_filed", "allow", "trusted", "notified",  # yes or no
    "pin", "mute", "embed_name", "rewrites",
    "keep", "failures", "fence", "turns", "times", "used_count", "cut",
    "record", "ttl", "candidates", "skipped", "withdrawn", "hits", "queries", "days",
}  # fmt: skip


def test_every_number_of_the_schema_is_a_time_or_known_to_be_none():
    raw = file.in_ram()
    for table in [
        schema.space_row(),
        schema.counters(),
        schema.chunks(),
        *schema.list_space_tables(),
    ]:
        told = raw.execute(f"PRAGMA table_info({table.name})").fetchall()
        numbers = {row[1] for row in told if row[2] == "INTEGER"} & set(table.columns)
        assert numbers - NUMBERS == set(table.times), table.name
    raw.close()


def columns() -> dict[str, tuple[str, ...]]:
    known = [schema.space_row(), schema.chunks(), *schema.list_space_tables()]
    return {table.name: table.times for table in known if table.times}


def spoil(path: Path, table: str, column: str, value: int) -> None:
    """Give the first row of a table a time that no calendar has."""
    raw = apsw.Connection(str(path))
    file._teach(raw)
    raw.execute("PRAGMA foreign_keys=OFF").fetchall()
    told = raw.execute(f"PRAGMA table_info({table})").fetchall()
    key = [row[1] for row in told if row[5]]
    named = ", ".join(key)
    raw.execute(
        f"UPDATE {table} SET {column} = ? WHERE ({named}) IN "
        f"(SELECT {named} FROM {table} ORDER BY {column} IS NULL, {named} LIMIT 1)",
        (value,),
    ).fetchall()
    assert raw.total_changes() == 1
    raw.close()


def fill_newer_tables(path: Path) -> Path:
    """The file of an older schema, with a row in the tables that came later."""
    released.unpack(8, path)
    with ricordo.open(path, embedder="none", keep=False) as memory:
        chat = memory.space("ana").session("trip")
        old = chat.summary()
        assert chat.write_summary("They fly", old.upto, old.epoch).applied
        for value in (1, 2):
            memory.space("ana").records("shelf", history=True).put("k", value, ttl=10**9)
    return path


def test_check_names_every_time_that_no_calendar_has(tmp_path):
    path = fill_newer_tables(tmp_path / "a.db")
    for number, (table, names) in enumerate(columns().items()):
        for name in names:
            spoil(path, table, name, FIRST - 1 if number % 2 else LAST + 1)

    with ricordo.open(path, embedder="none", keep=False) as memory:
        found = [violation for violation in memory.check() if violation.rule == "time"]

    named = defaultdict(set)
    for violation in found:
        named[violation.where.split("/")[1]].add(violation.detail.split()[0])
    assert dict(named) == {table: set(names) for table, names in columns().items()}


def rounds() -> Iterator[dict[str, str]]:
    """Every column of a time once, one of each table at a time."""
    for number in range(max(map(len, columns().values()))):
        yield {table: names[number] for table, names in columns().items() if number < len(names)}


WRONG = (FIRST - 1, LAST + 1, 2**63 - 1, -(2**63))


@pytest.mark.parametrize("has_seals", [True, False])
def test_after_a_salvage_every_time_can_be_read(tmp_path, has_seals):
    for number, spoiled in enumerate(rounds()):
        path = fill_newer_tables(tmp_path / f"{number}.db")
        if not has_seals:
            unseal(path)
        for table, column in spoiled.items():
            spoil(path, table, column, WRONG[number % len(WRONG)])

        done = ricordo.salvage(path, tmp_path / f"new{number}.db")

        derived = {"chunks", "due", "failures", "pending"}
        assert len(done.lost) >= len(spoiled.keys() - derived - {"sessions", "events"})
        with ricordo.open(tmp_path / f"new{number}.db", **furnished.OPTIONS) as memory:
            assert memory.check() == []
            read_everything(memory, tmp_path / f"{number}.jsonl")


def unseal(path: Path) -> None:
    """Make the memory one from before there were seals."""
    raw = apsw.Connection(str(path))
    file._teach(raw)
    for table in LISTS:
        raw.execute(f"UPDATE {table} SET seal = NULL").fetchall()
    raw.close()


def read_everything(memory: Memory, path: Path) -> None:
    """Call every method that reads, for whatever is there."""
    memory.stats()
    for number, name in enumerate(memory.spaces()):
        space = memory.space(name)
        for entry in space.entries(limit=100):
            space.history(entry.id)
            space.get(entry.id, as_of=datetime(2026, 1, 7, tzinfo=UTC))
        for info in space.sessions():
            chat = space.session(info.session)
            chat.events()
            chat.replay()
            chat.restore()
            chat.summary()
            chat.summaries()
            chat.scratchpad_at()
            chat.context("seat", budget=500)
        for schedule in space.schedules.list():
            space.schedules.runs(schedule)
            space.schedules.upcoming(schedule)
        space.recall("window seat")
        lists = (
            space.reminders.list, space.reminders.due, space.documents.list, space.dreams.list,
            space.dreams.signals, space.dreams.spending, space.dreams.promotions,
            space.macros.list, space.approvals.list, space.stats,
        )  # fmt: skip
        for read in lists:
            read()
        space.exchange.export(path.with_suffix(f".{number}.jsonl"))
    memory.claim(10)
    memory.claim_reminders(10)
    memory.maintain(dry_run=True)


def test_an_entry_takes_its_other_times_and_does_not_expire(tmp_path):
    path = tmp_path / "a.db"
    day = datetime(2026, 1, 5, tzinfo=UTC)
    with ricordo.open(path, clock=lambda: day, embedder="none") as memory:
        memory.space("ana").remember("x", name="x", expires_at=datetime(2099, 1, 1, tzinfo=UTC))
    spoil(path, "entries", "updated_at", LAST + 1)
    spoil(path, "entries", "expires_at", FIRST - 1)

    done = ricordo.salvage(path, tmp_path / "new.db")

    assert any("updated_at is 2026-01-05" in line for line in done.lost)
    assert any("expires_at is empty now" in line for line in done.lost)
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        entry = memory.space("ana").get("x")
        assert entry is not None
        assert (entry.created_at, entry.updated_at, entry.expires_at) == (day, day, None)
        assert memory.check() == []


def test_an_event_at_a_time_that_is_not_valid_stays_behind_though_its_space_is_lost(tmp_path):
    path = tmp_path / "a.db"
    with ricordo.open(path, embedder="none") as memory:
        for number in range(3):
            memory.space("ana").session("s").append("user", f"line {number}")
    spoil(path, "events", "at", LAST + 1)
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA foreign_keys=OFF").fetchall()
    raw.execute("DELETE FROM spaces").fetchall()
    raw.close()

    done = ricordo.salvage(path, tmp_path / "new.db")

    assert any("event 1 does not verify" in line for line in done.lost)
    with ricordo.open(tmp_path / "new.db", embedder="none") as memory:
        assert memory.check() == []
        assert len(memory.space("salvaged-1").session("s").events()) == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_server_is_asked_for_its_times_too(backend, tmp_path):
    query = Query("tests.spoil", "", f"UPDATE names SET since = {LAST + 1} WHERE space = :space")

    def work(tx: Any) -> None:
        tx.run(query, space=tx.spaces.number("ana"))

    with urls(backend, tmp_path) as make, ricordo.open(make(), embedder="none") as memory:
        memory.space("ana").remember("x", name="x")
        memory._engine.store.write(work)

        found = memory.check()

    assert [(each.rule, each.where) for each in found] == [
        ("seal", "ana/names/x"),
        ("time", "ana/names/x"),
    ]


def test_a_wrong_time_takes_the_nearest_that_can_be_trusted():
    times = {"created_at": 10, "updated_at": 2**62, "since": 30, "expires_at": 99}

    assert replace_times(times, ["updated_at"], 50)["updated_at"] == 30
    assert replace_times(times, ["created_at", "updated_at"], 50)["created_at"] == 30
    assert replace_times(times, ["updated_at", "expires_at"], 50)["expires_at"] is None
    assert replace_times({"at": -(2**62)}, ["at"], 50) == {"at": 50}
