"""LangGraph: its long-term store, blocking and awaitable, over the records of a space.

Importing this module needs the extra: pip install "ricordo[langgraph]".
"""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import ricordo
from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.item_filters import fits_path, passes_filter, translate_filter
from ricordo.adapters.verbatim import pack_plainly, readable, unpack
from ricordo.errors import InvalidInput

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        IndexConfig,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        TTLConfig,
        ensure_embeddings,
        get_text_at_path,
        tokenize_path,
        validate_op_namespace,
    )
    from langgraph.store.base.batch import AsyncBatchedBaseStore
except ImportError as error:
    raise report_missing("langgraph-checkpoint", "langgraph") from error

if TYPE_CHECKING:
    from ricordo import Memory, Record, Space, aio

__all__ = ["AsyncRicordoStore", "RicordoStore"]

PATH = "langgraph-store"
_MOST = 1_000  # hits of one recall
_DEFAULT_SWEEP_MINUTES = 5
_KEY = re.compile(r"[a-zA-Z0-9_.-]+")


class _IndexEmbedder:
    """The function that `index` names, as a memory takes it."""

    def __init__(self, embed: Any, dims: int) -> None:  # Any: a function, an object or a name
        self._embeddings = ensure_embeddings(embed)
        self.dim = dims

    def embed(self, texts: list[str]) -> list[list[float]]:
        return self._embeddings.embed_documents(list(texts))

    def embed_query(self, texts: list[str]) -> list[list[float]]:
        return [self._embeddings.embed_query(text) for text in texts]


