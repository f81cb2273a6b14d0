"""LangChain: chat history, key-value store, vector store and retriever over a space.

Importing this module needs the extra: pip install "ricordo[langchain]".
"""

import contextlib
import uuid
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import ricordo
from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.item_filters import passes_filter, translate_filter
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import InvalidInput, NotFound

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.stores import BaseStore
    from langchain_core.vectorstores import VectorStore
except ImportError as error:
    raise report_missing("langchain-core", "langchain") from error

if TYPE_CHECKING:
    from ricordo import Memory, Record, Space, aio

__all__ = [
    "RicordoChatHistory",
    "RicordoEmbedder",
    "RicordoKeyValueStore",
    "RicordoRetriever",
    "RicordoVectorStore",
]

_MOST = 1_000  # hits of one recall
_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


class RicordoChatHistory(BaseChatMessageHistory):
    """The messages of one session; recall of the space finds what they say."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        session: str,
        space: str = "langchain",
    ) -> None:
        self.session = find_space(memory, space).session(session)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """Every message, oldest first."""
        kept = [unpack((event.metadata or {})["message"]) for event in self.session.events()]
        return messages_from_dict(kept)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages: all of them, or none."""
        self.session.extend([_make_message(message) for message in messages])

    def clear(self) -> None:
        """Delete the session and everything derived from it."""
        with contextlib.suppress(NotFound):
            self.session.delete()


def _make_message(message: BaseMessage) -> dict[str, Any]:
    """What a session keeps of a message: its text for recall, and all of it to read back."""
    return {
        "role": _ROLES.get(message.type, "assistant"),
        "content": readable(str(message.text)),
        "metadata": {"message": pack(message_to_dict(message))},
    }


