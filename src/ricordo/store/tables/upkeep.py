"""Upkeep: expired rows, events removed from their log, what depends on a source."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ricordo.store.database import Tx

# Tables that are emptied when a space is erased, children before those they refer to. Sessions and
# entries go one by one before them. What is left: the row of the space and its tombstones.
_EMPTIED = (
    "empty.signals",
    "empty.runs",
    "empty.schedules",
    "empty.reminders",
    "empty.due",
    "empty.spending",
    "empty.promotions",
    "empty.sweeps",
    "empty.outbox",
    "empty.dreamers",
    "empty.workspace_files",
    "empty.successions",
    "empty.macros",
    "empty.lessons",
    "empty.approvals",
    "empty.failures",
    "empty.coverage",
    "empty.pending",
    "empty.past_names",
    "empty.blocks",
    "empty.block_words",
    "empty.block_signs",
)


class Gap(NamedTuple):
    """What is left of an event that was taken out: enough for the hash chain."""

    seq: int
    digest: bytes
    link: bytes


class Spoken(NamedTuple):
    """A chunk of a session and the events from the first to the last that say it."""

    row: int
    chunk: int
    seq_start: int
    seq_end: int
    hash: bytes
    words: int
    at: int


class Past(NamedTuple):
    name: str
    entry: int
    since: int
    until: int


class UpkeepRows:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    # expired rows, and their deletion

    def signals(self, space: int, before: int, limit: int) -> list[int]:
        return self._column("upkeep.signals", space=space, before=before, limit=limit)

    def drop_signals(self, space: int, signals: Iterable[int]) -> None:
        self._tx.many("upkeep.drop_signal", [{"space": space, "signal": s} for s in signals])

    def list_queries(self, space: int) -> list[tuple[int, str]]:
        """Every signal with its query."""
        return [(row[0], row[1]) for row in self._tx.rows("upkeep.asked", space=space)]

    def revisions(self, space: int, before: int, limit: int) -> list[tuple[int, int]]:
        rows = self._tx.rows("upkeep.revisions", space=space, before=before, limit=limit)
        return [(row[0], row[1]) for row in rows]

    def drop_revisions(self, space: int, revisions: Iterable[tuple[int, int]]) -> None:
        self._tx.many(
            "upkeep.drop_revision",
            [{"space": space, "entry": entry, "number": number} for entry, number in revisions],
        )

    def past_names(self, space: int, before: int, limit: int) -> list[Past]:
        rows = self._tx.rows("upkeep.past_names", space=space, before=before, limit=limit)
        return [Past(*row) for row in rows]

    def drop_past_names(self, space: int, names: Iterable[Past]) -> None:
        batch = [{"space": space, **name._asdict()} for name in names]
        self._tx.many("upkeep.drop_past_name", batch)

    def list_expired(self, space: int, before: int, limit: int) -> list[int]:
        return self._column("upkeep.expired", space=space, before=before, limit=limit)

    def daily(self, space: int, before: int, limit: int) -> list[int]:
        return self._column("upkeep.daily", space=space, before=before, limit=limit)

    def list_consolidated(self, space: int, before: int, limit: int) -> list[tuple[str, int]]:
        rows = self._tx.rows("upkeep.consolidated", space=space, before=before, limit=limit)
        return [(row[0], row[1]) for row in rows]

    def runs(self, space: int, keep: int, limit: int) -> list[str]:
        return self._column("upkeep.runs", space=space, keep=keep, limit=limit)

    def drop_runs(self, space: int, runs: Iterable[str]) -> None:
        self._tx.many("upkeep.drop_run", [{"space": space, "id": id} for id in runs])

    # events taken out of their log

    def take_out(self, space: int, session: str, seqs: Iterable[int]) -> None:
        """Remove events with their marks; digest and link stay, so that the chain holds."""
        batch = [{"space": space, "session": session, "seq": seq} for seq in seqs]
        for query in ("gaps.insert", "upkeep.drop_mark", "upkeep.drop_event"):
            self._tx.many(query, batch)
        self._tx.many("event_values.delete_one", batch)

    def keep_place(self, space: int, session: str, seq: int) -> Gap:
        """Keep what the chain needs of an event that is edited; the first time counts."""
        self._tx.rows("gaps.insert", space=space, session=session, seq=seq)
        row = self._tx.row("gaps.one", space=space, session=session, seq=seq)
        assert row is not None
        return Gap(*row)

    def put_gap(self, space: int, session: str, gap: Gap) -> None:
        self._tx.rows("gaps.put", space=space, session=session, **gap._asdict())

    def gaps(self, space: int, session: str) -> list[Gap]:
        return [Gap(*row) for row in self._tx.rows("gaps.list", space=space, session=session)]

    def is_gap(self, space: int, session: str, seq: int) -> bool:
        return bool(self._tx.rows("gaps.holds", space=space, session=session, seq=seq))

    def delete_gaps(self, space: int, session: str) -> None:
        self._tx.rows("gaps.delete", space=space, session=session)

    def list_chunks_at(self, space: int, session: str, seq: int) -> list[Spoken]:
        """Chunks that an event is the first or the last to say."""
        rows = self._tx.rows("upkeep.spoken", space=space, session=session, seq=seq)
        return [Spoken(*row) for row in rows]

    def list_chunks_from(self, space: int, session: str, seq: int) -> list[Spoken]:
        """Chunks that events from a seq on say."""
        rows = self._tx.rows("upkeep.spoken_from", space=space, session=session, seq=seq)
        return [Spoken(*row) for row in rows]

    def move_chunk(self, space: int, chunk: int, first: int, last: int) -> None:
        self._tx.rows("upkeep.move_chunk", space=space, chunk=chunk, seq_start=first, seq_end=last)
        self._tx.spaces.shrank(space)  # whoever packs a block now reads it again
        self._tx.blocks.drop(space, [chunk])

    def drop_chunks(self, space: int, chunks: Iterable[Spoken]) -> dict[str, int]:
        """Take chunks out of table, index and vectors; what went, by table."""
        gone = list(chunks)
        self._tx.many("words.delete", [{"row": each.row} for each in gone])
        keys = [{"space": space, "chunk": each.chunk} for each in gone]
        self._tx.many("failures.delete_chunk", keys)
        vectors = self._tx.embeddings.delete(space, [each.chunk for each in gone])
        self._tx.many("upkeep.drop_chunk", keys)
        if gone:
            self._tx.spaces.shrank(space, len(gone), sum(each.words for each in gone))
            self._tx.blocks.drop(space, [each.chunk for each in gone])
        return {"chunks": len(gone), "words": len(gone), "embeddings": vectors}

    # what hangs on something that is erased

    def from_source(self, space: int, prefix: str) -> list[tuple[int, str]]:
        """Entries whose source begins so, with their metadata as JSON text."""
        rows = self._tx.rows("upkeep.from_source", space=space, prefix=prefix)
        return [(row[0], row[1]) for row in rows]

    def revisions_from(self, space: int, prefix: str) -> list[tuple[int, int, str]]:
        """What entries said before by such a source: entry, number and content."""
        rows = self._tx.rows("upkeep.revisions_from", space=space, prefix=prefix)
        return [(row[0], row[1], row[2]) for row in rows]

    def reminders_of(self, space: int, session: str) -> list[str]:
        return self._column("upkeep.reminders_of", space=space, session=session)

    def vectors(self, space: int, chunks: Iterable[int]) -> list[bytes]:
        """The vectors of chunks under every model."""
        return [
            row[0]
            for chunk in chunks
            for row in self._tx.rows("upkeep.vectors", space=space, chunk=chunk)
        ]

    def entries(self, space: int, limit: int) -> list[int]:
        """Some entries of a space, in order."""
        return self._column("upkeep.entry_ids", space=space, limit=limit)

    def chunks_of(self, space: int, session: str) -> list[int]:
        return self._column("upkeep.chunks_of", space=space, session=session)

    def empty(self, space: int) -> dict[str, list[str]]:
        """Delete what a space has besides sessions, entries and documents; the texts, by table."""
        return {
            query.partition(".")[2]: [str(r[0] or "") for r in self._tx.rows(query, space=space)]
            for query in _EMPTIED
        }

    def find_tables(self, space: int, text: str) -> list[str]:
        """The tables of a space in which a text stands."""
        return self._column("upkeep.holding", space=space, text=text)

    def is_in_schema(self, text: str) -> bool:
        """Whether the memory itself says so: in its tables' definitions or names of models."""
        return bool(self._tx.rows("upkeep.in_schema", text=text))

    def _column(self, query: str, **values: Any) -> list[Any]:  # the type of the column
        return [row[0] for row in self._tx.rows(query, **values)]
