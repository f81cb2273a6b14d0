"""LangGraph: its store and its checkpointer over records, on a file and on a server."""

import asyncio
import contextlib

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp

import ricordo
from backends import urls
from ricordo.adapters.langgraph import AsyncRicordoStore, RicordoStore
from ricordo.adapters.langgraph_checkpoints import RicordoSaver


@pytest.fixture(params=["file", "postgresql"])
def memory(request, tmp_path):
    with contextlib.ExitStack() as stack:
        url = str(tmp_path / "agent.db")
        if request.param == "postgresql":
            url = stack.enter_context(urls("postgresql", tmp_path))()
        memory = stack.enter_context(ricordo.open(url, embedder="hash", keep=False))
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