class _Keeping:
    """What both stores do, in calls that block."""

    supports_ttl = True
    ttl_config: TTLConfig | None
    index_config: IndexConfig | None

    def _begin(
        self, memory: Any, space: str, index: IndexConfig | None, ttl: TTLConfig | None
    ) -> None:
        self.space = find_space(memory, space)
        self._records = self.space.records(PATH)
        self.index_config, self.ttl_config = index, ttl
        embed = None if index is None else index.get("embed")
        self.embeddings = None if embed is None else ensure_embeddings(embed)
        given: dict[str, Any] = dict(index or {})
        fields = given.get("fields") or given.get("text_fields") or ["$"]
        self._fields = [path if path == "$" else tokenize_path(path) for path in fields]
        self._stop = threading.Event()
        self._sweeper: threading.Thread | None = None

    def _run(self, ops: Iterable[Any]) -> list[Any]:
        """Reads first, then all writes in one transaction; of writes to one key the last."""
        listed = list(ops)
        for op in listed:
            validate_op_namespace(op)
        results: list[Any] = [None] * len(listed)
        steps: dict[tuple[str, ...], dict[str, Any]] = {}
        gets: list[int] = []
        for place, op in enumerate(listed):
            if isinstance(op, PutOp):
                address = (*op.namespace, op.key)
                steps[address] = self._make_step(address, op)
            elif isinstance(op, GetOp):
                gets.append(place)
            elif isinstance(op, SearchOp):
                results[place] = self._search(op)
            elif isinstance(op, ListNamespacesOp):
                results[place] = self._list_namespaces(op)
            else:
                raise ValueError(f"Unknown operation type: {type(op)}")
        for place, item in zip(gets, self._get([listed[place] for place in gets]), strict=True):
            results[place] = item
        if steps:
            self._records.batch(steps.values())
        return results

    def _make_step(self, address: tuple[str, ...], op: PutOp) -> dict[str, Any]:
        if op.value is None:
            return {"delete": address}
        step = {"put": address, "value": _make_plain(op.value), "texts": self._list_texts(op)}
        return step if op.ttl is None else {**step, "ttl": op.ttl * 60}

    def _list_texts(self, op: PutOp) -> list[str]:
        """What recall finds an item by."""
        if self.index_config is None or op.index is False:
            return []
        given = op.index
        paths = (
            self._fields if given is None else [p if p == "$" else tokenize_path(p) for p in given]
        )
        return [readable(text) for path in paths for text in get_text_at_path(op.value, path)]

    def _get(self, ops: list[GetOp]) -> list[Item | None]:
        if not ops:
            return []
        addresses = [(*op.namespace, op.key) for op in ops]
        found = (
            [self._records.get(addresses[0])]
            if len(ops) == 1
            else self._records.get_many(addresses)
        )
        self._touch([each for each, op in zip(found, ops, strict=True) if op.refresh_ttl])
        return [None if each is None else _make_item(each) for each in found]

    def _touch(self, found: Iterable["Record | None"]) -> None:
        expiring = [each for each in found if each is not None and each.ttl is not None]
        if expiring and (self.ttl_config or {}).get("refresh_on_read"):
            self._records.touch_many(expiring)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        for key in op.filter or ():
            if not _KEY.fullmatch(key):
                raise ValueError(f"Invalid filter key: {key!r}")
        end = op.offset + op.limit
        found: list[tuple[Record, float | None]] = []
        if op.query and self.index_config is not None:
            found = self._recall(op, end)
            if len(found) < end:  # what has no text comes behind
                known = {(each.path, each.key) for each, _ in found}
                listed = self._list(op, end)
                found += [(r, None) for r in listed if (r.path, r.key) not in known]
        else:
            found = [(each, None) for each in self._list(op, end)]
        page = found[op.offset : end]
        if op.refresh_ttl:
            self._touch([each for each, _ in page])
        return [_make_hit(each, score) for each, score in page]

    def _list(self, op: SearchOp, end: int) -> list["Record"]:
        """The last written first, as many as a page needs."""
        found: list[Record] = []
        start, size = 0, max(end, 1)
        while True:
            page = self._records.list(
                op.namespace_prefix,
                where=translate_filter(op.filter),
                order="-updated",
                limit=size,
                offset=start,
            )
            found += [each for each in page if passes_filter(unpack(each.value), op.filter)]
            if len(page) < size or len(found) >= end:
                return found
            start, size = start + size, 2 * size

    def _recall(self, op: SearchOp, end: int) -> list[tuple["Record", float | None]]:
        found: list[tuple[Record, float | None]] = []
        start, size = 0, min(max(end, 1), _MOST)
        while True:
            hits = self._records.recall(
                readable(op.query or ""),
                op.namespace_prefix,
                where=translate_filter(op.filter),
                limit=size,
                offset=start,
            )
            found += [
                (hit.record, hit.score)
                for hit in hits
                if passes_filter(unpack(hit.record.value), op.filter)
            ]
            if len(hits) < size or len(found) >= end or start + size >= _MOST:
                return found
            start += size

    def _list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        found: Iterable[tuple[str, ...]] = self._records.paths()
        found = [
            path
            for path in found
            if all(fits_path(each.match_type, each.path, path) for each in conditions)
        ]
        if op.max_depth is not None:
            found = sorted({path[: op.max_depth] for path in found})
        return found[op.offset : op.offset + op.limit]

    def _delete_expired(self) -> int:
        return self._records.delete_expired()

    def _sweep_for_ever(self, minutes: float) -> None:
        while not self._stop.wait(minutes * 60):
            self._delete_expired()

    def _sweep_minutes(self, given: float | None) -> float:
        told = (self.ttl_config or {}).get("sweep_interval_minutes")
        return given or told or _DEFAULT_SWEEP_MINUTES


