"""A copy is the same memory in another place: whole, proven, and never half believed."""

import contextlib

import pytest

import ricordo
from ricordo.store.tables import raw_rows
from ricordo.testing import Lab


class BrokenOff(Exception):
    """What a person does who presses Ctrl-C."""


def fill(memory: ricordo.Memory, space: str = "ana", events: int = 30) -> ricordo.Space:
    handle = memory.space(space)
    chat = handle.session("trip")
    chat.extend(
        [{"role": "user", "content": f"{space} saw bird number {n}"} for n in range(events)]
    )
    handle.remember("Prefers window seats", name="seat", tags=["travel"], aliases=["chair"])
    handle.write("seat", "Prefers aisle seats")
    handle.remember("A note that goes", name="gone")
    handle.forget("gone")
    handle.remember("A secret that goes for good", name="secret")
    handle.forget("secret", erase=True)
    handle.fact("user", "dog_name", "Rex")
    handle.schedule("Send the report", "every weekday at 8:30")
    handle.remind("Ask for the invoice", cue="project Atlas")
    chat.write_scratchpad(["buy bread"])
    handle.recall("window")
    memory.flush()
    return handle


def target_of(lab: Lab) -> str:
    """The path of a memory that is not there yet."""
    other = lab.open()
    path = lab.url(other)
    lab.forget(other)
    other.close()
    return path


def shown(memory: ricordo.Memory, space: str = "ana") -> list[object]:
    handle = memory.space(space)
    chat = handle.session("trip")
    return [
        chat.events(),
        handle.entries(),
        handle.history("seat"),
        handle.schedules.list(),
        handle.reminders.list(),
        chat.scratchpad(),
        handle.dreams.signals(),
        [(hit.text, hit.score) for hit in handle.recall("which bird was number 7?", asker=None)],
    ]


def test_a_copy_shows_what_the_source_shows_and_goes_on(lab: Lab, memory: ricordo.Memory):
    fill(memory)
    fill(memory, "bo")
    path = target_of(lab)

    copied = memory.copy(path)

    assert [(item.space, item.changed) for item in copied] == [("ana", True), ("bo", True)]
    assert copied[0].rows["events"] == 30
    other = lab._open_memory(path, {})
    for space in ("ana", "bo"):
        assert shown(other, space) == shown(memory, space)
    assert other.check() == []
    other.space("ana").session("trip").append("user", "and one more heron")
    other.flush()
    assert other.space("ana").recall("heron")[0].text == "and one more heron"
    assert other.check() == []


def test_one_space_is_copied_beside_others(lab: Lab, memory: ricordo.Memory):
    fill(memory)
    fill(memory, "bo")
    other = lab.open()
    fill(other, "cy", events=5)

    memory.copy(lab.url(other), space="bo")

    assert other.spaces() == ["bo", "cy"]
    assert shown(other, "bo") == shown(memory, "bo")
    assert other.space("bo").recall("cy bird number 2", mode="keyword", asker=None)[0].text != (
        "cy saw bird number 2"
    )
    assert other.check() == []


def test_a_second_copy_changes_nothing(lab: Lab, memory: ricordo.Memory):
    fill(memory)
    path = target_of(lab)
    memory.copy(path)

    again = memory.copy(path)

    assert [item.changed for item in again] == [False]


def test_a_copy_that_was_broken_off_goes_on(lab: Lab, memory: ricordo.Memory, monkeypatch):
    monkeypatch.setattr("ricordo.store.tables.raw_rows.PAGE", 7)
    fill(memory)
    path = target_of(lab)
    seen: list[int] = []

    def stop(done: int, total: int) -> None:
        seen.append(done)
        if len(seen) == 9:
            raise BrokenOff

    with pytest.raises(BrokenOff):
        memory.copy(path, progress=stop)
    rest: list[int] = []
    memory.copy(path, progress=lambda done, _: rest.append(done))

    assert len(rest) > 3
    assert rest[0] > seen[-2]  # what was there already is not written again
    assert shown(lab._open_memory(path, {})) == shown(memory)


