"""Block work: packs chunks in the background, in one space after the other, a step at a time."""

from collections.abc import Callable

from ricordo.locks import PausableLock
from ricordo.store.database import Database
from ricordo.store.tables.pending import BLOCKS

_LATER = 5_000_000  # microseconds until a space is tried again that was changed meanwhile


class BlockWork:
    """Finds the spaces that are marked for it, by one look."""

    def __init__(self, store: Database, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self.lock = PausableLock()

    def advance(self) -> bool:
        """Pack one block, or remove a mark; False when nothing is left to do now."""
        with self._store.read() as tx:
            found = tx.pending.look(BLOCKS, self._now(), 1)
        if not found:
            return False
        from ricordo.flows.recall.make_blocks import make_one  # needs numpy, looking does not

        with self.lock:
            make_one(self._store, found[0].space, self._now() + _LATER)
        return True
