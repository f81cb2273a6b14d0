"""Embedding in the background: chunks without a vector of their space's model are the queue."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ricordo.core.recall.block_plan import SIZES
from ricordo.embed.worker import Worker
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.recall import embedding_work, model_choice
from ricordo.flows.recall.block_work import BlockWork
from ricordo.flows.writing.chunk_rows import embedded_text
from ricordo.forks import PATIENCE_SECONDS
from ricordo.locks import PausableLock
from ricordo.store.database import Database, Tx
from ricordo.store.tables.chunks import UnembeddedChunk
from ricordo.store.tables.embeddings import ModelRow
from ricordo.store.tables.pending import BLOCKS
from ricordo.store.tables.spaces import Numbered

if TYPE_CHECKING:
    from collections.abc import Callable

    from ricordo.embed import Embedder

    Progress = Callable[[int, int], None]

BATCH = 32
PATIENCE = 0.2  # seconds that a recall gives to a backlog of more than a batch
FIRST_RETRY_SECONDS = 2.0
LAST_RETRY_SECONDS = 3600.0
LONGEST_WAIT_SECONDS = 366 * 86_400
_SECOND = 1_000_000


class TextBatch(NamedTuple):
    """Texts of one space to embed: new ones up to `upto`, or one failed before."""

    embedder: "Embedder"
    space: int
    seen: int
    upto: int
    texts: list[UnembeddedChunk]
    is_retry: bool = False
    is_taking_over: bool = False  # the space is asked under another model meanwhile
    successor: "Embedder | None" = None  # also begins to embed the space


class Embedding:
    """Keeps every chunk embedded under the model of its space."""

    def __init__(
        self, store: Database, embedders: "Sequence[Embedder]", now: "Callable[[], int]"
    ) -> None:
        self._store = store
        self._embedders = embedders
        self._now = now
        self._lock = PausableLock()
        self._models: dict[str, ModelRow] = {}  # by fingerprint, once they are filed
        self._is_introduced = False  # whether all spaces are known to be marked for our model
        self._recorded = 0  # texts embedded so far in this process, for those who watch
        self._worker = Worker(self._drain, "ricordo-embedding")
        self._blocks = BlockWork(store, now)

    def renew(self) -> "Embedding":
        """The same with a thread of its own, for the child of a fork."""
        return Embedding(self._store, self._embedders, self._now)

    def pause(self) -> None:
        """Wait until nothing is embedded, for a while, and keep it so: the process forks."""
        self._lock.pause(PATIENCE_SECONDS)
        self._blocks.lock.pause(PATIENCE_SECONDS)

    def go_on(self) -> None:
        self._blocks.lock.go_on()
        self._lock.go_on()

    def wake(self) -> None:
        """New chunks are there."""
        if self._embedders and not self._store.read_only:
            self._worker.wake()

    def reach(self) -> None:
        """A remote model may have to be reached for its fingerprint: not in a transaction."""
        for embedder in self._embedders:
            _ = embedder.fingerprint

    def stop(self) -> None:
        self._worker.stop()

    def flush(self, timeout: float | None = None, progress: "Progress | None" = None) -> bool:
        """Return once every chunk has its vector or a recorded error; False if time ran out."""
        deadline = None if timeout is None else time.monotonic() + _seconds(timeout)
        if not self._embedders or self._store.read_only:
            return True
        report = _ignore if progress is None else self._watch(progress)
        while True:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            hold = self._lock.take(sys._getframe(), wait)
            if hold is None:
                return False
            try:
                is_done = not self._advance()
            finally:
                self._lock.give(hold)
            is_done = is_done and not self._blocks.advance()
            report(is_done)
            if is_done:
                return True
            if deadline is not None and time.monotonic() > deadline:
                return False

    def _watch(self, progress: "Progress") -> "Callable[[bool], None]":
        """Tell `progress` how many of the texts that wait now are embedded, by any thread."""
        total, before = self._count_waiting(), self._recorded

        def report(is_done: bool) -> None:
            done = self._recorded - before
            if most := max(total, done):  # more may have come meanwhile
                progress(most if is_done else done, most)

        report(is_done=False)
        return report

    def _count_waiting(self) -> int:
        """Chunks without a vector of the model that their space is asked under."""
        self.reach()
        waiting = 0
        with self._store.read() as tx:
            models = [model for _, model in self._list_models(tx)]
            for space in embedding_work.list_waiting(tx, models):
                _, model, seen = model_choice.choose_standing(tx, space.space, self._embedders)
                if seen < space.last_chunk:
                    waiting += tx.spaces.counts(space.space)[3]
                    waiting -= 0 if model is None else _count_tried(tx, space.space, model.model)
        return max(0, waiting)

    def catch_up(self, space: str, patience_seconds: float = PATIENCE) -> None:
        """Embed what waits in one space: a recall then sees what was just written.

        A small backlog is embedded at once, of a larger one as much as fits into the patience.
        """
        if not self._embedders or self._store.read_only:
            return
        self.reach()
        end = time.monotonic() + patience_seconds
        # Whether to go on is seen without the lock, which is held while others embed.
        while (size := self._measure_backlog(space)) and (size <= BATCH or time.monotonic() < end):
            wait = None if size <= BATCH else max(0.0, end - time.monotonic())
            hold = self._lock.take(sys._getframe(), wait)
            if hold is None:
                return
            try:
                if (batch := self._next_of(space, BATCH)) is None or not self._record(batch):
                    return
            finally:
                self._lock.give(hold)

    def _measure_backlog(self, name: str) -> int:
        """How many texts of a space wait, up to one more than a batch."""
        batch = self._next_of(name, BATCH + 1)
        return 0 if batch is None else len(batch.texts)

    def _next_of(self, name: str, most: int) -> TextBatch | None:
        with self._store.read() as tx:
            space = tx.spaces.number(name)
            if space is None:
                return None
            batch = self._new(tx, space, tx.spaces.state(space).last_chunk, most)
        return batch if batch is not None and batch.texts else None

    def _drain(self) -> float | None:
        """Work until nothing waits; the time until the next retry, if there is one."""
        while not self._worker.is_stopping:
            with self._lock:
                went = self._advance()
            if not went and not self._blocks.advance():
                return self._next_retry()
        return None

    def _advance(self) -> bool:
        """Embed one batch; False when nothing waits."""
        self.reach()
        self._introduce()
        batch = self._next_batch()
        if batch is None:
            return False
        self._record(batch)
        return True

    def _record(self, batch: TextBatch) -> bool:
        """Embed a batch with no transaction open, then keep its vectors or why there are none."""
        vectors, error = self._embed(batch)
        if vectors is not None:
            self._store.write(lambda tx: self._record_vectors(tx, batch, vectors))
            self._recorded += len(batch.texts)
            return True
        if batch.is_taking_over and len(batch.texts) > 1:
            return all(map(self._record, _singles(batch)))
        self._store.write(lambda tx: self._record_failure(tx, batch, error))
        return False

    def _embed(self, batch: TextBatch) -> tuple[list[bytes] | None, str]:
        texts = [embedded_text(item.author, item.text) for item in batch.texts]
        step = self._store.steps.begin(
            "embed", model=batch.embedder.name, purpose="texts", records=len(texts)
        )
        try:
            with step:
                matrix = batch.embedder.embed(texts)
        except Exception as error:  # noqa: BLE001 - whatever a model raises is kept with the chunk
            return None, f"{type(error).__name__}: {error}"
        return [row.tobytes() for row in matrix.astype("<f2")], ""

    def _next_batch(self) -> TextBatch | None:
        """What to embed next, in any space; marks of spaces without work are removed.

        A mark that stands although it was removed is not looked at twice: a disk may lie.
        """
        divided: set[int] = set()
        while True:
            with self._store.read() as tx:
                models = [model for _, model in self._list_models(tx)]
                is_new = not any(m.fingerprint == self._embedders[0].fingerprint for m in models)
                # Under a new model nothing is embedded yet: the first space with texts is it.
                looked = embedding_work.find_spaces(tx, models, self._now())
                found = tx.spaces.numbers() if is_new else list(looked)
                spaces = [space for space in found if space.space not in divided]
                batch = next(self._list_batches(tx, spaces), None)
            if batch is not None or is_new or not spaces:
                return batch
            numbers = [space.space for space in spaces]
            self._store.write(partial(self._divide, spaces=numbers))
            divided.update(numbers)

    def _list_batches(self, tx: Tx, spaces: "list[Numbered]") -> Iterator[TextBatch]:
        """New texts of any space first, then retries, then what a model that takes over lacks."""
        for space in spaces:
            if (batch := self._new(tx, space.space, space.last_chunk, BATCH)) is not None:
                yield batch
        for space in spaces:
            yield from self._retries(tx, space.space)
        for space in spaces:
            yield from self._catching_up(tx, space)

    def _divide(self, tx: Tx, spaces: Iterable[int]) -> None:
        for space in sorted(spaces):  # in order: on PostgreSQL a write locks each of them
            embedding_work.divide(tx, space, self._embedders)

    def _introduce(self) -> None:
        """Mark all spaces for our first model, once in the life of a memory."""
        if self._is_introduced:
            return
        with self._store.read() as tx:
            model = tx.embeddings.model(self._embedders[0].fingerprint)
            self._is_introduced = model is not None and embedding_work.is_introduced(tx, model)
        if model is not None and not self._is_introduced:
            self._store.write(partial(embedding_work.introduce, model=model))
            self._is_introduced = True

    def _new(self, tx: Tx, space: int, last: int, most: int) -> TextBatch | None:
        """Chunks of a space without a vector of the model it is asked under; None if all have."""
        embedder, model, seen = model_choice.choose_standing(tx, space, self._embedders)
        if seen >= last:
            return None
        texts = tx.chunks.list_unembedded(space, seen, most)
        upto = texts[-1].chunk if texts else last
        successor = self._embedders[-1]
        if embedder is successor or not model_choice.calls_for_second(
            tx, space, [each.text for each in texts]
        ):
            return TextBatch(embedder, space, seen, upto, texts)
        if model is None:  # nothing is asked under the first one yet
            return TextBatch(successor, space, seen, upto, texts)
        return TextBatch(embedder, space, seen, upto, texts, successor=successor)

    def _catching_up(self, tx: Tx, space: Numbered) -> Iterator[TextBatch]:
        """Chunks without a vector of the model that takes a space over."""
        number, last = space.space, space.last_chunk
        for standing in model_choice.standings(tx, number, self._embedders)[1:]:
            if not embedding_work.takes_over(tx, number, standing, self._embedders):
                continue
            embedder, model, seen = standing
            if model is None or tx.embeddings.next_try(number, model.model) is not None:
                continue  # that comes first
            texts = tx.chunks.list_unembedded(number, seen, BATCH)
            upto = texts[-1].chunk if texts else last
            yield TextBatch(embedder, number, seen, upto, texts, is_taking_over=True)

    def _retries(self, tx: Tx, space: int) -> Iterator[TextBatch]:
        for embedder, model in self._list_models(tx):
            for chunk in tx.embeddings.due(space, model.model, self._now(), 1):
                text = tx.chunks.one(space, chunk)
                yield TextBatch(embedder, space, 0, 0, [text] if text else [], is_retry=True)

    def _next_retry(self) -> float | None:
        with self._store.read() as tx:
            times = [tx.pending.after(model.model) for _, model in self._list_models(tx)]
            times.append(tx.pending.after(BLOCKS))
        due = [time for time in times if time is not None]
        if not due:
            return None
        # No longer than the longest wait: a try that was put off in a wrong time is due earlier.
        return min(LAST_RETRY_SECONDS, max(0.1, (min(due) - self._now()) / _SECOND))

    def _list_models(self, tx: Tx) -> "Iterator[tuple[Embedder, ModelRow]]":
        """The models as the store knows them. A new one is filed with its first vectors."""
        for embedder in self._embedders:
            fingerprint = embedder.fingerprint
            model = self._models.get(fingerprint) or tx.embeddings.model(fingerprint)
            if model is not None:
                self._models[fingerprint] = model
                yield embedder, model

    def _record_vectors(self, tx: Tx, batch: TextBatch, vectors: list[bytes]) -> None:
        model = _ensure_model(tx, batch.embedder).model
        chunks = [item.chunk for item in batch.texts]
        tx.embeddings.put(batch.space, model, zip(chunks, vectors, strict=True))
        if batch.is_retry:
            for item in batch.texts:
                tx.embeddings.forget_failure(batch.space, model, item.chunk)
            tx.spaces.shrank(batch.space)  # an older chunk changed: views must look again
            tx.blocks.drop_signs(batch.space, model, chunks)
        else:
            tx.embeddings.advance(batch.space, model, batch.seen, batch.upto)
            tx.spaces.count_embedding(batch.space)
            _begin_successor(tx, batch)
            if batch.seen // SIZES.small < batch.upto // SIZES.small:
                tx.pending.set(batch.space, BLOCKS, 0)
        self._note_progress(tx, batch)

    def _note_progress(self, tx: Tx, batch: TextBatch) -> None:
        """A space that this batch leaves without new texts waits for others at most."""
        if batch.is_retry or batch.upto >= tx.spaces.state(batch.space).last_chunk:
            self._divide(tx, [batch.space])

    def _record_failure(self, tx: Tx, batch: TextBatch, error: str) -> None:
        model = _ensure_model(tx, batch.embedder).model
        for item in batch.texts:
            if tx.chunks.one(batch.space, item.chunk) is None:
                continue  # forgotten meanwhile: nothing is left to try again
            attempts = tx.embeddings.attempts(batch.space, model, item.chunk)
            wait = min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2.0**attempts)
            next_try = self._now() + int(wait * _SECOND)
            tx.embeddings.fail(batch.space, model, item.chunk, next_try, error)
        # One that takes over goes no further without its vectors: the other one has them.
        if not batch.is_retry and not batch.is_taking_over:
            tx.embeddings.advance(batch.space, model, batch.seen, batch.upto)
        _begin_successor(tx, batch)
        self._note_progress(tx, batch)


def _singles(batch: TextBatch) -> Iterator[TextBatch]:
    """The texts of a batch one by one: one of them may be all that fails."""
    seen = batch.seen
    for item in batch.texts:
        yield batch._replace(texts=[item], seen=seen, upto=item.chunk)
        seen = item.chunk


def _ignore(is_done: bool) -> None:
    """What is reported to nobody."""


def _count_tried(tx: Tx, space: int, model: int) -> int:
    """Chunks that have a vector or a recorded failure."""
    return tx.embeddings.count(space, model) + tx.embeddings.count_failures(space, model)


def _begin_successor(tx: Tx, batch: TextBatch) -> None:
    if batch.successor is not None:
        tx.embeddings.begin(batch.space, _ensure_model(tx, batch.successor).model)


def _ensure_model(tx: Tx, embedder: "Embedder") -> ModelRow:
    """The model of an embedder, filed if it is new."""
    known = tx.embeddings.model(embedder.fingerprint)
    return known or tx.embeddings.create_model(embedder.fingerprint, embedder.dim)


def _seconds(timeout: object) -> float:
    if (
        isinstance(timeout, bool)
        or not isinstance(timeout, int | float)
        or not timeout <= LONGEST_WAIT_SECONDS
    ):
        raise InvalidInput(
            f"timeout is {shorten(timeout)}; give seconds up to a year, or None to wait until all "
            "is done"
        )
    return timeout
