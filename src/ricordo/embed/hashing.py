"""The hash embedder: a vector from the text's BLAKE3 digest. Same text, same vector; no meaning.

For tests and for builds that must not carry a model. The label promises the exact numbers, so there
is no fallback to another hash.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from ricordo.embed.unit import UnitEmbedder
from ricordo.errors import Unavailable

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix

LABEL = "deterministic-hash-v1"
DIM = 512
FILLED = 64


class HashEmbedder(UnitEmbedder):
    """64 components from chained digests, the other 448 zero."""

    name = LABEL

    def __init__(self) -> None:
        if find_spec("blake3") is None:
            raise Unavailable("the hash embedder needs blake3: pip install blake3")

    @property
    def fingerprint(self) -> str:
        return LABEL

    @property
    def dim(self) -> int:
        return DIM

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        rows = np.zeros((len(texts), DIM), np.float64)
        for row, text in zip(rows, texts, strict=True):
            stream = np.frombuffer(_stream(text.encode(), FILLED), np.uint8)
            row[:FILLED] = stream / 127.5 - 1.0
            row /= np.linalg.norm(row)  # in double precision: the reference figures need it
        return rows.astype(np.float32)


def _stream(payload: bytes, length: int) -> bytes:
    """Chain digests, each of the one before, until there are enough bytes."""
    from blake3 import blake3

    digest = blake3(payload).digest()
    stream = digest
    while len(stream) < length:
        digest = blake3(digest).digest()
        stream += digest
    return stream[:length]
