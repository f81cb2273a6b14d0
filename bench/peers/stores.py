"""The stores under test behind one small face: open, add rows, settle, ask, close.

Each is used the way its own documentation shows, on its defaults, in one process and one folder.
Packages are imported when a store is opened, so that start-up can be measured.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol

DIM = 384
TOP = 10
NAME = "memory"


class Row(NamedTuple):
    """One text to keep, with its vector made beforehand."""

    number: int
    space: str
    text: str
    vector: Any  # a numpy row while loading, a list when nothing else needs numpy


class Query(NamedTuple):
    """One question to one space."""

    space: str
    text: str
    vector: list[float]


class Store(Protocol):
    """What the measuring process needs of a store."""

    def add(self, rows: Sequence[Row]) -> None: ...

    def settle(self) -> None: ...

    def ask(self, query: Query, mode: str) -> list[str]: ...

    def close(self) -> None: ...


class Table:
    """An embedder that looks up: the vector of a text is the one announced with it."""

    name = "table"
    fingerprint = "peers-table"
    dim = DIM

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def learn(self, items: Sequence[Row | Query]) -> None:
        for item in items:
            self._known[item.text] = item.vector

    def forget(self) -> None:
        """Drop the vectors of rows that are stored, so that memory measured is the store's own."""
        self._known.clear()

    def embed(self, texts: Sequence[str]) -> list[Any]:
        return [self._known[text] for text in texts]


def by_space(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for space, group in groupby(rows, key=lambda row: row.space):
        yield space, list(group)


class Ricordo:
    """Ourselves: one session a space, `extend` for many rows and `append` for one."""

    def __init__(self, place: Path) -> None:
        import ricordo

        self._table = Table()
        self._memory = ricordo.open(place / "memory.db", embedder=self._table)

    def add(self, rows: Sequence[Row]) -> None:
        self._table.learn(rows)
        for space, group in by_space(rows):
            chat = self._memory.space(space).session("s")
            if len(group) == 1:
                chat.append("user", group[0].text)
            else:
                chat.extend({"role": "user", "content": row.text} for row in group)

    def settle(self) -> None:
        self._memory.flush()
        self._table.forget()

    def ask(self, query: Query, mode: str) -> list[str]:
        self._table.learn([query])
        hits = self._memory.space(query.space).recall(query.text, TOP, mode, asker=None)
        return [hit.text for hit in hits]

    def close(self) -> None:
        self._memory.close()


class Chroma:
    """One collection in a PersistentClient, spaces as metadata."""

    def __init__(self, place: Path) -> None:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(place), settings=settings)
        self._rows = self._client.get_or_create_collection(
            NAME, metadata={"hnsw:space": "cosine"}, embedding_function=None
        )

    def add(self, rows: Sequence[Row]) -> None:
        self._rows.add(
            ids=[str(row.number) for row in rows],
            documents=[row.text for row in rows],
            embeddings=[row.vector for row in rows],
            metadatas=[{"space": row.space} for row in rows],
        )

    def settle(self) -> None: ...

    def ask(self, query: Query, mode: str) -> list[str]:  # noqa: ARG002
        found = self._rows.query(
            query_embeddings=[query.vector], n_results=TOP, where={"space": query.space}
        )
        return found["documents"][0]

    def close(self) -> None: ...


class Lance:
    """One table fed with Arrow batches, no index: exact search over a column filter."""

    def __init__(self, place: Path) -> None:
        import lancedb

        self._database = lancedb.connect(str(place))
        listed = self._database.table_names()
        self._rows = self._database.open_table(NAME) if NAME in listed else None

    def add(self, rows: Sequence[Row]) -> None:
        import numpy as np
        import pyarrow as pa

        flat = pa.array(np.asarray([row.vector for row in rows], np.float32).ravel())
        batch = pa.table(
            {
                "number": [row.number for row in rows],
                "space": [row.space for row in rows],
                "text": [row.text for row in rows],
                "vector": pa.FixedSizeListArray.from_arrays(flat, DIM),
            }
        )
        if self._rows is None:
            self._rows = self._database.create_table(NAME, batch)
        else:
            self._rows.add(batch)

    def settle(self) -> None: ...

    def ask(self, query: Query, mode: str) -> list[str]:
        if mode == "hybrid":
            search = self._rows.search(query_type="hybrid").vector(query.vector).text(query.text)
        else:
            search = self._rows.search(query.vector)
        search = search.distance_type("cosine").where(f"space = '{query.space}'", prefilter=True)
        return [row["text"] for row in search.select(["text"]).limit(TOP).to_list()]

    def close(self) -> None: ...


