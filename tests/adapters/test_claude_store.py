"""Claude's session store: the SDK's own contracts, many processes at once, and recall."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from claude_agent_sdk.testing import run_session_store_conformance

import ricordo
from ricordo.adapters.claude_agent import RicordoSessionStore

KEY = {"project_key": "-home-ana", "session_id": "0198b0c4"}


@pytest.fixture
def memory(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        yield memory


def test_the_contracts_of_the_sdk_hold(tmp_path):
    opened = []

    def make_store():
        opened.append(ricordo.open(tmp_path / f"{len(opened)}.db", embedder="none"))
        return RicordoSessionStore(opened[-1])

    asyncio.run(run_session_store_conformance(make_store))

    assert len(opened) >= 14
    for memory in opened:
        assert memory.check() == []
        memory.close()


def say(number, text, **more):
    message = {"role": "user", "content": text}
    return {"type": "user", "uuid": f"u{number}", "message": message, **more}


def test_what_was_said_is_found_by_recall(memory):
    ana = memory.space("ana")
    store = RicordoSessionStore(ana)
    entries = [
        say(1, "I prefer window seats", timestamp="2026-03-01T10:00:00Z"),
        {"type": "file-history-snapshot", "content": "window seats"},
        say(2, [{"type": "tool_result", "content": "window"}, {"type": "text", "text": "Thanks"}]),
        say(3, "half a pair \ud800 and NUL \0"),
    ]

    asyncio.run(store.append(KEY, entries))
    asyncio.run(store.append(KEY, entries[:1]))

    [hit] = ana.recall("window seats", mode="keyword")
    assert (hit.text, hit.source.session) == ("I prefer window seats", "-home-ana/0198b0c4")
    assert hit.at.isoformat() == "2026-03-01T10:00:00+00:00"
    assert asyncio.run(store.load(KEY)) == entries


def test_a_deleted_transcript_leaves_nothing_behind(memory):
    ana = memory.space("ana")
    store = RicordoSessionStore(ana)
    neighbour = {**KEY, "session_id": KEY["session_id"] + "5"}
    for key in (KEY, {**KEY, "subpath": "subagents/a"}, neighbour):
        asyncio.run(store.append(key, [say(1, f"harbour {key}")]))
    asyncio.run(store.list_session_summaries(KEY["project_key"]))

    asyncio.run(store.delete(KEY))

    assert [each.session for each in ana.sessions()] == ["-home-ana/0198b0c45"]
    assert len(ana.recall("harbour", mode="keyword")) == 1
    assert len(ana.entries()) == 1


def append_many(path, process):
    """Every process sends the same 20 entries and 5 of its own, in batches of 3."""
    entries = [say(n, f"shared {n}") for n in range(20)]
    entries += [say(f"{process}-{n}", f"own {process} {n}") for n in range(5)]
    with ricordo.open(path, embedder="none") as memory:
        store = RicordoSessionStore(memory)
        for start in range(0, len(entries), 3):
            asyncio.run(store.append(KEY, entries[start : start + 3]))
            asyncio.run(store.list_session_summaries(KEY["project_key"]))


def test_processes_at_once_write_each_entry_once(tmp_path):
    path = tmp_path / "agent.db"
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        list(pool.map(append_many, [path] * 4, range(4)))

    with ricordo.open(path, embedder="none") as memory:
        store = RicordoSessionStore(memory)
        uuids = [entry["uuid"] for entry in asyncio.run(store.load(KEY))]
        [summary] = asyncio.run(store.list_session_summaries(KEY["project_key"]))
        assert len(uuids) == len(set(uuids)) == 20 + 4 * 5
        assert summary["data"]["first_prompt"]
        assert memory.check() == []
