"""What the rows say about each other: the queries behind `check()`. The flow gives verdicts."""

from array import array
from typing import Any, NamedTuple

from recollect.store.database import Tx
from recollect.store.search import token


class Text(NamedTuple):
    row: int
    chunk: int
    kind: str
    part: int
    text: str
    author: str
    terms: bytes


class Checks:
    def __init__(self, tx: Tx) -> None:
        self._tx = tx

    def sessions(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.sessions", space=space)

    def orphan_events(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.orphan_events", space=space)

    def nameless(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.nameless", space=space)

    def dangling_names(self, space: int) -> list[tuple[Any, ...]]:
        return self._tx.rows("check.dangling_names", space=space)

    def stray_chunks(self, space: int) -> list[int]:
        return [row[0] for row in self._tx.rows("check.stray_chunks", space=space)]

    def stray_vectors(self, space: int) -> list[int]:
        return [row[0] for row in self._tx.rows("check.stray_vectors", space=space)]

    def statistics(self, space: int) -> tuple[Any, ...]:
        return self._tx.rows("check.statistics", space=space)[0]

    def texts(self, space: int) -> list[Text]:
        return [Text(*row) for row in self._tx.rows("check.texts", space=space)]

    def spans(self, space: int) -> list[tuple[Any, ...]]:
        """Chunks with the entry or document they belong to, their hash and their text."""
        return self._tx.rows("check.spans", space=space)

    def contents(self, space: int) -> list[tuple[Any, ...]]:
        """What entries and documents say, each with its number."""
        return self._tx.rows("check.contents", space=space)

    def indexed_rows(self) -> list[int]:
        return self._tx.search.rows()

    def is_indexed(self, space: int, text: Text) -> bool:
        """Whether the keyword index finds the chunk by all of its words at once."""
        numbers = set(array("I", text.terms))
        if not numbers:
            return True
        match = "terms : (" + " AND ".join(f'"{token(space, n)}"' for n in numbers) + ")"
        return bool(self._tx.rows("words.holds", space=space, match=match, row=text.row))
