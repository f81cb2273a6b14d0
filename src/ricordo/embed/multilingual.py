"""The bundled sentence encoder for other languages, trained on memories: English and others.

It was universal-sentence-encoder-multilingual 3. Its five files lie in `models/multilingual`;
`scripts/train/multilingual.py` and `scripts/build_multilingual.py` make them.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.embed.bundle import MODELS, BundledEmbedder, open_session
from ricordo.embed.unigram import MAX_TOKENS, Unigram

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ricordo.embed.unit import Matrix

FOLDER = MODELS / "multilingual"
NAME = "use-multilingual-ricordo-2-int8"
DIM = 512


class MultilingualParts(NamedTuple):
    """The parts that cost memory; the table stays in its file, of which few pages are read."""

    session: Any  # onnxruntime carries no types
    table: "npt.NDArray[np.uint8]"
    tokenizer: Unigram


class Multilingual(BundledEmbedder):
    """Filters over neighbouring pieces, then their mean, 512 dimensions, on one thread."""

    name = "multilingual"
    label = NAME
    home = FOLDER
    files = ("encoder.onnx", "table.npy", "pieces.txt")
    width = DIM

    def _digest(self) -> str:
        together = "".join(self._seals[name].digest for name in self.files) + str(MAX_TOKENS)
        return hashlib.sha256(together.encode()).hexdigest()

    def _load(self, folder: Path) -> MultilingualParts:
        import numpy as np

        return MultilingualParts(
            open_session(folder / "encoder.onnx"),
            np.load(folder / "table.npy", mmap_mode="r"),
            Unigram.read(folder / "pieces.txt"),
        )

    def _encode(self, loaded: MultilingualParts, texts: list[str]) -> "Matrix":
        import numpy as np

        # Splitting first, and one room for all inputs, leaves the encoder in the caches.
        split = loaded.tokenizer.encode(texts)
        room = np.empty((max(map(len, split)), DIM), np.float32)
        vectors = np.zeros((len(texts), DIM), np.float32)
        for vector, ids in zip(vectors, split, strict=True):
            if len(ids) > 2:  # else start and end: invisible characters only
                inputs = {"pieces": unpack_rows(loaded.table[ids], room[: len(ids)])}
                vector[:] = loaded.session.run(["vector"], inputs)[0][0]
        return vectors


def unpack_rows(rows: "npt.NDArray[np.uint8]", numbers: "Matrix") -> "Matrix":
    """Fill `numbers` with vectors of pieces: two of 4 bits a byte, then least value and step."""
    import numpy as np

    np.bitwise_and(rows[:, :-4], 15, out=numbers[:, 0::2], casting="unsafe")
    np.right_shift(rows[:, :-4], 4, out=numbers[:, 1::2], casting="unsafe")
    least, step = np.ascontiguousarray(rows[:, -4:]).view("<f2").astype(np.float32).T[:, :, None]
    numbers *= step
    numbers += least
    return numbers
