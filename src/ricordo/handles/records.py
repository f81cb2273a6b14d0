"""The records of a space: values under paths and keys. Every method calls a flow."""

import builtins  # `list` is a method here
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.erasure.erase import erase_records
from ricordo.flows.records import read, requests, write
from ricordo.flows.records.requests import DeleteRequest, RecordWish
from ricordo.handles.collection import Collection
from ricordo.model import Json, Mode, Origin, Receipt, Record, RecordHit, RecordOrder

RecordKey = str | Sequence[str] | Record  # a key, or a path with a key at its end
RecordPath = str | Sequence[str]


class SpaceRecords(Collection):
    """The records below a path. Keys and prefixes are given from that path on."""

    def __init__(
        self, engine: Engine, space: str, path: tuple[str, ...] = (), history: bool = False
    ) -> None:
        super().__init__(engine, space)
        self._path = path
        self._history = history

    def __repr__(self) -> str:
        return f"<SpaceRecords {'/'.join(self._path)!r} of space {self._space!r}>"

    def put(
        self,
        key: RecordKey,
        value: Json | bytes,
        *,
        texts: str | Iterable[str] | None = None,
        metadata: Mapping[str, Json] | None = None,
        origin: Origin | None = None,
        ttl: float | timedelta | None = None,
        if_revision: int | None = None,
        if_absent: bool = False,
    ) -> Record:
        """Keep a value under a key: JSON or bytes. What was there before is replaced.

        Recall finds it by its `texts`. `where` is about `metadata`, or about the value where there
        is none. It expires in `ttl` seconds; a touch starts that time again. With `if_revision`
        it is written only if the record still has that revision, 0 for none; else Conflict. With
        `if_absent` a record that is there stays, and is returned.
        """
        wish = RecordWish(value, texts, metadata, origin, ttl, if_revision, if_absent)
        request = requests.read_put(self._engine.settings, self._locate(key), wish)
        (found,) = write.run_requests(self._engine, self._space, [request], history=self._history)
        assert isinstance(found, Record)
        return found

    def get(self, key: RecordKey, *, touch: bool = False) -> Record | None:
        """The record of exactly this key, or None; with `touch` it expires later."""
        address = self._locate(key)
        found = read.get(self._engine, self._space, address)
        if touch and found is not None and found.ttl is not None:
            write.touch(self._engine, self._space, [address], None)
        return found

    def delete(self, key: RecordKey) -> bool:
        """Delete a record and everything derived from it; False if there is none."""
        request = DeleteRequest(self._locate(key))
        return bool(write.run_requests(self._engine, self._space, [request])[0])

    def put_many(
        self,
        records: Mapping[str, Json | bytes]
        | Iterable[tuple[RecordKey, Json | bytes] | Mapping[str, Any]],  # Any: the options of `put`
    ) -> builtins.list[Record]:
        """Put many records in one transaction: all of them, or none.

        Give values by key, pairs of key and value, or objects with `key`, `value` and the other
        options of `put`.
        """
        listed = requests.read_many(self._engine.settings, self._path, records)
        found = write.run_requests(self._engine, self._space, listed, history=self._history)
        return [each for each in found if isinstance(each, Record)]

    def get_many(
        self, keys: Iterable[RecordKey], *, touch: bool = False
    ) -> builtins.list[Record | None]:
        """The records of these keys, in their order, with None where there is none."""
        addresses = self._locate_all(keys)
        found = read.get_many(self._engine, self._space, addresses)
        if touch:
            self._touch([each for each in found if each is not None])
        return found

    def delete_many(
        self,
        keys: Iterable[RecordKey] | None = None,
        *,
        prefix: RecordPath | None = None,
        where: Mapping[str, Json] | None = None,
    ) -> int:
        """Delete records in one transaction; how many there were.

        Give keys, or a prefix: `prefix=()` is all of this path. `where` chooses among them.
        """
        write.refuse_prefix_and_keys(keys, prefix, where)
        if keys is None:
            below = read.join_prefix(self._path, () if prefix is None else prefix)
            return write.delete_below(self._engine, self._space, below, where)
        listed = [DeleteRequest(each) for each in self._locate_all(keys)]
        return sum(map(bool, write.run_requests(self._engine, self._space, listed)))

    def batch(
        self,
        steps: Iterable[Mapping[str, Any]],  # Any: the options of `put`
    ) -> builtins.list[Record | bool | None]:
        """Put, get and delete in one transaction, in this order: all of it, or nothing.

        Steps are {"put": key, "value": …}, with the other options of `put`, {"get": key} and
        {"delete": key}. The answers are those of `put`, `get` and `delete`.
        """
        listed = requests.read_batch(self._engine.settings, self._path, steps)
        return write.run_requests(self._engine, self._space, listed, history=self._history)

    def touch(self, key: RecordKey, ttl: float | timedelta | None = None) -> bool:
        """Start the time again after which a record expires; False if it does not expire.

        With `ttl` it expires in so many seconds from now on. Its revision stays.
        """
        wait = None if ttl is None else requests.read_ttl(ttl)
        return bool(write.touch(self._engine, self._space, [self._locate(key)], wait))

    def touch_many(self, keys: Iterable[RecordKey], ttl: float | timedelta | None = None) -> int:
        """Touch many records in one transaction; how many expire later now."""
        wait = None if ttl is None else requests.read_ttl(ttl)
        return write.touch(self._engine, self._space, self._locate_all(keys), wait)

    def delete_expired(self) -> int:
        """Delete the records of the space that have expired, as upkeep does; how many."""
        return write.delete_expired(self._engine, self._space)

    def list(
        self,
        prefix: RecordPath = (),
        *,
        where: Mapping[str, Json] | None = None,
        order: RecordOrder = "key",
        limit: int | None = 100,
        offset: int = 0,
        values: bool = True,
        paths: int | None = None,
    ) -> builtins.list[Record]:
        """Records below a path, by path and key, or as they were written ("updated").

        A minus turns the order round. With `values=False` values are not read, and are None. With
        `paths` only the records of so many paths are listed: those that come first.
        """
        page = (limit, offset)
        asked = read.read_list(self._path, prefix, where, order, page, values=values, paths=paths)
        return read.list_records(self._engine, self._space, asked)

    def paths(
        self, prefix: RecordPath = (), *, depth: int | None = None
    ) -> builtins.list[tuple[str, ...]]:
        """The paths that hold records, from this path on; with `depth` only so many names."""
        return read.paths(self._engine, self._space, self._path, prefix, depth)

    def recall(
        self,
        query: str | None = None,
        prefix: RecordPath = (),
        *,
        vector: Iterable[float] | None = None,
        where: Mapping[str, Json] | None = None,
        limit: int = 10,
        offset: int = 0,
        mode: Mode | None = None,
    ) -> builtins.list[RecordHit]:
        """The records whose texts are nearest to a query, or to its vector: one hit for each.

        Mode "vector" orders by cosine alone, and is the default where the memory has an embedder;
        "keyword" is the default elsewhere. Texts that wait for their vectors get them first.
        """
        self._engine.store.check_alive()  # first: the import could hang in a forked child
        from ricordo.flows.records.recall import read_ask, recall_records  # needs numpy

        below = read.join_prefix(self._path, prefix)
        ask = read_ask(self._engine, below, query, vector, where, (limit, offset), mode)
        return recall_records(self._engine, self._space, ask)

    def history(self, key: RecordKey) -> builtins.list[Record]:
        """What a record said before, the first one first; kept by `records(..., history=True)`."""
        return read.history(self._engine, self._space, self._locate(key))

    def erase(
        self,
        key: RecordKey | None = None,
        *,
        prefix: RecordPath | None = None,
        dry_run: bool = False,
    ) -> Receipt:
        """Delete a record, or all below a prefix, and leave no byte in the memory and its files."""
        if (key is None) == (prefix is None):
            raise InvalidInput("erase needs a key or a prefix; give one of them")
        below = read.join_prefix(self._path, prefix) if key is None else self._locate(key)
        target, choose = write.choose_to_erase(below, is_key=key is not None)
        return erase_records(self._engine, self._space, target, choose, dry_run=dry_run)

    def _locate(self, key: RecordKey) -> tuple[str, str]:
        """Where a key stands; a record has its whole path."""
        if isinstance(key, Record):
            path, name = self._refer(key, Record)
            return requests.locate((), (*path, name))
        return requests.locate(self._path, key)

    def _locate_all(self, keys: Iterable[RecordKey]) -> builtins.list[tuple[str, str]]:
        return [self._locate(key) for key in requests.check_keys(self._engine.settings, keys)]

    def _touch(self, found: builtins.list[Record]) -> None:
        expiring = [self._locate(each) for each in found if each.ttl is not None]
        if expiring:
            write.touch(self._engine, self._space, expiring, None)
