"""A memory moves between backends, there and back, and is the same memory everywhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import shared
from sqld_server import Server, why_not

import ricordo
from ricordo.testing import Lab


class BrokenOff(Exception):
    """What a person does who presses Ctrl-C."""


@pytest.fixture(params=["postgresql", "libsql"])
def far(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lab]:
    """Memories on a server."""
    if request.param == "postgresql":
        with Lab(shared().url) as lab:
            yield lab
        return
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    server = Server(tmp_path)
    try:
        with Lab(server.url) as lab:
            yield lab
    finally:
        server.kill()


@pytest.fixture
def filled(lab: Lab) -> ricordo.Memory:
    memory = lab.open()
    for name in ("ana", "bo"):
        space = memory.space(name)
        chat = space.session("trip")
        chat.extend([{"role": "user", "content": f"{name} saw bird {n}"} for n in range(60)])
        chat.write_scratchpad(["Brot kaufen 🥖"])
        space.remember("Prefers window seats", name="seat", tags=["travel"], aliases=["chair"])
        space.write("seat", "Prefers aisle seats")
        space.remember("Goes for good", name="gone")
        space.forget("gone", erase=True)
        space.fact("user", "dog_name", "Rex")
        space.schedule("Send the report", "every weekday at 8:30")
        space.remind("Ask for the invoice", cue="project Atlas")
        space.macros.learn([{"name": "read", "arguments": {"path": "a"}}, {"name": "edit"}])
        space.approvals.allow(["git", "status"])
        for query in ("window", "aisle", "seat"):
            space.recall(query, mode="keyword", asker="user")
        memory.flush()
        space.dream()
    memory.flush()
    return memory


def shown(memory: ricordo.Memory, name: str) -> list[object]:
    space = memory.space(name)
    chat = space.session("trip")
    return [
        chat.events(),
        chat.scratchpad(),
        space.entries(),
        space.history("seat"),
        space.schedules.list(),
        space.reminders.list(),
        space.macros.list(),
        space.approvals.list(),
        space.dreams.promotions(),
        space.dreams.signals(),
        [(hit.text, hit.score) for hit in space.recall("bird 7", asker=None)],
    ]


def test_a_memory_goes_to_a_server_and_back(filled: ricordo.Memory, far: Lab, lab: Lab):
    there = far.open()
    filled.copy(far.url(there))
    back = lab.open()
    there.copy(lab.url(back))

    for name in ("ana", "bo"):
        expected = shown(filled, name)
        assert shown(there, name) == expected
        assert shown(back, name) == expected
    assert there.check() == []
    assert back.check() == []
    there.space("ana").session("trip").append("user", "the copy lives on")
    assert there.space("ana").recall("lives on", mode="keyword")[0].text == "the copy lives on"


def test_a_move_that_was_broken_off_goes_on(filled: ricordo.Memory, far: Lab, monkeypatch):
    monkeypatch.setattr("ricordo.store.tables.raw_rows.PAGE", 20)
    there = far.open()

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise BrokenOff

    with pytest.raises(BrokenOff):
        filled.copy(far.url(there), space="ana", progress=stop)
    filled.copy(far.url(there), space="ana")

    assert shown(there, "ana") == shown(filled, "ana")
    assert there.spaces() == ["ana"]
