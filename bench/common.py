"""Measuring: CPU time, figures beside their targets, synthetic conversations and vectors."""

import random
import resource
import statistics
import time
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

DIM = 384
WORDS = 8_000
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def median_cpu_ms(work: Callable[[int], object], times: int) -> float:
    """The median CPU milliseconds of a call, after one to warm up."""
    work(0)
    return 1000 * statistics.median(cpu(lambda n=n: work(n)) for n in range(1, times + 1))


def wall(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rss_mb() -> float:
    """The largest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Talk:
    """Invented text with a Zipf vocabulary, the same at every run."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._words = ["".join(self._random.choices(_SYLLABLES, k=3)) for _ in range(WORDS)]
        weights = [1 / (rank + 1) ** 1.05 for rank in range(WORDS)]
        total = 0.0
        self._cumulative = [total := total + weight for weight in weights]

    def text(self, words: int = 25) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._cumulative, k=words))

    def query(self) -> str:
        """Three common words and five others, as people mix them."""
        common = self._random.sample(self._words[:30], 3)
        return " ".join([*common, *self._random.sample(self._words[30:4000], 5)])


class Cheap:
    """Clustered unit vectors that cost next to nothing, so that recall itself is measured."""

    name = "bench"
    fingerprint = "bench-clusters"
    dim = DIM

    def __init__(self) -> None:
        self._centres = np.random.default_rng(3).standard_normal((512, DIM)).astype(np.float32)

    def embed(self, texts: list[str]) -> np.ndarray:
        seeds = [zlib.crc32(text.encode()) for text in texts]
        noise = np.stack([np.random.default_rng(s).standard_normal(DIM) for s in seeds])
        rows = self._centres[[s % 512 for s in seeds]] + 0.8 * noise.astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Figure(NamedTuple):
    """One measured promise."""

    name: str
    value: float
    unit: str
    target: str
    is_met: bool
    note: str = ""


def show(figures: Iterator[Figure]) -> int:
    """Print figures as they are measured; how many missed their target."""
    missed = 0
    for figure in figures:
        missed += not figure.is_met
        verdict = "" if not figure.target else ("met" if figure.is_met else "MISSED")
        print(
            f"{figure.name:<44} {figure.value:>9.3f} {figure.unit:<3} {figure.target:<10} "
            f"{verdict:<7} {figure.note}",
            flush=True,
        )
    return missed
