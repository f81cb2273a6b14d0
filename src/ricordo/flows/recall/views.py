"""Views: the ranker's picture of each space in RAM, fed from the store, fresh across processes."""

import sys
from collections import OrderedDict
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TypeVar

import numpy as np

from ricordo.core.recall.growable import Bools, among
from ricordo.core.recall.space_index import View
from ricordo.core.text import tokens
from ricordo.flows.recall.entry_terms import EntryTerms
from ricordo.flows.recall.past_vectors import PastVectors
from ricordo.flows.recall.view_loading import (
    StoreSource,
    hold_vectors,
    load_view,
    make_row,
    put_vectors,
)
from ricordo.locks import Hold, Lock
from ricordo.store.database import Database, Tx
from ricordo.store.tables.spaces import SpaceState

PATIENCE = 1_000  # times to be overtaken in a row: far beyond what threads can do
_ONCE = 4  # looks at a view for one or two questions; whoever looks more often asks on
_HELD_AT_ONCE = 2_048  # vectors that each further look reads ahead

Result = TypeVar("Result")
Key = tuple[int, int | None]  # a space and the model of its vectors


class Overtaken(Exception):
    """The view has followed the space further than this transaction sees."""


class HeldView:
    """A view and how far it has followed the store."""

    def __init__(self) -> None:
        self.view = View()
        self.lock = Lock()
        self.is_whole = True  # False while it is changed, and after that was interrupted
        self.revision = -1
        self.tokenizer: int | None = None
        self.last_chunk = 0
        self.last_vector = 0
        self.size = 0  # bytes, as the cache has counted them
        self._blocks: frozenset[int] = frozenset()  # that the view rests on
        self._looks = 0
        self._counted = (-1, 0)

    def measure(self) -> int | None:
        """What it takes in RAM; None if nothing has changed since this was asked last."""
        state = (self.revision, self.view.derivations)
        if state == self._counted:
            return None
        self._counted = state
        return self.view.nbytes

    def refresh(self, tx: Tx, key: Key, state: SpaceState) -> None:
        """Catch up with the space: new rows, removed rows, new vectors."""
        space, model = key
        if self.is_whole and state.revision == self.revision:
            return
        if self.is_whole and state.revision < self.revision:
            raise Overtaken
        is_new = self.revision < 0 or not self.is_whole
        self.is_whole = False
        if is_new or self._has_lost_blocks(tx, key, state):
            self._load(tx, key, state)
        elif self.view.vectors.is_unread:
            self._read_signs(tx, key)  # as long as they are those of the rows that it has
        elif state.pruned > self.revision:
            self._drop_chunks(tx, space)
        if state.last_chunk > self.last_chunk:
            for page in tx.chunks.since(space, self.last_chunk):
                self.view.add(map(make_row, page))
            self.last_chunk = state.last_chunk
        if model is not None:
            pages = tx.embeddings.between(space, model, self.last_vector)
            self.last_vector = max(self.last_vector, put_vectors(self.view, pages))
        self.revision = state.revision
        self.is_whole = True

    def look(self, tx: Tx, key: Key, room: int) -> None:
        """Use the view in a transaction; one that is used often gets its vectors into RAM."""
        self.view.use(StoreSource(tx, *key))
        self._looks += 1
        if self._looks > _ONCE and key[1] is not None and room > 0:
            hold_vectors(tx, key[0], key[1], self.view, _HELD_AT_ONCE)

    def _load(self, tx: Tx, key: Key, state: SpaceState) -> None:
        """Begin again: from blocks if there are some, else with nothing."""
        self.view, self._blocks = View(), frozenset()
        self.last_chunk = self.last_vector = 0
        self.tokenizer = tx.spaces.tokenizer()
        if (loaded := load_view(tx, *key)) is not None:
            self.view, self._blocks, self.last_vector = loaded
            self.last_chunk = state.last_chunk

    def _read_signs(self, tx: Tx, key: Key) -> None:
        self.view.use(StoreSource(tx, *key))
        try:
            self.view.vectors.read_signs()
        finally:
            self.view.use(None)

    def _drop_chunks(self, tx: Tx, space: int) -> None:
        """Keep what is still there."""
        if self.tokenizer != tokens.VERSION:  # somebody may have indexed the texts again
            self.view, self.last_chunk = View(), 0
            self.tokenizer = tx.spaces.tokenizer()
        else:
            self.view.keep(np.array(tx.chunks.ids(space), np.int64))
        self.last_vector = 0

    def _has_lost_blocks(self, tx: Tx, key: Key, state: SpaceState) -> bool:
        """Whether blocks that the view rests on are gone, or chunks beside them."""
        space, model = key
        if not self._blocks:
            return False
        held = {row.block for row in tx.blocks.ranges(space)}
        if state.pruned > self.revision or not self._blocks <= held:
            return True
        unread = self.view.unread_signs
        return (
            bool(unread) and model is not None and not unread <= tx.blocks.list_signed(space, model)
        )


