"""Backup: a copy of the whole memory while it is in use, trusted only once it has been verified."""

from collections.abc import Callable
from pathlib import Path

from ricordo.errors import Corrupt, InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.upkeep.check import intact
from ricordo.store.sqlite.driver import SQLite

Progress = Callable[[int, int], None]


def backup(engine: Engine, path: str, progress: Progress | None = None) -> None:
    """Copy to a new file; the store verifies pages and commits, this the logs in it."""
    if path == ":memory:":
        raise InvalidInput("a backup in ':memory:' would be lost; give a file path")
    engine.store.backup(path, progress)
    copy = SQLite(path, read_only=True, secret=getattr(engine.store, "secret", None))
    try:
        found = intact(copy)
    finally:
        copy.close()
    if found:
        Path(path).unlink()
        raise Corrupt(f"the copy {path} is damaged: {found[0].where} {found[0].detail}; run check")
