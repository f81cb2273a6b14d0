"""Chunks: the spans that are indexed, with their rows in the keyword index."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.model import Origin
from ricordo.store.codec import drop_pieces

if TYPE_CHECKING:
    from ricordo.store.database import Tx


PAGE = 1_000


class ChunkRow(NamedTuple):
    """A span ready to be written; its numbers and its seq are given by `insert`."""

    kind: str
    session: str | None
    entry: int | None
    part: int
    role: str
    author: str
    origin: str
    at: int
    expires_at: int | None
    hash: bytes
    text: str
    length: int
    words: int
    marks: int
    calls: str
    terms: bytes
    extra: bytes


class Placed(NamedTuple):
    """A span and the first and last event that say it; an entry's span has none."""

    row: ChunkRow
    seq_start: int | None = None
    seq_end: int | None = None


class ViewRow(NamedTuple):
    """What ranking needs of a chunk."""

    chunk: int
    kind: str
    session: str | None
    seq_start: int | None
    entry: int | None
    part: int
    role: str
    author: str
    length: int
    at: int
    marks: int
    calls: str
    terms: bytes
    extra: bytes


class HitRow(NamedTuple):
    """What a hit shows of a chunk."""

    chunk: int
    kind: str
    session: str | None
    seq_start: int | None
    seq_end: int | None
    entry: int | None
    part: int
    role: str
    author: str
    origin: Origin
    at: int
    text: str
    words: int


class KnownChunk(NamedTuple):
    """A chunk that says something, and since when."""

    hash: bytes
    chunk: int
    at: int


class PageRow(NamedTuple):
    """A text to be read again by the tokenizer."""

    row: int
    chunk: int
    kind: str
    entry: int | None
    part: int
    role: str
    author: str
    at: int
    text: str


class UnembeddedChunk(NamedTuple):
    chunk: int
    author: str
    text: str


