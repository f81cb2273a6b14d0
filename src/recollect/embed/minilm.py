"""The bundled sentence encoder: all-MiniLM-L6-v2 as int8 ONNX, loaded on the first text.

Its four files lie in `models/minilm`; `scripts/build_minilm.py` makes them.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.embed.unit import UnitEmbedder
from recollect.embed.wordpiece import WordPiece
from recollect.errors import Unavailable

if TYPE_CHECKING:
    from recollect.embed.unit import Matrix

FOLDER = Path(__file__).parent / "models" / "minilm"
NAME = "minilm-l6-v2-int8"
FILES = ("model.onnx", "vocab.txt")
DIM = 384
REINSTALL = "reinstall it: pip install --force-reinstall --no-deps recollect"


class Seal(NamedTuple):
    """What a file of the model must be."""

    size: int
    digest: str


class Loaded(NamedTuple):
    """The parts that cost memory."""

    session: Any  # onnxruntime carries no types
    tokenizer: WordPiece


class MiniLM(UnitEmbedder):
    """Mean of the encoder's token vectors, 384 dimensions, on one thread."""

    name = "minilm"

    def __init__(self, folder: Path = FOLDER) -> None:
        """Check that the files are there with the right sizes; load nothing."""
        if find_spec("onnxruntime") is None:
            raise Unavailable("the minilm embedder needs onnxruntime: pip install onnxruntime")
        self._folder = folder
        self._seals = read_seals(folder)
        self._loaded: Loaded | None = None
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        return f"{NAME}-{self._seals['model.onnx'].digest[:12]}"

    @property
    def dim(self) -> int:
        return DIM

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        # One text per run: dynamic quantisation scales activations over the whole batch, so that
        # a text's vector would depend on its neighbours.
        model = self._model()
        return np.stack([_encode(model, text) for text in texts])

    def _model(self) -> Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = load(self._folder, self._seals)
            return self._loaded


def read_seals(folder: Path) -> dict[str, Seal]:
    """Read SHA256SUMS and compare the sizes: existence and length, no hashing."""
    sums = folder / "SHA256SUMS"
    try:
        lines = [line.split() for line in sums.read_text("utf-8").splitlines()]
        sizes = {line[2]: int(line[1]) for line in lines if line[0] == "#"}
        seals = {line[1]: Seal(sizes[line[1]], line[0]) for line in lines if line[0] != "#"}
        found = {name: (folder / name).stat().st_size for name in FILES}
        expected = {name: seals[name].size for name in FILES}
    except (OSError, LookupError, ValueError) as error:
        raise Unavailable(f"the model in {folder} is incomplete ({error}); {REINSTALL}") from error
    for name in FILES:
        if found[name] != expected[name]:
            raise Unavailable(
                f"{folder / name} has {found[name]} bytes, not {expected[name]}; {REINSTALL}"
            )
    return seals


def load(folder: Path, seals: dict[str, Seal]) -> Loaded:
    """Verify both files, then open the session and read the vocabulary."""
    for name in FILES:
        with (folder / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != seals[name].digest:
            raise Unavailable(
                f"{folder / name} has SHA-256 {digest[:12]}…, not {seals[name].digest[:12]}…: "
                f"it was altered; {REINSTALL}"
            )
    return Loaded(_open_session(folder / "model.onnx"), WordPiece.read(folder / "vocab.txt"))


def _open_session(path: Path) -> Any:
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    # One thread keeps vectors reproducible and leaves the cores to the agent. The arena stays on:
    # with one text per run it needs less memory than malloc's leftovers would.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _encode(model: Loaded, text: str) -> "Matrix":
    import numpy as np

    ids = np.array([model.tokenizer.encode(text)], np.int64)
    if ids.shape[1] == 2:  # nothing but [CLS] and [SEP]: invisible characters only
        return np.zeros(DIM, np.float32)
    # Without padding the mask is all ones, and the mean over it is the mean over all tokens.
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    (states,) = model.session.run(["last_hidden_state"], inputs)
    mean: Matrix = states[0].mean(axis=0, dtype=np.float32)
    return mean
