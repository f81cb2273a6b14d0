"""Several writers and readers at once: threads of one process, handles, processes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from ricordo import Memory
from ricordo.errors import NameTaken, OutOfOrder
from ricordo.model import PROFILE_NAMES
from ricordo.testing.assertions import names, texts
from ricordo.testing.lab import Lab, durable


def case_of_two_writers_with_one_seq_exactly_one_succeeds(lab: Lab) -> None:
    """SES-6"""
    chat = lab.space().session("trip")

    def both(seq: int) -> list[bool]:
        return _together(2, lambda n: _is_taken(chat.append, f"{seq} {n}", seq))

    for seq in range(1, 11):
        assert sorted(both(seq)) == [False, True]

    assert [event.seq for event in chat.events()] == list(range(1, 11))


def case_writers_with_one_key_write_one_message(lab: Lab) -> None:
    """SES-9"""
    chat = lab.space().session("trip")

    def append(key: str) -> list[int]:
        return _together(8, lambda n: chat.append("user", f"{n}", key=key).seq)

    for turn in range(10):
        assert len(set(append(f"k{turn}"))) == 1

    assert [event.seq for event in chat.events()] == list(range(1, 11))


def case_no_append_of_many_threads_is_lost(lab: Lab) -> None:
    """STO-4"""
    memory = lab.open()
    space = memory.space("ana")

    def work(n: int) -> list[int]:
        return [space.session("shared").append("user", f"{n} {i}").seq for i in range(15)]

    seqs = [seq for given in _together(6, work) for seq in given]

    assert sorted(seqs) == list(range(1, 91))
    events = space.session("shared").events()
    assert [event.seq for event in events] == list(range(1, 91))
    assert len({event.content for event in events}) == 90
    assert space.session("shared").recent() == events[-50:]


def case_readers_never_see_half_of_a_write(lab: Lab) -> None:
    """ENT-8"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("colour 0", name="colour", metadata={"n": 0})

    def work(worker: int) -> bool:
        if worker == 0:
            for n in range(1, 40):
                space.remember(f"colour {n}", name="colour", metadata={"n": n})
            return True
        seen = []
        for _ in range(40):
            entry = space.get("colour")
            found = space.recall("colour", mode="keyword", asker=None)
            assert entry is not None
            assert len(found) == 1
            seen.append(entry.content == f"colour {entry.metadata['n']}")
        return all(seen)

    assert all(_together(3, work))
    assert len(space.history("colour")) == 39


def case_one_name_is_given_once(lab: Lab) -> None:
    """ENT-2"""
    space = lab.space()

    def work(n: int) -> bool:
        try:
            space.remember(str(n), name="home", replace=False)
        except NameTaken:
            return False
        return True

    assert sorted(_together(4, work)) == [False, False, False, True]
    assert len(space.entries()) == 1
    assert space.history("home") == []


@durable
def case_two_processes_append_to_one_session_without_loss(lab: Lab) -> None:
    """STO-4"""
    memory = lab.open()
    with lab.team(memory) as other:
        other.start(append_many, "there", 30)
        here = append_many(memory, "here", 30)
        there = other.answer()

    events = memory.space("ana").session("shared").events()

    assert sorted(here + there) == [event.seq for event in events] == list(range(1, 61))
    assert sum(str(event.content).startswith("there") for event in events) == 30
    assert len(memory.space("ana").recall("there", limit=100, mode="keyword")) >= 30


@durable
def case_two_processes_with_one_seq_do_not_both_succeed(lab: Lab) -> None:
    """SES-6"""
    memory = lab.open()
    with lab.team(memory) as other:
        for seq in range(1, 9):
            other.start(append_at, seq)
            outcomes = [append_at(memory, seq), other.answer()]
            assert sorted(outcomes) == [False, True]

    assert len(memory.space("ana").session("shared").events()) == 8


@durable
def case_a_reader_with_hot_caches_sees_what_another_process_did(lab: Lab) -> None:
    """STO-4, BM-3"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember("the old falcon", name="bird")
    space.remember("the grey owl", name="owl")
    memory.flush()
    with lab.team(memory) as other:
        for profile in PROFILE_NAMES:
            space.recall("falcon", profile=profile)
        space.recall("falcon", mode="vector")

        other.ask(append_one, "a falcon was seen today")
        for profile in ("default", "minmax", "rrf", "two_tier"):
            found = texts(space.recall("falcon", profile=profile, mode="keyword"))
            assert "a falcon was seen today" in found, profile
        assert texts(space.recall("a falcon was seen today", mode="vector"))[0].startswith("a falc")

        other.ask(write_one, "bird", "the young heron")
        for profile in PROFILE_NAMES:
            assert "bird" not in names(space.recall("falcon", profile=profile, mode="keyword"))
            assert "bird" in names(space.recall("heron", profile=profile, mode="keyword")), profile

        other.ask(forget_one, "owl")
        for profile in PROFILE_NAMES:
            assert "owl" not in names(space.recall("owl", profile=profile)), profile
        assert "owl" not in names(space.recall("the grey owl", mode="vector"))


@durable
def case_facts_and_names_are_agreed_on_between_processes(lab: Lab) -> None:
    """ENT-12, ENT-3"""
    memory = lab.open()
    space = memory.space("ana")
    space.fact("user", "dog_name", "Rex")
    with lab.team(memory) as other:
        other.ask(state_fact, "Bella")
        found = space.fact("user", "dog name")
        assert found is not None
        assert found.content == "Bella"
        space.rename("user/dog_name", "user/hound_name")
        assert other.ask(read_entry, "user/dog_name") is None
        assert other.ask(read_entry, "user/hound_name") == space.get("user/hound_name")


Result = TypeVar("Result")


def append_many(memory: Memory, label: str, count: int) -> list[int]:
    chat = memory.space("ana").session("shared")
    return [chat.append("user", f"{label} {n}").seq for n in range(count)]


def append_at(memory: Memory, seq: int) -> bool:
    return _is_taken(memory.space("ana").session("shared").append, f"at {seq}", seq)


def append_one(memory: Memory, text: str) -> None:
    memory.space("ana").session("shared").append("user", text)
    memory.flush()


def write_one(memory: Memory, name: str, content: str) -> None:
    memory.space("ana").write(name, content)
    memory.flush()


def forget_one(memory: Memory, name: str) -> None:
    memory.space("ana").forget(name)


def state_fact(memory: Memory, value: str) -> None:
    memory.space("ana").fact("user", "dog_name", value)


def read_entry(memory: Memory, name: str) -> object:
    return memory.space("ana").get(name)


def _is_taken(append: Callable[..., object], text: str, seq: int) -> bool:
    try:
        append("user", text, seq=seq)
    except OutOfOrder:
        return False
    return True


def _together(count: int, work: Callable[[int], Result]) -> list[Result]:
    """Run work in threads that begin at one moment."""
    barrier = Barrier(count)

    def begin(n: int) -> Result:
        barrier.wait()
        return work(n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(begin, range(count)))
