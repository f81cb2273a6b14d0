"""Records: values under a path and a key, their texts, and what some of them said before."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.codec import end_of_prefix
from ricordo.store.seals import seal, seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx

_ORDERS = {
    "key": "records.by_key",
    "-key": "records.by_key_backwards",
    "updated": "records.oldest",
    "-updated": "records.newest",
}
_OF_PATHS = {"key": "records.of_first_paths", "-key": "records.of_last_paths"}
Address = tuple[str, str]  # path as one text, and key


class RecordRow(NamedTuple):
    """A record as it stands in its table; its chunks carry its id as their entry."""

    path: str
    key: str
    id: int
    revision: int
    created_at: int
    updated_at: int
    expires_at: int | None
    ttl: int | None
    origin: str
    texts: str
    metadata: str
    value: str | None
    bytes: bytes | None


class RecordPlace(NamedTuple):
    """What a list of records is ordered by."""

    path: str
    key: str
    id: int
    updated_at: int


class PastRow(NamedTuple):
    """What a record said before, and until when."""

    record: int
    revision: int
    updated_at: int
    until: int
    origin: str
    texts: str
    metadata: str
    value: str | None
    bytes: bytes | None


class RecordPage(NamedTuple):
    """Which records to list: those below a path."""

    prefix: str
    now: int
    order: str = "key"
    limit: int = -1
    offset: int = 0
    values: bool = True
    paths: int | None = None  # how many paths at most


class Records:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def get(self, space: int, address: Address, now: int) -> RecordRow | None:
        path, key = address
        row = self._tx.row("records.get", space=space, path=path, key=key, now=now)
        return RecordRow(*row) if row else None

    def find(
        self, space: int, addresses: Iterable[Address], *, values: bool
    ) -> dict[Address, RecordRow]:
        """The records of some keys, also expired ones; without `values` what they hold is None."""
        keys = json.dumps(list(addresses), ensure_ascii=False)
        rows = self._tx.rows("records.among", space=space, keys=keys, values=int(values))
        return {(row[0], row[1]): RecordRow(*row) for row in rows}

    def of(
        self, space: int, ids: Iterable[int], now: int, *, values: bool = True
    ) -> dict[int, RecordRow]:
        """The records of these numbers."""
        listed = json.dumps(list(ids))
        rows = self._tx.rows("records.of", space=space, ids=listed, now=now, values=int(values))
        return {row[2]: RecordRow(*row) for row in rows}

    def list(self, space: int, page: RecordPage) -> list[RecordRow]:
        """Records below a path, in order."""
        of_paths = {} if page.paths is None else {"paths": page.paths}
        rows = self._tx.rows(
            (_OF_PATHS if of_paths else _ORDERS)[page.order],
            space=space,
            **of_paths,
            prefix=page.prefix,
            beyond=end_of_prefix(page.prefix),
            now=page.now,
            values=int(page.values),
            limit=page.limit,
            offset=page.offset,
        )
        return [RecordRow(*row) for row in rows]

    def places(
        self, space: int, prefix: str, now: int, ids: Iterable[int] | None = None
    ) -> "Sequence[RecordPlace]":
        """Where records below a path stand: all of them, or those of these numbers."""
        beyond = end_of_prefix(prefix)
        of = {"space": space, "prefix": prefix, "beyond": beyond, "now": now}
        if ids is None:
            rows = self._tx.rows("records.below", **of)
        else:
            rows = self._tx.rows("records.places", ids=json.dumps(list(ids)), **of)
        return [RecordPlace(*row) for row in rows]

    def numbers(self, space: int, prefix: str, now: int) -> "Sequence[int]":
        """The numbers of the records below a path."""
        beyond = end_of_prefix(prefix)
        rows = self._tx.rows("records.numbers", space=space, prefix=prefix, beyond=beyond, now=now)
        return [row[0] for row in rows]

    def paths(self, space: int, prefix: str, now: int) -> "Sequence[str]":
        """The paths below a path that hold a record."""
        beyond = end_of_prefix(prefix)
        rows = self._tx.rows("records.paths", space=space, prefix=prefix, beyond=beyond, now=now)
        return [row[0] for row in rows]

    def all(self, space: int) -> "Sequence[RecordRow]":
        return [RecordRow(*row) for row in self._tx.rows("records.all", space=space)]

    def list_expired(self, space: int, before: int, limit: int) -> "Sequence[int]":
        rows = self._tx.rows("records.expired", space=space, before=before, limit=limit)
        return [row[0] for row in rows]

    def some(self, space: int, limit: int) -> "Sequence[int]":
        """Some records, by number."""
        return [row[0] for row in self._tx.rows("records.some", space=space, limit=limit)]

    def has_bytes(self, space: int, beginning: bytes) -> bool:
        """Whether the bytes of a record begin so, or did so before."""
        size = len(beginning)
        return bool(self._tx.rows("records.begin", space=space, beginning=beginning, size=size))

    def put(self, space: int, rows: Iterable[RecordRow]) -> None:
        """Write records, new ones and known ones."""
        batch = [(space, *row, seal("records", row._asdict())) for row in rows]
        self._tx.many("records.put", batch)

    def touch(self, space: int, ids: Iterable[tuple[int, int | None, int | None]]) -> None:
        """When records expire, and what the next touch adds: (id, expires_at, ttl)."""
        batch = [(expires_at, ttl, space, id) for id, expires_at, ttl in ids]
        self._tx.many("records.touch", batch)

    def delete(self, space: int, ids: "Sequence[int]") -> None:
        """Delete rows with their values and revisions; their chunks go before."""
        keys = [(space, id) for id in ids]
        self._tx.many("entry_values.delete", keys)
        self._tx.many("record_revisions.delete", keys)
        self._tx.many("records.delete", keys)

    def measure(self, space: int, prefix: str) -> "tuple[int, Sequence[int]]":
        """How many records there are below a path, and which of them are indexed."""
        of = {"space": space, "prefix": prefix, "beyond": end_of_prefix(prefix)}
        count, with_texts = self._tx.row("records.count", **of) or (0, 0)
        indexed = self._tx.rows("records.indexed", **of) if with_texts else []
        return count, [row[0] for row in indexed]

    def delete_below(self, space: int, prefix: str) -> None:
        """Delete all rows below a path with their values and revisions; chunks go before."""
        of = {"space": space, "prefix": prefix, "beyond": end_of_prefix(prefix)}
        for query in (
            "records.delete_values",
            "records.delete_revisions",
            "records.delete_below",
        ):
            self._tx.rows(query, **of)

    # what they said before

    def keep(self, space: int, rows: Iterable[PastRow]) -> None:
        """Keep what records said before a put."""
        batch = [{"space": space, **seal_row("record_revisions", row._asdict())} for row in rows]
        self._tx.many("record_revisions.insert", batch)

    def history(self, space: int, record: int) -> "Sequence[PastRow]":
        rows = self._tx.rows("record_revisions.list", space=space, record=record)
        return [PastRow(*row) for row in rows]

    def list_old(self, space: int, before: int, limit: int) -> "Sequence[tuple[int, int]]":
        rows = self._tx.rows("record_revisions.old", space=space, before=before, limit=limit)
        return [(row[0], row[1]) for row in rows]

    def drop_old(self, space: int, rows: Iterable[tuple[int, int]]) -> None:
        self._tx.many("record_revisions.drop", [(space, *row) for row in rows])
