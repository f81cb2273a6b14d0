"""What makes a sweep promote, and where its promotions are listed."""

from datetime import UTC, datetime
from pathlib import Path

import ricordo

AT = datetime(2026, 4, 22, 8, 30, tzinfo=UTC)


def ask(space: ricordo.Space, *queries: str) -> None:
    for query in queries:
        assert space.recall(query, mode="keyword", asker="user"), query


def hot(space: ricordo.Space, *names: str) -> None:
    """Entries that were recalled thrice each."""
    for name in names:
        space.remember(f"{name} seats by the window", name=name)
        ask(space, f"{name}", f"{name} seats", f"{name} window")


def lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").split("\n") if line.startswith("- ")]


def ledger(space: ricordo.Space) -> list[int]:
    return sorted(each.id for each in space.dreams.promotions())


def listed(folder: Path) -> list[int]:
    """The entries that MEMORY.md lists, as often as it does."""
    found = [int(line.rsplit("entry:")[1].split()[0]) for line in lines(folder / "ana/MEMORY.md")]
    return sorted(found)
