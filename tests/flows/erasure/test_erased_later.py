"""Erasure that cannot be finished at once: pending, and finished by upkeep."""

from canaries import SECRET, hits, more, talk

import ricordo
from ricordo.flows.erasure import erase as erasing


def hold(memory: ricordo.Memory) -> str:
    """Begin to read and do not end."""
    reading = memory._engine.store.read()
    memory.__dict__["held"] = reading
    tx = reading.__enter__()
    return str(tx.spaces.names())


def let_go(memory: ricordo.Memory) -> None:
    memory.__dict__.pop("held").__exit__(None, None, None)


def test_while_another_process_reads_erasure_is_pending_and_upkeep_finishes_it(lab, memory):
    space = memory.space("ana")
    space.remember(SECRET, name="secret")
    more(memory)
    with lab.team(memory) as other:
        assert "ana" in other.ask(hold)

        receipt = space.forget("secret", erase=True)

        assert receipt.pending
        assert receipt.remnants > 0
        assert hits(memory, SECRET.encode()) > 0
        assert space.get("secret") is None
        assert memory.maintain(dry_run=True).pending == 1
        still = memory.maintain()
        assert (still.pending, still.erased) == (1, 0)
        other.ask(let_go)
        done = memory.maintain()

    assert (done.pending, done.erased) == (0, 1)
    assert hits(memory, SECRET.encode()) == 0


def test_an_erasure_cut_off_by_a_crash_is_finished_by_upkeep(lab, memory, tmp_path):
    chat = talk(memory)
    chat.compact(folder=tmp_path)
    [file] = (tmp_path / "conversations").iterdir()
    more(memory)
    # All but the physical part, as after a kill between the two.
    erasing._delete_session(memory._engine, "ana", chat.name, buries=True)
    assert hits(memory, SECRET.encode()) > 0
    assert file.exists()

    assert memory.maintain().erased == 1
    assert hits(memory, SECRET.encode()) == 0
    assert not file.exists()
