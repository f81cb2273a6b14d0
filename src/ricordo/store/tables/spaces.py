"""Spaces: their numbers, counters and statistics."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.codec import end_of_prefix
from ricordo.store.seals import seal, seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


_TOKENIZER = "tokenizer"  # a key of `meta`
_HIGHEST = "highest_space"  # another: numbers up to this one are used up


class Counters(NamedTuple):
    next_entry: int
    next_chunk: int
    next_signal: int
    revision: int
    documents: int
    tokens: int


class SpaceState(NamedTuple):
    revision: int
    pruned: int
    last_chunk: int
    documents: int
    tokens: int


class Numbered(NamedTuple):
    space: int
    name: str
    last_chunk: int


class Spaces:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def number(self, name: str) -> int | None:
        row = self._tx.row("spaces.number", name=name)
        return int(row[0]) if row else None

    def find(self, name: str) -> tuple[int, SpaceState] | None:
        """The number of a space and its state, asked for at once."""
        row = self._tx.row("spaces.find", name=name)
        return (int(row[0]), SpaceState(*row[1:])) if row else None

    def create(self, name: str, secret: bytes, created_at: int) -> int:
        own = {"name": name, "secret": secret, "created_at": created_at}
        row = self._tx.row("spaces.create", **seal_row("spaces", own))
        assert row is not None
        self._tx.rows("spaces.begin_counting", space=row[0])
        return int(row[0])

    def rename(self, space: int, name: str) -> None:
        """Give a space another name; its seal follows, if it has one."""
        row = {**self._tx.copying.space_row(space), "name": name}
        sealed = None if row["seal"] is None else seal("spaces", row)
        self._tx.rows("spaces.rename", space=space, name=name, seal=sealed)

    def delete(self, space: int) -> None:
        """Remove the row of a space; its number is never used again."""
        kept = self.get_setting(_HIGHEST)
        ((there,),) = self._tx.rows("spaces.highest")
        self.set(_HIGHEST, str(max(space, int(kept or 0), int(there))))
        self._tx.rows("spaces.end_counting", space=space)
        self._tx.rows("spaces.delete", space=space)

    def names(self) -> list[str]:
        return [str(row[0]) for row in self._tx.rows("spaces.names")]

    def page(self, prefix: str, after: str, limit: int) -> list[str]:
        """Names that begin so, from the first one past `after` on."""
        rows = self._tx.rows(
            "spaces.page", prefix=prefix, beyond=end_of_prefix(prefix), after=after, limit=limit
        )
        return [str(row[0]) for row in rows]

    def numbers(self) -> list[Numbered]:
        return [Numbered(*row) for row in self._tx.rows("spaces.numbers")]

    def counters(self, space: int) -> Counters:
        row = self._tx.row("spaces.counters", space=space)
        assert row is not None
        return Counters(*row)

    def secret(self, space: int) -> bytes:
        """What keys the digests of a space."""
        row = self._tx.row("spaces.secret", space=space)
        assert row is not None
        return bytes(row[0])

    def state(self, space: int) -> SpaceState:
        row = self._tx.row("spaces.state", space=space)
        return SpaceState(*row) if row else SpaceState(0, 0, 0, 0, 0)

    def grew(self, space: int, chunks: int, tokens: int) -> tuple[int, int]:
        """Count new chunks in; the number of the first, and the row before its own."""
        found = self._tx.row("spaces.grew", space=space, chunks=chunks, tokens=tokens)
        assert found is not None
        first, row, is_marked = found
        if not is_marked:
            self._tx.pending.mark(space)
        return first, row

    def shrank(self, space: int, chunks: int = 0, tokens: int = 0) -> None:
        self._tx.rows("spaces.shrank", space=space, chunks=chunks, tokens=tokens)

    def count_embedding(self, space: int) -> None:
        self._tx.rows("spaces.embedded", space=space)

    def recount(self, space: int) -> None:
        self._tx.rows("spaces.recount", space=space)

    def next_entry(self, space: int, count: int = 1) -> int:
        """The first of `count` numbers for entries, documents or records."""
        row = self._tx.row("spaces.next_entry", space=space, count=count)
        assert row is not None
        return int(row[0])

    def get_setting(self, key: str) -> str | None:
        row = self._tx.row("meta.get", key=key)
        return str(row[0]) if row else None

    def set(self, key: str, value: str) -> None:
        self._tx.rows("meta.put", key=key, value=value)

    def tokenizer(self) -> int | None:
        """The oldest version of the tokenizer that made rows of the index; None before any."""
        kept = self.get_setting(_TOKENIZER)
        if kept is None:
            return 1 if self.names() else None  # it was not kept before there were two
        return int(kept)

    def set_tokenizer(self, version: int) -> None:
        self.set(_TOKENIZER, str(version))

    def counts(self, space: int) -> tuple[int, int, int, int, int]:
        """Sessions, events, entries, chunks and signals of a space."""
        row = self._tx.row("stats.space", space=space)
        assert row is not None
        sessions, events, entries, chunks, signals = row
        return sessions, events, entries, chunks, signals