class RicordoKeyValueStore(BaseStore[str, Any]):  # Any: JSON or bytes
    """Values under keys: JSON, or bytes where LangChain wants a ByteStore."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        path: str = "langchain-values",
        space: str = "langchain",
    ) -> None:
        self._records = find_space(memory, space).records(path)

    def mget(self, keys: Sequence[str]) -> list[Any]:
        """The values of keys, in their order, with None where there is none."""
        found = self._records.get_many(keys)
        return [None if each is None else unpack(each.value) for each in found]

    def mset(self, key_value_pairs: Sequence[tuple[str, Any]]) -> None:
        """Keep values: all of them, or none. Of two for one key the last stays."""
        self._records.put_many(
            {
                key: value if isinstance(value, bytes) else pack(value)
                for key, value in key_value_pairs
            }
        )

    def mdelete(self, keys: Sequence[str]) -> None:
        """Delete keys; missing ones are left out."""
        self._records.delete_many(keys)

    def yield_keys(self, *, prefix: str | None = None) -> Iterator[str]:
        """The keys that begin so, in order."""
        for record in self._records.list(limit=None, values=False):
            if record.key.startswith(prefix or ""):
                yield record.key

    async def amget(self, keys: Sequence[str]) -> list[Any]:
        """The values of keys, read on a thread."""
        return await finish(lambda: self.mget(keys))

    async def amset(self, key_value_pairs: Sequence[tuple[str, Any]]) -> None:
        """Keep values, on a thread."""
        await finish(lambda: self.mset(key_value_pairs))

    async def amdelete(self, keys: Sequence[str]) -> None:
        """Delete keys, on a thread."""
        await finish(lambda: self.mdelete(keys))

    async def ayield_keys(self, *, prefix: str | None = None) -> AsyncIterator[str]:
        """The keys that begin so, listed on a thread."""
        for key in await finish(lambda: list(self.yield_keys(prefix=prefix))):
            yield key


class RicordoEmbedder:
    """LangChain's embeddings as the embedder of a memory: ricordo.open(path, embedder=...)."""

    def __init__(self, embeddings: Embeddings) -> None:
        self.embeddings = embeddings
        self.dim = len(embeddings.embed_query("dimension"))

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts."""
        return self.embeddings.embed_documents(list(texts))

    def embed_query(self, texts: list[str]) -> list[list[float]]:
        """Vectors of questions."""
        return [self.embeddings.embed_query(text) for text in texts]


class RicordoVectorStore(VectorStore):
    """Documents that are found by meaning. The memory's own embedder makes the vectors."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        path: str = "langchain-documents",
        space: str = "langchain",
    ) -> None:
        self._records = find_space(memory, space).records(path)
        self._embeddings: Embeddings | None = None

    @property
    def embeddings(self) -> Embeddings | None:
        """The embeddings that `from_texts` was given."""
        return self._embeddings

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        file: str = ":memory:",
        **options: Any,
    ) -> "RicordoVectorStore":
        """Open a memory with these embeddings, in `file`, and add texts to a store in it."""
        store = cls(ricordo.open(file, embedder=RicordoEmbedder(embedding)), **options)
        store._embeddings = embedding
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **_: Any,
    ) -> list[str]:
        """Keep texts, all of them or none; an id that is there gets the new text."""
        listed = list(texts)
        keys = [each or str(uuid.uuid4()) for each in ids or [None] * len(listed)]
        about = metadatas or [{} for _ in listed]
        if not len(listed) == len(keys) == len(about):
            raise InvalidInput(
                f"{len(listed)} texts have {len(keys)} ids and {len(about)} metadatas; "
                "give one of each for every text"
            )
        rows = zip(keys, listed, about, strict=True)
        self._records.put_many([_make_row(*row) for row in rows])
        return keys

    def delete(self, ids: list[str] | None = None, **_: Any) -> bool:
        """Delete documents by id; without ids, all of them."""
        if ids is None:
            self._records.delete_many(prefix=())
        else:
            self._records.delete_many(ids)
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """The documents of ids, in their order; missing ones are left out."""
        return [_make_document(each) for each in self._records.get_many(ids) if each is not None]

    def similarity_search(self, query: str, k: int = 4, **options: Any) -> list[Document]:
        """The documents nearest to a query."""
        return [found for found, _ in self.similarity_search_with_score(query, k, **options)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, **_: Any
    ) -> list[tuple[Document, float]]:
        """The documents nearest to a query, with their cosines."""
        return self._recall(k, filter, query=readable(query))

    def similarity_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        *,
        filter: Mapping[str, Any] | None = None,
        **_: Any,
    ) -> list[Document]:
        """The documents nearest to a vector."""
        return [found for found, _ in self._recall(k, filter, vector=embedding)]

    def _similarity_search_with_relevance_scores(
        self, query: str, k: int = 4, **options: Any
    ) -> list[tuple[Document, float]]:
        found = self._recall(k, options.get("filter"), query=readable(query), mode="vector")
        return [(document, min(max(score, 0.0), 1.0)) for document, score in found]

    def _recall(
        self, k: int, wanted: Mapping[str, Any] | None, **asked: Any
    ) -> list[tuple[Document, float]]:
        """Page through the nearest until k of them pass the filter."""
        if wanted is not None and not isinstance(wanted, Mapping):
            raise InvalidInput(f'filter is {wanted!r}; give an object such as {{"lang": "pt"}}')
        where = translate_filter({f"metadata.{key}": each for key, each in (wanted or {}).items()})
        found: list[tuple[Document, float]] = []
        start, size = 0, min(max(k, 1), _MOST)
        while True:
            hits = self._records.recall(where=where, limit=size, offset=start, **asked)
            pairs = [(_make_document(hit.record), hit.score) for hit in hits]
            found += [pair for pair in pairs if passes_filter(pair[0].metadata, wanted)]
            if len(hits) < size or len(found) >= k or start + size >= _MOST:
                return found[: max(k, 0)]
            start += size


class RicordoRetriever(BaseRetriever):
    """Recall of a space: what was said, remembered and stored, as documents."""

    memory: Any  # a Memory or a Space, also those of `aio`
    space: str = "langchain"
    k: int = 5

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
        k: int | None = None,
    ) -> list[Document]:
        hits = find_space(self.memory, self.space).recall(
            readable(query), self.k if k is None else k
        )
        return [
            Document(
                page_content=hit.text,
                metadata={
                    "kind": hit.source.kind,
                    "place": hit.source.place,
                    "at": hit.at.isoformat(),
                    "score": hit.score,
                },
            )
            for hit in hits
        ]


def _make_row(key: str, text: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a document: all of it to read back, its text to find it by."""
    value = {"content": pack(text), "metadata": pack(dict(metadata))}
    said = readable(text)
    return {"key": key, "value": value, "texts": [said] if said.strip() else []}


def _make_document(record: "Record") -> Document:
    value: Any = record.value
    content, metadata = unpack(value["content"]), unpack(value["metadata"])
    return Document(id=record.key, page_content=content, metadata=metadata)
