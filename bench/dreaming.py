"""A sweep over many entries and signals, beside a bare SELECT of the same rows.

    python bench/dreaming.py
    python bench/dreaming.py --entries 10000 --signals 100000

CPU is process CPU time. The target is 2 s for 10,000 entries with 100,000 signals.
"""

import argparse
import random
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import apsw

import ricordo
from common import Talk, cpu
from ricordo.store.tables.signals import SignalRow

TARGET_SECONDS = 2.0
ROWS = "SELECT entry, query, score, asker, at FROM signals WHERE space = 1"


def filled(path: Path, folder: Path, entries: int, signals: int) -> ricordo.Memory:
    """A memory with entries that were recalled over two months."""
    talk, chance = Talk(), random.Random(11)
    config = {"workspace": str(folder)}
    memory = ricordo.open(path, embedder="none", durability="normal", config=config)
    ana = memory.space("ana")
    for number in range(entries):
        ana.remember(talk.text(), name=f"entry{number}")
    queries = [talk.query() for _ in range(signals // 20)]
    now = datetime.now(UTC)
    rows = [
        SignalRow(
            chance.randint(1, entries),
            chance.choice(queries),
            1 / chance.randint(1, 5),
            chance.choice(("user", "agent", "agent", "auto")),
            int((now - timedelta(days=chance.random() * 60)).timestamp() * 1e6),
        )
        for _ in range(signals)
    ]
    memory._engine.store.write(lambda tx: tx.signals.insert(1, rows))
    return memory


class Measured(NamedTuple):
    """CPU seconds, and the sweep itself."""

    bare: float
    tried: float
    swept: float
    sweep: ricordo.Sweep


def measured(home: Path, entries: int = 10_000, signals: int = 100_000) -> Measured:
    """Sweep a memory made for it, and read the same rows without us."""
    path = home / "dreaming.db"
    with filled(path, home / "files", entries, signals) as memory:
        ana = memory.space("ana")
        ana.dream(dry_run=True)  # imports, and the pages of the file
        raw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        bare = min(cpu(lambda: raw.execute(ROWS).fetchall()) for _ in range(3))
        tried = min(cpu(lambda: ana.dream(dry_run=True)) for _ in range(3))
        done: list[ricordo.Sweep] = []
        swept = cpu(lambda: done.append(ana.dream()))
        raw.close()
    return Measured(bare, tried, swept, done[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--signals", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        bare, tried, swept, sweep = measured(Path(home), given.entries, given.signals)
    print(f"{given.entries:,} entries, {given.signals:,} signals")
    print(f"{sweep.candidates:,} candidates, {len(sweep.promoted)} promoted")
    print(f"bare SELECT   {bare:6.2f} s CPU")
    print(f"dry run       {tried:6.2f} s CPU   {tried / bare:5.1f} × the SELECT")
    verdict = "met" if swept <= TARGET_SECONDS else "MISSED"
    print(f"sweep         {swept:6.2f} s CPU   {swept / bare:5.1f} × the SELECT   2 s: {verdict}")


if __name__ == "__main__":
    main()