class Chunks:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, space: int, first: int, placed: Sequence[Placed]) -> None:
        """Write chunks numbered from `first`, each with its row in the keyword index."""
        found = self._tx.row("chunks.last_row", space=space, first=first)
        self.insert_after(found[0] if found else 0, space, first, placed)

    def insert_after(self, row: int, space: int, first: int, placed: Sequence[Placed]) -> None:
        """The same for whoever knows after which row."""
        base = row + 1
        self._tx.many(
            "chunks.insert",
            [
                (base + n, space, first + n, start, end, *row)
                for n, (row, start, end) in enumerate(placed)
            ],
        )
        self._tx.search.index(
            space, [(base + n, item.row.terms, item.row.extra) for n, item in enumerate(placed)]
        )

    def find_known(self, space: int, session: str, hashes: Sequence[bytes]) -> list[KnownChunk]:
        """Chunks of this session that already say the same."""
        if len(hashes) == 1:  # most messages are one chunk, for which a list is a detour
            rows = self._tx.rows("chunks.saying", space=space, session=session, hash=hashes[0])
        else:
            listed = json.dumps([hash.hex() for hash in hashes])
            rows = self._tx.rows("chunks.known", space=space, session=session, hashes=listed)
        return [KnownChunk(*row) for row in rows]

    def widen(self, space: int, chunk: int, seq: int) -> None:
        self._tx.rows("chunks.widen", space=space, chunk=chunk, seq=seq)

    def since(self, space: int, after: int) -> Iterator[list[ViewRow]]:
        """Page by page what came after a chunk: a big space is never in memory twice."""
        while rows := self._tx.rows("chunks.since", space=space, after=after, limit=PAGE):
            yield [ViewRow(*row) for row in rows]
            after = rows[-1][0]

    def ids(self, space: int) -> list[int]:
        return [row[0] for row in self._tx.rows("chunks.ids", space=space)]

    def list_unembedded(self, space: int, after: int, limit: int) -> list[UnembeddedChunk]:
        rows = self._tx.rows("chunks.waiting", space=space, after=after, limit=limit)
        return [UnembeddedChunk(*row) for row in rows]

    def one(self, space: int, chunk: int) -> UnembeddedChunk | None:
        row = self._tx.row("chunks.one", space=space, chunk=chunk)
        return UnembeddedChunk(chunk, *row) if row else None

    def near(self, space: int, places: Iterable[int]) -> dict[int, str]:
        """The texts of the chunks at these places or next after them."""
        sets = [{"space": space, "after": place - 1, "limit": 1} for place in places]
        found = self._tx.each("chunks.waiting", sets)
        return {row[0]: row[2] for (row,) in filter(None, found)}

    def hydrate(self, space: int, chunks: Iterable[int]) -> dict[int, HitRow]:
        found = self._tx.each("chunks.hydrate", [{"space": space, "chunk": c} for c in chunks])
        rows = (HitRow(*row) for (row,) in filter(None, found))
        return {row.chunk: row for row in rows}

    def terms(self, space: int, chunks: Iterable[int]) -> list[tuple[int, bytes, bytes]]:
        """The stems of chunks, of their text and of what surrounds it; no pieces of words."""
        listed = list(chunks)
        found = self._tx.each("chunks.terms", [{"space": space, "chunk": c} for c in listed])
        return [
            (chunk, rows[0][0], drop_pieces(rows[0][1]))
            for chunk, rows in zip(listed, found, strict=True)
            if rows
        ]

    def count_after(self, space: int, after: int) -> int:
        row = self._tx.row("chunks.count_after", space=space, after=after)
        return int(row[0]) if row else 0

    def of_entry(self, space: int, entry: int) -> set[int]:
        return {row[1] for row in self._tx.rows("chunks.rows_of_entry", space=space, entry=entry)}

    def of_entries(self, space: int, entries: Iterable[int]) -> set[int]:
        """The chunks of entries and documents."""
        sets = [{"space": space, "entry": entry} for entry in entries]
        return {row[1] for rows in self._tx.each("chunks.rows_of_entry", sets) for row in rows}

    def of_events(self, space: int, events: Iterable[tuple[str, int]], *, whole: bool) -> set[int]:
        """The chunks that events say first or last; with `whole` those that no others say."""
        spoken = set(events)
        sessions = sorted({session for session, _ in spoken})
        sets = [{"space": space, "session": session} for session in sessions]
        meets = all if whole else any
        return {
            chunk
            for session, rows in zip(sessions, self._tx.each("chunks.spans", sets), strict=True)
            for chunk, first, last in rows
            if meets((session, seq) in spoken for seq in (first, last))
        }

    def of_event(self, space: int, session: str, seq: int) -> set[int]:
        """The chunks that an event says, alone or with others that say the same."""
        rows = self._tx.rows("chunks.of_event", space=space, session=session, seq=seq)
        return {row[0] for row in rows}

    def first_of_entries(self, space: int) -> list[tuple[int, int, str]]:
        """Each entry with its first chunk and its title."""
        rows = self._tx.rows("chunks.first_of_entries", space=space)
        return [(row[0], row[1], row[2]) for row in rows]

    def list_later(self, space: int, at: int) -> list[int]:
        """The chunks of what was said, or changed, after a time."""
        return [row[0] for row in self._tx.rows("chunks.later", space=space, at=at)]

    def list_expired(self, space: int, now: int) -> list[int]:
        return [row[0] for row in self._tx.rows("chunks.expired", space=space, now=now)]

    def page(self, space: int, after: int, limit: int) -> list[PageRow]:
        rows = self._tx.rows("chunks.page", space=space, after=after, limit=limit)
        return [PageRow(*row) for row in rows]

    def reindex(self, space: int, row: PageRow, **read: Any) -> None:
        """Replace what the tokenizer read of a chunk, in the table and in the index."""
        self._tx.rows("chunks.reindex", space=space, chunk=row.chunk, **read)
        self._tx.rows("words.delete", row=row.row)
        self._tx.search.index(space, [(row.row, read["terms"], read["extra"])])

    def expire(self, space: int, entry: int, at: int | None) -> None:
        self._tx.rows("chunks.expire", space=space, entry=entry, expires_at=at)

    def delete_entry(self, space: int, entry: int) -> dict[str, int]:
        """Take an entry's chunks out of table, index and vectors; what went, by table."""
        rows = self._tx.rows("chunks.rows_of_entry", space=space, entry=entry)
        return self._delete(space, rows, "chunks.delete_entry", entry=entry)

    def delete_session(self, space: int, session: str) -> dict[str, int]:
        rows = self._tx.rows("chunks.rows_of_session", space=space, session=session)
        return self._delete(space, rows, "chunks.delete_session", session=session)

    def _delete(
        self, space: int, rows: list[tuple[int, int, int]], query: str, **of: object
    ) -> dict[str, int]:
        self._tx.many("words.delete", ({"row": row[0]} for row in rows))
        self._tx.many("failures.delete_chunk", ({"space": space, "chunk": r[1]} for r in rows))
        vectors = self._tx.embeddings.delete(space, [row[1] for row in rows])
        self._tx.rows(query, space=space, **of)
        if rows:
            self._tx.spaces.shrank(space, len(rows), sum(row[2] for row in rows))
            self._tx.blocks.drop(space, [row[1] for row in rows])
        return {"chunks": len(rows), "words": len(rows), "embeddings": vectors}
