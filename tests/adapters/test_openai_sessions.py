"""OpenAI's sessions: history, pops that leave recall, compaction, and many processes at once."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import ricordo
from ricordo.adapters.openai_agents import RicordoSession

ITEMS = [
    {"role": "user", "content": "I prefer window seats"},
    {"type": "function_call", "call_id": "c1", "name": "book", "arguments": '{"seat": "12A"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "booked"},
    {"type": "reasoning", "id": "r1", "summary": []},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Booked 12A", "annotations": []}],
    },
    {"role": "user", "content": "NUL \0 and half a pair \ud800"},
]


@pytest.fixture
def ana(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        yield memory.space("ana")
        assert memory.check() == []


def run(*calls):
    """Await each call; what the last one gave."""

    async def every():
        return [await call for call in calls][-1]

    return asyncio.run(every())


def test_every_item_comes_back_as_it_was(ana):
    session = RicordoSession("trip", ana)

    assert run(session.add_items(ITEMS), session.get_items()) == ITEMS
    assert run(session.get_items(2)) == ITEMS[-2:]
    assert run(RicordoSession("trip", ana, session_settings={"limit": 1}).get_items()) == ITEMS[-1:]


def test_what_was_said_is_found_until_it_is_popped(ana):
    session = RicordoSession("trip", ana)
    run(session.add_items(ITEMS[:1]))
    assert [hit.text for hit in ana.recall("window", mode="keyword")] == ["I prefer window seats"]

    assert run(session.pop_item()) == ITEMS[0]

    assert ana.recall("window", mode="keyword") == []
    assert run(session.pop_item()) is None
    assert run(session.get_items()) == []


def test_a_compaction_replaces_the_end_at_once_or_not_at_all(ana):
    session = RicordoSession("trip", ana)
    run(session.add_items(ITEMS))
    snapshot = run(session._get_compaction_snapshot(4))
    late = run(session._get_compaction_snapshot(4))

    assert (snapshot.items, snapshot.complete) == (ITEMS[-4:], False)
    short = [{"type": "compaction", "encrypted_content": "x"}]
    assert run(snapshot.replace_suffix(1, short)) is True
    assert run(late.replace_suffix(0, [])) is False
    assert run(session.get_items()) == [*ITEMS[:3], *short]


def test_expired_items_go_with_a_compaction(ana):
    session = RicordoSession("trip", ana)
    run(session.add_items([{"role": "user", "content": f"{n}"} for n in range(6)]))
    snapshot = run(
        session._get_compaction_snapshot(2, prune_prefix=lambda item: item["content"] < "2")
    )

    assert run(snapshot.replace_suffix(0, [{"role": "user", "content": "short"}])) is True

    assert [item["content"] for item in run(session.get_items())] == ["2", "3", "short"]


def test_a_closed_session_is_refused_and_the_memory_stays_open(ana):
    session = RicordoSession("trip", ana)
    session.close()

    with pytest.raises(RuntimeError, match="session 'trip' is closed"):
        run(session.add_items([]))

    assert run(RicordoSession("trip", ana).get_items()) == []


def add_and_pop(path, process):
    """What a process popped, while others add and pop as well."""
    with ricordo.open(path, embedder="none") as memory:
        session = RicordoSession("trip", memory)
        popped = []
        for n in range(10):
            run(
                session.add_items([{"role": "user", "content": f"{process} {n} {m}"} for m in "ab"])
            )
            popped.append(run(session.pop_item())["content"])
        return popped


def test_processes_at_once_never_pop_the_same_item(tmp_path):
    path = tmp_path / "agent.db"
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        popped = [text for part in pool.map(add_and_pop, [path] * 4, range(4)) for text in part]

    with ricordo.open(path, embedder="none") as memory:
        left = [item["content"] for item in run(RicordoSession("trip", memory).get_items())]
        assert len(popped) == len(set(popped)) == 40
        assert sorted(popped + left) == sorted(
            f"{process} {n} {m}" for process in range(4) for n in range(10) for m in "ab"
        )
        assert memory.check() == []
