"""A workspace with a history, and that history as git itself tells it."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import ricordo

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


def opened(base: Path, *, git: bool = True) -> ricordo.Memory:
    config = {"workspace": str(base), "workspace_git": git}
    return ricordo.open(":memory:", embedder="none", clock=lambda: NOW, config=config)


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=True)
    return done.stdout.decode()


def subjects(space: ricordo.Space) -> list[str]:
    return [each.subject for each in space.files.checkpoints(100)]
