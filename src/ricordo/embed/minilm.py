"""The bundled sentence encoder for English: MiniLM, trained on memories, as int8 ONNX.

Its files lie in `models/minilm`; `scripts/train` makes them, and `docs/models.md` describes them.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.embed import pieces
from ricordo.embed.bundle import MODELS, BundledEmbedder, open_session
from ricordo.embed.pieces import WordPieces, share_pieces

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix

FOLDER = MODELS / "minilm"
NAME = "minilm-ricordo-2-int8"
DIM = 384


class MiniLMParts(NamedTuple):
    """The parts that cost memory."""

    session: Any  # onnxruntime carries no types
    pieces: WordPieces


class MiniLM(BundledEmbedder):
    """Mean of the encoder's token vectors, 384 dimensions, on one thread."""

    name = "minilm"
    label = NAME
    home = FOLDER
    files = ("encoder.onnx", *pieces.FILES)
    width = DIM

    def _digest(self) -> str:
        return self._digest_files()

    def _load(self, folder: Path) -> MiniLMParts:
        return MiniLMParts(open_session(folder / "encoder.onnx"), share_pieces(folder))

    def _encode(self, loaded: MiniLMParts, texts: list[str]) -> "Matrix":
        import numpy as np

        vectors = np.zeros((len(texts), DIM), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            ids = loaded.pieces.tokenizer.encode(text)
            if len(ids) > 2:  # else [CLS] and [SEP]: invisible characters only
                inputs = {"pieces": loaded.pieces.look_up(ids)[np.newaxis]}
                vector[:] = loaded.session.run(["vector"], inputs)[0][0]
        return vectors
