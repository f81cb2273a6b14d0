"""Speed, every figure beside a raw baseline measured in the same run.

    make bench                      everything up to 100k chunks
    python bench/speed.py --only append,import
    python bench/speed.py --curve 1000,10000,100000,1000000

Baselines: bare apsw writing the same rows with FTS5, a numpy f32 scan, importing numpy alone.
CPU is process CPU time; targets are those of docs/benchmarks.md.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dreaming
import recollect
from common import Talk, cpu, median_cpu_ms, wall
from recollect.flows import ingest
from recollect.store import catalogue, sqlite_file
from recollect.store.search import _tokens

DIM = 384
EVENT = catalogue.load("sqlite")["events.insert"].sql
CHUNK = catalogue.load("sqlite")["chunks.insert"].sql


class Figure(NamedTuple):
    """One measured promise."""

    name: str
    value: float
    unit: str
    target: str
    is_met: bool
    note: str = ""


class Cheap:
    """Clustered unit vectors that cost next to nothing, so that recall itself is measured."""

    name = "bench"
    fingerprint = "bench-clusters"
    dim = DIM

    def __init__(self) -> None:
        self._centres = np.random.default_rng(3).standard_normal((512, DIM)).astype(np.float32)

    def embed(self, texts: list[str]) -> np.ndarray:
        seeds = [zlib.crc32(text.encode()) for text in texts]
        noise = np.stack([np.random.default_rng(s).standard_normal(DIM) for s in seeds])
        rows = self._centres[[s % 512 for s in seeds]] + 0.8 * noise.astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Raw:
    """The same rows through bare apsw: event, chunk and FTS5 row, no checks, no chain."""

    def __init__(self, path: str) -> None:
        self.connection = sqlite_file.open_writer(path, "FULL")
        self.connection.execute(
            "INSERT INTO spaces (space, name, secret, created_at) VALUES (1, 'a', x'', 0)"
        ).fetchall()
        self.connection.execute(
            "INSERT INTO sessions (space, session, created_at, updated_at, head) "
            "VALUES (1, 's', 0, 0, x'')"
        ).fetchall()
        self._next = 1

    def rows(self, prepared: list[ingest.Prepared]) -> list[tuple[tuple, tuple, tuple]]:
        """Everything ready to be bound, made outside of the clock."""
        rows = []
        for item in prepared:
            n = self._next
            self._next += 1
            chunk = item.chunks[0]
            event = (1, "s", n, item.uid, "message", *item[3:9], b"d" * 32, b"l" * 32)
            span = (n, 1, n, n, n, *chunk)
            tokens, around = _tokens(1, chunk.terms), _tokens(1, chunk.extra)
            rows.append((event, span, (n, tokens, around)))
        return rows

    def insert(self, rows: list[tuple[tuple, tuple, tuple]]) -> None:
        run = self.connection.execute
        run("BEGIN IMMEDIATE").fetchall()
        for event, span, words in rows:
            run(EVENT, event).fetchall()
            run(CHUNK, span).fetchall()
            run("INSERT INTO words (rowid, terms, extra) VALUES (?, ?, ?)", words).fetchall()
        run("COMMIT").fetchall()


def _prepared(texts: list[str]) -> list[ingest.Prepared]:
    engine = recollect.open(":memory:", embedder="none")._engine
    messages = [ingest.Message("user", text) for text in texts]
    return [ingest.prepare(engine, "s", message, 1) for message in messages]


def appends(folder: Path) -> Iterator[Figure]:
    """Single durable appends and batches of 1,000, interleaved with the raw inserts."""
    talk = Talk()
    memory = recollect.open(folder / "append.db", embedder="none")
    chat = memory.space("a").session("s")
    raw = Raw(str(folder / "raw.db"))
    ours = theirs = 0.0
    for _ in range(10):
        texts = [talk.text() for _ in range(60)]
        rows = raw.rows(_prepared(texts))
        ours += wall(lambda texts=texts: [chat.append("user", text) for text in texts])
        theirs += wall(lambda rows=rows: [raw.insert([row]) for row in rows])
    ratio = theirs / ours
    note = f"{600 / ours:,.0f} against {600 / theirs:,.0f} rows/s"
    yield Figure("append / raw insert", ratio, "x", ">= 0.5", ratio >= 0.5, note)
    ours = theirs = 0.0
    for _ in range(6):
        texts = [talk.text() for _ in range(1000)]
        rows = raw.rows(_prepared(texts))
        batch = [{"role": "user", "content": text} for text in texts]
        ours += wall(lambda batch=batch: chat.extend(batch))
        theirs += wall(lambda rows=rows: raw.insert(rows))
    ratio = theirs / ours
    note = f"{6000 / ours:,.0f} against {6000 / theirs:,.0f} rows/s"
    yield Figure("extend of 1,000 / raw insert", ratio, "x", ">= 0.4", ratio >= 0.4, note)
    memory.close()


def groups(folder: Path) -> Iterator[Figure]:
    """Eight threads through group commit against the same threads committing one by one."""
    talk = Talk()
    texts = [talk.text() for _ in range(1600)]

    def run(path: Path, serialise: bool) -> float:
        memory = recollect.open(path, embedder="none")
        space, lock = memory.space("a"), threading.Lock()
        space.session("warm").append("user", "warm")

        def work(n: int) -> None:
            chat = space.session(f"s{n}")
            for text in texts[n::8]:
                if serialise:
                    with lock:
                        chat.append("user", text)
                else:
                    chat.append("user", text)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        took = wall(lambda: ([t.start() for t in threads], [t.join() for t in threads]))
        memory.close()
        return took

    alone = run(folder / "alone.db", True)
    grouped = run(folder / "group.db", False)
    ratio = alone / grouped
    note = f"{1600 / grouped:,.0f} against {1600 / alone:,.0f} rows/s"
    yield Figure("group commit, 8 threads", ratio, "x", ">= 2", ratio >= 2, note)


def fill(memory: recollect.Memory, spaces: int, chunks: int, talk: Talk) -> None:
    """Spread chunks over spaces, forty messages a session, two speakers."""
    each = chunks // spaces
    for number in range(spaces):
        space = memory.space(f"space{number}")
        for start in range(0, each, 40):
            size = min(40, each - start)
            names = ("Ana", "Ben")
            space.session(f"s{start}").extend(
                {"role": "user", "content": talk.text(), "name": names[n % 2]} for n in range(size)
            )
    memory.flush()


def recalls(folder: Path) -> Iterator[Figure]:
    """CPU of a hybrid recall in one space of 10k, 1,000 spaces of 100, one space of 100k."""
    for label, spaces, chunks, target in (
        ("10k chunks in one space", 1, 10_000, 3.0),
        ("100k chunks over 1,000 spaces", 1000, 100_000, 2.0),
        ("100k chunks in one space", 1, 100_000, 15.0),
    ):
        talk = Talk()
        path = folder / f"recall-{spaces}-{chunks}.db"
        with recollect.open(path, embedder=Cheap()) as memory:
            fill(memory, spaces, chunks, talk)
        memory = recollect.open(path, embedder=Cheap())
        queries = [talk.query() for _ in range(64)]
        model = Cheap()
        spent = median_cpu_ms(lambda n, q=queries, m=model: m.embed([q[n % 64]]), 50)

        def ask(n: int, memory=memory, spaces=spaces, queries=queries) -> list[recollect.Hit]:
            space = memory.space(f"space{n * 7 % spaces}")
            return space.recall(queries[n % 64], limit=10, asker=None)

        first = 1000 * statistics.median(cpu(lambda n=n: ask(n)) for n in range(min(spaces, 100)))
        value = median_cpu_ms(ask, 99) - spent
        note = f"the first question to a space takes {first:,.1f} ms"
        yield Figure(f"recall, {label}", value, "ms", f"<= {target:g} ms", value <= target, note)
        keyword = median_cpu_ms(
            lambda n, memory=memory, s=spaces, q=queries: memory.space(f"space{n * 7 % s}").recall(
                q[n % 64], limit=10, mode="keyword", asker=None
            ),
            50,
        )
        yield Figure(f"recall by keyword, {label}", keyword, "ms", "", True)
        memory.close()
        path.unlink()


def vectors(_: Path) -> Iterator[Figure]:
    """The vector leg over 100k rows against a numpy f32 scan, and how exact it is."""
    from recollect.core.nearest import Vectors, unit_vector

    rng = np.random.default_rng(5)
    centres = rng.standard_normal((512, DIM)).astype(np.float32)
    rows = centres[rng.integers(0, 512, 100_000)] + 0.8 * rng.standard_normal(
        (100_000, DIM), dtype=np.float32
    )
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    held = Vectors()
    held.grow(len(rows))
    held.put(np.arange(len(rows)), rows.astype(np.float16))
    asked = rows[rng.integers(0, len(rows), 60)] + 0.3 * rng.standard_normal((60, DIM)) / DIM**0.5
    asked = [unit_vector(row) for row in asked.astype(np.float32)]

    def scan(n: int) -> np.ndarray:
        scores = rows @ asked[n % 60]
        top = np.argpartition(-scores, 50)[:50]
        return top[np.argsort(-scores[top])][:10]

    ours = median_cpu_ms(lambda n: held.nearest(asked[n % 60], 50), 60)
    theirs = median_cpu_ms(scan, 60)
    same = np.mean(
        [
            len(set(held.nearest(asked[n], 10).rows.tolist()) & set(scan(n).tolist())) / 10
            for n in range(60)
        ]
    )
    ratio = ours / theirs
    note = f"{ours:.1f} against {theirs:.1f} ms"
    yield Figure("vector leg, 100k / numpy f32", ratio, "x", "<= 0.5", ratio <= 0.5, note)
    yield Figure("vector leg, recall@10", float(same), "", ">= 0.99", bool(same >= 0.99))


def _child(code: str) -> tuple[float, float]:
    """CPU seconds and resident MB of a fresh interpreter that has run `code`."""
    tail = (
        "\nimport time as t, re\n"
        "held = re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1]\n"
        "print(t.process_time(), int(held) / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    seconds, resident = done.stdout.split()[-2:]
    return float(seconds), float(resident)


def imports(folder: Path) -> Iterator[Figure]:
    """Start-up and memory of fresh processes."""
    bare = min(_child("pass")[0] for _ in range(5))
    numpy = min(_child("import numpy")[0] for _ in range(5)) - bare
    ours = min(_child("import recollect; recollect.open")[0] for _ in range(5)) - bare
    note = f"numpy alone takes {numpy:.3f} s"
    yield Figure(
        "import recollect, all that opening needs", ours, "s", "<= 0.2 s", ours <= 0.2, note
    )
    path = folder / "resident.db"
    with recollect.open(path, embedder=Cheap()) as memory:
        fill(memory, 1, 10_000, Talk())
    ask = f"import recollect; m = recollect.open({str(path)!r}, embedder='none')\n"
    ask += (
        "assert m.space('space0').recall('bade duke fote', mode='keyword', asker=None) is not None"
    )
    keyword = _child(ask)[1]
    yield Figure("RSS after a keyword recall of 10k", keyword, "MB", "<= 60 MB", keyword <= 60)
    load = "import recollect; m = recollect.open(); a = m.space('a'); a.remember('hello there')\n"
    model = _child(load + "m.flush(); a.recall('greeting')")[1]
    yield Figure("RSS with MiniLM loaded", model, "MB", "<= 250 MB", model <= 250)


def curve(folder: Path, sizes: list[int]) -> Iterator[Figure]:
    """What an append and a recall cost as one space grows."""
    for size in sizes:
        talk = Talk()
        path = folder / f"curve-{size}.db"
        memory = recollect.open(path, embedder=Cheap())
        fill(memory, 1, size, talk)
        space = memory.space("space0")
        chat = space.session("more")
        append = median_cpu_ms(lambda _, c=chat, t=talk: c.append("user", t.text()), 60)
        queries = [talk.query() for _ in range(32)]
        memory.flush()
        recall = median_cpu_ms(
            lambda n, s=space, q=queries: s.recall(q[n % 32], limit=10, asker=None), 40
        )
        note = f"recall {recall:.2f} ms, {path.stat().st_size / size:,.0f} bytes a chunk"
        yield Figure(f"append at {size:,} chunks", append, "ms", "", True, note)
        memory.close()
        path.unlink()


def contexts(folder: Path) -> Iterator[Figure]:
    """CPU of a context of 4,000 tokens in a session of 10k events, beside one recall."""
    talk = Talk()
    memory = recollect.open(folder / "context.db", embedder=Cheap())
    space = memory.space("a")
    chat = space.session("s")
    for start in range(0, 10_000, 1_000):
        chat.extend(
            {"role": "user", "content": talk.text(), "importance": 0.8 if n % 50 == 0 else 0.5}
            for n in range(start, start + 1_000)
        )
    memory.flush()
    queries = [talk.query() for _ in range(64)]

    def recall(n: int) -> list[recollect.Hit]:
        return space.recall(queries[n % 64], limit=8, asker=None)

    one = median_cpu_ms(recall, 60)
    for profile in ("default", "tri"):
        cost = median_cpu_ms(
            lambda n, p=profile: chat.context(queries[n % 64], 4_000, profile=p), 60
        )
        ratio = cost / one
        note = f"{cost:.1f} against {one:.1f} ms"
        yield Figure(
            f"context {profile}, 10k events / recall", ratio, "x", "<= 3", ratio <= 3, note
        )
    memory.close()


def compactions(folder: Path) -> Iterator[Figure]:
    """CPU of compacting 1,000 events with the extractive summary."""
    talk = Talk()
    memory = recollect.open(folder / "compact.db", embedder="none")
    chat = memory.space("a").session("s")
    spent = []
    for _ in range(5):
        chat.extend({"role": "user", "content": talk.text()} for _ in range(1_000))
        spent.append(1000 * cpu(chat.compact))
    worst = max(spent)
    note = f"best {min(spent):.1f} ms"
    yield Figure("compact 1,000 events", worst, "ms", "<= 100 ms", worst <= 100, note)
    memory.close()


def cpu_of(work: Callable[[int], object], times: int) -> float:
    """CPU seconds of many calls."""
    return cpu(lambda: [work(n) for n in range(times)])


def dues(folder: Path) -> Iterator[Figure]:
    """Polling for due work over 100k schedules against one bare indexed query on the same rows."""
    from recollect.flows.schedule import Plan, new_row
    from recollect.store.seals import sealed

    for label, spaces in (("one space", 1), ("2,000 spaces", 2_000), ("100k spaces", 100_000)):
        path = folder / f"due-{spaces}.db"
        memory = recollect.open(path, embedder="none")
        engine = memory._engine
        model = new_row(engine, Plan(goal="goal", cadence="daily at 9"), engine.now())
        year = 365 * 86_400_000_000

        def rows(tx, engine=engine, model=model, spaces=spaces, year=year) -> None:
            for number in range(spaces):
                space = engine.ensure_space(tx, f"space{number}")
                for n in range(100_000 // spaces):
                    at = engine.now() + year + n
                    row = model._replace(id=f"{number}-{n}", next_run_at=at, due_at=at)
                    values = sealed("schedules", row._asdict())
                    tx.rows("schedules.insert", space=space, **values)
                tx.due.refresh(space, "schedule")

        engine.store.write(rows)
        raw = sqlite_file.create(str(folder / f"bare-{spaces}.db"))
        raw.execute("PRAGMA journal_mode=WAL").fetchall()
        raw.execute("CREATE TABLE bare (at INTEGER NOT NULL, id TEXT NOT NULL)").fetchall()
        raw.execute("CREATE INDEX bare_at ON bare (at, id)").fetchall()
        start = engine.now() + year
        raw.execute("BEGIN").fetchall()
        raw.executemany(
            "INSERT INTO bare VALUES (?, ?)", ((start + n, f"0-{n}") for n in range(100_000))
        ).fetchall()
        raw.execute("COMMIT").fetchall()
        bare = "SELECT id FROM bare WHERE at <= ? ORDER BY at, id LIMIT 10"

        def query(_: int, raw=raw, engine=engine, bare=bare) -> None:
            raw.execute("BEGIN").fetchall()
            raw.execute(bare, (engine.now(),)).fetchall()
            raw.execute("COMMIT").fetchall()

        def poll(_: int, memory=memory) -> None:
            memory.claim(10, "bench")

        # Turn by turn, so that whatever else the machine does falls on both.
        rounds = [(cpu_of(poll, 200), cpu_of(query, 200)) for _ in range(40)]
        ratio = statistics.median(ours / theirs for ours, theirs in rounds)
        ours, theirs = (min(column) * 5_000 for column in zip(*rounds, strict=True))
        note = f"{ours:.1f} against {theirs:.1f} µs"
        name = f"poll of 100k schedules, {label}"
        yield Figure(name, ratio, "x", "<= 2", ratio <= 2, note)
        raw.close()
        memory.close()
        path.unlink()


def dreams(folder: Path) -> Iterator[Figure]:
    """A sweep over 10,000 entries with 100,000 signals."""
    bare, _, swept, sweep = dreaming.measured(folder)
    note = f"{swept / bare:.1f} times a bare SELECT; {len(sweep.promoted)} promoted"
    met = swept <= dreaming.TARGET_SECONDS
    yield Figure("sweep, 10k entries and 100k signals", swept, "s", "<= 2 s", met, note)


PARTS: dict[str, Callable[[Path], Iterator[Figure]]] = {
    "append": appends,
    "group": groups,
    "recall": recalls,
    "vector": vectors,
    "import": imports,
    "due": dues,
    "context": contexts,
    "compact": compactions,
    "dream": dreams,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join([*PARTS, "curve"]))
    parser.add_argument("--curve", default="1000,10000,100000")
    given = parser.parse_args()
    wanted = given.only.split(",")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        for part, run in PARTS.items():
            if part in wanted:
                missed += show(run(Path(name)))
        if "curve" in wanted:
            missed += show(curve(Path(name), [int(size) for size in given.curve.split(",")]))
    print(f"{missed} target(s) missed" if missed else "every target met")


def show(figures: Iterator[Figure]) -> int:
    missed = 0
    for figure in figures:
        missed += not figure.is_met
        verdict = "" if not figure.target else ("met" if figure.is_met else "MISSED")
        print(
            f"{figure.name:<44} {figure.value:>9.3f} {figure.unit:<3} {figure.target:<10} "
            f"{verdict:<7} {figure.note}",
            flush=True,
        )
    return missed


if __name__ == "__main__":
    main()
