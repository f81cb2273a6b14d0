"""A crowd: eight processes that append to one file, in turn and, side by side, as SQLite waits.

    make bench-crowd

The second way takes the queue at the head file away, so that the processes poll for SQLite's lock.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ricordo
from ricordo.store.sqlite.commit_counter import CommitCounter

PROCESSES, APPENDS, ROUNDS = 8, 150, 3


def append(path: str, number: str, way: str) -> None:
    """One of the crowd: waits for the word, appends, and prints how long each append took."""
    if way == "polling":
        CommitCounter.take_turn = CommitCounter.pass_turn = lambda _: None  # type: ignore[method-assign]
    waits = []
    with ricordo.open(path, embedder="none") as memory:
        chat = memory.space("ana").session(number)
        chat.append("user", "ready")
        print("ready", flush=True)
        sys.stdin.readline()
        began = time.perf_counter()
        for turn in range(APPENDS):
            start = time.perf_counter()
            chat.append("user", f"message {turn} of {number} about the train to Oslo")
            waits.append(time.perf_counter() - start)
        took = time.perf_counter() - began
    print(json.dumps({"waits": waits, "took": took}))


def measure(way: str) -> tuple[float, float, float]:
    """Median and 99th percentile of an append in milliseconds, and appends a second of all."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, __file__, f"{folder}/crowd.db"]
        crowd = [
            subprocess.Popen(
                [*words, f"writer{n}", way],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for n in range(PROCESSES)
        ]
        for each in crowd:
            assert each.stdout is not None
            each.stdout.readline()
        for each in crowd:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        told = [json.loads(each.communicate()[0]) for each in crowd]
    waits = sorted(wait for each in told for wait in each["waits"])
    rate = len(waits) / max(each["took"] for each in told)
    return 1000 * waits[len(waits) // 2], 1000 * waits[int(0.99 * len(waits))], rate


def main() -> None:
    print(f"{PROCESSES} processes, {APPENDS} appends each, {ROUNDS} rounds side by side")
    print(f"{'way':10} {'p50 ms':>8} {'p99 ms':>8} {'a second':>9}")
    for _ in range(ROUNDS):
        for way in ("polling", "in turn"):
            middle, worst, rate = measure(way)
            print(f"{way:10} {middle:8.1f} {worst:8.1f} {rate:9.0f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        append(str(Path(sys.argv[1])), sys.argv[2], sys.argv[3])
    else:
        main()
