"""LangGraph's checkpointer over the records of a space: state, writes and history of threads.

Importing this module needs the extra: pip install "ricordo[langgraph-checkpoints]".
"""

import json
import random
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any

import ricordo
from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.verbatim import readable
from ricordo.errors import Conflict

try:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import (
        WRITES_IDX_MAP,
        BaseCheckpointSaver,
        ChannelVersions,
        Checkpoint,
        CheckpointMetadata,
        CheckpointTuple,
        get_checkpoint_id,
        get_checkpoint_metadata,
    )
    from langgraph.checkpoint.serde.base import SerializerProtocol
except ImportError as error:
    raise report_missing("langgraph-checkpoint", "langgraph-checkpoints") from error

if TYPE_CHECKING:
    from ricordo import Memory, Record, Space, aio

__all__ = ["RicordoSaver"]

PATH = "langgraph-checkpoints"
_STATE = "state"  # the key of a checkpoint; those of the tasks that wrote have a slash
_PLAIN = (str, int, bool)
Group = Sequence["Record"]  # a checkpoint and its writes: all that stands under one path
Groups = Sequence[Group]
Typed = tuple[str, bytes]  # a value as a serializer gives it: its type, its bytes
Writes = Mapping[int, tuple[str, Typed]]  # those of a task by number, each with its channel


