"""Adapters beside the reference implementations of their frameworks, in one process, in turn.

    python bench/adapters.py [NAME ...]

One function per adapter; each gives rows of an operation, our and the other's CPU milliseconds, and
the ratio that is aimed at. What is compared takes turns: a busy machine is busy for both.

LangGraph's own need langgraph-checkpoint-sqlite; to compare vectors, its SqliteStore needs a Python
that loads SQLite extensions, or pysqlite3-binary.
"""

import asyncio
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy

import ricordo
from common import cpu

ROUNDS = 60
Work = Callable[[], Awaitable[object]]
Call = Callable[[], object]


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


def compare_plainly(ours: Call, theirs: Call, most: float, operation: str, rounds: int) -> Row:
    """The same for calls that block."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for kept, work in zip(times, (ours, theirs), strict=True):
            kept.append(cpu(work))
    medians = [1000 * statistics.median(each) for each in times]
    return Row(f"LangGraph: {operation}", *medians, most)


def make_value(number: int) -> dict[str, object]:
    return {"text": f"value number {number}", "kind": f"t{number % 7}", "n": number}


def embed(texts: list[str]) -> list[list[float]]:
    """The same vectors for both: 128 numbers that a text determines."""
    return [
        numpy.random.default_rng(list(text.encode())).standard_normal(128).tolist()
        for text in texts
    ]


def langgraph_store(folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """`BaseStore` beside SqliteStore, with 1,000 items in ten namespaces."""
    del loop
    can_compare_vectors = let_sqlite_load_extensions()
    from langgraph.store.base import PutOp
    from langgraph.store.sqlite import SqliteStore

    from ricordo.adapters.langgraph import RicordoStore

    def put_all(store: Any, key: str, start: int, size: int, more: int = 0) -> None:
        places = [(("docs", f"n{i % 10}"), f"{key}{i}") for i in range(start, start + size)]
        values = [make_value(i + more) for i in range(start, start + size)]
        store.batch([PutOp(*place, value) for place, value in zip(places, values, strict=True)])

    rounds = {store: count(1) for store in ("ours", "theirs")}
    calls: dict[str, tuple[Callable[[Any, int], object], float]] = {
        "put": (lambda s, n: s.put(("docs", "n1"), "k1", make_value(n)), 2.0),
        "get": (lambda s, _: s.get(("docs", "n5"), "k5"), 2.0),
        "search": (lambda s, _: s.search(("docs",), limit=10), 2.0),
        "list_namespaces": (lambda s, _: s.list_namespaces(), 2.0),
        "search, filter": (lambda s, _: s.search(("docs",), filter={"kind": "t3"}), 3.0),
        "batch of 100 new puts": (lambda s, n: put_all(s, "b", 100 * n, 100), 3.0),
        "batch of 100 changes": (lambda s, n: put_all(s, "k", n % 10, 100, n), 3.0),
        "batch of 100 that stay": (lambda s, _: put_all(s, "j", 0, 100), 3.0),
    }
    index: Any = {"dims": 128, "embed": embed, "fields": ["text"]}
    for is_indexed in (False, True) if can_compare_vectors else (False,):
        name, by = ("vectors", index) if is_indexed else ("plain", None)
        with (
            RicordoStore.from_conn_string(str(folder / f"{name}.db"), index=by) as ours,
            SqliteStore.from_conn_string(str(folder / f"theirs-{name}.db"), index=by) as theirs,
        ):
            theirs.setup()
            for store in (ours, theirs):
                put_all(store, "k", 0, 1000)
            if is_indexed:
                ours.space.recall("warm")
                calls = {
                    "query, all namespaces": (
                        lambda s, _: s.search(("docs",), query="value number 7"), 2.0,
                    ),
                    "query, one namespace": (
                        lambda s, _: s.search(("docs", "n3"), query="value number 7"), 2.0,
                    ),
                }  # fmt: skip
            for operation, (call, most) in calls.items():
                yield compare_plainly(
                    lambda c=call: c(ours, next(rounds["ours"])),
                    lambda c=call: c(theirs, next(rounds["theirs"])),
                    most,
                    operation,
                    ROUNDS,
                )


def langgraph_checkpoints(folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """The checkpointer beside SqliteSaver: threads of 100 checkpoints, two writes each."""
    del loop
    from langgraph.checkpoint.base import empty_checkpoint
    from langgraph.checkpoint.sqlite import SqliteSaver

    from ricordo.adapters.langgraph_checkpoints import RicordoSaver

    def fill(saver: Any, thread: str) -> None:
        config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
        for step in range(100):
            config = saver.put(config, empty_checkpoint(), {"source": "loop", "step": step}, {})
            saver.put_writes(config, [("a", step), ("b", step)], f"task{step}")

    of: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    with (
        RicordoSaver.from_conn_string(str(folder / "saver.db")) as ours,
        SqliteSaver.from_conn_string(str(folder / "theirs-saver.db")) as theirs,
    ):
        for saver in (ours, theirs):
            for thread in ("t", *(f"gone {n}" for n in range(10))):
                fill(saver, thread)
        gone = {"ours": count(), "theirs": count()}
        for operation, call, rounds in (
            ("latest", lambda s, _: s.get_tuple(of), ROUNDS),
            ("list(10)", lambda s, _: [*s.list(of, limit=10)], ROUNDS),
            ("delete_thread", lambda s, who: s.delete_thread(f"gone {next(gone[who])}"), 10),
        ):
            yield compare_plainly(
                lambda c=call: c(ours, "ours"),
                lambda c=call: c(theirs, "theirs"),
                3.0,
                operation,
                rounds,
            )


def let_sqlite_load_extensions() -> bool:
    """Whether vectors of SqliteStore can be compared; puts pysqlite3 in the place of sqlite3."""
    if hasattr(sqlite3.Connection, "enable_load_extension"):
        return True
    try:
        import pysqlite3
    except ImportError:
        return False
    sys.modules["sqlite3"] = pysqlite3
    return True


ADAPTERS = {
    each.__name__: each
    for each in (langgraph_store, langgraph_checkpoints, openai_agents, claude_agent)
}


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
