"""Where an HNSW index of pgvector would pay: one big space, searched three ways.

    python bench/hnsw.py                       20k, 50k and 100k vectors in the big space
    python bench/hnsw.py --sizes 20000 --type halfvec
    python bench/hnsw.py --sizes 200000 --without-index   how ricordo goes on
    python bench/hnsw.py --url postgresql://postgres@/postgres   a server with pgvector of your own

The ways: pgvector compares all (exact), pgvector with HNSW (one index over all spaces, and one of
the big space alone), and what ricordo does (the vectors of the space in RAM, a scan of sign bits,
the best of them scored exactly). Beside the big space there are 1,000 small ones of 80. Vectors
have 384 dimensions and lie in 200 clusters; questions are other points of the clusters. Recall is
the share of the exact ten nearest that was found. The first answer counts from the start of a
process.
"""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psycopg

from ricordo.core.recall.nearest import Vectors

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "store"))

DIM, CLUSTERS, NOISE = 384, 200, 0.8
BIG, SMALL_SPACES, SMALL_ROWS = 1, 1_000, 80
QUESTIONS, NEAREST = 100, 10
M, EF_CONSTRUCTION = 16, 128
SCHEMA = "bench_hnsw"
TABLE = "CREATE TABLE vectors (space BIGINT, id BIGINT, vector {}({}), PRIMARY KEY (space, id))"
OURS = "CREATE TABLE embeddings (space BIGINT, id BIGINT, vector BYTEA, PRIMARY KEY (space, id))"
INDEX = (
    "CREATE INDEX nearest ON vectors USING hnsw (vector {}_cosine_ops)"
    " WITH (m = {}, ef_construction = {}){}"
)
HEADER = (
    "\n| {:,} vectors | build or load | on disk | p50 | CPU: server | and client | recall@10"
    " | first answer |\n|---|---|---|---|---|---|---|---|"
)
ASK = "SELECT id FROM vectors WHERE space = %s ORDER BY vector <=> %s::{} LIMIT {}"
LOAD = "SELECT id, vector FROM embeddings WHERE space = %s ORDER BY id"

Scopes = tuple[tuple[str, str], ...]
SCOPES: Scopes = (("all spaces", ""), ("this space", f" WHERE space = {BIG}"))

Raw = psycopg.Connection


class Row(NamedTuple):
    """What was measured of one way to search."""

    way: str
    build: float  # seconds
    megabytes: float  # on disk, of what this way needs
    wall: float  # ms, the median of all questions
    server: float  # ms of CPU, the mean
    client: float  # likewise
    recall: float
    first: float  # ms

    def __str__(self) -> str:
        return (
            f"| {self.way} | {self.build:.1f} s | {self.megabytes:,.0f} MB | {self.wall:.1f} ms | "
            f"{self.server:.1f} ms | {self.client:.1f} ms | {self.recall:.3f} | "
            f"{self.first / 1000:.2f} s |"
        )


class World:
    """Points of clusters: the same ones at every run."""

    def __init__(self, seed: int = 5) -> None:
        self._random = np.random.default_rng(seed)
        self._centres = self._points(CLUSTERS)

    def _points(self, count: int) -> np.ndarray:
        return self._random.standard_normal((count, DIM), dtype=np.float32)

    def draw(self, count: int) -> np.ndarray:
        """Unit vectors around centres that are drawn at random, as f16 keeps them."""
        rows = self._centres[self._random.integers(0, CLUSTERS, count)]
        rows = rows + NOISE * self._points(count)
        units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return units.astype(np.float16).astype(np.float32)


def text(vector: np.ndarray) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(f"{value:.6g}" for value in vector) + "]"


# --- the tables -------------------------------------------------------------------------------


