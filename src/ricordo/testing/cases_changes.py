"""Changes: what happened in a space, of every kind, in one list."""

from datetime import timedelta

from ricordo import Run
from ricordo.errors import InvalidInput, NotFound
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab


def case_changes_list_everything_newest_first(lab: Lab) -> None:
    """CHG-1"""
    memory = lab.open()
    space = memory.space("ana")
    chat = space.session("trip")
    chat.append("user", "A window seat, always")
    space.remember("Prefers window seats", name="seat")
    space.write("seat", "Prefers the front")
    space.ingest("Cod is dried on racks.", uri="doc://cod")
    space.recall("front", asker="user", kinds=["note"])
    space.remind("Call the bank", at=timedelta(days=1))
    space.schedule("Report", timedelta(seconds=60), name="report")
    space.remember("gone", name="gone")
    space.forget("gone", erase=True)

    found = space.exchange.changes()

    kinds = {change.kind for change in found}
    assert {"event", "entry", "revision", "document", "signal", "reminder", "erasure"} <= kinds
    assert [change.at for change in found] == sorted((c.at for c in found), reverse=True)
    assert len({change.id for change in found}) == len(found)
    texts = [change.text for change in found if change.kind in ("entry", "revision")]
    assert sorted(texts) == ["Prefers the front", "Prefers window seats"]
    assert not any("gone" in change.text for change in found if change.kind != "erasure")


def case_changes_are_of_the_kinds_and_as_many_as_asked_for(lab: Lab) -> None:
    """CHG-1"""
    space = lab.space()
    chats = [space.session(name) for name in ("one", "two")]
    for number in range(6):
        chats[number % 2].append("user", f"message {number}")
    space.remember("a note")

    found = space.exchange.changes(3, kinds=["event"])

    assert {change.kind for change in found} == {"event"}
    assert len(found) == 3
    with raises(InvalidInput):
        space.exchange.changes(kinds=["memory"])  # type: ignore[list-item]


def case_changes_of_conversations_kept_at_once_come_by_their_own_times(lab: Lab) -> None:
    """CHG-1: a history that was imported is as old as it was."""
    space = lab.space()
    now = lab.clock()
    for number in range(9):
        times = [now - timedelta(days=number, minutes=minute) for minute in (2, 1)]
        lines = [{"role": "user", "content": f"{number}", "at": at} for at in times]
        space.session(f"old {9 - number}").extend(lines)
    old = space.exchange.changes(4, kinds=["event"])
    space.session("late").append("user", "now")
    space.session("late").append("user", "long ago", at=now - timedelta(days=900))

    found = space.exchange.changes(4, kinds=["event"])

    assert [change.text for change in old] == ["0", "0", "1", "1"]
    assert [change.text for change in found] == ["now", "0", "0", "1"]


def case_a_new_message_is_a_change_though_older_ones_follow_it(lab: Lab) -> None:
    """CHG-1: an assistant's history may be added to a conversation that goes on."""
    space = lab.space()
    now = lab.clock()
    trip = space.session("trip")
    trip.append("user", "now")
    times = [now - timedelta(days=900, minutes=minute) for minute in range(60)]
    trip.extend([{"role": "user", "content": "long ago", "at": at} for at in times])
    for number in range(4):
        at = now - timedelta(days=number + 1)
        space.session(f"other {number}").append("user", f"{number}", at=at)

    found = space.exchange.changes(3, kinds=["event"])

    assert [change.text for change in found] == ["now", "0", "1"]


def case_changes_of_another_space_are_not_listed(lab: Lab) -> None:
    """CHG-1, ISO-1"""
    memory = lab.open()
    memory.space("ana").remember("hers")

    assert memory.space("kate").exchange.changes() == []


def case_runs_and_sweeps_are_changes(lab: Lab) -> None:
    """CHG-1"""
    memory = lab.open()
    space = memory.space("ana")
    space.schedule("Report", timedelta(seconds=60), name="report", keep=True)
    lab.clock.advance(seconds=65)
    for claim in memory.claim(5, "worker", 60):
        memory.finish(claim, Run(output="sent"))
    space.remember("Prefers window seats", name="seat")
    space.dream()

    found = {change.kind: change for change in space.exchange.changes()}

    run = found["run"]
    assert (run.text, run.about, run.name) == ("sent", "success", "report")
    assert found["sweep"].name == "1"


def case_chunks_of_a_document_are_listed_in_order(lab: Lab) -> None:
    """FIL-1"""
    space = lab.space()
    space.ingest("# Fish\n\nCod is dried.\n\n# Bread\n\nRye is sour.\n", uri="food.md")

    chunks = space.documents.chunks("food.md")

    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    assert len(chunks) == space.documents.list()[0].chunks
    assert "Cod" in chunks[0].text
    assert chunks[-1].line_end in (7, 8)
    with raises(NotFound):
        space.documents.chunks("other.md")


def case_signals_of_a_session_are_those_asked_in_it(lab: Lab) -> None:
    """CHG-1"""
    space = lab.space()
    space.remember("Prefers window seats", name="seat")
    space.session("trip").append("user", "where do I sit?")
    space.session("trip").context("window seats")
    space.recall("window seats", asker="user")

    asked = space.dreams.signals(session="trip")

    assert {signal.session for signal in asked} <= {"trip"}
    assert len(space.dreams.signals()) > len(asked)
