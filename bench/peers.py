"""Speed beside the peers: one run, the same texts and the same vectors for every store.

    python bench/peers.py [--rows 10000] [--spaces 100] [--only ricordo,chromadb]

Each peer gets a virtual environment of its own under --envs, made with pip on first use, and each
phase (load, each mode of recall, one row at a time) a fresh process. CPU is process CPU time, all
threads; wall time depends on what else the machine does and is given as context. Needs /proc.
"""

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from common import Talk

HERE = Path(__file__).resolve().parent
DIM, TOP, QUERIES, MORE, STARTS = 384, 10, 300, 51, 5
CENTRES, TOPICS, NOISE = 512, 8, 0.8
SILENT = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "MEM0_TELEMETRY": "False",
    "POSTHOG_DISABLED": "1",
    "LANGSMITH_TRACING": "false",
    "HF_HUB_OFFLINE": "1",
    "OPENAI_API_KEY": "unused",  # mem0 wants one to be set before it opens; nobody is called
}


class Peer(NamedTuple):
    """A store: its environment, what pip installs there, what a write that returned means."""

    env: str
    packages: tuple[str, ...]
    durability: str
    modes: tuple[str, ...] = ("vector",)


PEERS = {
    "ricordo": Peer(
        "",
        (),
        "a commit per call, synced (WAL, synchronous=FULL); vectors follow in commits of their own",
        ("hybrid", "vector"),
    ),
    "chromadb": Peer(
        "chromadb", ("chromadb",), "SQLite commits per call, synced; the HNSW files follow later"
    ),
    "lancedb": Peer(
        "lancedb",
        ("lancedb",),
        "new files and a manifest per call, never synced: a power loss may take what was returned",
    ),
    "lancedb-text": Peer(
        "lancedb",
        ("lancedb",),
        "as lancedb; text index and space index are built after the load",
        ("hybrid", "vector"),
    ),
    "qdrant": Peer(
        "qdrant",
        ("qdrant-client", "numpy"),
        "a synced SQLite commit per row, in batches too; every open reads all rows into memory",
    ),
    "langgraph": Peer(
        "langgraph",
        ("langgraph-checkpoint-sqlite", "sqlite-vec", "pysqlite3-binary", "numpy"),
        "a synced SQLite commit per batch (rollback journal)",
    ),
    "mem0": Peer(
        "mem0",
        ("mem0ai", "qdrant-client", "numpy"),
        "two synced SQLite commits per row, vector store (qdrant local) and history",
    ),
}


class Failed(Exception):
    """A phase of a store did not end well; the message says how."""


def make_data(folder: Path, rows: int, spaces: int) -> None:
    """Texts and clustered unit vectors, rows in order of space, and queries with exact answers."""
    each, talk, rng = rows // spaces, Talk(), np.random.default_rng(11)
    centres = rng.standard_normal((CENTRES, DIM), np.float32)
    texts = [talk.text() for _ in range(rows + MORE)]
    noise = rng.standard_normal((rows + MORE, DIM), np.float32)
    # a space speaks of a few things only, so that its nearest rows are near indeed
    topics = np.arange(rows + MORE) // each * 5 + rng.integers(0, TOPICS, rows + MORE)
    vectors = centres[topics % CENTRES] + np.float32(NOISE) * noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors.tofile(folder / "rows.f32")
    (folder / "rows.txt").write_text("".join(f"{text}\n" for text in texts))
    picker, asked, near = random.Random(13), [], []
    for _ in range(QUERIES):
        target = picker.randrange(rows)
        space = target // each
        words = picker.sample(texts[target].split(), 5)
        vector = vectors[target] + rng.standard_normal(DIM, np.float32) * np.float32(0.5 / DIM**0.5)
        vector /= np.linalg.norm(vector)
        best = np.argsort(-(vectors[space * each : (space + 1) * each] @ vector))[:TOP]
        exact = [texts[space * each + int(n)] for n in best]
        asked.append({"space": space, "text": " ".join([*words, talk.text(3)]), "exact": exact})
        near.append(vector)
    np.stack(near).tofile(folder / "queries.f32")
    (folder / "queries.json").write_text(json.dumps(asked))
    (folder / "shape.json").write_text(json.dumps({"rows": rows, "each": each, "more": MORE}))


