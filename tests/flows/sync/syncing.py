"""What tests of a sync look at: the clock, the files of a folder, and what a space says."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import ricordo

START = datetime(2026, 7, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def names(folder: Path) -> list[str]:
    return sorted(inner.name for inner in folder.iterdir())


def told(space: ricordo.Space) -> dict[str, str]:
    return {entry.name: entry.content for entry in space.entries()}