class Fresh:
    """A view while it is used, to be entered with `with`."""

    __slots__ = ("_held", "_hold", "_key", "_state", "_tx", "_views")

    def __init__(self, views: "Views", tx: Tx, key: Key, state: SpaceState | None) -> None:
        self._views = views
        self._tx = tx
        self._key = key
        self._state = state

    def __enter__(self) -> View:
        return self._open(sys._getframe(1))

    def _open(self, frame: FrameType) -> View:
        self._held = self._views.hold(self._key)
        hold = self._held.lock.take(frame)
        assert hold is not None  # it waits for as long as it takes
        self._hold: Hold = hold
        try:
            state = self._state or self._tx.spaces.state(self._key[0])
            self._held.refresh(self._tx, self._key, state)
            self._held.look(self._tx, self._key, self._views.room)
        except BaseException:
            self._held.lock.give(hold)
            raise
        return self._held.view

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.view.use(None)
        self._views.weigh(self._held, self._key)
        self._held.lock.give(self._hold)


class Views:
    """A bounded cache of views; the one not used for longest goes first."""

    def __init__(self, capacity_bytes: int) -> None:
        self._capacity = capacity_bytes
        self._size = 0
        self._held: OrderedDict[Key, HeldView] = OrderedDict()
        self.entry_terms = EntryTerms(capacity_bytes // 2)
        self.past_vectors = PastVectors()
        self._lock = Lock()

    def fresh(
        self, tx: Tx, space: int, model: int | None, state: SpaceState | None = None
    ) -> "Fresh":
        """The view as of this transaction, locked while it is used; `state` if it was read."""
        return Fresh(self, tx, (space, model), state)

    @property
    def room(self) -> int:
        """How many bytes more there is room for."""
        return self._capacity - self._size - self.entry_terms.size

    def hold(self, key: Key) -> HeldView:
        """The view of a space; one that this thread uses already, below a signal handler, is not
        touched: the caller gets one of its own.
        """
        if self._lock.is_mine():
            return HeldView()
        with self._lock:
            held = self._held.get(key)
            if held is None:
                held = self._held[key] = HeldView()
            self._held.move_to_end(key)
        return HeldView() if held.lock.is_mine() else held

    def weigh(self, held: HeldView, key: Key) -> None:
        """Count what a view has gained while it was used."""
        if not self._lock.is_mine() and (size := held.measure()) is not None:
            self._resize(key, held, size)

    def read(self, store: Database, work: Callable[[Tx], Result]) -> Result:
        """Run `work` in a read transaction, a newer one if another thread overtakes it."""
        for _ in range(PATIENCE):
            try:
                with store.read() as tx:
                    return work(tx)
            except Overtaken:
                continue
        self.clear()  # the counters of the space went backwards: its file was put back
        with store.read() as tx:
            return work(tx)

    def clear(self) -> None:
        """Drop every view; the next recall reads it again."""
        with self._lock:
            self._held.clear()
            self._size = 0
        self.entry_terms.clear()
        self.past_vectors.clear()

    def _resize(self, used: Key, held: HeldView, size: int) -> None:
        """Count what a view takes now, and make room at the cost of those not used for longest."""
        with self._lock:
            if self._held.get(used) is not held:
                return  # it had to make room itself while it was in use
            self._size += size - held.size
            held.size = size
            for key in list(self._held):
                if self._size + self.entry_terms.size <= self._capacity or key == used:
                    break
                self._size -= self._held.pop(key).size


def load_own_view(tx: Tx, space: int, model: int | None) -> View:
    """A view that no other recall sees, as of this transaction: its caller may add to it."""
    held, key = HeldView(), (space, model)
    held.refresh(tx, key, tx.spaces.state(space))
    held.look(tx, key, room=0)
    return held.view


def mask_of(view: View, allowed: list[int] | None) -> Bools | None:
    """Which rows of the view a filter lets through; None when there is no filter."""
    return None if allowed is None else among(view.chunks, np.array(allowed, np.int64))