class RicordoStore(_Keeping, BaseStore):
    """A LangGraph store in a space. With `index`, items are found by meaning.

    The memory's own embedder makes the vectors; `from_conn_string` opens a memory with the one of
    `index`.
    """

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        space: str = "langgraph",
    ) -> None:
        self._begin(memory, space, index, ttl)

    @classmethod
    @contextmanager
    def from_conn_string(
        cls, conn_string: str, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> Iterator["RicordoStore"]:
        """Open a memory for a store and close it afterwards."""
        with open_memory(conn_string, index) as memory:
            store = cls(memory, index=index, ttl=ttl)
            try:
                yield store
            finally:
                store.stop_ttl_sweeper()

    def setup(self) -> None:
        """Make the memory now, so that the first `ttl` does not wait for it; not needed."""
        self._delete_expired()

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Run operations; all writes together or none."""
        return self._run(ops)

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Run operations on a thread."""
        return await finish(lambda: self._run(ops))

    def sweep_ttl(self) -> int:
        """Delete expired items; how many there were."""
        return self._delete_expired()

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> "Future[None]":
        """Delete expired items from time to time, on a thread."""
        ended: Future[None] = Future()
        if self.ttl_config is None or (self._sweeper is not None and self._sweeper.is_alive()):
            ended.set_result(None)
            return ended
        self._stop.clear()

        def sweep() -> None:
            try:
                self._sweep_for_ever(self._sweep_minutes(sweep_interval_minutes))
            finally:
                ended.set_result(None)

        self._sweeper = threading.Thread(target=sweep, name="ricordo-langgraph", daemon=True)
        self._sweeper.start()
        return ended

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """Stop deleting; True if nothing is running any more."""
        self._stop.set()
        if self._sweeper is not None:
            self._sweeper.join(timeout)
            if self._sweeper.is_alive():
                return False
            self._sweeper = None
        return True


class AsyncRicordoStore(_Keeping, AsyncBatchedBaseStore):
    """The same store for asyncio: operations that come together are one batch."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        space: str = "langgraph",
    ) -> None:
        super().__init__()
        self._begin(memory, space, index, ttl)
        self._sweeping: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def from_conn_string(
        cls, conn_string: str, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> AsyncIterator["AsyncRicordoStore"]:
        """Open a memory for a store and close it afterwards."""
        memory = open_memory(conn_string, index)
        store = cls(memory, index=index, ttl=ttl)
        try:
            yield store
        finally:
            await store.stop_ttl_sweeper()
            if store._task is not None:
                store._task.cancel()
            await finish(memory.close)

    async def setup(self) -> None:
        """Make the memory now, so that the first `ttl` does not wait for it; not needed."""
        await finish(self._delete_expired)

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Run operations; refused inside an event loop, which it would block."""
        if asyncio._get_running_loop() is None:
            return self._run(ops)
        raise asyncio.InvalidStateError("use the awaitable methods inside an event loop")

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Run operations on a thread."""
        return await finish(lambda: self._run(ops))

    async def sweep_ttl(self) -> int:
        """Delete expired items; how many there were."""
        return await finish(self._delete_expired)

    async def start_ttl_sweeper(
        self, sweep_interval_minutes: float | None = None
    ) -> "asyncio.Task[None]":
        """Delete expired items from time to time."""
        if self.ttl_config is None:
            return asyncio.create_task(asyncio.sleep(0))
        if self._sweeping is None or self._sweeping.done():
            minutes = self._sweep_minutes(sweep_interval_minutes)
            self._sweeping = asyncio.create_task(self._sweep(minutes))
        return self._sweeping

    async def _sweep(self, minutes: float) -> None:
        while True:
            await asyncio.sleep(minutes * 60)
            await self.sweep_ttl()

    async def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """Stop deleting; True if nothing is running any more."""
        task, self._sweeping = self._sweeping, None
        if task is None:
            return True
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=timeout)
        return bool(done)


def open_memory(conn_string: str, index: IndexConfig | None) -> "Memory":
    """A memory with the embedder that `index` names, or without one."""
    if index is None or index.get("embed") is None:
        return ricordo.open(conn_string, embedder="none" if index is None else None)
    return ricordo.open(conn_string, embedder=_IndexEmbedder(index["embed"], index["dims"]))


def _make_plain(value: Any) -> Any:
    """A value as a record takes it: tuples become lists, as in every store that writes JSON."""
    try:
        return pack_plainly(value)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the value cannot be kept as JSON: {error}") from error


def _make_item(record: "Record") -> Item:
    return Item(namespace=record.path[1:], key=record.key, **_describe(record))


def _make_hit(record: "Record", score: float | None) -> SearchItem:
    return SearchItem(record.path[1:], record.key, score=score, **_describe(record))


def _describe(record: "Record") -> dict[str, Any]:
    at = {"created_at": record.created_at, "updated_at": record.updated_at}
    return {"value": unpack(record.value), **at}
