"""Seals: a short digest beside every row that stands in one place only, so that damage shows.

A seal covers what a row says, not what changes on its way: leases, counters, marks. It is not a
signature: whoever can write to the database can also seal. Events have their hash chain, chunks and
index are compared with what they are made from.

A seal says which list of columns it covers. A row sealed under an older list is verified against
that list, and gets a seal of the newest list when it is written again or by `maintain`.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.store.schema import Table, find_table

if TYPE_CHECKING:
    from ricordo.store.database import Tx

SIZE = 8  # bytes of the digest: one damaged row in 2^64 passes
BARE = 8  # the list whose seals are the digest alone; that of a later list has its number in front

# The columns that seals of each table cover, by the number of the schema that brought the list. The
# highest number is used for writing. A list never changes: rows in users' files were sealed under
# it. To cover a new column, add a list under the number of the migration that adds the column.
LISTS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "spaces": {8: ("name", "secret", "created_at")},
    "entries": {8: (
        "id", "uid", "kind", "category", "content", "tags", "concept_tags", "origin", "source",
        "importance", "metadata", "created_at", "expires_at", "since",
    ), 12: (
        "id", "uid", "kind", "category", "content", "tags", "concept_tags", "origin", "source",
        "importance", "metadata", "created_at", "expires_at", "since", "pin", "mute", "embed_name",
    )},
    "names": {8: ("name", "entry", "since")},
    "revisions": {8: (
        "entry", "number", "name", "category", "content", "tags", "concept_tags", "origin",
        "source", "importance", "metadata", "updated_at", "expires_at", "since", "until",
    )},
    "summaries": {8: ("session", "epoch", "upto", "text", "metadata", "at")},
    "past_summaries": {11: ("session", "epoch", "upto", "text", "metadata", "at")},
    "scratchpads": {8: ("session", "lines", "updated_at")},
    "retellings": {8: ("entry", "session", "first_seq", "last_seq", "path")},
    "documents": {8: (
        "id", "uri", "hash", "raw", "text", "origin", "metadata", "created_at", "updated_at",
    ), 15: (
        "id", "uri", "hash", "raw", "text", "origin", "metadata", "created_at", "updated_at",
        "tags",
    )},
    # When a record expires is moved by reading it, so no seal covers that.
    "records": {18: (
        "path", "key", "id", "revision", "created_at", "updated_at", "origin", "texts", "metadata",
        "value", "bytes",
    )},
    "record_revisions": {18: (
        "record", "revision", "updated_at", "until", "origin", "texts", "metadata", "value",
        "bytes",
    )},
    "signals": {8: ("signal", "entry", "query", "score", "asker", "at"), 14: (
        "signal", "entry", "query", "score", "asker", "at", "session", "seq",
    )},
    "schedules": {8: (
        "id", "name", "goal", "kind", "cadence", "phrase", "notify", "status", "source", "trusted",
        "missed", "keep", "channel", "channel_context", "created_at", "updated_at", "next_run_at",
        "last_run_at", "last_run_status", "failures",
    )},
    "runs": {8: (
        "id", "schedule", "planned_at", "started_at", "finished_at", "status", "summary", "output",
        "turns", "cost", "notified",
    )},
    "reminders": {8: ("id", "text", "at", "cue", "recipient", "channel", "session", "created_at")},
    "sweeps": {8: (
        "id", "at", "candidates", "skipped", "report", "is_filed", "undone_at", "withdrawn",
    )},
    "promotions": {8: (
        "entry", "sweep", "phase", "at", "score", "frequency", "relevance", "recency", "diversity",
        "consolidation", "hits", "queries", "days",
    )},
    "workspace_files": {8: ("folder", "entry", "path", "hash", "state", "intent", "synced_at")},
    "successions": {8: (
        "id", "trigger_tool", "trigger_args", "next_tool", "next_args", "created_at",
    )},
    "macros": {8: ("id", "trigger_tool", "trigger_pattern", "next_tool", "next_pattern")},
    "approvals": {8: ("words", "allow", "created_at")},
    "tombstones": {8: ("digest", "at")},
    "outbox": {8: ("kind", "target")},
    "erasures": {8: ("id", "files")},
}  # fmt: skip


class Broken(NamedTuple):
    """A row that differs from its seal, or has none though its space has one."""

    table: str
    key: Mapping[str, Any]  # Any: what a driver gives
    seal: bytes  # what it would have to be
    is_missing: bool


class Older(NamedTuple):
    """A row whose seal covers an older list of columns."""

    key: tuple[Any, ...]
    seal: bytes | None  # the one of the newest list; None if the row differs from the seal it has


def seal(table: str, row: Mapping[str, Any]) -> bytes:
    """The seal of a row of a table, under the newest list."""
    lists = LISTS[table]
    return _seal(table, max(lists), row)


def seal_row(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its seal, ready to be written."""
    return {**row, "seal": seal(table, row)}


