"""Speed, every figure beside a raw baseline measured in the same run.

    make bench                      everything up to 100k chunks
    python bench/speed.py --only append,import
    python bench/speed.py --only curve --curve 1000,10000,100000,1000000
    python bench/speed.py --backend postgres --full     append and recall beside SQLite

Baselines: bare apsw writing the same rows with FTS5, a numpy f32 scan, importing numpy alone.
CPU is process CPU time; targets are those of docs/benchmarks.md.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import backends
import dreaming
import embedding
import lookups
import ricordo
import writing
from common import DIM, Cheap, Figure, Talk, cpu, median_cpu_ms, show
from ricordo.store.sqlite import file


def fill(memory: ricordo.Memory, spaces: int, chunks: int, talk: Talk) -> None:
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
        with ricordo.open(path, embedder=Cheap()) as memory:
            fill(memory, spaces, chunks, talk)
        memory = ricordo.open(path, embedder=Cheap())
        queries = [talk.query() for _ in range(64)]
        model = Cheap()
        spent = median_cpu_ms(lambda n, q=queries, m=model: m.embed([q[n % 64]]), 50)

        def ask(n: int, memory=memory, spaces=spaces, queries=queries) -> list[ricordo.Hit]:
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
    from ricordo.core.recall.nearest import Vectors, unit_vector

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
    ours = min(_child("import ricordo; ricordo.open")[0] for _ in range(5)) - bare
    note = f"numpy alone takes {numpy:.3f} s"
    yield Figure("import ricordo, all that opening needs", ours, "s", "<= 0.2 s", ours <= 0.2, note)
    path = folder / "resident.db"
    with ricordo.open(path, embedder=Cheap()) as memory:
        fill(memory, 1, 10_000, Talk())
    ask = f"import ricordo; m = ricordo.open({str(path)!r}, embedder='none')\n"
    ask += (
        "assert m.space('space0').recall('bade duke fote', mode='keyword', asker=None) is not None"
    )
    keyword = _child(ask)[1]
    yield Figure("RSS after a keyword recall of 10k", keyword, "MB", "<= 60 MB", keyword <= 60)
    load = "import ricordo; m = ricordo.open(); a = m.space('a'); a.remember('hello there')\n"
    model = _child(load + "m.flush(); a.recall('greeting')")[1]
    yield Figure("RSS with MiniLM loaded", model, "MB", "<= 250 MB", model <= 250)


def curve(folder: Path, sizes: list[int]) -> Iterator[Figure]:
    """What an append and a recall cost as one space grows."""
    for size in sizes:
        talk = Talk()
        path = folder / f"curve-{size}.db"
        memory = ricordo.open(path, embedder=Cheap())
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
    memory = ricordo.open(folder / "context.db", embedder=Cheap())
    space = memory.space("a")
    chat = space.session("s")
    for start in range(0, 10_000, 1_000):
        chat.extend(
            {"role": "user", "content": talk.text(), "importance": 0.8 if n % 50 == 0 else 0.5}
            for n in range(start, start + 1_000)
        )
    memory.flush()
    queries = [talk.query() for _ in range(64)]

    def recall(n: int) -> list[ricordo.Hit]:
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
    memory = ricordo.open(folder / "compact.db", embedder="none")
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
    from ricordo.flows.time.schedule import SchedulePlan, new_row
    from ricordo.store.seals import seal_row

    for label, spaces in (("one space", 1), ("2,000 spaces", 2_000), ("100k spaces", 100_000)):
        path = folder / f"due-{spaces}.db"
        memory = ricordo.open(path, embedder="none", keep=False)
        engine = memory._engine
        # A cadence that fits plans of next year: of others the first poll would make new ones.
        model = new_row(engine, SchedulePlan(goal="goal", cadence="every 800 days"), engine.now())
        year = 365 * 86_400_000_000

        def rows(tx, engine=engine, model=model, spaces=spaces, year=year) -> None:
            for number in range(spaces):
                space = engine.ensure_space(tx, f"space{number}")
                for n in range(100_000 // spaces):
                    at = engine.now() + year + n
                    row = model._replace(id=f"{number}-{n}", next_run_at=at, due_at=at)
                    values = seal_row("schedules", row._asdict())
                    tx.rows("schedules.insert", space=space, **values)
                tx.due.refresh(space, "schedule")

        engine.store.write(rows)
        raw = file.create(str(folder / f"bare-{spaces}.db"))
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
    "append": writing.appends,
    "group": writing.groups,
    "recall": recalls,
    "vector": vectors,
    "import": imports,
    "due": dues,
    "context": contexts,
    "compact": compactions,
    "dream": dreams,
    "lookup": lookups.lookups,
    "embedding": embedding.costs,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default=",".join([*PARTS, "curve"]))
    parser.add_argument("--curve", default="1000,10000,100000")
    parser.add_argument("--backend", choices=("sqlite", "postgres"), default="sqlite")
    given, rest = parser.parse_known_args()
    if given.backend == "postgres":
        backends.main(rest)
        return
    if rest:
        parser.error(f"unknown: {' '.join(rest)}")
    wanted = given.only.split(",")
    missed = 0
    with tempfile.TemporaryDirectory(prefix="ricordo-bench-") as name:
        for part, run in PARTS.items():
            if part in wanted:
                missed += show(run(Path(name)))
        if "curve" in wanted:
            missed += show(curve(Path(name), [int(size) for size in given.curve.split(",")]))
    print(f"{missed} target(s) missed" if missed else "every target met")


if __name__ == "__main__":
    main()
