"""What every built-in embedder shares: rows of unit length, zero rows for blank text.

numpy is imported when the first text is embedded, never when the module is.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]


class UnitEmbedder(ABC):
    """An embedder whose subclass turns non-blank texts into rows of any length."""

    name: str

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """What is stored with each vector; it differs whenever vectors would differ."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """The length of each row."""

    def recognise(self, kept: Sequence[str]) -> str | None:  # noqa: ARG002 - for those on servers
        """The fingerprint; `kept` are those of the vectors that are there, oldest first."""
        return self.fingerprint

    @abstractmethod
    def _rows(self, texts: list[str]) -> "Matrix":
        """Return one row for each of the texts, none of which is blank."""

    def embed(self, texts: Sequence[str]) -> "Matrix":
        """Return one row per text: unit length, or all zero where there is nothing to embed."""
        return self._embed(texts, self._rows)

    def embed_query(self, texts: Sequence[str]) -> "Matrix":
        """Return the rows of questions; a model that reads both alike has one way for both."""
        return self._embed(texts, self._query_rows)

    def _query_rows(self, texts: list[str]) -> "Matrix":
        return self._rows(texts)

    def _embed(self, texts: Sequence[str], make: "Callable[[list[str]], Matrix]") -> "Matrix":
        import numpy as np

        if isinstance(texts, str):
            raise InvalidInput(f"embed() takes a list of texts, not the text {texts[:40]!r} itself")
        filled = [place for place, text in enumerate(texts) if text.strip()]
        rows = unit_rows(make([texts[place] for place in filled])) if filled else None
        matrix = np.zeros((len(texts), self.dim), np.float32)
        if rows is not None:
            matrix[filled] = rows
        return matrix


def unit_rows(rows: "npt.NDArray[Any]") -> "Matrix":
    """Scale each row to length 1; a row of zeros stays one."""
    import numpy as np

    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
