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
NAME = "use-multilingual-ricordo-1-int8"
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

    def _encode(self, loaded: MultilingualParts, text: str) -> "Matrix":
        import numpy as np

        ids = loaded.tokenizer.encode(text)
        if len(ids) == 2:  # nothing but start and end: invisible characters only
            return np.zeros(DIM, np.float32)
        inputs = {"pieces": unpack_rows(loaded.table[ids])}
        vector: Matrix = loaded.session.run(["vector"], inputs)[0][0]
        return vector


def unpack_rows(rows: "npt.NDArray[np.uint8]") -> "Matrix":
    """The vectors of pieces: two numbers of 4 bits a byte, then the least value and the step."""
    import numpy as np

    numbers = np.empty((len(rows), DIM), np.float32)
    numbers[:, 0::2] = rows[:, :-4] & 15
    numbers[:, 1::2] = rows[:, :-4] >> 4
    least, step = np.ascontiguousarray(rows[:, -4:]).view("<f2").astype(np.float32).T[:, :, None]
    numbers *= step
    numbers += least
    return numbers
