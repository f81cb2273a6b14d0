"""The inspector: how long a server works on the first view that somebody opens.

    make bench-inspector
    python bench/inspector.py --chunks 10000

Each view is the first of a server of its own, on a space of 100,000 chunks: the time is the sum of
its requests, as the page sends them, one after the other; beside it the CPU of the server for them.
The last two figures are the same view again. Linux.
"""

import argparse
import http.cookiejar
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ricordo
from common import Talk

SPACE = "/v1/spaces/big"
START = ("/v1/access", "/v1/spaces?limit=1000", "/v1/parts")  # what every first view asks
ENTRY = f"{SPACE}/entries/n7"
CHAT = f"{SPACE}/sessions/chat-3"
EXPLAIN = f"{ENTRY}/explanation?limit=10&q=QUESTION"
RECALL = f"{SPACE}/recall?signals=false&q=QUESTION"
VIEWS = {
    "home": (f"{SPACE}/stats", f"{SPACE}/changes?limit=1000"),
    "search": (f"{RECALL}&limit=10&marks=true",),
    "explain a miss": (f"{SPACE}/entries?limit=50", EXPLAIN, f"{RECALL}&limit=1000"),
    "context": (f"{SPACE}/sessions?limit=100", f"{CHAT}/context?budget=4000&q=QUESTION"),
    "conversations": (f"{SPACE}/sessions?limit=50",),
    "a conversation": (
        CHAT,
        f"{CHAT}/events?limit=60",
        f"{CHAT}/summaries",
        f"{SPACE}/signals?session=chat-3&limit=500",
    ),
    "entries": (f"{SPACE}/entries?limit=50",),
    "an entry": (ENTRY, f"{ENTRY}/history?limit=1000", f"{SPACE}/signals?name=n7&limit=200"),
    "dreams": (f"{SPACE}/sweeps?limit=50",),
    "time": (
        f"{SPACE}/schedules?limit=50",
        f"{SPACE}/reminders?pending=false&limit=300",
        f"{SPACE}/changes?kind=run&limit=300",
    ),
    "documents": (f"{SPACE}/documents?limit=50",),
    "a document": (f"{SPACE}/documents/book.md/chunks?limit=50",),
    "health": (f"{SPACE}/stats", f"{SPACE}/spending", "/v1/doctor", "/v1/keeper"),
}


def build(path: Path, chunks: int, talk: Talk) -> None:
    """One space: nine of ten chunks are messages, the others entries and a document."""
    start = datetime.now(UTC) - timedelta(days=365)
    with ricordo.open(path, embedder="hash", durability="normal", keep=False) as memory:
        space = memory.space("big")
        for number in range(chunks * 9 // 10 // 200):
            at = start + timedelta(hours=8 * number)
            lines = [{"role": "user", "content": talk.text(), "at": at} for _ in range(200)]
            space.session(f"chat-{number}").extend(lines)
        space.remember_many({"content": talk.text(), "name": f"n{n}"} for n in range(chunks // 11))
        space.ingest("\n\n".join(talk.text(120) for _ in range(chunks // 100)), uri="book.md")
        memory.flush()
        for _ in range(200):
            space.recall(talk.query(), kinds=["note"], limit=3)
        space.dream()


class Site:
    """A fresh server, and a browser that is logged in."""

    def __init__(self, path: Path) -> None:
        words = ["--db", str(path), "--embedder", "hash", "--json", "inspect", "--no-open"]
        tokens = ["--tokens", str(path.with_name("tokens.json"))]
        command = [sys.executable, "-m", "ricordo", *words, *tokens]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        told = json.loads(self._process.stdout.readline())
        self._url = told["url"]
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar)
        self._opener.addheaders = [("Sec-Fetch-Site", "same-origin")]
        self._opener.open(told["link"]).read()

    def ask(self, paths: tuple[str, ...], question: str) -> tuple[float, float]:
        """Seconds of a view, and CPU seconds of the server for it."""
        began, used = time.perf_counter(), self._cpu()
        for path in paths:
            self._opener.open(self._url + path.replace("QUESTION", question)).read()
        return time.perf_counter() - began, self._cpu() - used

    def _cpu(self) -> float:
        stat = Path(f"/proc/{self._process.pid}/stat").read_text()
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="where to keep the memory for another run")
    given = parser.parse_args()
    talk = Talk()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as spare:
        path = (given.folder or Path(spare)) / f"{given.chunks}.db"
        if not path.exists():
            build(path, given.chunks, talk)
        print(f"{given.chunks:,} chunks, {path.stat().st_size / 1e6:.0f} MB")
        for view, paths in VIEWS.items():
            question = talk.query().replace(" ", "+")
            site = Site(path)
            first, cpu = site.ask((*START, *paths), question)
            again, more = site.ask(paths, question)
            site.close()
            slowest = max(slowest, cpu)
            print(
                f"{view:>16}  first {1000 * first:5.0f} ms, {1000 * cpu:4.0f} of CPU"
                f"   again {1000 * again:4.0f}, {1000 * more:4.0f}"
            )
    print(f"dearest first view: {slowest:.2f} s of CPU, target < 1 s")
    return int(slowest >= 1)


if __name__ == "__main__":
    sys.exit(main())
