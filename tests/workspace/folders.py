"""What is in a folder, as the system tells it."""

from pathlib import Path


def names(folder: Path) -> list[str]:
    return [inner.name for inner in folder.iterdir()]
