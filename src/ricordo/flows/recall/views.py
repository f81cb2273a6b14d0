"""Views: the ranker's picture of each space in RAM, fed from the store, fresh across processes."""

import sys
from collections import OrderedDict
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TypeVar

import numpy as np

from ricordo.core.recall.growable import Bools, among
from ricordo.core.recall.space_index import Row, View
from ricordo.core.text import tokens
from ricordo.flows.recall.entry_terms import EntryTerms
from ricordo.locks import Hold, Lock
from ricordo.store.database import Database, Tx
from ricordo.store.tables.chunks import ViewRow
from ricordo.store.tables.spaces import SpaceState

PATIENCE = 1_000  # times to be overtaken in a row: far beyond what threads can do

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
        if not self.is_whole:
            self._begin_anew(tx)
            self.revision = -1
        self.is_whole = False
        if self.revision < 0:
            self.tokenizer = tx.spaces.tokenizer()
        elif state.pruned > self.revision and self.tokenizer != tokens.VERSION:
            self._begin_anew(tx)  # somebody may have indexed the texts again
        if state.last_chunk > self.last_chunk:
            for page in tx.chunks.since(space, self.last_chunk):
                self.view.add(map(_row, page))
            self.last_chunk = state.last_chunk
        if state.pruned > self.revision:
            self.view.keep(np.array(tx.chunks.ids(space), np.int64))
            self.last_vector = 0
        if model is not None:
            self._take_vectors(tx, space, model)
        self.revision = state.revision
        self.is_whole = True

    def _begin_anew(self, tx: Tx) -> None:
        self.view = View()
        self.last_chunk = self.last_vector = 0
        self.tokenizer = tx.spaces.tokenizer()

    def _take_vectors(self, tx: Tx, space: int, model: int) -> None:
        for page in tx.embeddings.since(space, model, self.last_vector):
            blob = b"".join(vector for _, vector in page)
            matrix = np.frombuffer(blob, "<f2").reshape(len(page), -1)
            self.view.put_vectors(np.array([chunk for chunk, _ in page], np.int64), matrix)
            self.last_vector = page[-1][0]


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
        self._views.weigh(self._held, self._key)
        self._held.lock.give(self._hold)


class Views:
    """A bounded cache of views; the one not used for longest goes first."""

    def __init__(self, capacity_bytes: int) -> None:
        self._capacity = capacity_bytes
        self._size = 0
        self._held: OrderedDict[Key, HeldView] = OrderedDict()
        self.entry_terms = EntryTerms(capacity_bytes // 2)
        self._lock = Lock()

    def fresh(
        self, tx: Tx, space: int, model: int | None, state: SpaceState | None = None
    ) -> "Fresh":
        """The view as of this transaction, locked while it is used; `state` if it was read."""
        return Fresh(self, tx, (space, model), state)

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


def _row(row: ViewRow) -> Row:
    """Only a message has an author; one without a name speaks as its role."""
    chunk, kind, session, seq, entry, part, role, author, length, at, marks, calls, *stems = row
    speaker = (author or role) if session is not None else ""
    is_named = session is not None and bool(author)
    if kind == "file" and seq is None:  # from before documents had passages: each is its own
        seq = -chunk
    return Row(
        chunk, kind, session, seq or 0, entry, part, speaker, is_named, length, at, marks, calls,
        *stems,
    )  # fmt: skip


def mask_of(view: View, allowed: list[int] | None) -> Bools | None:
    """Which rows of the view a filter lets through; None when there is no filter."""
    return None if allowed is None else among(view.chunks, np.array(allowed, np.int64))
