"""LangGraph's checkpointer over the records of a space: state, writes and history of threads.

Importing this module needs the extra: pip install "ricordo[langgraph-checkpoints]".
"""

import json
import random
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

import ricordo
from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.verbatim import pack, unpack

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
_STATE, _WRITES = "state", "writes"  # what stands below a thread
_PLAIN = (str, int, float, bool, type(None))


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
        thread, inner = str(given["thread_id"]), given.get("checkpoint_ns", "")
        kind, data = self.serde.dumps_typed(checkpoint)
        about = {
            "type": kind,
            "parent": given.get("checkpoint_id"),
            **self._pack(dict(get_checkpoint_metadata(config, metadata))),
        }
        self._records.put((thread, _STATE, inner, checkpoint["id"]), data, metadata=about)
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
        place = (str(given["thread_id"]), _WRITES, str(given.get("checkpoint_ns", "")))
        replaces = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        steps = []
        for number, (channel, value) in enumerate(writes):
            kind, data = self.serde.dumps_typed(value)
            index = WRITES_IDX_MAP.get(channel, number)
            key = (*place, str(given["checkpoint_id"]), f"{task_id}/{index}")
            about = {
                "task": task_id, "path": task_path, "index": index, "channel": channel,
                "type": kind,
            }  # fmt: skip
            step = {"key": key, "value": data, "metadata": about, "if_absent": not replaces}
            steps.append(step)
        self._records.put_many(steps)

    def delete_thread(self, thread_id: str) -> None:
        """Delete all that a thread has."""
        self._records.delete_many(prefix=(str(thread_id),))

    def delete_for_runs(self, run_ids: Iterable[str]) -> None:
        """Delete the checkpoints of runs, with their writes."""
        listed = list(run_ids)
        where = {"metadata.run_id": {"$in": listed}}
        self._delete(self._records.list(where=where, limit=None, values=False) if listed else [])

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all that a thread has to another one."""
        found = self._records.list((source_thread_id,), limit=None)
        self._records.put_many(
            {
                "key": (target_thread_id, *each.path[2:], each.key),
                "value": each.value,
                "metadata": each.metadata,
            }
            for each in found
        )

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete threads, or all but the latest checkpoint of each namespace in them."""
        for thread in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread)
                continue
            found = self._records.list((thread, _STATE), limit=None, values=False)
            last = {each.path: each.key for each in found}  # they come by key
            self._delete([each for each in found if last[each.path] != each.key])

    def _delete(self, states: list["Record"]) -> None:
        """Delete checkpoints with their writes, in one transaction."""
        writes = chain.from_iterable(
            self._records.list(_locate_writes(each), limit=None, values=False) for each in states
        )
        self._records.delete_many([*states, *writes])

    # reading

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names, or the latest one of its thread."""
        given = config["configurable"]
        place = (str(given["thread_id"]), _STATE, given.get("checkpoint_ns", ""))
        wanted = get_checkpoint_id(config)
        if wanted:
            found = self._records.get((*place, wanted))
        else:
            found = next(iter(self._records.list(place, order="-key", limit=1)), None)
        return None if found is None else self._make_tuple(found)

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
        wanted = given.get("checkpoint_id")
        end = get_checkpoint_id(before) if before else None
        left = limit
        for each in self._find_states(given, filter, None if wanted or end else limit):
            if left is not None and left <= 0:
                return
            if (wanted and each.key != wanted) or (end and each.key >= end):
                continue
            if filter and not _fits(self._unpack(each.metadata), filter):
                continue
            left = None if left is None else left - 1
            record = self._records.get(each) if each.value is None else each
            if record is not None:
                yield self._make_tuple(record)

    def _find_states(
        self, given: Mapping[str, Any], asked: dict[str, Any] | None, limit: int | None
    ) -> Iterable["Record"]:
        """Checkpoints of a thread, of one namespace of it or of all threads, the latest first."""
        where = {
            f"metadata.{key}": value
            for key, value in (asked or {}).items()
            if isinstance(value, _PLAIN) and value is not None and not isinstance(value, float)
        }
        if "thread_id" in given and "checkpoint_ns" in given:
            place = (str(given["thread_id"]), _STATE, given["checkpoint_ns"])
            most = None if asked else limit
            return self._records.list(place, where=where, order="-key", limit=most)
        prefix = (str(given["thread_id"]), _STATE) if "thread_id" in given else ()
        found = self._records.list(prefix, where=where, limit=None, values=False)
        states = [each for each in found if each.path[2] == _STATE]
        return sorted(states, key=lambda each: each.key, reverse=True)

    def _make_tuple(self, state: "Record") -> CheckpointTuple:
        _, thread, _, inner = state.path
        about = state.metadata
        found = self._records.list(_locate_writes(state), limit=None)
        writes = sorted(
            found, key=lambda e: (e.metadata["path"], e.metadata["task"], e.metadata["index"])
        )
        return CheckpointTuple(
            _make_config(thread, inner, state.key),
            self.serde.loads_typed((about["type"], state.value)),
            self._unpack(about),
            _make_config(thread, inner, about["parent"]) if about["parent"] else None,
            [
                (
                    each.metadata["task"],
                    each.metadata["channel"],
                    self.serde.loads_typed((each.metadata["type"], each.value)),
                )
                for each in writes
            ],
        )

    def _pack(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """Metadata as JSON, so that conditions find it; what JSON cannot say as bytes beside it."""
        try:
            kept = pack(metadata)
            is_same = json.loads(json.dumps(metadata)) == metadata
        except (TypeError, ValueError):
            is_same = False
        if not is_same:
            kind, data = self.serde.dumps_typed(metadata)
            plain = {k: v for k, v in metadata.items() if isinstance(v, str | bool | int)}
            return {"metadata": plain, "whole": [kind, b64encode(data).decode()]}
        return {"metadata": kept}

    def _unpack(self, about: Mapping[str, Any]) -> CheckpointMetadata:
        if "whole" in about:
            kind, data = about["whole"]
            return self.serde.loads_typed((kind, b64decode(data)))  # type: ignore[no-any-return]
        found: CheckpointMetadata = unpack(about["metadata"])
        return found

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


def _locate_writes(state: "Record") -> tuple[str, ...]:
    """The path of the writes that belong to a checkpoint."""
    _, thread, _, inner = state.path
    return (thread, _WRITES, inner, state.key)


def _fits(metadata: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    return all(metadata.get(key) == value for key, value in asked.items())


def _make_config(thread: str, inner: str, checkpoint: str) -> RunnableConfig:
    return {
        "configurable": {
            "thread_id": thread, "checkpoint_ns": inner, "checkpoint_id": checkpoint,
        }
    }  # fmt: skip
