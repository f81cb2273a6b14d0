"""Consolidation in the background."""

import threading
from datetime import timedelta

import pytest

import ricordo
from ricordo.errors import InvalidInput


def test_a_consolidator_visits_every_space(lab):
    """ARC-7"""
    memory = lab.open()
    for name in ("ana", "ben"):
        memory.space(name).session("trip").append("user", "I live in Bergen", importance=0.9)
    lab.clock.advance(hours=2)

    done = ricordo.Consolidator(memory).run()

    assert {name: result.events for name, result in done.items()} == {"ana": 1, "ben": 1}


def test_it_runs_by_itself_after_one_interval(lab):
    memory = lab.open()
    memory.space("ana").session("trip").append("user", "I live in Bergen", importance=0.9)
    lab.clock.advance(hours=2)
    seen = threading.Event()

    def model(previous, events):
        seen.set()
        return "Ana lives in Bergen"

    with ricordo.Consolidator(memory, every=timedelta(milliseconds=5), model=model):
        assert seen.wait(30)

    assert memory.space("ana").get("consolidated-trip-1").content == "Ana lives in Bergen"


def test_an_interval_must_be_above_zero(memory):
    with pytest.raises(InvalidInput, match="every"):
        ricordo.Consolidator(memory, every=timedelta(0))


def test_two_passes_at_once_consolidate_an_event_once(lab):
    space = lab.space()
    space.session("trip").append("user", "The ferry leaves at nine", importance=0.9)
    lab.clock.advance(hours=2)
    barrier = threading.Barrier(2)
    done = []

    def model(previous, events):
        barrier.wait(30)
        return "a ferry"

    threads = [threading.Thread(target=lambda: done.append(space.consolidate(model))) for _ in "ab"]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(result.events for result in done) == [0, 1]
    assert len(space.entries()) == 1
