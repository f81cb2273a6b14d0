"""The words of every entry of a space, kept in RAM for plain BM25; the longest unused go first."""

from collections import OrderedDict

from ricordo.core.text import tokens
from ricordo.locks import Lock
from ricordo.store.database import Tx

Terms = tuple[int, list[str]]  # the first chunk of an entry, and its words
Kept = dict[int, list[str]]  # words by chunk
_ENTRY, _WORD = 200, 60  # bytes in RAM, about: a list with its place in a dict, a word in the list


class EntryTerms:
    def __init__(self, capacity_bytes: int) -> None:
        self._capacity = capacity_bytes
        self._kept: OrderedDict[int, tuple[Kept, int]] = OrderedDict()  # by space, with its size
        self._lock = Lock()
        self.size = 0  # bytes, about

    def read(self, tx: Tx, space: int) -> dict[int, Terms]:
        """Entry ids with their words. A chunk number is new whenever its entry was rewritten."""
        found: dict[int, Terms] = {}
        with self._lock:
            known = self._kept.get(space, ({}, 0))[0]
        for entry, chunk, title in tx.chunks.first_of_entries(space):
            terms = known.get(chunk)
            found[entry] = (chunk, _words(tx, space, entry, title) if terms is None else terms)
        self._keep(space, dict(found.values()))
        return found

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self.size = 0

    def _keep(self, space: int, terms: Kept) -> None:
        """Keep the words of a space; those of others go as long as there are too many."""
        size = sum(_ENTRY + _WORD * len(words) for words in terms.values())
        with self._lock:
            self.size -= self._kept.pop(space, ({}, 0))[1]
            self._kept[space] = (terms, size)
            self.size += size
            while self.size > self._capacity and self._kept:
                self.size -= self._kept.popitem(last=False)[1][1]


def _words(tx: Tx, space: int, entry: int, title: str) -> list[str]:
    row = tx.entries.row(space, entry)
    return [] if row is None else tokens.entry_terms(f"{title} {row.content}")