def test_a_source_that_changed_between_two_attempts_is_copied_as_it_is_now(
    lab: Lab, memory: ricordo.Memory, monkeypatch
):
    monkeypatch.setattr("ricordo.store.tables.raw_rows.PAGE", 7)
    ana = fill(memory)
    path = target_of(lab)

    def stop(done: int, total: int) -> None:
        if done > total - 5:
            raise BrokenOff

    with pytest.raises(BrokenOff):
        memory.copy(path, progress=stop)
    ana.forget("seat")
    ana.session("trip").append("user", "said between the attempts")
    memory.flush()

    memory.copy(path)

    other = lab._open_memory(path, {})
    assert other.space("ana").get("seat") is None
    assert other.space("ana").session("trip").events()[-1].content == "said between the attempts"
    assert other.check() == []


def test_what_is_written_while_copying_does_not_tear_the_copy(
    lab: Lab, memory: ricordo.Memory, monkeypatch
):
    monkeypatch.setattr("ricordo.store.tables.raw_rows.PAGE", 7)
    chat = fill(memory).session("trip")
    path = target_of(lab)

    memory.copy(path, progress=lambda done, _: chat.append("user", f"later {done}"))

    other = lab._open_memory(path, {})
    assert len(other.space("ana").session("trip").events()) == 30
    assert len(chat.events()) > 30
    assert other.check() == []


def test_a_space_that_the_target_has_of_its_own_is_refused_untouched(
    lab: Lab, memory: ricordo.Memory
):
    fill(memory)
    other = lab.open()
    fill(other, events=3)
    before = shown(other)

    with pytest.raises(ricordo.Conflict, match="another space"):
        memory.copy(lab.url(other))

    assert shown(other) == before


def test_a_copy_that_lives_on_is_not_overwritten(lab: Lab, memory: ricordo.Memory):
    fill(memory)
    path = target_of(lab)
    memory.copy(path)
    other = lab._open_memory(path, {})
    other.space("ana").remember("Only here", name="here")

    with pytest.raises(ricordo.Conflict, match="changed since"):
        memory.copy(path)

    assert other.space("ana").get("here") is not None


def test_tombstones_are_copied_and_a_copy_broken_off_among_them_goes_on(
    lab: Lab, memory: ricordo.Memory, monkeypatch
):
    monkeypatch.setattr(raw_rows, "PAGE", 2)
    ana = memory.space("ana")
    for n in range(7):
        ana.remember(f"Secret number {n}", name=f"secret {n}")
        ana.forget(f"secret {n}", erase=True)
    path = target_of(lab)
    steps = iter(range(1_000))

    def stop_now_and_then(_done: int, _total: int) -> None:
        if next(steps) % 2:
            raise BrokenOff

    for _ in range(100):
        with contextlib.suppress(BrokenOff):
            copied = memory.copy(path, progress=stop_now_and_then)
            break

    assert copied[0].rows["tombstones"] >= 7
    assert not memory.copy(path)[0].changed


def test_of_two_copies_at_once_one_gives_way(lab: Lab, memory: ricordo.Memory):
    fill(memory)
    path = target_of(lab)
    done: list[ricordo.Copied] = []

    def copy_too(_done: int, _total: int) -> None:
        done.extend(memory.copy(path))

    with pytest.raises(ricordo.Conflict, match="another copy of space 'ana'"):
        memory.copy(path, progress=copy_too)

    assert [copied.changed for copied in done] == [True]
    assert not memory.copy(path)[0].changed


@pytest.mark.parametrize("target", [None, 5, b"x.db", ":memory:"])
def test_a_target_that_cannot_keep_a_copy_is_refused(memory: ricordo.Memory, target):
    fill(memory)

    with pytest.raises(ricordo.InvalidInput, match="give a file path"):
        memory.copy(target)


def test_an_unknown_space_is_named(lab: Lab, memory: ricordo.Memory):
    fill(memory)

    with pytest.raises(ricordo.NotFound, match="'nobody'"):
        memory.copy(target_of(lab), space="nobody")
