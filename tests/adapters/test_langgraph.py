"""LangGraph: its store and its checkpointer over records, on a file and on a server."""

import asyncio
import contextlib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.types import INTERRUPT, RESUME
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp

import ricordo
from backends import urls
from ricordo.adapters.langgraph import AsyncRicordoStore, RicordoStore
from ricordo.adapters.langgraph_checkpoints import RicordoSaver


@pytest.fixture(params=["file", "postgresql"])
def url(request, tmp_path):
    with contextlib.ExitStack() as stack:
        if request.param == "postgresql":
            yield stack.enter_context(urls("postgresql", tmp_path))()
        else:
            yield str(tmp_path / "agent.db")


@pytest.fixture
def memory(url):
    with ricordo.open(url, embedder="hash", keep=False) as memory:
        yield memory
        assert memory.check() == []


def test_every_value_comes_back_as_it_was(memory):
    store = RicordoStore(memory, index={"fields": ["text"]})
    odd = {"text": "a NUL \0 and half a pair \ud800", "deep": [[[{"a": float("inf")}]]]}

    store.put(("users", "ayşe"), "k" * 1024, odd)

    assert store.get(("users", "ayşe"), "k" * 1024).value == odd
    assert store.search(("users",))[0].value == odd


def test_a_batch_is_one_transaction(memory):
    store = RicordoStore(memory)

    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a",), "k", {"n": 1}), PutOp(("a.b",), "k", {"n": 1})])

    assert store.batch([GetOp(("a",), "k"), PutOp(("a",), "k", {"n": 1})]) == [None, None]
    assert store.get(("a",), "k").value == {"n": 1}


def test_items_are_found_by_filter_meaning_and_namespace(memory):
    store = RicordoStore(memory, index={"fields": ["text"]})
    for number in range(30):
        value = {"text": f"number {number}", "n": number, "tags": ["x"]}
        store.put(("docs", f"d{number % 3}"), f"k{number}", value)

    found = store.search(("docs",), filter={"n": {"$gte": 5, "$lt": 8}, "tags": ["x"]}, limit=2)
    assert [item.key for item in found] == ["k7", "k6"]
    best = store.search(("docs", "d1"), query="number 4", limit=3)
    assert (best[0].key, len(best)) == ("k4", 3)
    assert best[0].score > 0.99
    assert store.list_namespaces(suffix=("d2",)) == [("docs", "d2")]
    assert memory.space("langgraph").recall("number 29", mode="keyword")


def test_the_store_works_inside_an_event_loop(memory):
    async def work():
        store = AsyncRicordoStore(memory)
        await asyncio.gather(*(store.aput(("a",), f"k{n}", {"n": n}) for n in range(20)))
        return [(await store.aget(("a",), f"k{n}")).value["n"] for n in range(20)]

    assert asyncio.run(work()) == [*range(20)]


def test_the_checkpointer_meets_langgraphs_own_conformance_tests(memory):
    @checkpointer_test(name="ricordo")
    async def make():
        for each in memory.spaces():
            memory.space(each).records().delete_many(prefix=())
        yield RicordoSaver(memory)

    report = asyncio.run(validate(make))

    results = report.results.values()
    assert sum(each.tests_passed for each in results) >= 81
    assert sum(each.tests_failed for each in results) == 0


def test_a_checkpoint_is_listed_before_another_and_by_its_metadata(memory):
    saver = RicordoSaver(memory)
    config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    for step in range(4):
        config = saver.put(config, empty_checkpoint(), {"source": "loop", "step": step}, {})

    listed = [each.metadata["step"] for each in saver.list({"configurable": {"thread_id": "t"}})]
    assert listed == [3, 2, 1, 0]
    assert [e.metadata["step"] for e in saver.list(None, filter={"step": 2})] == [2]
    assert [e.metadata["step"] for e in saver.list(None, before=config, limit=2)] == [2, 1]


