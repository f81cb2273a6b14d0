"""Spaces: one can get another name, and go with everything it has, its name included."""

from ricordo.errors import InvalidInput, NameTaken, NotFound
from ricordo.testing.assertions import raises, texts
from ricordo.testing.lab import Lab, durable


def case_a_renamed_space_has_everything_it_had(lab: Lab) -> None:
    """ISO-9"""
    memory = lab.open()
    ana = memory.space("ana")
    seat = ana.remember("prefers window seats", name="seat")
    ana.write("seat", "prefers aisle seats")
    ana.session("trip").append("user", "the tangerine flies to Oslo", key="k1")
    ana.schedule("Water the plants", "every day at 9", name="plants")
    ana.remind("call the bank", cue="bank")
    memory.flush()

    anna = memory.rename("ana", "anna k.")

    assert (memory.spaces(), anna.name) == (["anna k."], "anna k.")
    found = anna.get("seat")
    assert found is not None
    assert (found.uid, found.space, len(anna.history("seat"))) == (seat.uid, "anna k.", 1)
    assert texts(anna.recall("tangerine", mode="keyword")) == ["the tangerine flies to Oslo"]
    assert anna.session("trip").append("user", "again", key="k1").seq == 1
    assert [event.space for event in anna.session("trip").recent()] == ["anna k."]
    assert [each.name for each in anna.schedules.list()] == ["plants"]
    assert [each.text for each in anna.reminders.list()] == ["call the bank"]
    assert ana.entries() == []
    assert memory.check() == []


def case_a_name_that_is_taken_or_wrong_is_refused_and_nothing_changes(lab: Lab) -> None:
    """ISO-9"""
    memory = lab.open()
    memory.space("ana").remember("blue", name="color")
    memory.space("kate").remember("green", name="color")

    with raises(NameTaken, "kate"):
        memory.rename("ana", "kate")
    with raises(NotFound, "nobody"):
        memory.rename("nobody", "somebody")
    for wrong in ("", "  ", 7, "a\0b"):
        with raises(InvalidInput):
            memory.rename("ana", wrong)  # type: ignore[arg-type]
    assert memory.rename("ana", "ana").name == "ana"
    assert memory.spaces() == ["ana", "kate"]
    assert [entry.content for entry in memory.space("ana").entries()] == ["blue"]


def case_names_of_spaces_can_be_exchanged(lab: Lab) -> None:
    """ISO-9, ISO-1"""
    memory = lab.open()
    memory.space("ana").remember("the tangerine is hers", name="a")
    memory.space("kate").remember("the tangerine is not hers", name="k")
    memory.flush()
    for name in memory.spaces():
        memory.space(name).recall("tangerine")  # both have a view in RAM

    memory.rename("ana", "aside")
    memory.rename("kate", "ana")
    memory.rename("aside", "kate")

    assert texts(memory.space("ana").recall("tangerine")) == ["the tangerine is not hers"]
    assert texts(memory.space("kate").recall("tangerine")) == ["the tangerine is hers"]


@durable
def case_others_find_a_renamed_space_under_its_new_name(lab: Lab) -> None:
    """ISO-9"""
    memory = lab.open()
    memory.space("ana").session("trip").append("user", "the tangerine")
    elsewhere = lab.share(memory)
    assert len(elsewhere.space("ana").session("trip").recent()) == 1

    memory.rename("ana", "anna")
    memory.flush()

    assert elsewhere.spaces() == ["anna"]
    assert elsewhere.space("ana").session("trip").recent() == []
    assert len(elsewhere.space("anna").session("trip").recent()) == 1
    assert lab.reopen(memory).spaces() == ["anna"]


def case_a_dropped_space_is_gone_with_its_name(lab: Lab) -> None:
    """ISO-10"""
    memory = lab.open()
    ana, kate = memory.space("persephone"), memory.space("kate")
    kate.remember("likes rain", name="rain")
    ana.remember("the code is 4711-QX", name="door")
    ana.session("trip").append("user", "the tangerine flies")
    ana.schedule("Water the plants", "every day at 9")
    ana.approvals.allow("git status", scope="session")
    ana.forget("door", erase=True)
    planned = memory.drop("persephone", dry_run=True)
    assert memory.spaces() == ["kate", "persephone"]

    receipt = memory.drop("persephone")

    assert (planned.removed["events"], planned.removed["spaces"]) == (1, 1)
    assert (receipt.removed["events"], receipt.removed["spaces"]) == (1, 1)
    assert receipt.remnants in (0, None)
    assert not any("persephone" in told for told in receipt.remains)
    assert memory.spaces() == ["kate"]
    assert [entry.name for entry in kate.entries()] == ["rain"]
    assert (ana.entries(), ana.sessions(), ana.approvals.list()) == ([], [], [])
    with raises(NotFound, "persephone"):
        memory.drop("persephone")
    assert memory.check() == []


@durable
def case_a_space_never_gets_the_number_of_a_dropped_one(lab: Lab) -> None:
    """ISO-10, ISO-1"""
    memory = lab.open()
    memory.space("kate").remember("likes rain", name="rain")
    memory.space("ana").remember("the tangerine is old", name="fruit")
    memory.flush()
    elsewhere = lab.share(memory)
    assert texts(elsewhere.space("ana").recall("tangerine")) == ["the tangerine is old"]

    memory.drop("ana")
    memory.space("ana").remember("the tangerine is new", name="fruit")
    memory.flush()

    assert texts(elsewhere.space("ana").recall("tangerine")) == ["the tangerine is new"]
    assert texts(memory.space("ana").recall("tangerine")) == ["the tangerine is new"]


@durable
def case_a_dropped_space_can_be_copied_in_again(lab: Lab) -> None:
    """ISO-10"""
    memory, other = lab.open(), lab.open()
    memory.space("ana").remember("the tangerine", name="fruit")
    memory.copy(lab.url(other))
    other.drop("ana")

    (copied,) = memory.copy(lab.url(other))

    assert copied.changed
    assert [entry.name for entry in other.space("ana").entries()] == ["fruit"]
