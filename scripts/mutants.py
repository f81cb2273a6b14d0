"""Mutants: change the code at random places, and count how many changes the tests notice.

`make mutants N=200`, or `python scripts/mutants.py 200 --seed 7 -j 2`. Every change is made in a
copy of the tree. A mutant is killed when a test of its room fails or takes far too long.
"""

import argparse
import ast
import contextlib
import difflib
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache")
CASES = "tests/store/test_conformance.py::test_a_memory_in_a_file_keeps_the_promise"
WEIGHTS = "tests/test_docs.py::test_the_weights_in_the_docs_are_the_weights_in_use"
RECALL = ("tests/core/recall", WEIGHTS, "tests/flows/recall", CASES)
WRITING = (
    *("tests/store/sqlite", "tests/store/postgres/test_postgres_transactions.py"),
    *("tests/crash/test_interrupts.py", "tests/crash/test_forks.py"),
    "tests/crash/test_contention.py",
)
ROOMS = {  # what is changed, and the tests that matter there, in the order in which they run
    "src/ricordo/core/recall/*.py": RECALL,
    "src/ricordo/flows/recall/*.py": RECALL,
    "src/ricordo/store/*commit*.py": WRITING,
    "src/ricordo/store/write_queue.py": WRITING,
    "src/ricordo/store/sqlite/connection.py": WRITING,
}
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd},
}


class Mutant(NamedTuple):
    """A file of the tree with one change in it."""

    path: str
    line: int
    text: str
    tests: tuple[str, ...]

    def diff(self) -> str:
        before = (ROOT / self.path).read_text(encoding="utf-8").splitlines()
        lines = difflib.unified_diff(before, self.text.splitlines(), lineterm="", n=0)
        return "\n".join(f"    {line}" for line in list(lines)[3:])


def find_mutants() -> list[Mutant]:
    """Every mutant of every room, in a fixed order."""
    found: dict[tuple[str, str], Mutant] = {}
    for pattern, tests in ROOMS.items():
        paths = sorted(ROOT.glob(pattern))
        assert paths, f"{pattern} fits no file; correct ROOMS"
        for path in paths:
            name, source = path.relative_to(ROOT).as_posix(), path.read_bytes()
            for node, other in mutate(ast.parse(source), is_module=True):
                text = replace(source, node, other)
                found.setdefault((name, text), Mutant(name, node.lineno, text, tests))
    return list(found.values())


def mutate(node: ast.AST, *, is_module: bool = False) -> Iterator[tuple[ast.expr, str]]:
    """Expressions below a node, each with what may stand in its place."""
    for name, child in ast.iter_fields(node):
        if name in ("annotation", "returns") or isinstance(node, ast.JoinedStr):
            continue  # types run nowhere; the places of parts of an f-string are not known
        for part in child if isinstance(child, list) else [child]:
            if isinstance(part, ast.expr) and not (is_module and isinstance(part, ast.BinOp)):
                yield from ((part, other) for other in change(part))
                if name == "test" and not is_negated(part):
                    yield part, f"(not ({ast.unparse(part)}))"
                if name == "value" and isinstance(node, ast.Return):
                    yield part, "None"
            if isinstance(part, ast.AST):
                inner = is_module and isinstance(part, ast.Assign | ast.AnnAssign)
                yield from mutate(part, is_module=inner)


def is_negated(test: ast.expr) -> bool:
    """Whether one of the changes of this condition is its opposite."""
    match test:
        case ast.Compare(_, [ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot()], _):
            return True
        case ast.Compare(_, [ast.In() | ast.NotIn()], _) | ast.UnaryOp(ast.Not(), _):
            return True
    return False