class LanceText(Lance):
    """The same with a text index and an index on the space, kept up as its documentation says."""

    def settle(self) -> None:
        if not self._rows.list_indices():
            self._rows.create_fts_index("text")
            self._rows.create_scalar_index("space")
        self._rows.optimize()


class Qdrant:
    """The client's local mode on a folder, spaces in the payload."""

    def __init__(self, place: Path) -> None:
        from qdrant_client import QdrantClient, models

        self._models = models
        self._client = QdrantClient(path=str(place))
        if not self._client.collection_exists(NAME):
            shape = models.VectorParams(size=DIM, distance=models.Distance.COSINE)
            self._client.create_collection(NAME, vectors_config=shape)

    def add(self, rows: Sequence[Row]) -> None:
        point = self._models.PointStruct
        points = [
            point(
                id=row.number,
                vector=list(map(float, row.vector)),
                payload={"text": row.text, "space": row.space},
            )
            for row in rows
        ]
        self._client.upsert(NAME, points)

    def settle(self) -> None: ...

    def ask(self, query: Query, mode: str) -> list[str]:  # noqa: ARG002
        models = self._models
        match = models.FieldCondition(key="space", match=models.MatchValue(value=query.space))
        found = self._client.query_points(
            NAME, query=query.vector, query_filter=models.Filter(must=[match]), limit=TOP
        )
        return [point.payload["text"] for point in found.points]

    def close(self) -> None:
        self._client.close()


class LangGraph:
    """SqliteStore with its sqlite-vec index, one namespace a space."""

    def __init__(self, place: Path) -> None:
        from langgraph.store.base import PutOp
        from langgraph.store.sqlite import SqliteStore

        try:  # an interpreter built without extension loading cannot load sqlite-vec
            import pysqlite3.dbapi2 as sqlite
        except ImportError:
            import sqlite3 as sqlite

        self._put = PutOp
        self._table = Table()
        connection = sqlite.connect(
            str(place / "store.db"), check_same_thread=False, isolation_level=None
        )
        # its documentation says "fields", its code reads "text_fields"
        index = {"dims": DIM, "embed": self._embed, "text_fields": ["text"]}
        self._store = SqliteStore(connection, index=index)
        self._store.setup()
        self._connection = connection

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [list(map(float, vector)) for vector in self._table.embed(texts)]

    def add(self, rows: Sequence[Row]) -> None:
        self._table.learn(rows)
        self._store.batch(
            [self._put((row.space,), str(row.number), {"text": row.text}) for row in rows]
        )
        self._table.forget()

    def settle(self) -> None: ...

    def ask(self, query: Query, mode: str) -> list[str]:  # noqa: ARG002
        self._table.learn([query])
        found = self._store.search((query.space,), query=query.text, limit=TOP)
        return [item.value["text"] for item in found]

    def close(self) -> None:
        self._connection.close()


class Mem0:
    """`add(infer=False)` into its default local store; no language model is ever asked."""

    def __init__(self, place: Path) -> None:
        os.environ["MEM0_DIR"] = str(place)
        from mem0 import Memory

        self._table = Table()
        local = {"path": str(place / "qdrant"), "embedding_model_dims": DIM, "on_disk": True}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": local},
                "history_db_path": str(place / "history.db"),
            }
        )
        self._memory.embedding_model = self  # in place of the remote one of its defaults

    def embed(self, text: str, _: str | None = None, **__: object) -> list[float]:
        return list(map(float, self._table.embed([text])[0]))

    def add(self, rows: Sequence[Row]) -> None:
        self._table.learn(rows)
        for space, group in by_space(rows):
            messages = [{"role": "user", "content": row.text} for row in group]
            self._memory.add(messages, user_id=space, infer=False)
        self._table.forget()

    def settle(self) -> None: ...

    def ask(self, query: Query, mode: str) -> list[str]:  # noqa: ARG002
        self._table.learn([query])
        found = self._memory.search(query.text, top_k=TOP, filters={"user_id": query.space})
        return [item["memory"] for item in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()


STORES: dict[str, type[Store]] = {
    "ricordo": Ricordo,
    "chromadb": Chroma,
    "lancedb": Lance,
    "lancedb-text": LanceText,
    "qdrant": Qdrant,
    "langgraph": LangGraph,
    "mem0": Mem0,
}
