"""What embedding costs over the forward passes of the model itself, in the same process."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ricordo
from common import Figure, cpu
from ricordo.embed import resolve_all

ROOT = Path(__file__).resolve().parent.parent
CHUNKS = 300  # of 640 characters
MOST = 1.2
MOST_NEW = 1.6  # for the second model, whose pass is short, and words that were never met


class Recorder:
    """A model's session that notes what it was asked, to be asked the same again."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self.asked: list[tuple[Any, ...]] = []

    def run(self, *given: Any) -> Any:
        self.asked.append(given)
        return self._session.run(*given)

    def repeat(self) -> None:
        """The forward passes alone."""
        for given in self.asked:
            self._session.run(*given)


def read_docs() -> list[str]:
    """The pages of the documentation."""
    return [path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))]


def read_talks() -> list[str]:
    """Conversations in seven languages of one alphabet or another, each as one text."""
    names = ("german", "french", "spanish", "russian", "polish", "turkish", "dutch")
    paths = [ROOT / "bench" / "talks" / f"{name}.jsonl" for name in names]
    lines = [[json.loads(line) for line in path.open(encoding="utf-8")] for path in paths]
    return [" ".join(each["text"] for each in told if "text" in each) for told in lines]


def embed(memory: ricordo.Memory, embedder: Any) -> tuple[float, float, int]:
    """CPU seconds of a flush, and of its forward passes alone, and how many these were."""
    plain = embedder._open()
    recorder = Recorder(plain.session)
    embedder._loaded = plain._replace(session=recorder)
    whole = cpu(memory.flush)
    embedder._loaded = plain
    bare = min(cpu(recorder.repeat) for _ in range(2))
    return whole, bare, len(recorder.asked)


def measure(folder: Path, embedder: Any, texts: list[str]) -> tuple[float, float, int]:
    """Embed documents into a new file, with the background thread at rest."""
    embedder.embed(["a first text loads the model"])
    path = folder / f"embedding-{embedder.name}.db"
    with ricordo.open(path, embedder="none", keep=False) as memory:
        space = memory.space("docs")
        for number, text in enumerate(texts):
            if memory.stats().chunks < CHUNKS:
                space.ingest(text, uri=f"doc://{number}")
    with ricordo.open(path, embedder=embedder, keep=False) as memory:
        return embed(memory, embedder)


def costs(folder: Path) -> Iterator[Figure]:
    """Tokenising, batches, and writing vectors, beside what the two bundled models compute."""
    sources: tuple[Callable[[], list[str]], ...] = (read_docs, read_talks)
    for embedder, source in zip(resolve_all("bundled"), sources, strict=True):
        whole, bare, count = measure(folder, embedder, source())
        each = f"{1000 * whole / count:.2f} and {1000 * bare / count:.2f} ms"
        note = f"{each} a chunk, {count} chunks"
        name = f"embedding / forward pass, {embedder.name}"
        most = MOST if source is read_docs else MOST_NEW
        yield Figure(name, whole / bare, "x", f"<= {most}", whole <= most * bare, note)
