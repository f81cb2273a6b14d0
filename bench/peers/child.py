"""One phase of one store in a process of its own; the last line printed is JSON.

    child.py STORE load|hybrid|vector|single DATA PLACE CAP REACHED STARTED

REACHED is the number of rows loaded before; with a CAP of 0 seconds recall stops at the first
answer. STARTED is the monotonic clock of the parent just before it started this process. Loading
reads its rows batch by batch, so that the memory measured is the store's own.
"""

import array
import json
import re
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stores import DIM, STORES, Query, Row, Store

BATCH = 1000
WARM = 5
WIDTH = DIM * 4


def peak_mb() -> float:
    """The largest resident memory of this process so far."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def batches(data: Path, first: int, count: int, size: int, each: int) -> Iterator[list[Row]]:
    """Rows of the data set in order; `each` rows in a row belong to one space."""
    import numpy as np

    with (data / "rows.txt").open() as lines, (data / "rows.f32").open("rb") as floats:
        for _ in range(first):
            next(lines)
        floats.seek(first * WIDTH)
        for start in range(first, first + count, size):
            here = min(size, first + count - start)
            vectors = np.frombuffer(floats.read(here * WIDTH), np.float32).reshape(here, DIM)
            texts = [next(lines).rstrip("\n") for _ in range(here)]
            yield [
                Row(start + n, f"space{(start + n) // each}", texts[n], vectors[n])
                for n in range(here)
            ]


def questions(data: Path, spaces: int) -> list[tuple[Query, list[str]]]:
    """The queries to the first `spaces` spaces, each with the exact answer; no numpy needed."""
    floats = array.array("f")
    floats.frombytes((data / "queries.f32").read_bytes())
    found = []
    for n, line in enumerate(json.loads((data / "queries.json").read_text())):
        vector = floats[n * DIM : (n + 1) * DIM].tolist()
        if line["space"] < spaces:
            query = Query(f"space{line['space']}", line["text"], vector)
            found.append((query, line["exact"]))
    return found


def load(store: Store, data: Path, shape: dict[str, int], cap: float) -> dict[str, Any]:
    """All rows in batches, or as many as the time allows; ends settled and closed."""
    wall, cpu, rows = time.perf_counter(), time.process_time(), 0
    for batch in batches(data, 0, shape["rows"], BATCH, shape["each"]):
        store.add(batch)
        rows += len(batch)
        if time.perf_counter() - wall > cap:
            break
    store.settle()
    store.close()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"rows": rows, "wall_s": wall, "cpu_s": cpu, "peak_mb": peak_mb()}


def serve(
    store: Store, mode: str, asked: list[tuple[Query, list[str]]], cap: float
) -> dict[str, Any]:
    """One mode over the queries; the first question to each space is counted apart.

    Gives the share of the exact nearest rows that came back, too.
    """
    fresh, spent, shared, seen = [], [], [], set()
    stop = time.perf_counter() + cap
    for n, (query, exact) in enumerate(asked):
        cpu = time.process_time()
        texts = store.ask(query, mode)
        cpu = 1000 * (time.process_time() - cpu)
        if n >= WARM:
            (spent if query.space in seen else fresh).append(cpu)
            shared.append(len(set(texts) & set(exact)) / len(exact))
        seen.add(query.space)
        if time.perf_counter() > stop and len(spent) > WARM:
            break
    return {
        "fresh_ms": statistics.median(fresh),
        "p50_ms": statistics.median(spent),
        "p95_ms": statistics.quantiles(spent, n=20)[-1],
        "queries": len(spent),
        "exact": statistics.mean(shared),
        "peak_mb": peak_mb(),
    }


def single(store: Store, data: Path, shape: dict[str, int]) -> dict[str, Any]:
    """Rows given one by one, as a conversation does, at the size the load has reached."""
    more = [rows[0] for rows in batches(data, shape["rows"], shape["more"], 1, shape["each"])]
    more = [row._replace(space="space0") for row in more]
    store.add([more[0]])
    waits = []
    cpu = time.process_time()
    for row in more[1:]:
        wall = time.perf_counter()
        store.add([row])
        waits.append(1000 * (time.perf_counter() - wall))
    store.settle()
    store.close()
    cpu = 1000 * (time.process_time() - cpu) / len(waits)
    return {"cpu_ms": cpu, "wall_ms": statistics.median(waits)}


def main() -> None:
    name, phase, data, place, cap, reached, started = sys.argv[1:]
    folder, shape = Path(data), json.loads((Path(data) / "shape.json").read_text())
    if phase in ("hybrid", "vector"):
        asked = questions(folder, int(reached) // shape["each"])
        store = STORES[name](Path(place))
        store.ask(asked[0][0], phase)
        first = {"cpu_s": time.process_time(), "wall_s": time.monotonic() - float(started)}
        more = serve(store, phase, asked, float(cap)) if float(cap) else {}
        print(json.dumps({"first": first, **more}))
        return
    store = STORES[name](Path(place))
    if phase == "load":
        print(json.dumps(load(store, folder, shape, float(cap))))
    else:
        print(json.dumps(single(store, folder, shape)))


if __name__ == "__main__":
    main()
