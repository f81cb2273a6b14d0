"""Sweeps by their settings: which signals count, for how long, and what passes the gates."""

from datetime import timedelta

import pytest
from sweeping import AT, ask, hot

import ricordo
from ricordo import InvalidInput, Settings, StoreError
from ricordo.flows.signals import find_most


def test_concept_tags_that_are_missing_are_filled_in_and_found(memory, ana):
    ana.remember("window seats by openai", name="seat")

    def blank(tx):
        tx.entries.update(1, tx.entries.row(1, 1)._replace(concept_tags="[]"))

    memory._engine.store.write(blank)
    ask(ana, "window", "seats", "openai")
    before = ana.get("seat")

    ana.dream()

    after = ana.get("seat")
    assert before.concept_tags == ()
    assert "openai" in after.concept_tags
    assert (after.content, after.updated_at) == (before.content, before.updated_at)
    assert ana.history("seat") == []
    assert memory.check() == []


def test_a_memory_opened_for_reading_can_only_try_a_sweep(lab, folder):
    memory = lab.open(config={"workspace": str(folder)})
    hot(memory.space("ana"), "seat")
    memory = lab.reopen(memory, config={"workspace": str(folder)}, read_only=True)

    assert [each.entry for each in memory.space("ana").dream(dry_run=True).promoted] == ["seat"]
    with pytest.raises(StoreError, match="read-only"):
        memory.space("ana").dream()
    lab.forget(memory)
    memory.close()


def test_signals_go_after_their_time_and_are_kept_for_ever_on_request(lab):
    for days, left in ((90, 0), (0, 3), (200, 3)):
        memory = lab.open(config={"signal_days": days})
        hot(memory.space("ana"), "seat")
        lab.clock.advance(days=91)
        memory.space("ana").dream()
        assert memory.stats().signals == left


def test_pruning_removes_the_oldest_and_keeps_the_recent(memory, ana, lab):
    """RET-2"""
    for number in range(5):
        ana.remember(f"window {number}")
    ask(ana, "window")
    memory.flush()
    store = memory._engine.store
    before = memory._engine.now()
    ask(ana, "window")
    memory.flush()

    assert store.write(lambda tx: tx.signals.prune(1, before, limit=3)) == 3
    assert store.write(lambda tx: tx.signals.prune(1, before)) == 2
    assert store.write(lambda tx: tx.signals.prune(1, before)) == 0
    assert memory.stats().signals == 5


@pytest.mark.parametrize(
    ("config", "most"),
    [
        ({}, 32),
        ({"max_signals": 0}, None),
        ({"max_signals": 1}, 20),
        ({"dream_min_recalls": 100}, 100),
        ({"dream_min_queries": 100}, 200),
    ],
)
def test_so_many_signals_stay_that_every_gate_can_be_passed(config, most):
    assert find_most(Settings(**config)) == most


def test_the_gates_are_settings(lab):
    strict = lab.space(config={"dream_min_score": 0.8})
    loose = lab.space(config={"dream_min_recalls": 1, "dream_min_queries": 1})
    for space in (strict, loose):
        space.remember("seats by the window", name="seat")
    ask(strict, "window", "seats", "by the window")
    ask(loose, "window")

    assert strict.dream().promoted == ()
    assert [each.entry for each in loose.dream().promoted] == ["seat"]
    for bad in (0, -1, "x", True, float("inf")):
        with pytest.raises(InvalidInput, match="dream_min_score"):
            ricordo.open(":memory:", config={"dream_min_score": bad})


def test_a_sweep_of_another_space_is_refused(memory, ana):
    ben = memory.space("ben")
    for space in (ana, ben):
        hot(space, "seat")
    ana.dream()
    other = ben.dream()

    with pytest.raises(InvalidInput, match="space 'ben', not to 'ana'"):
        ana.dreams.undo(other)

    assert len(ana.dreams.promotions()) == len(ben.dreams.promotions()) == 1


def test_the_half_life_is_a_setting_that_the_environment_may_give(monkeypatch):
    monkeypatch.setenv("RICORDO_DREAM_HALF_LIFE_DAYS", "3.5")

    from ricordo import config

    assert config.load(None).dream_half_life_days == 3.5
    assert Settings().dream_half_life_days == 7.0


def test_weeks_without_a_recall_make_an_entry_less_recent(ana, lab):
    hot(ana, "seat")
    lab.clock.at(AT + timedelta(days=7))

    (promotion,) = ana.dream(dry_run=True).promoted

    assert round(promotion.parts["recency"], 3) == 0.5
