"""Writes beyond one text at a time: batches, earlier times, expiry, and only if nothing changed."""

from datetime import timedelta
from typing import Any

from ricordo.errors import Conflict, InvalidInput
from ricordo.testing.assertions import raises, texts
from ricordo.testing.lab import Lab


def case_many_entries_are_written_together(lab: Lab) -> None:
    """ENT-18"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("old", name="seat")

    written = space.remember_many(
        ["a plain text", {"content": "new", "name": "seat", "tags": ["t"]}, {"content": "third"}]
    )

    assert [entry.content for entry in written] == ["a plain text", "new", "third"]
    assert len(space.entries()) == 3
    assert [old.content for old in space.history("seat")] == ["old"]
    assert texts(space.recall("plain", mode="keyword")) == ["a plain text"]
    assert space.remember_many([]) == []


def case_a_batch_with_one_bad_entry_changes_nothing(lab: Lab) -> None:
    """ENT-18"""
    space = lab.space()
    space.remember("kept", name="taken")
    bad: list[Any] = [
        {"content": " "},
        {"name": "x"},
        {"content": "x", "colour": "red"},
        3,
        {"content": "x", "aliases": ["taken"]},
    ]

    for each in bad:
        with raises(InvalidInput if "aliases" not in str(each) else Conflict):
            space.remember_many(["good", each])
    with raises(InvalidInput, "one text"):
        space.remember_many("good")

    assert [entry.content for entry in space.entries()] == ["kept"]


def case_an_entry_may_be_of_an_earlier_time(lab: Lab) -> None:
    """ENT-19"""
    space = lab.space()
    then = lab.clock() - timedelta(days=400)

    entry = space.remember("learnt long ago", name="old", at=then)

    assert entry.created_at == entry.updated_at == then
    assert space.get("old", as_of=then + timedelta(days=1)) == entry
    assert texts(space.recall("learnt", until=then + timedelta(days=1))) == ["learnt long ago"]
    with raises(InvalidInput, "still to come"):
        space.remember("x", at=lab.clock() + timedelta(days=1))


def case_expiry_is_set_moved_and_cleared_without_a_revision(lab: Lab) -> None:
    """ENT-20"""
    space = lab.space()
    space.remember("the code is 4711", name="code", ttl=60)
    first = space.get("code")
    assert first is not None
    assert first.expires_at is not None
    assert first.expires_at - first.updated_at <= timedelta(seconds=60)

    moved = space.remember("the code is 4711", name="code", ttl=timedelta(hours=2))

    assert moved.expires_at is not None
    assert moved.expires_at > first.expires_at + timedelta(hours=1)
    lab.clock.advance(hours=1)
    assert texts(space.recall("code", mode="keyword")) == ["the code is 4711"]
    lab.clock.advance(hours=2)
    assert space.get("code") is None
    assert space.recall("code", mode="keyword") == []
    kept = space.remember("the code is 4711", name="code", expires_at="never")
    assert kept.expires_at is None
    assert texts(space.recall("code", mode="keyword")) == ["the code is 4711"]
    assert space.history("code") == []
    for given in ({"ttl": 0}, {"ttl": "7d"}, {"expires_at": "soon"}, {"ttl": float("nan")}):
        with raises(InvalidInput):
            space.remember("x", **given)
    with raises(InvalidInput, "both"):
        space.remember("x", ttl=5, expires_at=lab.clock())


def case_the_alias_of_an_expired_entry_is_free(lab: Lab) -> None:
    """ENT-20"""
    space = lab.space()
    space.remember("first", name="one", aliases=["key"], ttl=60)
    lab.clock.advance(hours=1)

    space.remember("second", name="two", aliases=["key"])

    found = space.get("key")
    assert found is not None
    assert found.name == "two"


def case_a_write_may_depend_on_the_revision(lab: Lab) -> None:
    """ENT-21"""
    space = lab.space()
    first = space.remember("window", name="seat", if_revision=0)
    assert first.revision == 1

    second = space.remember("aisle", name="seat", if_revision=1)
    assert second.revision == 2
    assert space.write("seat", "middle", if_revision=2).revision == 3

    with raises(Conflict, "has revision 3, not 1"):
        space.remember("late", name="seat", if_revision=1)
    with raises(Conflict, "has revision 3, not 2"):
        space.write("seat", "late", if_revision=2)
    with raises(Conflict, "has revision 3, not 0"):
        space.remember("late", name="seat", if_revision=0)
    with raises(Conflict, "there is no entry"):
        space.remember("late", name="other", if_revision=1)
    with raises(InvalidInput, "if_revision"):
        space.write("seat", "late", if_revision=-1)
    found = space.get("seat")
    assert found is not None
    assert (found.content, found.revision) == ("middle", 3)
    assert [entry.revision for entry in space.entries()] == [3]
    # Saying the same again, or pinning it, makes no revision.
    assert space.remember("middle", name="seat", pin=True).revision == 3