def fill(raw: Raw, kind: str, big: np.ndarray, small: np.ndarray) -> None:
    """Both tables with the same rows, the small spaces before and after the big one."""
    raw.execute("DROP TABLE IF EXISTS vectors, embeddings")
    raw.execute(TABLE.format(kind, DIM))
    raw.execute(OURS)
    spaces = [BIG] * len(big) + [BIG + 1 + n // SMALL_ROWS for n in range(len(small))]
    rows = np.concatenate([big, small])
    order = np.random.default_rng(1).permutation(len(rows))
    with raw.cursor() as cursor:
        with cursor.copy("COPY vectors (space, id, vector) FROM STDIN") as copy:
            for at in order:
                copy.write_row((spaces[at], int(at), text(rows[at])))
        with cursor.copy("COPY embeddings (space, id, vector) FROM STDIN") as copy:
            for at in order:
                copy.write_row((spaces[at], int(at), rows[at].astype("<f2").tobytes()))
    raw.execute("VACUUM (ANALYZE) vectors, embeddings")


def build(raw: Raw, kind: str, rule: str = "") -> float:
    """Make the index anew; seconds it took."""
    raw.execute("DROP INDEX IF EXISTS nearest")
    start = time.perf_counter()
    raw.execute(INDEX.format(kind, M, EF_CONSTRUCTION, rule))
    taken = time.perf_counter() - start
    raw.execute("VACUUM (ANALYZE) vectors")
    return taken


def megabytes(raw: Raw, *names: str) -> float:
    return sum(raw.execute("SELECT pg_relation_size(%s)", [n]).fetchone()[0] for n in names) / 1e6


# --- the ways ---------------------------------------------------------------------------------


def asker(raw: Raw, kind: str) -> Callable[[np.ndarray], list[int]]:
    """Ask the server; the vector travels as text, as it does without an adapter."""
    query = ASK.format(kind, NEAREST)

    def ask(vector: np.ndarray) -> list[int]:
        found = raw.execute(query, [BIG, text(vector)], prepare=True).fetchall()
        return [id for (id,) in found]

    return ask


def load(raw: Raw) -> Vectors:
    """The vectors of the big space, as ricordo holds them."""
    rows = raw.cursor(binary=True).execute(LOAD, [BIG]).fetchall()
    matrix = np.frombuffer(b"".join(vector for _, vector in rows), "<f2").reshape(-1, DIM)
    held = Vectors()
    held.grow(len(rows))
    held.put(np.arange(len(rows)), matrix)
    return held


def scanner(held: Vectors) -> Callable[[np.ndarray], list[int]]:
    # Ids of the big space begin at 0 and have no gaps: they are the rows of the matrix.
    return lambda vector: held.nearest(vector, NEAREST).rows.tolist()


# --- measuring --------------------------------------------------------------------------------


class Figures(NamedTuple):
    wall: float
    server: float
    client: float
    recall: float


def measured(
    raw: Raw,
    ask: Callable[[np.ndarray], list[int]],
    questions: np.ndarray,
    truth: list[set[int]],
) -> Figures:
    """Milliseconds on the wall and of CPU on both sides, and recall."""
    for vector in questions[:10]:
        ask(vector)
    walls, found = [], 0
    server, client = backend_cpu(raw), time.process_time()
    for vector, wanted in zip(questions, truth, strict=True):
        start = time.perf_counter()
        got = ask(vector)
        walls.append(time.perf_counter() - start)
        found += len(wanted & set(got))
    client, server = time.process_time() - client, backend_cpu(raw) - server
    each = 1000 / len(truth)
    return Figures(
        1000 * statistics.median(walls), each * server, each * client, found * each / 1000 / NEAREST
    )


def backend_cpu(raw: Raw) -> float:
    """CPU seconds of the process that serves us; 0 where it is not on this machine."""
    stat = Path(f"/proc/{raw.info.backend_pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first(url: str, way: str, kind: str, ef: int) -> float:
    """Milliseconds from the start of a process to its first answer; the median of three."""
    command = [sys.executable, __file__, "--first", way, "--url", url, "--type", kind]
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([*command, "--ef", str(ef)], check=True)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def answer_once(url: str, way: str, kind: str, ef: int) -> None:
    """What `first` times."""
    vector = World().draw(1)[0]
    with connected(url) as raw:
        if way == "ours":
            scanner(load(raw))(vector)
            return
        tune(raw, way, ef)
        asker(raw, kind)(vector)


@contextlib.contextmanager
def connected(url: str) -> Iterator[Raw]:
    with psycopg.connect(url, autocommit=True, options="-c jit=off") as raw:
        raw.execute(f"SET search_path TO {SCHEMA}, public")
        yield raw


def tune(raw: Raw, way: str, ef: int) -> None:
    """Make the planner take the way that is to be measured, and read it back."""
    by_index = way == "hnsw"
    raw.execute(f"SET enable_indexscan = {'on' if by_index else 'off'}")
    raw.execute(f"SET enable_sort = {'off' if by_index else 'on'}")
    # A plan for any space cannot use an index of one.
    raw.execute("SET plan_cache_mode = force_custom_plan")
    raw.execute("SET max_parallel_workers_per_gather = 0")  # CPU is that of one process
    raw.execute("SELECT '[1]'::vector")  # loads the extension, whose settings are set below
    raw.execute("SET hnsw.iterative_scan = strict_order")
    raw.execute(f"SET hnsw.ef_search = {ef}")
    plan = raw.execute(
        f"EXPLAIN {ASK.format('vector', NEAREST)}".replace("::vector", ""),
        [BIG, text(np.ones(DIM))],
    ).fetchall()
    told = "\n".join(line for (line,) in plan)
    assert ("nearest" in told) == by_index, told


def compare(raw: Raw, url: str, kind: str, size: int, scopes: Scopes) -> list[Row]:
    world = World()
    big, small = world.draw(size), world.draw(SMALL_SPACES * SMALL_ROWS)
    questions = world.draw(QUESTIONS)
    truth = [set(np.argsort(-(big @ each))[:NEAREST].tolist()) for each in questions]
    fill(raw, kind, big, small)

    def row(way: str, named: str, built: float, size_mb: float, ef: int = 40) -> Row:
        ask = scanner(load(raw)) if way == "ours" else asker(raw, kind)
        if way != "ours":
            tune(raw, way, ef)
        figures = measured(raw, ask, questions, truth)
        return Row(named, built, size_mb, *figures, first(url, way, kind, ef))

    table = megabytes(raw, "vectors", "vectors_pkey")
    share = size / (size + len(small))
    rows = [row("exact", "pgvector, exact", 0.0, table * share)]
    for named, rule in scopes:
        built = build(raw, kind, rule)
        index = megabytes(raw, "nearest")
        for ef in (40, 200):
            shown = f"HNSW over {named}, ef_search {ef}"
            rows.append(row("hnsw", shown, built, table * share + index, ef))
    start = time.perf_counter()
    held = load(raw)
    built = time.perf_counter() - start
    ours = megabytes(raw, "embeddings", "embeddings_pkey") * share
    rows.append(row("ours", f"ricordo, {held.nbytes / 1e6:.0f} MB of RAM", built, ours))
    return rows


@contextlib.contextmanager
def server(url: str | None) -> Iterator[str]:
    """A server of our own, unless one is given."""
    if url is not None:
        yield url
        return
    from postgres_server import running

    with running(shared_buffers="1GB", maintenance_work_mem="1GB", fsync="off") as own:
        yield own.dsn("postgres")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 50_000, 100_000])
    parser.add_argument("--type", choices=("vector", "halfvec"), default="vector")
    parser.add_argument("--url", help="a PostgreSQL of your own, as a role that may add pgvector")
    parser.add_argument("--without-index", action="store_true", help="build no HNSW")
    parser.add_argument("--ef", type=int, default=40, help=argparse.SUPPRESS)
    parser.add_argument("--first", choices=("exact", "hnsw", "ours"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.first:
        answer_once(given.url, given.first, given.type, given.ef)
        return
    scopes = () if given.without_index else SCOPES
    with server(given.url) as url, psycopg.connect(url, autocommit=True) as setup:
        setup.execute("CREATE EXTENSION IF NOT EXISTS vector")
        setup.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        versions = setup.execute(
            "SELECT extversion, current_setting('server_version') FROM pg_extension"
            " WHERE extname = 'vector'"
        ).fetchone()
        print(f"pgvector {versions[0]}, type {given.type}, PostgreSQL {versions[1]}", flush=True)
        try:
            for size in given.sizes:
                print(HEADER.format(size), flush=True)
                with connected(url) as raw:
                    for each in compare(raw, url, given.type, size, scopes):
                        print(each, flush=True)
        finally:
            setup.execute(f"DROP SCHEMA {SCHEMA} CASCADE")


if __name__ == "__main__":
    main()
