"""The standard tests that LangChain gives to those who write stores, on ours."""

import pytest
from langchain_tests import integration_tests as standard

import ricordo
from ricordo.adapters.langchain import (
    RicordoEmbedder,
    RicordoKeyValueStore,
    RicordoRetriever,
    RicordoVectorStore,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "agent.db"


class _Values:
    @pytest.fixture
    def kv_store(self, path):
        with ricordo.open(path, embedder="none") as memory:
            yield RicordoKeyValueStore(memory)

    @pytest.fixture
    def three_values(self):
        return b"one", b"\0two", b"\xffthree"


class TestValues(_Values, standard.BaseStoreSyncTests[bytes]):
    pass


class TestAwaitableValues(_Values, standard.BaseStoreAsyncTests[bytes]):
    pass


class TestVectors(standard.VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(self, path):
        embedder = RicordoEmbedder(self.get_embeddings())
        with ricordo.open(path, embedder=embedder, keep=False) as memory:
            yield RicordoVectorStore(memory)


class TestRetriever(standard.RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def opened(self, path):
        with ricordo.open(path, embedder="hash", keep=False) as self.memory:
            for number in range(12):
                self.memory.space("langchain").remember(f"Ana likes window seats, {number}")
            yield

    @property
    def retriever_constructor(self):
        return RicordoRetriever

    @property
    def retriever_constructor_params(self):
        return {"memory": self.memory}

    @property
    def retriever_query_example(self):
        return "window seats"
