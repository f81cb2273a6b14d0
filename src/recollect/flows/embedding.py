"""Embedding in the background: chunks without a vector of the active model are the queue."""

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from recollect.embed.worker import Worker
from recollect.errors import InvalidInput, shown
from recollect.flows.spans import embedded_text
from recollect.store.chunks import Waiting
from recollect.store.database import Database, Tx
from recollect.store.embeddings import Model

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.embed import Embedder

BATCH = 32
FIRST_RETRY_SECONDS = 2.0
LAST_RETRY_SECONDS = 3600.0
LONGEST_WAIT_SECONDS = 366 * 86_400
_SECOND = 1_000_000


class Batch(NamedTuple):
    """Texts of one space to embed: new ones up to `upto`, or one failed before."""

    space: int
    seen: int
    upto: int
    texts: list[Waiting]
    is_retry: bool


class Embedding:
    """Keeps every chunk embedded under the active model."""

    def __init__(
        self, store: Database, embedder: "Embedder | None", now: "Callable[[], int]"
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._now = now
        self._lock = threading.Lock()
        self._model: Model | None = None
        self._fingerprint = ""
        # What need not be asked for at every turn: with many spaces that would be all we do.
        self._covered: dict[int, int] = {}  # spaces up to a chunk after which nothing waits
        self._failing: set[int] | None = None  # spaces with something to retry; None: not known
        self._worker = Worker(self._drain, "recollect-embedding")

    def wake(self) -> None:
        """New chunks are there."""
        if self._embedder is not None and not self._store.read_only:
            self._worker.wake()

    def look_afresh(self) -> None:
        """Forget what is known of the spaces: somebody may have set them back."""
        with self._lock:
            self._covered.clear()
            self._failing = None

    def stop(self) -> None:
        self._worker.stop()

    def flush(self, timeout: float | None = None) -> bool:
        """Return once every chunk has its vector or a recorded error; False if time ran out."""
        deadline = None if timeout is None else time.monotonic() + _seconds(timeout)
        if self._embedder is None or self._store.read_only:
            return True
        is_first = True
        while True:
            wait = -1.0 if deadline is None else max(0.0, deadline - time.monotonic())
            if not self._lock.acquire(timeout=wait):
                return False
            try:
                if is_first:
                    self._covered.clear()
                    self._failing, is_first = None, False
                if not self._advance():
                    return True
            finally:
                self._lock.release()
            if deadline is not None and time.monotonic() > deadline:
                return False

    def catch_up(self, space: str) -> None:
        """Embed a small backlog of one space at once: a recall then sees what was just written."""
        if self._embedder is None or self._store.read_only:
            return
        self._fingerprint = self._fingerprint or self._embedder.fingerprint
        if self._small_batch(space) is None:
            return  # seen without the lock, which is held while others embed
        with self._lock:
            batch = self._small_batch(space)
            if batch is not None:
                self._record(batch)

    def _small_batch(self, name: str) -> Batch | None:
        with self._store.read() as tx:
            space = tx.spaces.number(name)
            if space is None:
                return None
            model = self._find_model(tx)
            seen = 0 if model is None else tx.embeddings.upto(space, model.model)
            if seen >= tx.spaces.state(space).last_chunk:
                return None
            texts = tx.chunks.waiting(space, seen, BATCH + 1)
        small = 0 < len(texts) <= BATCH
        return Batch(space, seen, texts[-1].chunk, texts, is_retry=False) if small else None

    def _drain(self) -> float | None:
        """Work until nothing waits; the time until the next retry, if there is one."""
        while not self._worker.is_stopping:
            with self._lock:
                if not self._advance():
                    return self._next_retry()
        return None

    def _advance(self) -> bool:
        """Embed one batch; False when nothing waits."""
        assert self._embedder is not None
        # Asked for outside of any transaction: a remote model may have to be reached for it.
        self._fingerprint = self._fingerprint or self._embedder.fingerprint
        batch = self._next_batch()
        if batch is None:
            return False
        self._record(batch)
        return True

    def _record(self, batch: Batch) -> None:
        """Embed a batch with no transaction open, then keep its vectors or why there are none."""
        vectors, error = self._embed(batch)
        if vectors is None:
            self._store.write(lambda tx: self._record_failure(tx, batch, error))
        else:
            self._store.write(lambda tx: self._record_vectors(tx, batch, vectors))

    def _embed(self, batch: Batch) -> tuple[list[bytes] | None, str]:
        assert self._embedder is not None
        texts = [embedded_text(item.author, item.text) for item in batch.texts]
        try:
            matrix = self._embedder.embed(texts)
        except Exception as error:  # noqa: BLE001 - whatever a model raises is kept with the chunk
            return None, f"{type(error).__name__}: {error}"
        return [row.tobytes() for row in matrix.astype("<f2")], ""

    def _next_batch(self) -> Batch | None:
        with self._store.read() as tx:
            model = self._find_model(tx)
            for space in tx.spaces.numbers():
                if self._covered.get(space.space, 0) == space.last_chunk:
                    continue
                seen = 0 if model is None else tx.embeddings.upto(space.space, model.model)
                if seen < space.last_chunk:
                    texts = tx.chunks.waiting(space.space, seen, BATCH)
                    upto = texts[-1].chunk if texts else space.last_chunk
                    return Batch(space.space, seen, upto, texts, is_retry=False)
                self._covered[space.space] = space.last_chunk
            return None if model is None else next(self._retries(tx, model), None)

    def _retries(self, tx: Tx, model: Model) -> Iterator[Batch]:
        for space in self._troubled(tx, model):
            for chunk in tx.embeddings.due(space, model.model, self._now(), 1):
                text = tx.chunks.one(space, chunk)
                yield Batch(space, 0, 0, [text] if text else [], is_retry=True)

    def _troubled(self, tx: Tx, model: Model) -> list[int]:
        """The spaces where something has failed and is to be tried again."""
        if self._failing is None:
            spaces = [space.space for space in tx.spaces.numbers()]
            failed = (s for s in spaces if tx.embeddings.next_try(s, model.model) is not None)
            self._failing = set(failed)
        return sorted(self._failing)

    def _next_retry(self) -> float | None:
        with self._store.read() as tx:
            model = self._find_model(tx)
            if model is None:
                return None
            spaces = self._troubled(tx, model)
            times = {space: tx.embeddings.next_try(space, model.model) for space in spaces}
        self._failing = {space for space, time in times.items() if time is not None}
        due = [time for time in times.values() if time is not None]
        return max(0.1, (min(due) - self._now()) / _SECOND) if due else None

    def _find_model(self, tx: Tx) -> Model | None:
        """The active model as the store knows it. A new one is filed with its first vectors."""
        if self._model is None:
            self._model = tx.embeddings.model(self._fingerprint)
        return self._model

    def _ensure_model(self, tx: Tx) -> Model:
        assert self._embedder is not None
        return tx.embeddings.model(self._fingerprint) or tx.embeddings.create_model(
            self._fingerprint, self._embedder.dim
        )

    def _record_vectors(self, tx: Tx, batch: Batch, vectors: list[bytes]) -> None:
        model = self._ensure_model(tx).model
        alive = [
            (item.chunk, vector)
            for item, vector in zip(batch.texts, vectors, strict=True)
            if tx.chunks.one(batch.space, item.chunk) is not None
        ]
        tx.embeddings.put(batch.space, model, alive)
        if batch.is_retry:
            for item in batch.texts:
                tx.embeddings.cured(batch.space, model, item.chunk)
            tx.spaces.shrank(batch.space)  # an older chunk changed: views must look again
        else:
            tx.embeddings.advance(batch.space, model, batch.seen, batch.upto)
            tx.spaces.embedded(batch.space)

    def _record_failure(self, tx: Tx, batch: Batch, error: str) -> None:
        model = self._ensure_model(tx).model
        if self._failing is not None:
            self._failing.add(batch.space)
        for item in batch.texts:
            if tx.chunks.one(batch.space, item.chunk) is None:
                continue  # forgotten meanwhile: nothing is left to try again
            attempts = tx.embeddings.attempts(batch.space, model, item.chunk)
            wait = min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2.0**attempts)
            next_try = self._now() + int(wait * _SECOND)
            tx.embeddings.fail(batch.space, model, item.chunk, next_try, error)
        if not batch.is_retry:
            tx.embeddings.advance(batch.space, model, batch.seen, batch.upto)


def _seconds(timeout: object) -> float:
    if (
        isinstance(timeout, bool)
        or not isinstance(timeout, int | float)
        or not timeout <= LONGEST_WAIT_SECONDS
    ):
        raise InvalidInput(
            f"timeout is {shown(timeout)}; give seconds up to a year, or None to wait until all "
            "is done"
        )
    return timeout