def change(node: ast.expr) -> Iterator[str]:
    """What may stand in the place of an expression, by its kind."""
    match node:
        case ast.Compare(left, operators, rights):
            for place, operator in enumerate(operators):
                others = [*operators[:place], OTHER[type(operator)](), *operators[place + 1 :]]
                yield f"({ast.unparse(ast.Compare(left, others, rights))})"
        case ast.BinOp(left, operator, right) if type(operator) in OTHER:
            yield f"({ast.unparse(ast.BinOp(left, OTHER[type(operator)](), right))})"
        case ast.BoolOp(operator, values):
            yield f"({ast.unparse(ast.BoolOp(OTHER[type(operator)](), values))})"
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value) | float(value)):
            yield str(value + 1)


def replace(source: bytes, node: ast.expr, other: str) -> str:
    """The source with the text of one expression exchanged."""
    lines = source.splitlines(keepends=True)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    return (source[:start] + other.encode() + source[end:]).decode()


def run_tests(folder: Path, tests: tuple[str, ...], limit: float | None = None) -> str:
    """How the tests end in a copy of the tree: "pass", or what killed the mutant."""
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", *tests]
    paths = {"PYTHONPATH": str(folder / "src"), "TMPDIR": str(folder / "tmp")}
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=os.environ | paths | {"PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that whatever a mutant starts ends with it
    )
    try:
        said = process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        return f"took more than {limit:.0f} s"
    finally:
        end_group(process)
    failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "pass" if process.returncode == 0 else (failed or said.splitlines()[-1:] or ["?"])[0]


def end_group(process: "subprocess.Popen[str]") -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def copy_tree(folder: Path) -> Path:
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    (folder / "tmp").mkdir()
    # By content: a mutant may have the size and the second of what it replaces.
    words = ["compileall", "-q", "--invalidation-mode", "checked-hash", "src"]
    subprocess.run([sys.executable, "-m", *words], cwd=folder, check=True)
    return folder


def judge(mutants: list[Mutant], workers: int) -> list[Mutant]:
    """Try every mutant; those that no test noticed."""
    with tempfile.TemporaryDirectory(prefix="m-", ignore_cleanup_errors=True) as parent:
        Path(parent).chmod(0o755)  # some tests read their files as another user
        folders: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(workers):
            folders.put(copy_tree(Path(parent) / str(number)))
        limits = {tests: measure(Path(parent) / "0", tests) for tests in set(ROOMS.values())}

        def survives(mutant: Mutant) -> bool:
            folder = folders.get()
            (folder / mutant.path).write_text(mutant.text, encoding="utf-8")
            verdict = run_tests(folder, mutant.tests, limits[mutant.tests] * workers)
            shutil.copyfile(ROOT / mutant.path, folder / mutant.path)
            folders.put(folder)
            print(f"{mutant.path}:{mutant.line}: {verdict}", flush=True)
            return verdict == "pass"

        with ThreadPoolExecutor(workers) as pool:
            alive = list(pool.map(survives, mutants))
    return [mutant for mutant, is_alive in zip(mutants, alive, strict=True) if is_alive]


def measure(folder: Path, tests: tuple[str, ...]) -> float:
    """The seconds that a mutant may take: three times what the tests need without any."""
    began = time.monotonic()
    verdict = run_tests(folder, tests)
    if verdict != "pass":
        sys.exit(f"the tests fail without a mutant: {verdict}")
    return 3 * (time.monotonic() - began) + 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="how many mutants to try")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument("-j", "--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="only files whose path holds this")
    given = parser.parse_args()
    every = [mutant for mutant in find_mutants() if given.only in mutant.path]
    chosen = random.Random(given.seed).sample(every, min(given.count, len(every)))
    print(f"{len(chosen)} of {len(every)} mutants, seed {given.seed}", flush=True)
    survivors = judge(chosen, given.workers)
    for mutant in sorted(survivors):
        print(f"\nsurvived: {mutant.path}:{mutant.line}\n{mutant.diff()}")
    killed = len(chosen) - len(survivors)
    print(f"\nkilled {killed} of {len(chosen)} ({killed / max(1, len(chosen)):.0%})")
    print(f"seed {given.seed}, {len(every)} mutants in all")


if __name__ == "__main__":
    main()