def test_writes_of_a_task_stay_or_are_replaced_as_in_langgraphs_own_saver(memory):
    told = []
    for saver in (RicordoSaver(memory), InMemorySaver()):
        config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        config = saver.put(config, empty_checkpoint(), {"source": "loop", "step": 0}, {})
        saver.put_writes(config, [], "task")
        saver.put_writes(config, [("a", 1)], "task")
        saver.put_writes(config, [("a", "late"), ("b", b"\0")], "task")
        saver.put_writes(config, [(INTERRUPT, "why?")], "task")
        saver.put_writes(config, [(INTERRUPT, "and now?")], "task")
        saver.put_writes(config, [(RESUME, "yes"), ("a", "later")], "task")
        saver.put_writes(config, [("a", 2)], "other", "path")
        told.append(sorted(saver.get_tuple(config).pending_writes))

    assert told[0] == told[1]
    assert len(told[0]) == 5


def test_writes_without_their_checkpoint_hide_nothing(memory):
    saver = RicordoSaver(memory)
    config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    kept = saver.put(config, empty_checkpoint(), {"source": "loop", "step": 0}, {})
    later = {"configurable": {**kept["configurable"], "checkpoint_id": "9"}}
    saver.put_writes(later, [("a", 1)], "task")

    assert saver.get_tuple(config).config == kept
    assert [each.config for each in saver.list(config)] == [kept]
    assert [each.config for each in saver.list(config, limit=3)] == [kept]
    assert saver.get_tuple(later) is None


def test_metadata_of_any_kind_comes_back_and_is_found(memory):
    saver = RicordoSaver(memory)
    config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    odd = {"source": "loop", "step": 1, "pair": [1, 2], "raw": b"\0", "ü": [None]}

    saver.put(config, empty_checkpoint(), odd, {})

    assert saver.get_tuple(config).metadata == odd
    assert [each.metadata for each in saver.list(None, filter={"raw": b"\0", "step": 1})] == [odd]


SHARED, ROUNDS = ("shared",), 8


def put_and_count(url, process):
    """Write keys of this process's own, one that all fight for, and pages in batches."""
    with ricordo.open(url, embedder="none", keep=False) as memory:
        store = RicordoStore(memory)
        for n in range(ROUNDS):
            store.put(SHARED, "last", {"process": process, "n": n})
            store.put(("own", str(process)), f"k{n}", {"n": n})
            store.batch([PutOp(SHARED, f"{side}", {"mark": f"{process} {n}"}) for side in "ab"])
            marks = store.batch([GetOp(SHARED, side) for side in "ab"])
            assert len({item.value["mark"] for item in marks}) == 1  # never half a batch
            store.delete(("own", str(process)), f"k{n - 1}")


def keep_a_thread(url, process):
    """Checkpoints of a thread of this process, and writes to a checkpoint that all share."""
    with ricordo.open(url, embedder="none", keep=False) as memory:
        saver = RicordoSaver(memory)
        shared = saver.get_tuple({"configurable": {"thread_id": "shared"}}).config
        config = {"configurable": {"thread_id": f"own {process}", "checkpoint_ns": ""}}
        for n in range(ROUNDS):
            config = saver.put(config, empty_checkpoint(), {"source": "loop", "step": n}, {})
            saver.put_writes(config, [("a", n)], f"task {n}")
            saver.put_writes(shared, [("a", (process, n))], f"task {process} {n}")
            saver.put_writes(shared, [("b", process)], "the same task")


def work(url, process):
    put_and_count(url, process)
    keep_a_thread(url, process)


def test_processes_at_once_lose_nothing_and_see_no_half_batch(url):
    with ricordo.open(url, embedder="none", keep=False) as memory:
        config = {"configurable": {"thread_id": "shared", "checkpoint_ns": ""}}
        RicordoSaver(memory).put(config, empty_checkpoint(), {"source": "input", "step": -1}, {})
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        list(pool.map(work, [url] * 3, range(3)))

    with ricordo.open(url, embedder="none", keep=False) as memory:
        store, saver = RicordoStore(memory), RicordoSaver(memory)
        assert [item.key for item in store.search(("own",))] == [f"k{ROUNDS - 1}"] * 3
        assert store.get(SHARED, "last").value["n"] == ROUNDS - 1
        for process in range(3):
            listed = [*saver.list({"configurable": {"thread_id": f"own {process}"}})]
            assert [each.metadata["step"] for each in listed] == [*range(ROUNDS)][::-1]
            assert all(len(each.pending_writes) == 1 for each in listed)
        writes = saver.get_tuple(config).pending_writes
        assert len(writes) == 3 * ROUNDS + 1  # the same task wrote once: the first one stays
        assert memory.check() == []
