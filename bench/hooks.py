"""Hooks: the CPU of one `ricordo hook`, the interpreter included, beside bare Python.

    make bench-hooks                         every event 15 times
    python bench/hooks.py --runs 5 --messages 1000

Each run is a process of its own, as a host starts it, on a memory that has been filled before.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import ricordo
from common import Talk

AIM_MS = 150
NOTES = 200
TOOL = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
EVENTS: dict[str, dict[str, object]] = {
    "SessionStart": {},
    "UserPromptSubmit": {},  # the prompt is made of words that the memory holds
    "PreToolUse": TOOL,
    "PostToolUse": {**TOOL, "tool_response": "a"},
    "Stop": {"last_assistant_message": "ok"},
    "PreCompact": {},
    "SessionEnd": {},
}


def furnish(path: Path, messages: int) -> str:
    """A memory of one project; returns a question about it."""
    talk = Talk()
    with ricordo.open(path, embedder="none") as memory:
        space = memory.space("app")
        for start in range(0, messages, 1_000):
            turns = [talk.text() for _ in range(min(1_000, messages - start))]
            space.session(f"s{start}").extend({"role": "user", "content": turn} for turn in turns)
        for number in range(NOTES):
            space.remember(talk.text(), name=f"note {number}")
    return talk.text()


def cost(command: list[str], given: str, environ: dict[str, str]) -> float:
    """CPU milliseconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(
        command, input=given, capture_output=True, text=True, check=True, env=environ
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if told.stderr:
        raise SystemExit(f"{' '.join(command)} complained: {told.stderr}")
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--messages", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "agent.db"
        question = furnish(path, options.messages)
        environ = {**os.environ, "RICORDO_DB": str(path), "RICORDO_SPACE": "app"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled once
        print(f"{'CPU of one process, ms':26}{'best':>6}{'median':>8}   aim {AIM_MS}")
        report("bare Python", [sys.executable, "-c", "pass"], "", environ, options.runs)
        for event, told in EVENTS.items():
            given = json.dumps({"session_id": "c", "cwd": folder, "prompt": question, **told})
            command = [sys.executable, "-m", "ricordo", "hook", event]
            cost(command, given, environ)  # the first run compiles
            report(event, command, given, environ, options.runs)


def report(name: str, command: list[str], given: str, environ: dict[str, str], runs: int) -> None:
    spent = [cost(command, given, environ) for _ in range(runs)]
    print(f"{name:26}{min(spent):6.0f}{median(spent):8.0f}", flush=True)


if __name__ == "__main__":
    main()
