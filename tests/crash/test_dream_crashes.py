"""A sweep, its undoing and a forgetting, each killed at every step: ledger and files agree again.

RICORDO_CRASH=all kills at every step; by default a sweep is, the others at every third.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ricordo

IS_WHOLE = os.environ.get("RICORDO_CRASH") == "all"
SCRIPT = Path(__file__).parent / "dreaming.py"
ENTRY = re.compile(r"<!-- entry:(\d+) -->$", re.MULTILINE)
SWEEP = re.compile(r"^<!-- sweep:(\d+) -->$", re.MULTILINE)


def opened(home: Path) -> ricordo.Memory:
    config = {"workspace": str(home / "workspace")}
    return ricordo.open(home / "agent.db", embedder="none", config=config)


def heat(space: ricordo.Space, name: str) -> None:
    space.remember(f"{name} by the window", name=name)
    for query in (name, f"{name} window", f"by the {name}"):
        space.recall(query, mode="keyword", asker="user")


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A memory with one sweep behind it and two entries ready for the next."""
    home = tmp_path_factory.mktemp("dreams")
    with opened(home) as memory:
        ana = memory.space("ana")
        for name in ("seat0", "seat1"):
            heat(ana, name)
        assert len(ana.dream().promoted) == 2
        for name in ("desk0", "desk1"):
            heat(ana, name)
    return home


def run(home: Path, act: str, last: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), home / "agent.db", home / "workspace", act, str(last)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )


def copied(home: Path, target: Path) -> Path:
    shutil.copytree(home, target)
    return target


def agree(home: Path, space: ricordo.Space) -> list[int]:
    """What the ledger holds; MEMORY.md lists the same, once each, and the diary no night twice."""
    held = sorted(each.id for each in space.dreams.promotions())
    text = (home / "workspace/ana/MEMORY.md").read_text("utf-8")
    assert sorted(map(int, ENTRY.findall(text))) == held
    told = SWEEP.findall((home / "workspace/ana/DREAMS.md").read_text("utf-8"))
    assert sorted(map(int, told)) == sorted(each.id for each in space.dreams.list())
    return held


def killed(home: Path, act: str, last: int) -> tuple[set[int], set[int]]:
    """What was promoted after the next opening, and after the next sweep."""
    done = run(home, act, last)
    assert done.returncode == -9, (act, last, done.stderr)
    with opened(home) as memory:
        ana = memory.space("ana")
        reopened = agree(home, ana)
        ana.dream()
        assert memory.check() == []
        return set(reopened), set(agree(home, ana))


@pytest.mark.parametrize(
    ("act", "before", "after", "finally_"),
    [
        ("dream", {1, 2}, {1, 2, 3, 4}, {1, 2, 3, 4}),
        ("undo", {1, 2}, set(), {1, 2, 3, 4}),
        ("forget", {1, 2}, {2}, {2, 3, 4}),
    ],
)
def test_ledger_and_files_agree_after_a_kill_at_any_step(
    home, tmp_path, act, before, after, finally_
):
    """DRM-7"""
    whole = run(copied(home, tmp_path / "whole"), act, 0)
    steps = int(whole.stdout)
    assert steps >= 10, whole.stderr
    stride = 1 if IS_WHOLE or act == "dream" else 3
    places = range(1, steps + 1, stride)
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(lambda n: killed(copied(home, tmp_path / f"at{n}"), act, n), places))

    outcomes = [frozenset(reopened) for reopened, _ in seen]
    assert set(outcomes) == {frozenset(before), frozenset(after)}
    assert outcomes == sorted(outcomes, key=[frozenset(before), frozenset(after)].index)
    for place, (reopened, swept) in zip(places, seen, strict=True):
        is_kept = act == "forget" and reopened == before
        assert swept == (finally_ | {1} if is_kept else finally_), place
