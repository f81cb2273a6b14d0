"""Cold recall: a fresh process asks a space for the first time, from blocks and from rows.

    python bench/cold.py [--sizes 10000,100000] [--runs 3] [--postgres URL] [--keep FOLDER]

Each figure is of a process of its own: the hash embedder, no re-ranking, CPU of this process alone.
What it takes to import, to open and to ask another space is reported apart, as the start; the words
that questions are made of stay with the process that starts the others.
Rows: the same memory without its blocks, which is how a space was read before there were any.
"""

import argparse
import gc
import json
import os
import random
import resource
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SESSION = 50
TIMES = 40  # further questions of the same process: by then all vectors are in RAM


class EnglishTalk:
    """English words in Zipf's proportions, with function words between them; no sentences."""

    def __init__(self, seed: int = 7) -> None:
        from ricordo.core.text.stopwords import ENGLISH
        from ricordo.embed.vocabulary import list_english_words

        self._random = random.Random(seed)
        self._little = sorted(word for word in ENGLISH if word.isalpha())
        self._words = sorted(list_english_words())
        random.Random(3).shuffle(self._words)
        total = 0.0
        self._cumulative = [total := total + 1 / (n + 8) for n in range(len(self._words))]

    def text(self) -> str:
        words = self._random.choices(self._words, cum_weights=self._cumulative, k=14)
        words += self._random.choices(self._little, k=10)
        self._random.shuffle(words)
        return " ".join(words) + self._random.choice("?...")

    def query(self) -> str:
        common = self._random.choices(self._words[:200], k=2)
        rare = self._random.choice(self._words[:4000])
        return f"What did they say about the {' '.join(common)} and {rare}?"


def fill(url: str, count: int) -> dict[str, float]:
    """Make the space and its blocks; what that costs."""
    import ricordo

    talk, start = EnglishTalk(), time.process_time()
    with ricordo.open(url, embedder="hash", keep=False, durability="normal") as memory:
        for first in range(0, count, SESSION):
            said = [talk.text() for _ in range(min(SESSION, count - first))]
            who = [("user", "assistant")[n % 2] for n in range(len(said))]
            messages = [{"role": w, "content": s} for w, s in zip(who, said, strict=True)]
            memory.space("ana").session(f"s{first}").extend(messages)
        while memory._engine.embedding._advance():
            pass
        written, size = time.process_time(), memory._engine.store.size()
        memory.flush()
        packed = time.process_time()
        memory._engine.store.fold()
        return {
            "write_and_embed_s": written - start,
            "make_blocks_s": packed - written,
            "before_mb": size / 1e6,
            "after_mb": memory._engine.store.size() / 1e6,
        }


def drop_blocks(url: str) -> None:
    import ricordo

    with ricordo.open(url, embedder="none", keep=False) as memory:

        def clear(tx) -> None:  # type: ignore[no-untyped-def]
            for space in tx.spaces.numbers():
                tx.blocks.clear(space.space)

        memory._engine.store.write(clear)


def resident(key: str = "VmRSS") -> float:
    told = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(told.split(f"{key}:")[1].split()[0]) / 1024


def received() -> float:
    """MB that came from the server over all connections of this process."""
    total = 0
    for held in Path("/proc/self/fd").iterdir():
        try:
            peer = socket.socket(fileno=os.dup(int(held.name)))
        except OSError:
            continue
        with peer:
            try:
                info = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 200)
                total += struct.unpack_from("Q", info, 128)[0]
            except (OSError, struct.error):
                continue
    return total / 1e6


