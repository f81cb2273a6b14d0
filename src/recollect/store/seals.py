"""Seals: a short digest beside every row that stands in one place only, so that damage shows.

A seal covers what a row says, not what hands change on their way: leases, counters, marks. It is no
signature: whoever can write to the database can seal what he wrote. Events have their hash chain,
chunks and index are compared with what they are made from.
"""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.store import tables
from recollect.store.tables import Table

if TYPE_CHECKING:
    from recollect.store.database import Tx

SIZE = 8  # bytes: one damaged row in 2^64 passes

COVERED: Mapping[str, tuple[str, ...]] = {
    "spaces": ("name", "secret", "created_at"),
    "entries": (
        "id", "uid", "kind", "category", "content", "tags", "concept_tags", "origin", "source",
        "importance", "metadata", "created_at", "expires_at", "since",
    ),
    "names": ("name", "entry", "since"),
    "revisions": (
        "entry", "number", "name", "category", "content", "tags", "concept_tags", "origin",
        "source", "importance", "metadata", "updated_at", "expires_at", "since", "until",
    ),
    "summaries": ("session", "epoch", "upto", "text", "metadata", "at"),
    "scratchpads": ("session", "lines", "updated_at"),
    "retellings": ("entry", "session", "first_seq", "last_seq", "path"),
    "documents": (
        "id", "uri", "hash", "raw", "text", "origin", "metadata", "created_at", "updated_at",
    ),
    "signals": ("signal", "entry", "query", "score", "asker", "at"),
    "schedules": (
        "id", "name", "goal", "kind", "cadence", "phrase", "notify", "status", "source", "trusted",
        "missed", "keep", "channel", "channel_context", "created_at", "updated_at", "next_run_at",
        "last_run_at", "last_run_status", "failures",
    ),
    "runs": (
        "id", "schedule", "planned_at", "started_at", "finished_at", "status", "summary", "output",
        "turns", "cost", "notified",
    ),
    "reminders": ("id", "text", "at", "cue", "recipient", "channel", "session", "created_at"),
    "sweeps": (
        "id", "at", "candidates", "skipped", "report", "is_filed", "undone_at", "withdrawn",
    ),
    "promotions": (
        "entry", "sweep", "phase", "at", "score", "frequency", "relevance", "recency", "diversity",
        "consolidation", "hits", "queries", "days",
    ),
    "workspace_files": ("folder", "entry", "path", "hash", "state", "intent", "synced_at"),
    "successions": ("id", "trigger_tool", "trigger_args", "next_tool", "next_args", "created_at"),
    "macros": ("id", "trigger_tool", "trigger_pattern", "next_tool", "next_pattern"),
    "approvals": ("words", "allow", "created_at"),
    "tombstones": ("digest", "at"),
    "outbox": ("kind", "target"),
    "erasures": ("id", "files"),
}  # fmt: skip


class Broken(NamedTuple):
    """A row that differs from its seal, or has none though its space has one."""

    table: str
    key: Mapping[str, Any]  # Any: what a driver gives
    seal: bytes  # what it would have to be
    is_missing: bool


def seal(table: str, row: Mapping[str, Any]) -> bytes:
    """The seal of a row of a table."""
    told = "\x1f".join([_plain(row[column]) for column in COVERED[table]])
    return blake2b(told.encode(), digest_size=SIZE).digest()


def sealed(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its seal, ready to be written."""
    return {**row, "seal": seal(table, row)}


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

    def broken(self, space: int) -> Iterator[Broken]:
        """Rows of a space that differ from their seals."""
        own = self._tx.copying.space_row(space)
        is_strict = own["seal"] is not None  # an older space has rows without a seal
        if is_strict and bytes(own["seal"]) != (meant := seal("spaces", own)):
            yield Broken("spaces", {}, meant, is_missing=False)
        for table in self._tx.copying.tables():
            if table.name in COVERED:
                yield from self._broken(space, table, is_strict)

    def drop(self, space: int, row: Broken) -> None:
        """Delete a row that nothing vouches for."""
        self._tx.run(self._table(row).drop, space=space, **row.key)

    def renew(self, space: int, row: Broken) -> None:
        """Seal a row as it is."""
        self._tx.run(self._table(row).reseal, space=space, seal=row.seal, **row.key)

    def _table(self, row: Broken) -> Table:
        known = [tables.space_row(), *self._tx.copying.tables()]
        return next(table for table in known if table.name == row.table)

    def _broken(self, space: int, table: Table, is_strict: bool) -> Iterator[Broken]:
        for rows in self._tx.copying.pages(space, table):
            for row in rows:
                held = dict(zip(table.columns, row, strict=True))
                found, meant = held["seal"], seal(table.name, held)
                if found is None and not is_strict:
                    continue
                if found is None or bytes(found) != meant:
                    key = {name: held[name] for name in table.key}
                    yield Broken(table.name, key, meant, is_missing=found is None)
