"""The bundled sentence encoder for English: all-MiniLM-L6-v2 as int8 ONNX.

Its four files lie in `models/minilm`; `scripts/build_minilm.py` makes them.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo.embed.bundle import MODELS, BundledEmbedder, open_session
from ricordo.embed.wordpiece import WordPiece

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix

FOLDER = MODELS / "minilm"
NAME = "minilm-l6-v2-int8"
DIM = 384


class MiniLMParts(NamedTuple):
    """The parts that cost memory."""

    session: Any  # onnxruntime carries no types
    tokenizer: WordPiece


class MiniLM(BundledEmbedder):
    """Mean of the encoder's token vectors, 384 dimensions, on one thread."""

    name = "minilm"
    label = NAME
    home = FOLDER
    files = ("model.onnx", "vocab.txt")
    width = DIM

    def _digest(self) -> str:
        return self._seals["model.onnx"].digest

    def _load(self, folder: Path) -> MiniLMParts:
        return MiniLMParts(
            open_session(folder / "model.onnx"), WordPiece.read(folder / "vocab.txt")
        )

    def _encode(self, loaded: MiniLMParts, text: str) -> "Matrix":
        import numpy as np

        ids = np.array([loaded.tokenizer.encode(text)], np.int64)
        if ids.shape[1] == 2:  # nothing but [CLS] and [SEP]: invisible characters only
            return np.zeros(DIM, np.float32)
        # Without padding the mask is all ones, and the mean over it is the mean over all tokens.
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        (states,) = loaded.session.run(["last_hidden_state"], inputs)
        mean: Matrix = states[0].mean(axis=0, dtype=np.float32)
        return mean
