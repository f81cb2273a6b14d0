"""LangGraph's store and checkpointer over records, beside SqliteStore and SqliteSaver.

    python bench/langgraph_adapters.py

One process, 1,000 items, both in turn; CPU of ours divided by CPU of theirs, medians. Needs
langgraph-checkpoint-sqlite. Vectors are compared only where Python can load SQLite extensions.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore

import ricordo
from ricordo.adapters.langgraph import RicordoStore
from ricordo.adapters.langgraph_checkpoints import RicordoSaver

ITEMS, ROUNDS = 1_000, 5


def measure(work: Callable[[], object], times: int) -> float:
    """Microseconds of CPU of one call."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) * 1e6 / times


def compare(
    name: str, ours: Callable[[], object], theirs: Callable[[], object], times: int
) -> None:
    """Print one line: the medians of both, measured in turn, and their ratio."""
    pairs = [(measure(ours, times), measure(theirs, times)) for _ in range(ROUNDS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{name:28} {mine:9.1f} µs {other:9.1f} µs  {mine / other:5.2f}", flush=True)


def make_value(number: int) -> dict[str, Any]:
    return {"text": f"value number {number}", "kind": f"t{number % 7}", "n": number}


def compare_stores(ours: RicordoStore, theirs: SqliteStore) -> None:
    ops = [PutOp(("docs", f"n{i % 10}"), f"k{i}", make_value(i)) for i in range(ITEMS)]
    for store in (ours, theirs):
        for start in range(0, ITEMS, 100):
            store.batch(ops[start : start + 100])
    calls: dict[str, tuple[Callable[[Any], object], int]] = {
        "put": (lambda s: s.put(("docs", "n1"), "k1", make_value(1)), 50),
        "put, batch of 100": (lambda s: s.batch(ops[:100]), 5),
        "get": (lambda s: s.get(("docs", "n5"), "k5"), 200),
        "search": (lambda s: s.search(("docs",), limit=10), 50),
        "search, filter": (lambda s: s.search(("docs",), filter={"kind": "t3"}, limit=10), 50),
        "list_namespaces": (lambda s: s.list_namespaces(), 50),
    }
    for name, (call, times) in calls.items():
        compare(name, lambda c=call: c(ours), lambda c=call: c(theirs), times)


def compare_savers(ours: RicordoSaver, theirs: SqliteSaver) -> None:
    def fill(saver: Any, thread: str) -> None:
        config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
        for step in range(100):
            config = saver.put(config, empty_checkpoint(), {"source": "loop", "step": step}, {})
            saver.put_writes(config, [("a", step), ("b", step)], f"task{step}")

    config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    for saver in (ours, theirs):
        fill(saver, "t")
    compare("latest", lambda: ours.get_tuple(config), lambda: theirs.get_tuple(config), 50)
    compare(
        "list(10)",
        lambda: [*ours.list(config, limit=10)],
        lambda: [*theirs.list(config, limit=10)],
        20,
    )
    pairs = []
    for number in range(3):
        both = []
        for saver in (ours, theirs):
            fill(saver, f"gone{number}")
            both.append(measure(lambda s=saver, n=number: s.delete_thread(f"gone{n}"), 1))
        pairs.append(both)
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{'delete_thread, 100 states':28} {mine:9.1f} µs {other:9.1f} µs  {mine / other:5.2f}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        with (
            ricordo.open(path / "ours.db", embedder="none", keep=False) as memory,
            SqliteStore.from_conn_string(str(path / "theirs.db")) as store,
            SqliteSaver.from_conn_string(str(path / "saver.db")) as saver,
        ):
            store.setup()
            print(f"{'':28} {'ricordo':>12} {'SQLite':>12}  ratio")
            compare_stores(RicordoStore(memory), store)
            compare_savers(RicordoSaver(memory), saver)


if __name__ == "__main__":
    main()