class RicordoSaver(BaseCheckpointSaver[str]):
    """A checkpointer in a space: checkpoints and pending writes are records, as bytes."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        *,
        serde: SerializerProtocol | None = None,
        space: str = "langgraph",
    ) -> None:
        super().__init__(serde=serde)
        self.space = find_space(memory, space)
        self._records = self.space.records(PATH)

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str) -> Iterator["RicordoSaver"]:
        """Open a memory for a checkpointer and close it afterwards."""
        with ricordo.open(conn_string, embedder="none") as memory:
            yield cls(memory)

    def setup(self) -> None:
        """Nothing: a memory needs no preparation."""

    # writing

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - every checkpoint is kept whole
    ) -> RunnableConfig:
        """Keep a checkpoint."""
        given = config["configurable"]
        inner, whole = given.get("checkpoint_ns", ""), get_checkpoint_metadata(config, metadata)
        about = {"parent": given.get("checkpoint_id")}
        value = _join(about, [self.serde.dumps_typed(each) for each in (checkpoint, whole)])
        key = (str(given["thread_id"]), inner, checkpoint["id"], _STATE)
        self._records.put(key, value, metadata=_choose_plain(dict(whole)))
        return _make_config(given["thread_id"], inner, checkpoint["id"])

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep the writes of a task; special ones replace, others stay as they came first."""
        given = config["configurable"]
        inner, checkpoint = given.get("checkpoint_ns", ""), str(given["checkpoint_id"])
        key = (str(given["thread_id"]), inner, checkpoint, f"{task_id}/")
        replaces = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        new = {
            WRITES_IDX_MAP.get(channel, number): (channel, self.serde.dumps_typed(value))
            for number, (channel, value) in enumerate(writes)
        }
        held: Writes = {}
        revision = 0
        while (kept := {**held, **new} if replaces else {**new, **held}) != held:
            about = {"task": task_id, "path": task_path}
            try:
                self._records.put(key, _pack_writes(about, kept), if_revision=revision)
                return
            except Conflict:  # the task has written before, or another process was quicker
                found = self._records.get(key)
                held = {} if found is None else _read_writes(found.value)
                revision = 0 if found is None else found.revision

    def delete_thread(self, thread_id: str) -> None:
        """Delete all that a thread has."""
        self._records.delete_many(prefix=(str(thread_id),))

    def delete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete the checkpoints of runs, with their writes."""
        where = {"run_id": {"$in": list(run_ids)}}
        self._delete(self._list_states((), where) if where["run_id"]["$in"] else [])

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all that a thread has to another one."""
        found = self._records.list((source_thread_id,), limit=None)
        self._records.put_many(
            {
                "key": (target_thread_id, *each.path[2:], each.key),
                "value": each.value,
                "metadata": each.metadata or None,
            }
            for each in found
        )

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete threads, or all but the latest checkpoint of each namespace in them."""
        for thread in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread)
                continue
            found = self._list_states((thread,))
            last = {each.path[:-1]: each.path for each in found}  # they come by key
            self._delete([each for each in found if last[each.path[:-1]] != each.path])

    def _delete(self, states: Group) -> None:
        """Delete checkpoints with their writes, in one transaction."""
        self._records.delete_many(
            record
            for state in states
            for record in self._records.list(state.path[1:], limit=None, values=False)
        )

    # reading

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names, or the latest one of its thread."""
        given = config["configurable"]
        place = (str(given["thread_id"]), given.get("checkpoint_ns", ""))
        wanted = get_checkpoint_id(config)
        groups = self._load(*place, wanted) if wanted else self._load_latest(place, 1)
        return next((self._make_tuple(each) for each in groups), None)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, the latest first."""
        given = (config or {}).get("configurable", {})
        end = get_checkpoint_id(before) if before else None
        left = limit
        for group in self._find_groups(given, filter, end, limit):
            if left is not None and left <= 0:
                return
            found = self._make_tuple(group)
            if not filter or _fits(found.metadata, filter):
                left = None if left is None else left - 1
                yield found

    def _find_groups(
        self,
        given: Mapping[str, Any],
        asked: dict[str, Any] | None,
        end: str | None,
        limit: int | None,
    ) -> Iterable[Group]:
        """Checkpoints of a thread, of one namespace of it or of all threads, the latest first."""
        names = [given[name] for name in ("thread_id", "checkpoint_ns") if name in given]
        prefix = tuple(map(str, names if "thread_id" in given else ()))
        wanted = given.get("checkpoint_id")
        if len(prefix) == 2 and wanted:
            yield from self._load(*prefix, wanted)
        elif len(prefix) == 2 and not asked and not end:
            yield from self._load_latest(prefix, limit)
        else:
            states = self._list_states(prefix, _choose_plain(asked or {}))
            for path in sorted((e.path for e in states), key=lambda e: e[-1], reverse=True):
                if (not wanted or path[-1] == wanted) and (not end or path[-1] < end):
                    yield from self._load(*path[1:])

    def _load_latest(self, place: tuple[str, ...], limit: int | None) -> Groups:
        """The latest checkpoints of a namespace; writes that came before theirs are left out."""
        wanted = limit
        while limit != 0:
            found = self._records.list(place, order="-key", limit=None, paths=wanted)
            groups = _group(found)
            if limit is None or wanted is None or len(groups) >= limit:
                return groups[:limit]
            if len({each.path for each in found}) < wanted:
                return groups
            wanted *= 2
        return []

    def _load(self, *path: str) -> Groups:
        """One checkpoint, or none."""
        return _group(self._records.list(path, limit=None))

    def _list_states(
        self, prefix: tuple[str, ...], where: Mapping[str, Any] | None = None
    ) -> Group:
        found = self._records.list(prefix, where=where or None, limit=None, values=False)
        return [each for each in found if each.key == _STATE]

    def _make_tuple(self, group: Group) -> CheckpointTuple:
        [state] = [each for each in group if each.key == _STATE]
        _, thread, inner, id = state.path
        about, checkpoint, metadata = self._unpack(state.value)
        told: list[tuple[tuple[str, str, int], str, Any]] = []
        for each in group:
            if each.key != _STATE:
                told += self._list_writes(each.value)
        told.sort(key=lambda write: write[0])
        parent = about["parent"]
        return CheckpointTuple(
            _make_config(thread, inner, id),
            checkpoint,
            metadata,
            _make_config(thread, inner, parent) if parent else None,
            [(place[1], channel, value) for place, channel, value in told],
        )

    def _list_writes(self, kept: Any) -> Iterable[tuple[tuple[str, str, int], str, Any]]:
        """The writes of a task, each with its place among those of all tasks."""
        about, *values = self._unpack(kept)
        for (index, channel), value in zip(about["writes"], values, strict=True):
            yield (about["path"], about["task"], index), channel, value

    def _unpack(self, kept: Any) -> Sequence[Any]:  # Any: whatever a graph keeps
        """What was packed: what is said of the values, then the values."""
        about, typed = _split(kept)
        return [about, *map(self.serde.loads_typed, typed)]

    def get_next_version(self, current: str | None, channel: None = None) -> str:  # noqa: ARG002
        """A version that sorts behind the current one."""
        number = 0 if current is None else int(str(current).split(".")[0])
        return f"{number + 1:032}.{random.random():016}"

    # awaitable

    async def aput(self, *given: Any, **named: Any) -> RunnableConfig:
        """`put` on a thread, like all that follows."""
        return await finish(lambda: self.put(*given, **named))

    async def aput_writes(self, *given: Any, **named: Any) -> None:
        await finish(lambda: self.put_writes(*given, **named))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await finish(lambda: self.get_tuple(config))

    async def alist(
        self, config: RunnableConfig | None, **named: Any
    ) -> AsyncIterator[CheckpointTuple]:
        for each in await finish(lambda: [*self.list(config, **named)]):
            yield each

    async def adelete_thread(self, thread_id: str) -> None:
        await finish(lambda: self.delete_thread(thread_id))

    async def adelete_for_runs(self, run_ids: Iterable[str]) -> None:
        await finish(lambda: self.delete_for_runs(run_ids))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        await finish(lambda: self.copy_thread(source_thread_id, target_thread_id))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        await finish(lambda: self.prune(thread_ids, strategy=strategy))


def _group(found: "Iterable[Record]") -> Groups:
    """Records by path, in order, if a checkpoint is among them."""
    groups = [list(each) for _, each in groupby(found, key=lambda record: record.path)]
    return [each for each in groups if any(record.key == _STATE for record in each)]


def _join(about: Mapping[str, Any], typed: Sequence[Typed]) -> bytes:
    """Values as bytes behind a line of JSON that says what and how long they are."""
    kinds = [(kind, len(data)) for kind, data in typed]
    head = json.dumps([about, kinds]).encode()
    return b"".join([head, b"\n", *(data for _, data in typed)])


def _split(kept: Any) -> tuple[dict[str, Any], list[Typed]]:  # Any: bytes, as this module wrote
    """What was joined."""
    head, _, rest = kept.partition(b"\n")
    about, kinds = json.loads(head.decode())
    typed, start = [], 0
    for kind, size in kinds:
        typed.append((kind, rest[start : start + size]))
        start += size
    return about, typed


def _pack_writes(about: Mapping[str, Any], writes: Writes) -> bytes:
    """The writes of a task, with their numbers and channels."""
    told = [(index, channel) for index, (channel, _) in writes.items()]
    return _join({**about, "writes": told}, [typed for _, typed in writes.values()])


def _read_writes(kept: Any) -> Writes:
    """The same, not read any further."""
    about, typed = _split(kept)
    return {
        index: (channel, each)
        for (index, channel), each in zip(about["writes"], typed, strict=True)
    }


def _choose_plain(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What conditions can find of metadata: texts and whole numbers."""
    return {
        key: value
        for key, value in metadata.items()
        if isinstance(value, _PLAIN) and readable(key) == key and readable(str(value)) == str(value)
    }


def _fits(metadata: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    return all(metadata.get(key) == value for key, value in asked.items())


def _make_config(thread: str, inner: str, checkpoint: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": thread, "checkpoint_ns": inner, "checkpoint_id": checkpoint,
        }
    }  # fmt: skip
