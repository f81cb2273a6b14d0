"""Start: the CPU of a whole process, from the bare interpreter to an answer, beside bare Python.

    make bench-start                        every row 9 times
    python bench/start.py --runs 3 --only library
    python bench/start.py --beside ../before/src    another source tree in the same rounds

Each run is a process of its own, on a memory of a hundred messages that has been embedded before.
The rows take turns, so that a busy machine slows all of them alike; medians are printed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import ricordo
from common import Talk

MESSAGES = 100
OPEN = "import os, ricordo\nmemory = ricordo.open(os.environ['RICORDO_DB'])\n"
SPACE = "space = memory.space('app')\n"
HYBRID = "assert space.recall(os.environ['QUESTION'])\n"
PLAIN = "assert space.recall(os.environ['QUESTION'], rerank=False)\n"
KEYWORD = "assert space.recall(os.environ['QUESTION'], mode='keyword')\n"
CLOSE = "memory.close()"
LIBRARY = (  # what is done, with which embedder, by which program
    ("import numpy, alone", "hash", "import numpy"),
    ("import ricordo", "hash", "import ricordo"),
    ("open and close", "hash", OPEN + CLOSE),
    ("open, get an entry", "hash", OPEN + SPACE + "assert space.get('seat')\n" + CLOSE),
    ("open, first keyword hit", "hash", OPEN + SPACE + KEYWORD + CLOSE),
    ("open, first hybrid hit, hash", "hash", OPEN + SPACE + HYBRID + CLOSE),
    ("open, first hybrid hit, no re-ranker", "bundled", OPEN + SPACE + PLAIN + CLOSE),
    ("open, first hybrid hit, bundled", "bundled", OPEN + SPACE + HYBRID + CLOSE),
)
VERBS = (
    ("--help",),
    ("get", "seat"),
    ("stats",),
    ("append", "talk", "user", "Hello there"),
    ("remember", "Prefers window seats", "--name", "seat"),
    ("recall", "--mode", "keyword", "QUESTION"),
    ("recall", "QUESTION"),
)
HOOKS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop")


class Row(NamedTuple):
    """A process to be measured."""

    name: str
    command: list[str]
    environ: dict[str, str]
    given: str = ""


def furnish(folder: Path, embedder: str) -> str:
    """A memory of a hundred messages and an entry; returns a question about it."""
    talk = Talk()
    with ricordo.open(folder / f"{embedder}.db", embedder=embedder) as memory:
        space = memory.space("app")
        turns = [talk.text() for _ in range(MESSAGES)]
        space.session("s").extend({"role": "user", "content": turn} for turn in turns)
        space.remember("Prefers window seats", name="seat")
        memory.flush()
    return turns[0]


def list_rows(folder: Path, question: str, wanted: str) -> Iterator[Row]:
    """Every process of the parts that are wanted."""
    python = [sys.executable, "-c"]
    base = {**os.environ, "QUESTION": question, "RICORDO_SPACE": "app"}
    base.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled once
    by = {
        name: {**base, "RICORDO_EMBEDDER": name, "RICORDO_DB": str(folder / f"{name}.db")}
        for name in ("hash", "bundled")
    }
    yield Row("bare Python", [*python, "pass"], base)
    if "library" in wanted:
        yield from (Row(name, [*python, code], by[model]) for name, model, code in LIBRARY)
    run = [sys.executable, "-m", "ricordo"]
    if "verbs" in wanted:
        for verb in VERBS:
            words = [question if word == "QUESTION" else word for word in verb]
            shown = f"ricordo {' '.join(verb[:3] if '--mode' in verb else verb[:1])}"
            yield Row(shown, [*run, *words], by["bundled"])
    if "hooks" in wanted:
        for event in HOOKS:
            told = {"session_id": "c", "cwd": str(folder), "prompt": question}
            told |= {"tool_name": "Bash", "tool_input": {"command": "ls"}}
            yield Row(f"hook {event}", [*run, "hook", event], by["bundled"], json.dumps(told))


def cost(row: Row) -> float:
    """CPU milliseconds of one process, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        row.command, input=row.given, capture_output=True, text=True, check=True, env=row.environ
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="library,verbs,hooks")
    parser.add_argument("--beside", type=Path, help="another source tree to measure in turn")
    options = parser.parse_args()
    trees = [Path(ricordo.__file__).parent.parent, *([options.beside] if options.beside else [])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        question = furnish(folder, "hash")
        furnish(folder, "bundled")
        rows = list(list_rows(folder, question, options.only))
        spent: dict[tuple[str, int], list[float]] = {}
        for turn in range(options.runs + 1):  # the first one compiles
            for row in rows:
                for place, tree in enumerate(trees):
                    environ = {**row.environ, "PYTHONPATH": str(tree.resolve())}
                    took = cost(row._replace(environ=environ))
                    if turn:
                        spent.setdefault((row.name, place), []).append(took)
    report(rows, spent, len(trees))


def report(rows: list[Row], spent: dict[tuple[str, int], list[float]], trees: int) -> None:
    """One line for each row: milliseconds, and how many times bare Python, for each tree."""
    bare = median(spent["bare Python", 0])
    heads = ["ms", "best", "x bare"] * trees + (["x beside"] if trees > 1 else [])
    print(f"{'CPU of a process':40}" + "".join(f"{head:>9}" for head in heads))
    for row in rows:
        line = f"{row.name:40}"
        for place in range(trees):
            took = spent[row.name, place]
            line += f"{median(took):9.0f}{min(took):9.0f}{median(took) / bare:9.1f}"
        if trees > 1:
            line += f"{median(spent[row.name, 0]) / median(spent[row.name, 1]):9.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