def interpreter(peer: Peer, envs: Path) -> str:
    """The interpreter of a peer's environment, which is made if it is not there."""
    if not peer.env:
        return sys.executable
    place = envs / peer.env
    python = str(place / "bin" / "python")
    done = place / "installed"
    if not done.exists() or done.read_text() != " ".join(peer.packages):
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", *peer.packages], check=True, timeout=600
        )
        done.write_text(" ".join(peer.packages))
    return python


def versions(peer: Peer, python: str) -> dict[str, str]:
    """What pip resolved; ours is the version of the tree next to this file."""
    names = peer.packages or ("ricordo", "apsw", "numpy")
    code = (
        "import importlib.metadata as m, json, sys\n"
        "def v(n):\n"
        "    try: return m.version(n)\n"
        "    except m.PackageNotFoundError: return 'source tree'\n"
        "print(json.dumps({n: v(n) for n in sys.argv[1:]}))"
    )
    done = subprocess.run([python, "-c", code, *names], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Bench:
    """Runs the phases of a store on one data set."""

    def __init__(self, data: Path, envs: Path, cap: float) -> None:
        self._data, self._envs, self._cap = data, envs, cap

    def _phase(self, name: str, phase: str, place: Path, cap: float, reached: int) -> Any:
        python = interpreter(PEERS[name], self._envs)
        environ = {**os.environ, **SILENT, "HOME": str(place.parent)}
        environ.pop("PYTHONPATH", None)
        if name == "ricordo":
            environ["PYTHONPATH"] = str(HERE.parent / "src")
        command = [python, str(HERE / "peers" / "child.py"), name, phase, str(self._data)]
        command += [str(place), str(cap), str(reached), str(time.monotonic())]
        try:
            done = subprocess.run(
                command,
                check=False,
                capture_output=True,
                text=True,
                env=environ,
                timeout=self._cap * 2 + 60,
            )
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{phase}: no end after {error.timeout:.0f} s") from error
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            raise Failed(f"{phase}: {lines[-1][:300]}")
        return json.loads(done.stdout.strip().splitlines()[-1])

    def run(self, name: str) -> dict[str, Any]:
        """All figures of one store, or its error with the figures reached until then."""
        result: dict[str, Any] = {"store": name}
        with tempfile.TemporaryDirectory(prefix=f"peers-{name}-") as folder:
            place = Path(folder) / "store"
            place.mkdir()
            try:
                result["versions"] = versions(PEERS[name], interpreter(PEERS[name], self._envs))
                self._measure(name, place, result)
            except (Failed, subprocess.SubprocessError) as error:
                result["error"] = str(error)
        return result

    def _measure(self, name: str, place: Path, result: dict[str, Any]) -> None:
        result["load"] = self._phase(name, "load", place, self._cap, 0)
        reached = result["load"]["rows"]
        files = [file.stat().st_size for file in place.rglob("*") if file.is_file()]
        result["bytes_per_row"] = sum(files) / reached
        result["modes"] = {}
        for mode in PEERS[name].modes:
            found = self._phase(name, mode, place, self._cap / 4, reached)
            firsts = [found.pop("first")]
            for _ in range(STARTS - 1):
                firsts.append(self._phase(name, mode, place, 0, reached)["first"])
            for key in ("cpu_s", "wall_s"):
                found[f"first_{key}"] = statistics.median(first[key] for first in firsts)
            result["modes"][mode] = found
        result["single"] = self._phase(name, "single", place, 0, reached)


class Column(NamedTuple):
    """A figure, how it is written, and whether more of it is better."""

    title: str
    read: Callable[[dict[str, Any]], float]
    form: str = "{:,.0f}"
    is_more_better: bool = False


WRITES = (
    Column("rows / CPU-s", lambda r: r["load"]["rows"] / r["load"]["cpu_s"], "{:,.0f}", True),
    Column("rows / s wall", lambda r: r["load"]["rows"] / r["load"]["wall_s"], "{:,.0f}", True),
    Column("one row, CPU ms", lambda r: r["single"]["cpu_ms"], "{:.2f}"),
    Column("one row, wall ms", lambda r: r["single"]["wall_ms"], "{:.2f}"),
    Column("bytes / row", lambda r: r["bytes_per_row"]),
    Column("peak RSS, MB", lambda r: r["load"]["peak_mb"]),
)
READS = (
    Column("CPU ms p50", lambda r: r["mode"]["p50_ms"], "{:.2f}"),
    Column("CPU ms p95", lambda r: r["mode"]["p95_ms"], "{:.2f}"),
    Column("first in a space, CPU ms", lambda r: r["mode"]["fresh_ms"], "{:.2f}"),
    Column("start to first answer, CPU s", lambda r: r["mode"]["first_cpu_s"], "{:.2f}"),
    Column("the same, wall s", lambda r: r["mode"]["first_wall_s"], "{:.2f}"),
    Column("peak RSS, MB", lambda r: r["mode"]["peak_mb"]),
)


def cell(column: Column, result: dict[str, Any], ours: dict[str, Any] | None) -> str:
    """A figure and its ratio to ours, in bold where the peer is ahead."""
    try:
        value = column.read(result)
    except KeyError:
        return "-"
    shown = column.form.format(value)
    if ours is None or result["store"] == "ricordo":
        return shown
    ratio = value / column.read(ours)
    text = f"{ratio:.2g}x" if ratio < 100 else f"{ratio:,.0f}x"
    is_ahead = ratio > 1 if column.is_more_better else ratio < 1
    return f"{shown} (**{text}**)" if is_ahead else f"{shown} ({text})"


def table(title: str, heads: list[str], lines: list[list[str]]) -> None:
    print(f"\n{title}\n")
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for line in lines:
        print("| " + " | ".join(line) + " |")


def by_mode(results: list[dict[str, Any]], mode: str) -> list[dict[str, Any]]:
    found = []
    for result in results:
        modes = result.get("modes", {})
        if mode in modes:
            found.append({**result, "mode": modes[mode]})
    return found


def show(results: list[dict[str, Any]], rows: int, spaces: int) -> None:
    print(f"\n### {rows:,} rows over {spaces} spaces")
    ours = next((r for r in results if r["store"] == "ricordo" and "single" in r), None)
    lines = []
    for result in results:
        if "load" in result:
            reached = result["load"]["rows"]
            name = result["store"] + ("" if reached == rows else f" (stopped at {reached:,} rows)")
            lines.append([name, *(cell(column, result, ours) for column in WRITES)])
    table("Writing:", ["store", *(column.title for column in WRITES)], lines)
    lines = []
    for mode in ("hybrid", "vector"):
        group = by_mode(results, mode)
        best = next((r for r in group if r["store"] == "ricordo"), None)
        for result in group:
            figures = [cell(column, result, best) for column in READS]
            exact = f"{result['mode']['exact']:.3f}" if mode == "vector" else ""
            lines.append([result["store"], mode, *figures[:3], exact, *figures[3:]])
    heads = [column.title for column in READS]
    heads = ["store", "mode", *heads[:3], "exact share", *heads[3:]]
    table(f"Recall of {TOP} out of one space:", heads, lines)
    for result in results:
        if "error" in result:
            print(f"\n{result['store']} failed in {result['error']}")


def settings(results: list[dict[str, Any]]) -> None:
    print(
        f"\nPython {platform.python_version()}, {os.cpu_count()} cores. Versions and durability:\n"
    )
    for result in results:
        pins = ", ".join(f"{n} {v}" for n, v in result.get("versions", {}).items())
        print(f"- {result['store']} ({pins}): {PEERS[result['store']].durability}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--spaces", type=int, default=100)
    parser.add_argument("--only", default=",".join(PEERS))
    parser.add_argument("--envs", type=Path, default=HERE / "out" / "envs")
    parser.add_argument("--cap", type=float, default=120, help="seconds of loading per store")
    given = parser.parse_args()
    wanted = given.only.split(",")
    unknown = set(wanted) - set(PEERS)
    if unknown or given.rows % given.spaces or given.rows // given.spaces < TOP:
        parser.error(f"stores are {', '.join(PEERS)}; rows must be a multiple of spaces, >= {TOP}")
    given.envs.mkdir(parents=True, exist_ok=True)
    data = Path(tempfile.mkdtemp(prefix="peers-data-"))
    try:
        make_data(data, given.rows, given.spaces)
        results = []
        for name in wanted:
            began = time.monotonic()
            results.append(Bench(data, given.envs.resolve(), given.cap).run(name))
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(data)
    kept = given.envs.parent / f"peers-{given.rows}.json"
    kept.write_text(json.dumps(results, indent=1))
    show(results, given.rows, given.spaces)
    settings(results)


if __name__ == "__main__":
    main()
