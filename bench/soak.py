"""Soak: a server and the library under a mixed load for a long time; does anything grow?

    make soak MINUTES=60
    python bench/soak.py --minutes 2 --embedder hash

A server process is asked by seven client processes over HTTP and MCP, of which one hangs up in the
middle and one asks nonsense. A second process works on another file with eight threads. Both keep
the amount of data bounded, so what grows after the first minutes grows with time; the chunks and
MCP sessions that the server holds stand beside its RSS. Everything is on loopback and in a
temporary folder, and it stops by itself. Needs /proc, so Linux.
"""

import argparse
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ricordo
from common import Talk
from soak_client import SPACES
from soak_watch import Sample, Watched, header, row, verdicts

HERE = Path(__file__).parent
ROLES = ("http", "http", "http", "chat", "hooks", "mcp", "mcp", "dropping", "bad")
ROWS, SAMPLES = 12, 120  # of the table that is printed, and looks in all
PATIENCE = 120  # seconds for whoever has to end


class Options(NamedTuple):
    seconds: float
    embedder: str
    think: float


def furnish(path: Path, embedder: str) -> None:
    """What the server's clients read: a session with a log in every space, and some notes."""
    talk = Talk()
    with ricordo.open(path, embedder=embedder) as memory:
        for number in range(SPACES):
            space = memory.space(f"s{number}")
            said = [{"role": "user", "content": talk.text()} for _ in range(200)]
            space.session("chat").extend(said)
            for note in range(100):
                space.remember(talk.text(), name=f"note {note}")
        memory.flush()


@contextlib.contextmanager
def child(log: Path, *words: object, **options: object) -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours, whose complaints go into a file; ended whatever happens."""
    with log.open("ab") as complaints:
        process = subprocess.Popen(
            [sys.executable, *map(str, words)], stderr=complaints, **options  # type: ignore[call-overload]
        )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout is not None:
            process.stdout.close()


def watch(watched: list[Watched], seconds: float) -> dict[str, list[Sample]]:
    """Look again and again until the time is up, and print some of it."""
    found: dict[str, list[Sample]] = {each.name: [] for each in watched}
    start, step = time.monotonic(), max(1.0, seconds / SAMPLES)
    looks = int(seconds / step)
    shown = {round(place * looks / ROWS) for place in range(ROWS + 1)}
    print(header(), flush=True)
    for look in range(looks + 1):
        time.sleep(max(0.0, start + look * step - time.monotonic()))
        for each in watched:
            sample = each.look((time.monotonic() - start) / 60)
            if sample is None:
                raise SystemExit(f"{each.name} ended early: {each.log.read_text()[-2_000:]}")
            found[each.name].append(sample)
            if look in shown:
                print(row(each.name, sample), flush=True)
    return found


def metrics_of(url: str, token: str) -> urllib.request.Request:
    """What asks the server for its metrics."""
    return urllib.request.Request(f"{url}/metrics", headers={"Authorization": f"Bearer {token}"})


def run(folder: Path, options: Options) -> int:
    """The whole soak; how many answers and checks were wrong."""
    path, tokens, log = folder / "server.db", folder / "tokens.json", folder / "server.log"
    furnish(path, options.embedder)
    words = ["-m", "ricordo", "serve", "--port", "0", "--json", "--db", path, "--tokens", tokens]
    common = ["--seconds", options.seconds, "--think", options.think]
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(
            child(log, *words, "--embedder", options.embedder, stdout=subprocess.PIPE)
        )
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        url, token = told["url"], told["token"]
        library = stack.enter_context(
            child(folder / "library.log", HERE / "soak_library.py", folder / "library.db", *common,
                  "--embedder", options.embedder, "--tally", folder / "library.json")
        )  # fmt: skip
        clients = [
            stack.enter_context(
                child(folder / "clients.log", HERE / "soak_client.py", role, number, *common,
                      "--url", url, "--token", token, "--tally", folder / f"client{number}.json")
            )
            for number, role in enumerate(ROLES)
        ]  # fmt: skip
        watched = [
            Watched("server", server.pid, path, log, metrics_of(url, token)),
            Watched("library", library.pid, folder / "library.db", folder / "library.log"),
        ]
        samples = watch(watched, options.seconds * 0.98)
        for each in (*clients, library):
            each.wait(PATIENCE + 60)
        server.terminate()
        server.wait(PATIENCE)
    wrong = report(folder, samples)
    return wrong + ends(folder, path, server.returncode)


def report(folder: Path, samples: dict[str, list[Sample]]) -> int:
    """What was done, what went wrong, and the verdicts."""
    print("\n| process | measure | over the last half | slope | verdict |\n|---|---|---|---|---|")
    for name, found in samples.items():
        print("\n".join(verdicts(name, found)))
    print()
    count = 0
    parts = {"server": [f"client{number}" for number in range(len(ROLES))], "library": ["library"]}
    for name, files in parts.items():
        told = [json.loads((folder / f"{each}.json").read_text()) for each in files]
        done = sum((Counter(each["done"]) for each in told), Counter())
        wrong = sum((Counter(each["wrong"]) for each in told), Counter())
        count += wrong.total()
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in sorted(done.items()))
        print(f"{name}: {done.total():,} operations, {wrong.total()} wrong ({kinds})")
        for line, times in wrong.most_common(10):
            print(f"  {times} x {line}", file=sys.stderr)
    return count


def ends(folder: Path, path: Path, returncode: int) -> int:
    """How the server ended, what both memories say of themselves, and whether one file is left."""
    with ricordo.open(path, embedder="none", read_only=True) as memory:
        violations = [str(each) for each in memory.check()]
    found = json.loads((folder / "library.json").read_text())["check"]
    left = sorted(each.name for each in folder.glob("*.db-*"))
    clients = (folder / "clients.log").stat().st_size
    print(
        f"server ended with {returncode}; check: server {len(violations)}, library {len(found)} "
        f"violations; files beside the databases: {', '.join(left) or 'none'}; "
        f"complaints of clients: {clients} bytes"
    )
    return len(violations) + len(found) + len(left) + (returncode not in (0, -signal.SIGTERM))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--embedder", default="bundled")
    parser.add_argument("--think", type=float, default=0.15, help="mean pause in seconds")
    given = parser.parse_args()
    if not Path("/proc/self/status").exists():
        raise SystemExit("the soak reads /proc, which this system does not have; run it on Linux")
    if given.minutes < 10:
        print("A short run shows that the soak works, not that nothing grows.\n")
    with tempfile.TemporaryDirectory(prefix="ricordo-soak-") as folder:
        wrong = run(Path(folder), Options(60 * given.minutes, given.embedder, given.think))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