def measure(url: str, asked: list[str]) -> None:
    """Ask in this process; print what it took as JSON."""
    begun = time.process_time()
    import ricordo

    memory = ricordo.open(url, embedder="hash", keep=False)
    space = memory.space("ana")
    how = {"limit": 10, "asker": None, "rerank": False}
    memory.space("other").recall(asked[-1], **how)
    import ricordo.core.recall.ranking
    import ricordo.flows.recall.default_profile
    from ricordo.core.recall import question
    from ricordo.core.recall.space_index import View

    question.read(asked[-1], View())
    before, told = resident(), received()
    gc.collect()  # what imports have left behind belongs to the start
    start = time.process_time()
    hits = space.recall(asked[0], **how)
    first = time.process_time() - start
    after, peak, taken = resident(), resident("VmHWM"), received()
    later = []
    for text in asked[1:-1]:
        once = time.process_time()
        space.recall(text, **how)
        later.append(1000 * (time.process_time() - once))
    found = {
        "hits": [(hit.source.session, hit.source.seq_start, hit.score) for hit in hits],
        "start_ms": 1000 * (start - begun),
        "first_ms": 1000 * first,
        "later_ms": later,
        "before_mb": before,
        "after_mb": after,
        "peak_mb": peak,
        "now_mb": resident(),
        "wire_mb": taken - told,
    }
    print(json.dumps(found))
    memory.close()


def ask_fresh(url: str) -> dict[str, Any]:
    """Ask in a process of its own."""
    talk = EnglishTalk()
    asked = json.dumps([talk.query() for _ in range(TIMES + 2)])
    command = [sys.executable, __file__, "--ask", url]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


Found = dict[str, list[dict[str, Any]]]  # what each way gave in each of its processes


def report(name: str, found: Found) -> None:
    for way, each in found.items():
        first = [run["first_ms"] for run in each]
        warm = statistics.median(statistics.median(run["later_ms"][-6:]) for run in each)
        later = " ".join(f"{ms:.1f}" for ms in each[-1]["later_ms"][:6])
        one = each[0]
        print(
            f"{name:17} {way:6} first {statistics.median(first):8.1f} ms ({min(first):.1f} to"
            f" {max(first):.1f}), then {later}, warm {warm:.1f} ms; resident {one['before_mb']:.0f}"
            f" -> {one['after_mb']:.0f} MB (peak {one['peak_mb']:.0f}, at the end"
            f" {one['now_mb']:.0f}); start {one['start_ms']:.0f} ms; wire {one['wire_mb']:.1f} MB"
        )
    is_same = found["blocks"][0]["hits"] == found["rows"][0]["hits"]
    print(f"{name:17} same hits and scores: {is_same}", flush=True)


def run_sqlite(folder: Path, sizes: list[int], runs: int) -> None:
    """Both ways in turns, each on a file of its own."""
    for size in sizes:
        path, bare = folder / f"{size}.db", folder / f"{size}-rows.db"
        if not bare.exists():
            print(f"SQLite {size}: {fill(str(path), size)}", flush=True)
            bare.write_bytes(path.read_bytes())
            drop_blocks(str(bare))
        found: Found = {"blocks": [], "rows": []}
        for _ in range(runs):
            found["blocks"].append(ask_fresh(str(path)))
            found["rows"].append(ask_fresh(str(bare)))
        report(f"SQLite {size}", found)


def run_postgres(url: str, sizes: list[int], runs: int) -> None:
    """One way after the other, in the same tables."""
    for size in sizes:
        there = f"{url}{'&' if '?' in url else '?'}schema=cold_{size}_{os.getpid()}"
        print(f"PostgreSQL {size}: {fill(there, size)}", flush=True)
        packed = [ask_fresh(there) for _ in range(runs)]
        drop_blocks(there)
        report(
            f"PostgreSQL {size}",
            {"blocks": packed, "rows": [ask_fresh(there) for _ in range(runs)]},
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--postgres")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--ask")
    given = parser.parse_args()
    if given.ask:
        measure(given.ask, json.load(sys.stdin))
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sizes = [int(size) for size in given.sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        if given.postgres:
            run_postgres(given.postgres, sizes, given.runs)
        else:
            run_sqlite(given.keep or Path(folder), sizes, given.runs)


if __name__ == "__main__":
    main()
