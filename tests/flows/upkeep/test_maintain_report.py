"""The report of upkeep: what went, counted once, and what would go."""

from datetime import timedelta

import pytest
from ageing import SHORT_LIVED, rows

import ricordo
from ricordo.flows.upkeep import maintain


def test_a_dry_run_counts_the_same_and_changes_nothing(aged):
    space = aged.space("ana")
    space.remember("Lisbon", name="home", expires_at=aged._engine.clock() + timedelta(hours=1))
    aged._engine.clock.advance(days=1)
    aged.flush()
    before = aged.stats()

    planned = aged.maintain(dry_run=True)

    assert planned.dry_run
    assert aged.stats() == before
    done = aged.maintain()
    assert planned.removed == {name: done.removed[name] for name in planned.removed}
    assert set(planned.removed) == {"entries", "events"}


def test_an_entry_that_is_due_for_two_reasons_is_counted_once(lab):
    memory = lab.open(config={"daily_days": 30})
    until = lab.clock() + timedelta(days=1)
    memory.space("ana").remember("rain", category="daily", expires_at=until)
    lab.clock.advance(days=31)

    planned = memory.maintain(dry_run=True)

    assert planned.removed == {"entries": 1}
    assert memory.maintain().removed["entries"] == 1


def test_a_second_run_finds_nothing_more(aged):
    aged.maintain()

    again = aged.maintain()

    assert again.removed == {}
    assert (again.orphans, again.pending, again.erased) == (0, 0, 0)


def test_more_than_one_batch_is_taken_away(lab):
    memory = lab.open(config={"max_signals": 0})
    space = memory.space("ana")
    space.remember("the fox", name="fox")
    signal = ("fox", 1)
    for _ in range(maintain.BATCH + 10):
        space.recall(*signal, mode="keyword")
    memory.flush()
    lab.clock.advance(days=91)

    assert memory.maintain().removed == {"signals": maintain.BATCH + 10}


def test_orphans_are_counted_and_not_touched(lab):
    memory = lab.open(config=SHORT_LIVED)
    memory.space("ana").remember("the fox", name="fox")
    memory.flush()
    raw = memory._engine.store._open_writer().raw
    raw.execute("PRAGMA foreign_keys=OFF").fetchall()
    raw.execute("DELETE FROM names").fetchall()
    raw.execute("DELETE FROM entries").fetchall()

    assert memory.maintain().orphans == 1
    assert rows(memory, "chunks") == 1
    lab.forget(memory)
    memory.close()


def test_a_memory_that_is_not_there_yet_is_not_made_by_looking_after_it(tmp_path):
    with ricordo.open(tmp_path / "a.db", embedder="hash") as memory:
        assert memory.maintain().removed == {}

    assert list(tmp_path.iterdir()) == []


def test_a_memory_opened_for_reading_is_refused_but_for_a_dry_run(lab, tmp_path):
    memory = lab.open(config=SHORT_LIVED)
    memory.space("ana").remember("x", name="x")

    with ricordo.open(lab.url(memory), embedder="hash", read_only=True) as reader:
        assert reader.maintain(dry_run=True).removed == {}
        with pytest.raises(ricordo.StoreError, match="read-only"):
            reader.maintain()
