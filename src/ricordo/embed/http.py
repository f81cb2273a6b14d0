"""Embeddings from any server that speaks OpenAI's /embeddings, over the standard library."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ricordo.embed.post import MAX_ANSWER_BYTES, Poster, Service
from ricordo.embed.unit import UnitEmbedder
from ricordo.errors import Unavailable

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix

BATCH = 64
SERVICE = Service("embedder", "/embeddings", "RICORDO_EMBED_KEY")


class HttpEmbedder(UnitEmbedder):
    """Asks the server for vectors, 64 texts at a time."""

    def __init__(
        self,
        url: str,
        *,
        environ: Mapping[str, str],
        dim: int | None = None,
        timeout_seconds: float = 30.0,
        attempts: int = 4,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Read the address (`https://host/v1#model`); the server is not asked yet."""
        self._poster = Poster(
            url,
            SERVICE,
            environ,
            timeout_seconds=timeout_seconds,
            attempts=attempts,
            wait=wait,
        )
        self.name = self._poster.name
        self._endpoint = self._poster.endpoint
        self._dim = dim

    @property
    def fingerprint(self) -> str:
        return f"{self._label}{self.dim}"

    @property
    def _label(self) -> str:
        """What the fingerprint begins with: all but the length of vectors."""
        return f"http:{self.name}@{self._endpoint.host}#"

    def recognise(self, kept: Sequence[str]) -> str | None:
        """The fingerprint if the server was asked before, else that of its latest vectors."""
        if self._dim is not None:
            return self.fingerprint
        return next((each for each in reversed(kept) if each.startswith(self._label)), None)

    @property
    def dim(self) -> int:
        """The length of the server's vectors; the first question finds it out."""
        return self._ask(["dimension"]).shape[1] if self._dim is None else self._dim

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        starts = range(0, len(texts), BATCH)
        return np.concatenate([self._ask(texts[start : start + BATCH]) for start in starts])

    def _ask(self, texts: list[str]) -> "Matrix":
        body = self._poster.post({"model": self.name, "input": texts})
        try:
            rows = parse(body, len(texts))
        except ValueError as error:
            raise Unavailable(
                f"{self._endpoint.shown} did not answer with embeddings: {error}; "
                "check that the URL ends before /embeddings and that the model embeds"
            ) from error
        if self._dim is None:
            self._dim = rows.shape[1]
        if rows.shape[1] != self._dim:
            raise Unavailable(
                f"{self._endpoint.shown} answered with {rows.shape[1]} dimensions instead of "
                f"{self._dim}; another model may answer there: name it after # and open again"
            )
        return rows


def parse(body: bytes, count: int) -> "Matrix":
    """Return the answer's vectors in the order asked; ValueError says what is wrong with it."""
    import numpy as np

    if len(body) > MAX_ANSWER_BYTES:
        raise ValueError(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
    try:
        items = json.loads(body)["data"]
        placed = {item.get("index", place): item["embedding"] for place, item in enumerate(items)}
        rows = np.array([placed[place] for place in range(count)], np.float32)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"unexpected JSON ({type(error).__name__}: {error})") from error
    if len(items) != count or rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"{len(items)} items of shape {rows.shape[1:]} for {count} texts")
    if not np.isfinite(rows).all():
        raise ValueError("a vector holds NaN or infinity")
    return rows
