"""What reading entries costs as a space grows: it must not depend on how many there are."""

from collections.abc import Callable, Iterator
from pathlib import Path

import ricordo
from common import Figure, median_cpu_ms

SIZES = (500, 16_000)
MOST = 1.5


def fill(memory: ricordo.Memory, size: int) -> ricordo.Space:
    """Entries of which ten share a beginning, a tag and a category."""
    space = memory.space(f"of{size}")
    for number in range(size):
        is_rare = number % (size // 10) == 0
        space.remember(
            f"note number {number}",
            name=f"rare{number}" if is_rare else f"n{number}",
            aliases=[f"a{number}"],
            tags=["rare"] if is_rare else ["common"],
            category="rare" if is_rare else "core",
        )
    for number in range(50):
        space.recall(f"number {number}", mode="keyword", limit=5)
    return space


def lookups(folder: Path) -> Iterator[Figure]:
    """Each way to read entries in a space of 500 and in one of 16,000."""
    path = folder / "lookups.db"
    with ricordo.open(path, embedder="none", durability="normal") as memory:
        small, large = (fill(memory, size) for size in SIZES)
        for label, read in READS.items():
            before = median_cpu_ms(lambda n, read=read: read(small, n), 99)
            after = median_cpu_ms(lambda n, read=read: read(large, n), 99)
            ratio = after / before
            note = f"{before:.3f} and {after:.3f} ms"
            name = f"{label}, 16,000 / 500 entries"
            yield Figure(name, ratio, "x", f"<= {MOST}", ratio <= MOST, note)
    path.unlink()


READS: dict[str, Callable[[ricordo.Space, int], object]] = {
    "get": lambda space, n: space.get(f"a{n + 1}"),
    "entries(limit=100)": lambda space, _: space.entries(limit=100),
    "entries(prefix=)": lambda space, _: space.entries(prefix="rare"),
    "entries(prefix=) without a match": lambda space, _: space.entries(prefix="none"),
    "entries(tags=)": lambda space, _: space.entries(tags=["rare"]),
    "entries(category=)": lambda space, _: space.entries(category="rare"),
    "history": lambda space, n: space.history(f"a{n + 1}"),
    "dreams.signals()": lambda space, _: space.dreams.signals(limit=20),
    "dreams.signals(name)": lambda space, _: space.dreams.signals("rare0"),
}