def is_intact(table: str, row: Mapping[str, Any], seal: bytes) -> bool:
    """Whether a row is as it was when it was sealed, under whatever list that was."""
    number = BARE if len(seal) == SIZE else seal[0] if seal else 0
    return number in LISTS[table] and seal == _seal(table, number, row)


def covers(table: str, column: str) -> bool:
    """Whether seals of a table cover a column."""
    lists = LISTS.get(table)
    return lists is not None and column in lists[max(lists)]


def _seal(table: str, number: int, row: Mapping[str, Any]) -> bytes:
    """The seal of a row under one list; a seal of another length or number is another seal."""
    told = []
    for column in LISTS[table][number]:  # without a call for the plain ones: every write comes by
        value = row[column]
        kind = type(value)
        if kind is str:
            told.append(f"{len(value)} {value}")
        else:
            told.append(str(value) if kind is int or value is None else _plain(value))
    digest = blake2b("\x1f".join(told).encode(), digest_size=SIZE).digest()
    return digest if number == BARE else bytes((number,)) + digest


def _plain(value: Any) -> str:
    """A value so that every backend gives the same: one of them tells 1.0 for 1."""
    if isinstance(value, str):
        return f"{len(value)} {str.__str__(value)}"  # an enum tells its name elsewhere
    if isinstance(value, float) and not value.is_integer():
        return repr(float(value))
    if isinstance(value, int | float):
        return str(int(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return repr(value)


class Seals:
    """The seals of one transaction, read and put right."""

    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def find_broken(self, space: int) -> Iterator[Broken]:
        """Rows of a space that differ from their seals."""
        own = self._tx.copying.space_row(space)
        is_strict = own["seal"] is not None  # an older space has rows without a seal
        if is_strict and not is_intact("spaces", own, bytes(own["seal"])):
            yield Broken("spaces", {}, seal("spaces", own), is_missing=False)
        for table in self._tx.copying.tables():
            if table.name in LISTS:
                yield from self._find_broken_rows(space, table, is_strict)

    def drop(self, space: int, row: Broken) -> None:
        """Delete a row that nothing vouches for."""
        self._tx.run(find_table(row.table).drop, space=space, **row.key)

    def renew(self, space: int, row: Broken) -> None:
        """Seal a row as it is."""
        self._tx.run(find_table(row.table).reseal, space=space, seal=row.seal, **row.key)

    def renew_row(self, space: int, table: str, key: Mapping[str, Any]) -> None:
        """Seal the row of a key as it is, if it has a seal."""
        if table not in LISTS:
            return
        found = find_table(table)
        (row,) = self._tx.run(found.one, space=space, **key)
        held = dict(zip(found.columns, row, strict=True))
        if held["seal"] is not None:
            self._tx.run(found.reseal, space=space, seal=seal(table, held), **key)

    def older(
        self, space: int, table: Table, after: Sequence[Any] | None, limit: int
    ) -> list[Older]:
        """Rows with seals of older lists, by key, those after a key or the first ones."""
        query = table.first_older if after is None else table.page_older
        keys = {f"after_{name}": value for name, value in zip(table.key, after or (), strict=False)}
        mark = bytes((max(LISTS[table.name]),))
        rows = self._tx.run(query, space=space, size=SIZE + 1, mark=mark, limit=limit, **keys)
        return [_read_older(table, row) for row in rows]

    def renew_older(self, space: int, table: Table, rows: Sequence[Older]) -> None:
        """Seal rows under the newest list, except those that differ from their seals."""
        fresh = [
            {"space": space, "seal": row.seal, **dict(zip(table.key, row.key, strict=True))}
            for row in rows
            if row.seal is not None
        ]
        self._tx.run_many(table.reseal, fresh)

    def _find_broken_rows(self, space: int, table: Table, is_strict: bool) -> Iterator[Broken]:
        for rows in self._tx.copying.pages(space, table):
            for row in rows:
                held = dict(zip(table.columns, row, strict=True))
                found = held["seal"]
                if found is None and not is_strict:
                    continue
                if found is None or not is_intact(table.name, held, bytes(found)):
                    key = {name: held[name] for name in table.key}
                    yield Broken(table.name, key, seal(table.name, held), is_missing=found is None)


def find_relisted() -> list[Table]:
    """The tables that have more than one list, so that rows may have seals of an older one."""
    return [find_table(name) for name, lists in LISTS.items() if len(lists) > 1]


def _read_older(table: Table, row: Sequence[Any]) -> Older:
    held = dict(zip(table.columns, row, strict=True))
    is_good = is_intact(table.name, held, bytes(held["seal"]))
    key = tuple(held[name] for name in table.key)
    return Older(key, seal(table.name, held) if is_good else None)
