"""Models that come with the package: their files are checked, and loaded on the first text."""

import hashlib
import os
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ricordo import forks
from ricordo.embed.unit import UnitEmbedder
from ricordo.errors import Unavailable
from ricordo.forks import leak
from ricordo.locks import Lock

if TYPE_CHECKING:
    from ricordo.embed.unit import Matrix

_AT_ONCE = 32  # texts that are split into pieces together
MODELS = Path(__file__).parent / "models"
_NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
REINSTALL = "reinstall it: pip install --force-reinstall --no-deps ricordo"


class Seal(NamedTuple):
    """What a file of a model must be."""

    size: int
    digest: str


class BundledModel(forks.Forkable):
    """A model whose files lie in a folder beside their SHA256SUMS."""

    name: str
    home: Path  # the default folder of its files
    files: tuple[str, ...]

    def __init__(self, folder: Path | None = None) -> None:
        """Check that the files are there with the right sizes; load nothing."""
        if find_spec("onnxruntime") is None:
            raise Unavailable(f"the {self.name} model needs onnxruntime: pip install onnxruntime")
        self._folder = folder or self.home
        self._seals = read_seals(self._folder, self.files)
        self._loaded: Any = None  # onnxruntime carries no types
        self._lock = Lock()
        self._running: deque[None] = deque()  # one for each call that is inside the model
        forks.register(self)

    @abstractmethod
    def _load(self, folder: Path) -> Any:
        """Open the files, which have been verified."""

    @contextmanager
    def _run(self) -> Iterator[Any]:
        """Give what `_load` opened; a fork in between loads it again in the child."""
        loaded = self._open()
        self._running.append(None)
        try:
            yield loaded
        finally:
            self._running.pop()

    def after_fork_in_child(self) -> None:
        """Load a model again that was running: a lock inside it may be held for ever."""
        if self._running:
            leak(self._loaded)
            self._loaded = None
            self._running.clear()

    def _open(self) -> Any:
        with self._lock:
            if self._loaded is None:
                verify(self._folder, self._seals, self.files)
                self._loaded = self._load(self._folder)
            return self._loaded

    def _digest_files(self) -> str:
        """What changes whenever one of the files does."""
        together = "".join(self._seals[name].digest for name in self.files)
        return hashlib.sha256(together.encode()).hexdigest()


class BundledEmbedder(UnitEmbedder, BundledModel):
    """An embedder that comes with the package."""

    label: str  # what its fingerprint begins with
    width: int

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
    def _encode(self, loaded: Any, texts: list[str]) -> "Matrix":
        """The vectors of some texts, each of any length.

        One text per run: dynamic quantisation scales activations over the whole batch, so that a
        text's vector would depend on its neighbours.
        """

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        parts = [texts[place : place + _AT_ONCE] for place in range(0, len(texts), _AT_ONCE)]
        with self._run() as loaded:
            return np.concatenate([self._encode(loaded, part) for part in parts])


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


def import_quietly() -> Any:
    """Import onnxruntime without its telemetry.

    That is a thread which no setting ends once it runs, and the exit of a forked child would wait
    for it for ever. The variable is read while the module is imported, and only then is it set.
    """
    before = os.environ.get(_NO_TELEMETRY)
    os.environ[_NO_TELEMETRY] = "1"
    try:
        import onnxruntime
    finally:
        if before is None:
            del os.environ[_NO_TELEMETRY]
        else:
            os.environ[_NO_TELEMETRY] = before
    onnxruntime.disable_telemetry_events()
    return onnxruntime


def open_session(path: Path) -> Any:
    """A session of onnxruntime on one thread."""
    onnxruntime = import_quietly()
    options = onnxruntime.SessionOptions()
    # One thread keeps vectors reproducible and leaves the cores to the agent. The arena stays on:
    # with one text per run it needs less memory than malloc's leftovers would.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
