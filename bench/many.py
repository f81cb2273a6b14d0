"""Many spaces: what the first flush of a process costs among a hundred and 100,000 of them.

    .venv/bin/python -m bench.many

Spaces are written through the library in one memory of each size, with the hash embedder. Then
fresh processes open it in turn, append one message and flush; CPU time of that, medians.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import ricordo

SIZES = (100, 100_000)
RUNS = 7

_FIRST = """
import json, resource, sys, time
import ricordo
with ricordo.open(sys.argv[1], embedder="hash") as memory:
    began = time.process_time()
    memory.flush()
    idle = time.process_time() - began
    memory.space("s1").remember(f"note {time.time_ns()}")
    began = time.process_time()
    memory.flush()
    print(json.dumps([idle, time.process_time() - began]))
"""


def make(path: Path, spaces: int) -> None:
    with ricordo.open(str(path), embedder="hash", durability="normal") as memory:
        for number in range(spaces):
            memory.space(f"s{number}").remember(f"the {number}th thing")
        memory.flush()


def measure(path: Path) -> list[float]:
    told = subprocess.run(
        [sys.executable, "-c", _FIRST, str(path)], check=True, capture_output=True, text=True
    )
    return [float(value) for value in json.loads(told.stdout)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = {spaces: Path(folder) / f"{spaces}.db" for spaces in SIZES}
        for spaces, path in paths.items():
            make(path, spaces)
        runs = {spaces: [measure(path) for _ in range(RUNS)] for spaces, path in paths.items()}
        for spaces, found in runs.items():
            first, second = (statistics.median(column) * 1e3 for column in zip(*found, strict=True))
            print(f"{spaces:>8} spaces: first flush {first:.2f} ms, one text more {second:.2f} ms")


if __name__ == "__main__":
    main()
