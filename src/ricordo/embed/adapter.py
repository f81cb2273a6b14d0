"""Somebody else's embedder, held to the promise: right shape, finite numbers, unit rows."""

from typing import TYPE_CHECKING, Any

from ricordo.embed.unit import UnitEmbedder
from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix


class AdaptedEmbedder(UnitEmbedder):
    """Wraps an object with `embed(texts)` and `dim`; `name` and `fingerprint` are optional.

    So is `embed_query(texts)`, for a model that reads questions differently from texts.
    """

    def __init__(self, inner: Any) -> None:
        # Any: the object is the caller's, and this class exists to check it.
        kind = type(inner)
        dim = getattr(inner, "dim", None)
        if not isinstance(dim, int) or isinstance(dim, bool) or dim < 1:
            raise InvalidInput(
                f"embedder {kind.__qualname__} has dim {dim!r}; "
                "give it an attribute dim with the length of its vectors"
            )
        self._inner = inner
        self._dim = dim
        self.name = str(getattr(inner, "name", "") or kind.__qualname__)
        derived = f"{kind.__module__}.{kind.__qualname__}:{self.name}#{dim}"
        self._fingerprint = str(getattr(inner, "fingerprint", "") or derived)

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def dim(self) -> int:
        return self._dim

    def _rows(self, texts: list[str]) -> "Matrix":
        return self._check(texts, self._inner.embed(texts))

    def _query_rows(self, texts: list[str]) -> "Matrix":
        embed = getattr(self._inner, "embed_query", None)
        return self._check(texts, embed(texts)) if callable(embed) else self._rows(texts)

    def _check(self, texts: list[str], answer: object) -> "Matrix":
        import numpy as np

        try:
            rows = np.asarray(answer, np.float32)
        except (ValueError, TypeError) as error:
            raise InvalidInput(f"embedder {self.name!r} returned no matrix: {error}") from error
        if rows.shape != (len(texts), self._dim):
            raise InvalidInput(
                f"embedder {self.name!r} returned shape {rows.shape} for {len(texts)} texts; "
                f"it must be {(len(texts), self._dim)}, or its dim must say otherwise"
            )
        if not np.isfinite(rows).all():
            raise InvalidInput(f"embedder {self.name!r} returned NaN or infinity")
        return rows
