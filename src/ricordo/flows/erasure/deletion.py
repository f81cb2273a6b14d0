"""Deletion: what it takes along, and how to find that out without doing it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ricordo.core.integrity import erasure_scan
from ricordo.flows.engine import Engine
from ricordo.flows.erasure import remnants
from ricordo.flows.erasure.note_files import Copy
from ricordo.store.database import Tx

STAYS = frozenset({"spaces", "tombstones", "erasures"})  # tables that an erased space has rows in


@dataclass(slots=True)
class Deletion:
    """What goes in one deletion. With `buries` it is noted well enough to be looked for."""

    buries: bool = False
    removed: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)  # names, where a filter chose them
    copies: list[Copy] = field(default_factory=list)
    remains: list[str] = field(default_factory=list)
    tombs: set[bytes] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)  # probes, see core/integrity/erasure_scan
    vectors: set[bytes] = field(default_factory=set)

    def count(self, went: Mapping[str, int]) -> None:
        """Rows that went, by table."""
        for table, number in went.items():
            self.removed[table] = self.removed.get(table, 0) + number

    def note(self, *texts: str | None) -> None:
        """Look for these texts once they are gone."""
        if self.buries and len(self.texts) < remnants.MOST:
            self.texts.update(
                probe for text in texts if text for probe in erasure_scan.probes(text)
            )

    def note_vectors(self, vectors: Iterable[bytes]) -> None:
        """Look for these bytes once they are gone: vectors, and values of records."""
        if self.buries and len(self.vectors) < remnants.MOST:
            probes = map(erasure_scan.probe_of, vectors)
            self.vectors.update(probe for probe in probes if probe is not None)

    def note_embeddings(self, vectors: Sequence[bytes]) -> None:
        """Look for these vectors once they are gone, and for their signs in blocks."""
        self.note_vectors(vectors)
        if self.buries and vectors:
            from ricordo.core.recall.blocks import list_probes  # needs numpy, forgetting does not

            self.note_vectors(list_probes(vectors))

    def add(self, other: "Deletion") -> None:
        """What went in another transaction of the same deletion."""
        self.count(other.removed)
        self.files += other.files
        self.copies += other.copies
        self.remains += other.remains
        self.texts |= other.texts
        self.vectors |= other.vectors


class _Undone(Exception):
    """Rolls a transaction back, and carries what it would have done."""

    def __init__(self, done: tuple[str, Deletion]) -> None:
        super().__init__()
        self.done = done


def try_and_roll_back(
    engine: Engine, work: Callable[[Tx], tuple[str, Deletion]]
) -> tuple[str, Deletion]:
    """Do the work and roll it back: the target, and what would be deleted."""

    def roll_back(tx: Tx) -> None:
        raise _Undone(work(tx))

    try:
        engine.store.write(roll_back)
    except _Undone as taken_back:
        return taken_back.done
    raise AssertionError("the dry run was not rolled back")


def rows(engine: Engine, space: int) -> dict[str, int]:
    """How many rows of each table would go with all of a space. Nothing is tried: it may be big."""
    if not engine.store.read_only:
        engine.store.settle()
    with engine.store.read() as tx:
        tables = [table for table in tx.copying.tables() if table.name not in STAYS]
        counts = {table.name: tx.copying.count(space, table) for table in tables}
    counts["words"] = counts["chunks"]  # the index has a row for each of them
    return {table: count for table, count in counts.items() if count}
