"""Sweeps one at a time: a lease per space, between processes too."""

import subprocess

import pytest
from sweeping import hot, ledger, listed

from ricordo import Conflict
from ricordo.flows.learning import dream_files, dream_lease
from ricordo.flows.time import owners
from ricordo.testing.cases_dreaming import sweep_often

LATER = 10**17  # microseconds: far ahead, and still in the calendar


def test_a_second_sweep_is_refused_while_one_is_under_way(memory, ana):
    with dream_lease.hold_lease(memory._engine, "ana"):
        with pytest.raises(Conflict, match="being swept"):
            ana.dream()
        assert ana.dream(dry_run=True).dry_run
        memory.space("ben").dream()

    assert ana.dream().id == 1


def test_two_processes_that_sweep_and_forget_at_once_leave_files_and_ledger_alike(
    lab, folder, monkeypatch
):
    monkeypatch.setenv("RICORDO_WORKSPACE", str(folder))
    memory = lab.open()
    ana = memory.space("ana")
    hot(ana, "seat", "aisle", "desk")
    with lab.team(memory) as team:
        team.start(sweep_often, "ana", 20)
        here = sweep_often(memory, "ana", 10)
        ana.forget("aisle")
        here += sweep_often(memory, "ana", 10)
        there = team.answer()

    assert sorted({*here, *there}) == sorted(here + there)
    assert dream_files.finish(memory._engine, "ana")
    assert listed(folder) == ledger(ana) == [1, 3]
    assert "aisle" not in (folder / "ana/DREAMS.md").read_text("utf-8")


def test_a_lease_ends_with_its_process_or_with_its_time(memory, ana, lab):
    gone = subprocess.Popen(["true"])
    gone.wait()
    owner = f"{owners._host()}/{gone.pid}/x/y"
    engine = memory._engine
    ana.dream()

    def leave(owner: str) -> None:
        until = engine.now() + dream_lease.LEASE
        engine.store.write(lambda tx: tx.sweeps.hold(1, owner, until))

    leave(owner)
    assert ana.dream().id == 2
    assert not engine.store.write(lambda tx: tx.sweeps.hold(1, "late/1/x/y", LATER, before=owner))
    leave("elsewhere/1/x/y")
    with pytest.raises(Conflict):
        ana.dream()
    lab.clock.advance(minutes=3)
    assert ana.dream().id == 3


def test_a_sweep_that_lost_its_lease_writes_nothing(memory, ana):
    hot(ana, "seat")
    engine = memory._engine
    with dream_lease.hold_lease(engine, "ana") as lease:
        engine.store.write(lambda tx: tx.sweeps.hold(lease.space, "e/1/x/y", LATER, lease.owner))
        with pytest.raises(Conflict, match="took too long"):
            engine.store.write(lambda tx: dream_lease.confirm(tx, lease, "ana"))
