"""The words of every entry of a space, kept in RAM for plain BM25."""

from recollect.core import tokens
from recollect.locks import Lock
from recollect.store.database import Tx

Terms = tuple[int, list[str]]  # the first chunk of an entry, and its words


class EntryTerms:
    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], list[str]] = {}
        self._lock = Lock()

    def read(self, tx: Tx, space: int) -> dict[int, Terms]:
        """Entry ids with their words. A chunk number is new whenever its entry was rewritten."""
        found: dict[int, Terms] = {}
        fresh: dict[tuple[int, int], list[str]] = {}
        with self._lock:
            for entry, chunk, title in tx.chunks.first_of_entries(space):
                key = (space, chunk)
                terms = self._kept.get(key)
                fresh[key] = _words(tx, space, entry, title) if terms is None else terms
                found[entry] = (chunk, fresh[key])
            others = {key: terms for key, terms in self._kept.items() if key[0] != space}
            self._kept = others | fresh
        return found


def _words(tx: Tx, space: int, entry: int, title: str) -> list[str]:
    row = tx.entries.row(space, entry)
    return [] if row is None else tokens.entry_terms(f"{title} {row.content}")
