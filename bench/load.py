"""Load: a real server process, many clients at once over HTTP, every answer looked at.

    make bench-load                          32 clients for 30 seconds
    python bench/load.py --clients 8 --seconds 5 --embedder hash

Of ten requests seven recall, two read an entry and one remembers. CPU is that of the server process
with its model; it hardly depends on what else the machine does, unlike the latencies.
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import ricordo
from common import Talk

ROWS = 1_000
KINDS = (
    "recall",
    "recall",
    "recall",
    "recall",
    "recall",
    "recall",
    "recall",
    "get",
    "get",
    "remember",
)


@dataclass
class Tally:
    """What one client saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {k: [] for k in set(KINDS)})
    wrong: list[str] = field(default_factory=list)


def furnish(path: Path, embedder: str) -> None:
    """A memory with a thousand notes, embedded."""
    talk = Talk()
    with ricordo.open(path, embedder=embedder) as memory:
        space = memory.space("ana")
        for number in range(ROWS):
            space.remember(talk.text(), name=f"note {number}")
        memory.flush()


class Asker(threading.Thread):
    """One client that asks without a pause until the time is up."""

    def __init__(self, number: int, address: tuple[str, int], token: str, until: float) -> None:
        super().__init__()
        self._talk = Talk(number)
        self._random = random.Random(number)
        self._link = http.client.HTTPConnection(*address, timeout=60)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._until = until
        self._number = number
        self.tally = Tally()

    def run(self) -> None:
        turn = 0
        while time.perf_counter() < self._until:
            turn += 1
            kind = self._random.choice(KINDS)
            start = time.perf_counter()
            status, body = self._ask(kind, turn)
            self.tally.seconds[kind].append(time.perf_counter() - start)
            if status != 200:
                self.tally.wrong.append(f"{kind}: {status} {body[:100]!r}")
        self._link.close()

    def _ask(self, kind: str, turn: int) -> tuple[int, bytes]:
        base, body, method = "/v1/spaces/ana", None, "GET"
        if kind == "recall":
            path = f"{base}/recall?q={quote(self._talk.query())}"
        elif kind == "get":
            path = f"{base}/entries/note%20{self._random.randrange(ROWS)}"
        else:
            path, method = f"{base}/tools/remember", "POST"
            body = json.dumps({"content": self._talk.text(), "name": f"{self._number} {turn}"})
        try:
            self._link.request(method, path, body, self._headers)
            reply = self._link.getresponse()
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException) as error:
            self._link.close()
            return 0, repr(error).encode()


def measure(clients: int, seconds: float, embedder: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, tokens = Path(folder) / "agent.db", Path(folder) / "tokens.json"
        furnish(path, embedder)
        words = ["serve", "--port", "0", "--json", "--db", str(path), "--tokens", str(tokens)]
        process = subprocess.Popen(
            [sys.executable, "-m", "ricordo", *words, "--embedder", embedder],
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        url, token = told["url"], told["token"]
        host, _, port = url.removeprefix("http://").rpartition(":")
        warm = Asker(0, (host, int(port)), token, time.perf_counter() + 1)
        warm.run()
        until = time.perf_counter() + seconds
        askers = [Asker(n, (host, int(port)), token, until) for n in range(1, clients + 1)]
        for each in askers:
            each.start()
        for each in askers:
            each.join()
        process.terminate()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        process.stdout.close()
        report(
            [each.tally for each in askers], seconds, used.ru_utime + used.ru_stime, used.ru_maxrss
        )


def report(tallies: list[Tally], seconds: float, cpu: float, rss_kb: int) -> None:
    wrong = [each for tally in tallies for each in tally.wrong]
    total = 0
    print("| request | count | p50 ms | p95 ms | p99 ms |\n|---|---|---|---|---|")
    for kind in sorted(set(KINDS)):
        found = sorted(s for tally in tallies for s in tally.seconds[kind])
        total += len(found)
        shown = [f"{1000 * found[int(len(found) * part)]:.1f}" for part in (0.5, 0.95, 0.99)]
        print(f"| {kind} | {len(found)} | {' | '.join(shown)} |")
    print(f"\nclients {len(tallies)}, seconds {seconds:g}, requests {total}, errors {len(wrong)}")
    print(
        f"requests a second {total / seconds:.0f}, server CPU ms a request {1000 * cpu / total:.2f}"
    )
    print(f"server's largest memory {rss_kb / 1024:.0f} MB")
    for each in wrong[:5]:
        print(each, file=sys.stderr)
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--embedder", default="minilm")
    given = parser.parse_args()
    measure(given.clients, given.seconds, given.embedder)
