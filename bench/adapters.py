"""Adapters beside the reference implementations of their frameworks, in one process, in turn.

    python bench/adapters.py [NAME ...]

One function per adapter; each gives rows of an operation, our and the other's CPU milliseconds, and
the ratio that is aimed at. What is compared takes turns: a busy machine is busy for both.
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import ricordo
from common import cpu

ROUNDS = 60
Work = Callable[[], Awaitable[object]]


class Row(NamedTuple):
    """One comparison."""

    operation: str
    ours_ms: float
    theirs_ms: float
    most: float  # the ratio that is aimed at


def compare(loop: asyncio.AbstractEventLoop, ours: Work, theirs: Work) -> tuple[float, float]:
    """The median CPU milliseconds of both, measured in turn."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for kept, work in zip(times, (ours, theirs), strict=True):
            kept.append(cpu(lambda work=work: loop.run_until_complete(work())))
    return 1000 * statistics.median(times[0]), 1000 * statistics.median(times[1])


def openai_agents(folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """`Session` beside SQLiteSession, with 2,000 items."""
    from agents import SQLiteSession

    from ricordo.adapters.openai_agents import RicordoSession

    items = [{"role": "user", "content": f"message number {n} of the trip"} for n in range(2000)]
    with ricordo.open(folder / "openai.db", embedder="none") as memory:
        ours = RicordoSession("trip", memory)
        theirs = SQLiteSession("trip", folder / "theirs.db")
        for session in (ours, theirs):
            loop.run_until_complete(session.add_items(items))
        for operation, call, most in (
            ("get_items(10) of 2,000", lambda s: s.get_items(10), 2.0),
            ("add_items of 2", lambda s: s.add_items(items[:2]), float("inf")),
            ("get_items() of 2,000", lambda s: s.get_items(), float("inf")),
            ("pop_item", lambda s: s.pop_item(), float("inf")),
        ):
            both = compare(loop, lambda c=call: c(ours), lambda c=call: c(theirs))
            yield Row(f"OpenAI: {operation}", *both, most)
        theirs.close()


def claude_agent(folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """Appends to a long transcript beside those to a short one."""
    from ricordo.adapters.claude_agent import RicordoSessionStore

    keys = [{"project_key": "p", "session_id": size} for size in ("long", "short")]
    numbers = iter(range(10**9))

    def entry() -> dict[str, object]:
        n = next(numbers)
        message = {"role": "user", "content": f"message number {n} of the trip"}
        return {"type": "user", "uuid": f"u{n}", "message": message}

    with ricordo.open(folder / "claude.db", embedder="none") as memory:
        store = RicordoSessionStore(memory)
        for key, size in zip(keys, (4000, 100), strict=True):
            loop.run_until_complete(store.append(key, [entry() for _ in range(size)]))
        both = compare(loop, *(lambda key=key: store.append(key, [entry()]) for key in keys))
        yield Row("Claude: append at 4,000 beside 100", *both, 1.5)


ADAPTERS = {each.__name__: each for each in (openai_agents, claude_agent)}


def main() -> None:
    wanted = sys.argv[1:] or list(ADAPTERS)
    loop = asyncio.new_event_loop()
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            for row in ADAPTERS[name](Path(folder), loop):
                ratio = row.ours_ms / row.theirs_ms
                aim = "" if row.most == float("inf") else f"aim {row.most:.1f}"
                print(
                    f"{row.operation:40} {row.ours_ms:8.3f} {row.theirs_ms:8.3f} ms "
                    f"{ratio:6.2f} {aim}",
                    flush=True,
                )
    loop.close()


if __name__ == "__main__":
    main()
