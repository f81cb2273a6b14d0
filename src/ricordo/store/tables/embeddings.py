"""Embeddings: vectors under model fingerprints, how far each model has come, and what failed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ricordo.store.database import Tx


PAGE = 1_000
_LAST = 2**63 - 1  # no chunk has a higher number


class ModelRow(NamedTuple):
    model: int
    fingerprint: str
    dim: int


class Coverage(NamedTuple):
    """A model, and up to which chunk of a space it has been through."""

    model: ModelRow
    upto: int


class EmbedFailure(NamedTuple):
    chunk: int
    attempts: int
    next_try: int
    error: str


class Embeddings:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def model(self, fingerprint: str) -> ModelRow | None:
        row = self._tx.row("models.number", fingerprint=fingerprint)
        return ModelRow(row[0], fingerprint, row[1]) if row else None

    def create_model(self, fingerprint: str, dim: int) -> ModelRow:
        row = self._tx.row("models.create", fingerprint=fingerprint, dim=dim)
        assert row is not None
        return ModelRow(row[0], fingerprint, dim)

    def models(self) -> list[ModelRow]:
        return [ModelRow(*row) for row in self._tx.rows("models.list")]

    def dimensions(self, model: int) -> int:
        """How long the vectors of a model are."""
        return next(row.dim for row in self.models() if row.model == model)

    def put(self, space: int, model: int, vectors: Iterable[tuple[int, bytes]]) -> None:
        self._tx.many(
            "embeddings.put",
            ({"space": space, "model": model, "chunk": c, "vector": v} for c, v in vectors),
        )

    def between(
        self, space: int, model: int, after: int, last: int = _LAST
    ) -> Iterator[tuple[int, bytes]]:
        """The vectors of a range of chunks, by rising chunk."""
        start = after - 1
        while after > start:
            start, of = after, {"space": space, "model": model, "after": after, "last": last}
            for after, vector in self._tx.stream("embeddings.between", **of, limit=PAGE):
                yield after, vector

    def get(self, space: int, model: int, chunk: int) -> bytes | None:
        row = self._tx.row("embeddings.get", space=space, model=model, chunk=chunk)
        return row[0] if row else None

    def delete(self, space: int, chunks: Sequence[int]) -> int:
        """Delete the vectors of chunks under every model; how many there were."""
        deleted = 0
        for model in self.models():
            present = [c for c in chunks if self.get(space, model.model, c) is not None]
            deleted += len(present)
        self._tx.many("embeddings.delete", ({"space": space, "chunk": c} for c in chunks))
        return deleted

    def count(self, space: int, model: int) -> int:
        row = self._tx.row("embeddings.count", space=space, model=model)
        return int(row[0]) if row else 0

    def list_serving(self, space: int) -> list[Coverage]:
        """Models with vectors in this space, the one that covers most first."""
        rows = self._tx.rows("coverage.serving", space=space)
        return [Coverage(ModelRow(row[0], row[1], row[2]), int(row[3])) for row in rows]

    def list_begun(self, space: int, fingerprints: Sequence[str]) -> list[Coverage]:
        """Of one or two models those that have begun, the furthest first, then the second."""
        rows = self._tx.rows(
            "coverage.begun", space=space, first=fingerprints[0], second=fingerprints[-1]
        )
        return [Coverage(ModelRow(row[0], row[1], row[2]), int(row[3])) for row in rows]

    def upto(self, space: int, model: int) -> int:
        row = self._tx.row("coverage.get", space=space, model=model)
        return int(row[0]) if row else 0

    def advance(self, space: int, model: int, seen: int, upto: int) -> None:
        """Move the mark from `seen` to `upto`, unless another worker moved it meanwhile."""
        self.begin(space, model)
        self._tx.rows("coverage.advance", space=space, model=model, seen=seen, upto=upto)

    def begin(self, space: int, model: int) -> None:
        self._tx.rows("coverage.start", space=space, model=model)

    def reset(self, space: int, model: int) -> None:
        """Begin again with one model, and end with all others."""
        self._tx.rows("coverage.reset", space=space, model=model)
        self._tx.rows("coverage.end", space=space, model=model)
        self._tx.pending.mark(space)

    def fail(self, space: int, model: int, chunk: int, next_try: int, error: str) -> None:
        self._tx.rows(
            "failures.put",
            space=space,
            model=model,
            chunk=chunk,
            next_try=next_try,
            error=error,
        )

    def attempts(self, space: int, model: int, chunk: int) -> int:
        row = self._tx.row("failures.attempts", space=space, model=model, chunk=chunk)
        return int(row[0]) if row else 0

    def due(self, space: int, model: int, now: int, limit: int) -> list[int]:
        rows = self._tx.rows("failures.due", space=space, model=model, now=now, limit=limit)
        return [row[0] for row in rows]

    def next_try(self, space: int, model: int) -> int | None:
        row = self._tx.row("failures.next", space=space, model=model)
        return row[0] if row else None

    def forget_failure(self, space: int, model: int, chunk: int) -> None:
        self._tx.rows("failures.delete", space=space, model=model, chunk=chunk)

    def failures(self, space: int, model: int) -> list[EmbedFailure]:
        rows = self._tx.rows("failures.list", space=space, model=model)
        return [EmbedFailure(*row) for row in rows]

    def count_failures(self, space: int, model: int) -> int:
        row = self._tx.row("failures.count", space=space, model=model)
        return int(row[0]) if row else 0

    def find_error(self, space: int, model: int) -> str | None:
        """Why the newest chunk that waits for a retry failed."""
        row = self._tx.row("failures.last_error", space=space, model=model)
        return str(row[0]) if row else None
