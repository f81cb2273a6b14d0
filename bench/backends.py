"""PostgreSQL beside SQLite: append and recall, both measured in turns in one run.

    python bench/backends.py                 a small size, about a minute
    python bench/backends.py --full          100k chunks over 1,000 spaces, and one space of 20k
    python bench/backends.py --url postgresql://…   your own server instead of one of the tests'

Wall time, because the other half of the work is done by the server.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import ricordo
from common import Cheap, Talk, rss_mb, wall
from ricordo import Memory, Space

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "store"))


class Size(NamedTuple):
    spaces: int
    each: int  # chunks of a small space
    big: int  # chunks of the one big space


SMALL, FULL = Size(50, 80, 4_000), Size(1_000, 80, 20_000)
WORDS = 25
BATCH = 500


class Side(NamedTuple):
    name: str
    memory: Memory


@contextlib.contextmanager
def sides(url: str | None, embedder: object, partitions: int) -> Iterator[list[Side]]:
    """The same memory on both backends, each durable at every commit."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        if url is None:
            from postgres_server import running

            url = stack.enter_context(running(shared_buffers="512MB")).url()
        if partitions:
            url = f"{url}{'&' if '?' in url else '?'}partitions={partitions}"
        yield [
            Side(name, stack.enter_context(ricordo.open(where, embedder=embedder)))
            for name, where in (("SQLite", f"{folder}/agent.db"), ("PostgreSQL", url))
        ]


def fill(side: Side, size: Size) -> float:
    """Write everything in batches and wait for the vectors; seconds it took."""
    talk = Talk()

    def write() -> None:
        for number in range(size.spaces):
            _extend(side.memory.space(f"small {number}"), talk, size.each)
        _extend(side.memory.space("big"), talk, size.big)
        side.memory.flush()

    return wall(write)


def _extend(space: Space, talk: Talk, count: int) -> None:
    chat = space.session("s")
    for start in range(0, count, BATCH):
        texts = [talk.text(WORDS) for _ in range(min(BATCH, count - start))]
        chat.extend({"role": "user", "content": text} for text in texts)


def in_turns(work: Callable[[Side, int], object], both: list[Side], times: int) -> list[float]:
    """The median milliseconds of each side, measured alternately."""
    taken: dict[str, list[float]] = {side.name: [] for side in both}
    for turn in range(times + 3):
        for side in both:
            seconds = wall(lambda side=side, turn=turn: work(side, turn))
            if turn >= 3:  # the first ones warm up
                taken[side.name].append(1000 * seconds)
    return [statistics.median(taken[side.name]) for side in both]


def tell(what: str, unit: str, figures: list[float]) -> None:
    sqlite, postgres = figures
    ratio = postgres / sqlite if sqlite else float("nan")
    print(f"{what:44}{sqlite:12,.2f}{postgres:12,.2f} {unit:8}{ratio:7.2f}")


def measure(both: list[Side], size: Size, times: int) -> None:
    talk = Talk(11)
    queries = [talk.query() for _ in range(times + 3)]
    texts = [talk.text(WORDS) for _ in range(2 * times + 20)]

    def small(side: Side, turn: int) -> Space:
        return side.memory.space(f"small {turn % size.spaces}")

    def recall(space: Space, turn: int, **options: str) -> None:
        space.recall(queries[turn], limit=10, asker=None, **options)

    def append(side: Side, turn: int) -> None:
        small(side, turn).session("s").append("user", f"{texts[turn]} {turn}")

    for name in range(min(size.spaces, times + 3)):  # views are built before they are measured
        for side in both:
            recall(side.memory.space(f"small {name}"), 0)
    for profile in ("default", "rrf"):
        tell(
            f"hybrid recall, {size.each} chunks, {profile}",
            "ms",
            in_turns(lambda s, n, p=profile: recall(small(s, n), n, profile=p), both, times),
        )
    for profile in ("default", "rrf"):
        tell(
            f"hybrid recall, {size.big:,} chunks, {profile}",
            "ms",
            in_turns(
                lambda s, n, p=profile: recall(s.memory.space("big"), n, profile=p), both, times
            ),
        )
    tell("append, one durable message", "ms", in_turns(append, both, times))
    batches = in_turns(
        lambda s, n: (
            small(s, n)
            .session("b")
            .extend({"role": "user", "content": f"{text} {n}"} for text in texts[:100])
        ),
        both,
        max(3, times // 10),
    )
    tell("extend, 100 messages", "ms", batches)


def first_look(both: list[Side]) -> None:
    """How long the picture of the big space takes to build, and what it takes in RAM."""
    figures = []
    for side in both:
        side.memory._engine.views.clear()
        before = rss_mb()
        start = time.perf_counter()
        side.memory.space("big").recall("anything", asker=None)
        figures.append(1000 * (time.perf_counter() - start))
        print(f"  {side.name}: resident memory {before:,.0f} → {rss_mb():,.0f} MB")
    tell("first recall of the big space", "ms", figures)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--full", action="store_true", help="100k chunks and a space of 20k")
    parser.add_argument("--url", help="a PostgreSQL of your own")
    parser.add_argument("--partitions", type=int, default=0, help="cut the tables of the server")
    parser.add_argument("--embedder", help="a real one, such as minilm, instead of made-up vectors")
    parser.add_argument("--times", type=int, default=60, help="repetitions of each figure")
    given = parser.parse_args(arguments)
    size = FULL if given.full else SMALL
    with sides(given.url, given.embedder or Cheap(), given.partitions) as both:
        print(f"{'':44}{'SQLite':>12}{'PostgreSQL':>12} {'':8}{'ratio':>7}")
        chunks = size.spaces * size.each + size.big
        tell(f"write and embed {chunks:,} chunks", "s", [fill(side, size) for side in both])
        first_look(both)
        measure(both, size, given.times)
        tell("size", "MB", [side.memory.stats().bytes / 1e6 for side in both])


if __name__ == "__main__":
    main()
