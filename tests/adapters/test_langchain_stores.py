"""LangChain's stores and retriever: its own standard tests, and what they leave out."""

import asyncio
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import HumanMessage

import ricordo
from ricordo.adapters.langchain import (
    RicordoChatHistory,
    RicordoEmbedder,
    RicordoKeyValueStore,
    RicordoRetriever,
    RicordoVectorStore,
)

ODD = "a NUL \0 and half a pair \ud800"


@pytest.fixture
def memory(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="hash", keep=False) as memory:
        yield memory
        assert memory.check() == []


def test_values_are_json_or_bytes_under_exact_keys(memory):
    store = RicordoKeyValueStore(memory)
    values = [("1", b"\0\xff"), ("a/b", {"n": [ODD]}), ("ş", "text"), ("none", 0), ("1", b"last")]

    store.mset(values)

    assert store.mget(["ş", "1", "a", "a/b", "none"]) == ["text", b"last", None, {"n": [ODD]}, 0]
    assert list(store.yield_keys(prefix="a/")) == ["a/b"]
    assert list(RicordoKeyValueStore(memory, "other").yield_keys()) == []


def test_values_are_kept_all_or_none(memory):
    store = RicordoKeyValueStore(memory)

    with pytest.raises(ricordo.InvalidInput):
        store.mset([("good", 1), ("k" * 1025, 2)])

    assert list(store.yield_keys()) == []


def test_thirty_copies_of_a_text_come_before_everything_else(memory):
    store = RicordoVectorStore(memory)
    store.add_texts(["window seats"] * 30 + [f"other {n}" for n in range(30)])

    found = store.similarity_search_with_relevance_scores("window seats", k=30)

    assert {document.page_content for document, _ in found} == {"window seats"}
    assert all(0.99 < score <= 1 for _, score in found)


def test_a_filter_is_about_metadata_and_still_fills_k(memory):
    store = RicordoVectorStore(memory)
    about = [{"n": n, "tags": ["odd" if n % 2 else "even"]} for n in range(40)]
    store.add_texts([f"number {n}" for n in range(40)], about)

    found = store.similarity_search("number", k=5, filter={"n": {"$gte": 10}, "tags": ["odd"]})

    assert len(found) == 5
    assert all(each.metadata["n"] >= 10 and each.metadata["tags"] == ["odd"] for each in found)
    assert store.similarity_search("number", filter={"n": 99}) == []
    with pytest.raises(ricordo.InvalidInput, match="filter is"):
        store.similarity_search("number", filter="n")


def test_every_document_comes_back_as_it_was(memory):
    store = RicordoVectorStore(memory)
    kept = [
        Document(id="odd", page_content=ODD, metadata={"x": ODD}),
        Document(id="blank", page_content=" ", metadata={"content": 1.5}),
    ]

    store.add_documents(kept)

    assert store.get_by_ids(["blank", "nobody", "odd"]) == kept[::-1]
    assert store.delete() is True
    assert store.get_by_ids(["blank", "odd"]) == []


def test_ids_that_do_not_fit_the_texts_are_refused(memory):
    store = RicordoVectorStore(memory)

    with pytest.raises(ricordo.InvalidInput, match="2 texts have 1 ids"):
        store.add_texts(["a", "b"], ids=["1"])

    assert store.get_by_ids(["1"]) == []


def test_langchains_embeddings_make_the_vectors(tmp_path):
    embeddings = DeterministicFakeEmbedding(size=6)
    with ricordo.open(tmp_path / "a.db", embedder=RicordoEmbedder(embeddings)) as memory:
        store = RicordoVectorStore(memory)
        store.add_texts(["one", "two", "three"])

        found = store.similarity_search_by_vector(embeddings.embed_query("two"), k=1)

    assert [each.page_content for each in found] == ["two"]


def test_from_texts_keeps_a_file_that_another_store_reads(tmp_path):
    file, embeddings = str(tmp_path / "a.db"), DeterministicFakeEmbedding(size=6)
    RicordoVectorStore.from_texts(["one"], embeddings, ids=["1"], file=file)

    again = RicordoVectorStore.from_texts([], embeddings, file=file)

    assert [each.page_content for each in again.get_by_ids(["1"])] == ["one"]


def test_a_retriever_finds_what_was_said_remembered_and_stored(memory):
    ana = memory.space("ana")
    ana.session("trip").append("user", "Ana likes window seats")
    ana.remember("Ana is allergic to peanuts", "allergy")
    RicordoVectorStore(ana).add_texts(["Ana lives in Oslo"], ids=["home"])
    retriever = RicordoRetriever(memory=ana, k=10)

    found = asyncio.run(retriever.ainvoke("Ana"))

    places = {each.metadata["place"] for each in found}
    assert places == {"trip#1", "allergy", "langchain-documents/home"}
    assert len(retriever.invoke("Ana", k=1)) == 1


def keep_all_sorts(path, process):
    """Pairs of messages, of values and of documents, while others do the same."""
    with ricordo.open(path, embedder="none", keep=False) as memory:
        history, values = RicordoChatHistory(memory, "trip"), RicordoKeyValueStore(memory)
        documents = RicordoVectorStore(memory)
        for n in range(8):
            texts = [f"{process} {n} {side}" for side in "ab"]
            history.add_messages([HumanMessage(text) for text in texts])
            values.mset([("left", texts[0]), ("right", texts[0]), (texts[0], n)])
            left, right = values.mget(["left", "right"])
            assert left == right  # never half of what somebody kept
            documents.add_texts(texts, ids=[texts[0], "shared"])
            values.mdelete([f"{process} {n - 1} a"])


def test_processes_at_once_lose_nothing_and_see_no_half_write(tmp_path):
    path = tmp_path / "agent.db"
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        list(pool.map(keep_all_sorts, [path] * 3, range(3)))

    with ricordo.open(path, embedder="none", keep=False) as memory:
        said = [message.content for message in RicordoChatHistory(memory, "trip").messages]
        assert sorted(said) == sorted(
            f"{process} {n} {side}" for process in range(3) for n in range(8) for side in "ab"
        )
        assert all(left[:-1] == right[:-1] for left, right in zip(*[iter(said)] * 2, strict=True))
        keys = list(RicordoKeyValueStore(memory).yield_keys())
        assert keys == ["0 7 a", "1 7 a", "2 7 a", "left", "right"]
        ids = [f"{process} {n} a" for process in range(3) for n in range(8)]
        assert len(RicordoVectorStore(memory).get_by_ids([*ids, "shared"])) == 25
        assert memory.check() == []
