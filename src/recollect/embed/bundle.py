"""Models that come with the package: their files are checked, and loaded on the first text."""

import hashlib
from abc import abstractmethod
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.embed.unit import UnitEmbedder
from recollect.errors import Unavailable

if TYPE_CHECKING:
    from recollect.embed.unit import Matrix

MODELS = Path(__file__).parent / "models"
REINSTALL = "reinstall it: pip install --force-reinstall --no-deps recollect"


class Seal(NamedTuple):
    """What a file of a model must be."""

    size: int
    digest: str


class BundledEmbedder(UnitEmbedder):
    """An embedder whose files lie in a folder beside their SHA256SUMS."""

    label: str  # what its fingerprint begins with
    home: Path  # where its files lie unless told otherwise
    files: tuple[str, ...]
    width: int

    def __init__(self, folder: Path | None = None) -> None:
        """Check that the files are there with the right sizes; load nothing."""
        if find_spec("onnxruntime") is None:
            raise Unavailable(
                f"the {self.name} embedder needs onnxruntime: pip install onnxruntime"
            )
        self._folder = folder or self.home
        self._seals = read_seals(self._folder, self.files)
        self._loaded: Any = None  # onnxruntime carries no types
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        return f"{self.label}-{self._digest()[:12]}"

    @property
    def dim(self) -> int:
        return self.width

    @abstractmethod
    def _digest(self) -> str:
        """What changes whenever the vectors would."""

    @abstractmethod
    def _load(self, folder: Path) -> Any:
        """Open the files, which have been verified."""

    @abstractmethod
    def _encode(self, loaded: Any, text: str) -> "Matrix":
        """The vector of one text, of any length."""

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        # One text per run: dynamic quantisation scales activations over the whole batch, so that
        # a text's vector would depend on its neighbours.
        loaded = self._model()
        return np.stack([self._encode(loaded, text) for text in texts])

    def _model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                verify(self._folder, self._seals, self.files)
                self._loaded = self._load(self._folder)
            return self._loaded


def read_seals(folder: Path, files: tuple[str, ...]) -> dict[str, Seal]:
    """Read SHA256SUMS and compare the sizes: existence and length, no hashing."""
    sums = folder / "SHA256SUMS"
    try:
        lines = [line.split() for line in sums.read_text("utf-8").splitlines()]
        sizes = {line[2]: int(line[1]) for line in lines if line[0] == "#"}
        seals = {line[1]: Seal(sizes[line[1]], line[0]) for line in lines if line[0] != "#"}
        found = {name: (folder / name).stat().st_size for name in files}
        expected = {name: seals[name].size for name in files}
    except (OSError, LookupError, ValueError) as error:
        raise Unavailable(f"the model in {folder} is incomplete ({error}); {REINSTALL}") from error
    for name in files:
        if found[name] != expected[name]:
            raise Unavailable(
                f"{folder / name} has {found[name]} bytes, not {expected[name]}; {REINSTALL}"
            )
    return seals


def verify(folder: Path, seals: dict[str, Seal], files: tuple[str, ...]) -> None:
    """Refuse a file whose content is not what was built."""
    for name in files:
        with (folder / name).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != seals[name].digest:
            raise Unavailable(
                f"{folder / name} has SHA-256 {digest[:12]}…, not {seals[name].digest[:12]}…: "
                f"it was altered; {REINSTALL}"
            )


def open_session(path: Path) -> Any:
    """A session of onnxruntime on one thread."""
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    # One thread keeps vectors reproducible and leaves the cores to the agent. The arena stays on:
    # with one text per run it needs less memory than malloc's leftovers would.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
