"""Schemathesis against our own OpenAPI document: `make fuzz-http`. Fails on any 5xx.

A server with something of every kind in it is started, and every operation gets odd requests, made
of the document. Only server errors count: what else a request deserves is told by the tests.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import ricordo

EXAMPLES = "25"  # requests for each operation and kind of input


def furnish(path: Path) -> None:
    with ricordo.open(path, embedder="hash") as memory:
        space = memory.space("ana")
        space.remember("Prefers window seats", name="seat", tags=["travel"])
        space.session("trip").append("user", "Book me a flight to Oslo")
        space.schedule("Send the report", "daily at 9", name="report")
        space.remind("Ask for the invoice", cue="project Atlas")
        space.ingest("A page of text", uri="doc:1")


def main(seed: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path, tokens = Path(folder) / "agent.db", Path(folder) / "tokens.json"
        furnish(path)
        words = ["serve", "--port", "0", "--json", "--db", str(path), "--tokens", str(tokens)]
        with subprocess.Popen(
            [sys.executable, "-m", "ricordo", *words, "--embedder", "hash", "--rate", "0"],
            stdout=subprocess.PIPE,
        ) as server:
            assert server.stdout is not None
            try:
                told = json.loads(server.stdout.readline())
                done = run(told["url"], told["token"], seed)
            finally:
                server.terminate()
        with ricordo.open(path, embedder="none") as memory:
            violations = memory.check()
    print(f"violations found by check() afterwards: {len(violations)}")
    return done or bool(violations)


def run(url: str, token: str, seed: str) -> int:
    words = [
        *(str(Path(sys.executable).parent / "schemathesis"), "run", f"{url}/openapi.json"),
        *("--header", f"Authorization: Bearer {token}"),
        *("--checks", "not_a_server_error", "--max-examples", EXAMPLES, "--seed", seed),
        *("--phases", "examples,coverage,fuzzing", "--suppress-health-check", "all"),
    ]
    return subprocess.run(words, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "1"))
