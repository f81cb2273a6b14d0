"""Search: the keyword index and the filters of a recall, all inside one space."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.codec import drop_pieces

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class Filters(NamedTuple):
    """Conditions every candidate meets; None means any."""

    kinds: tuple[str, ...] | None = None
    category: str | None = None
    tags: tuple[str, ...] | None = None
    session: str | None = None
    since: int | None = None
    until: int | None = None
    origins: tuple[str, ...] | None = None
    entries: tuple[int, ...] | None = None  # numbers of entries and documents; so below
    without: tuple[int, ...] | None = None
    without_sessions: tuple[str, ...] | None = None

    @property
    def is_open(self) -> bool:
        return all(value is None for value in self)


def token(space: int, number: int) -> str:
    """A stem as the index holds it: the number of the space goes in front."""
    return f"{space}_{number.to_bytes(4, 'little').hex()}"


class Search:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def index(self, space: int, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Write the index rows of chunks; pieces of words are for the view in RAM alone."""
        self._tx.many(
            "words.insert",
            [
                (row, _tokens(space, terms), _tokens(space, drop_pieces(extra)))
                for row, terms, extra in rows
            ],
        )

    def prune(self) -> None:
        """Take rows out of the index whose chunk is gone."""
        self._tx.rows("words.prune")

    def rows(self) -> list[int]:
        return [row[0] for row in self._tx.rows("words.rows")]

    def filter_chunks(self, space: int, filters: Filters) -> list[int] | None:
        """The chunks that pass the filters, or None when there is nothing to filter."""
        if filters.is_open:
            return None
        values = filters._asdict()
        for field, value in values.items():
            values[field] = json.dumps(list(value)) if isinstance(value, tuple) else value
        return [row[0] for row in self._tx.rows("chunks.allowed", space=space, **values)]

    def find_phrases(
        self,
        space: int,
        phrases: Iterable[tuple[int, ...]],
        allowed: list[int] | None,
        limit: int,
        *,
        tags: bool,
    ) -> list[list[int]]:
        """For each phrase the chunks that hold its stems side by side, newest first."""
        among = _ids(allowed)
        sets = [
            {"space": space, "match": _match(space, phrase, tags), "allowed": among, "limit": limit}
            for phrase in phrases
        ]
        return [[row[0] for row in rows] for rows in self._tx.each("words.holding", sets)]

    def substring(self, space: int, text: str, allowed: list[int] | None, limit: int) -> list[int]:
        """Chunks that hold the text literally, newest first."""
        rows = self._tx.rows(
            "words.substring", space=space, text=text, allowed=_ids(allowed), limit=limit
        )
        return [row[0] for row in rows]

    def frequencies(self, space: int, numbers: Iterable[int]) -> dict[int, int]:
        """In how many chunks of the space each stem stands."""
        asked = list(numbers)
        sets = [{"space": space, "term": token(space, number)} for number in asked]
        found = self._tx.each("words.frequency", sets)
        return {n: int(rows[0][1]) if rows else 0 for n, rows in zip(asked, found, strict=True)}


def _match(space: int, phrase: tuple[int, ...], tags: bool) -> str:
    quoted = '"' + " ".join(token(space, number) for number in phrase) + '"'
    return quoted if tags else f"terms : {quoted}"


def _tokens(space: int, numbers: bytes) -> str:
    """The tokens of stems that stand as 32-bit numbers one after the other."""
    return f"{space}_" + numbers.hex(" ", 4).replace(" ", f" {space}_") if numbers else ""


def _ids(allowed: list[int] | None) -> str | None:
    return None if allowed is None else json.dumps(allowed)
