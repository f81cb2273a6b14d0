"""Sweeps: candidates for promotion, the ledger of promotions, and who sweeps a space."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.seals import seal, seal_row
from ricordo.store.tables.outbox import FORGET

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class PromotionCandidate(NamedTuple):
    """An entry with its signals added up. `text` is the beginning of what it says."""

    entry: int
    name: str
    kind: str
    category: str
    text: str
    since: int
    hits: int
    relevance: float
    last: int
    days: int


class FactRow(NamedTuple):
    entry: int
    name: str
    category: str
    value: str
    since: int


class SweepRow(NamedTuple):
    id: int
    at: int
    candidates: int
    skipped: int
    report: str
    is_filed: int
    undone_at: int | None
    withdrawn: int


class PromotionRow(NamedTuple):
    """A line of the ledger; the name is the entry's present one."""

    name: str
    entry: int
    sweep: int
    phase: str
    at: int
    score: float
    frequency: float
    relevance: float
    recency: float
    diversity: float
    consolidation: float
    hits: int
    queries: int
    days: int


class Sweeps:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    # what a sweep looks at

    def candidates(
        self, space: int, now: int, limit: int, characters: int
    ) -> list[PromotionCandidate]:
        rows = self._tx.rows(
            "sweeps.candidates", space=space, now=now, limit=limit, characters=characters
        )
        return [PromotionCandidate(*row) for row in rows]

    def list_queries(self, space: int, least: int) -> list[tuple[int, str]]:
        """Pairs of entry and query, of entries recalled at least so often."""
        rows = self._tx.rows("sweeps.asked", space=space, least=least)
        return [(row[0], row[1]) for row in rows]

    def facts(self, space: int, now: int, limit: int) -> list[FactRow]:
        rows = self._tx.rows("sweeps.facts", space=space, now=now, limit=limit)
        return [FactRow(*row) for row in rows]

    def former(self, space: int, limit: int) -> list[tuple[int, str]]:
        """Pairs of a fact and a value that it had before."""
        rows = self._tx.rows("sweeps.former", space=space, limit=limit)
        return [(row[0], row[1]) for row in rows]

    # sweeps

    def insert(
        self, space: int, *, at: int, candidates: int, skipped: int, report: str, is_filed: bool
    ) -> int:
        found = self._tx.row("sweeps.next", space=space)
        assert found is not None
        row = SweepRow(found[0], at, candidates, skipped, report, int(is_filed), None, 0)
        self._tx.rows("sweeps.insert", space=space, **seal_row("sweeps", row._asdict()))
        return row.id

    def get(self, space: int, sweep: int) -> SweepRow | None:
        row = self._tx.row("sweeps.get", space=space, id=sweep)
        return SweepRow(*row) if row else None

    def latest(self, space: int, limit: int) -> list[SweepRow]:
        return [SweepRow(*row) for row in self._tx.rows("sweeps.list", space=space, limit=limit)]

    def is_filed(self, space: int) -> bool:
        """Whether any sweep of the space wrote files."""
        return bool(self._tx.rows("sweeps.filed", space=space))

    def undo(self, space: int, sweep: int, at: int) -> list[int] | None:
        """Take the promotions of a sweep back; their entries, or None if it was undone before."""
        gone = [r[0] for r in self._tx.rows("promotions.delete_of", space=space, sweep=sweep)]
        row = self.get(space, sweep)
        if row is None:
            return None
        mark = seal("sweeps", row._replace(undone_at=at, withdrawn=len(gone))._asdict())
        told = {"at": at, "withdrawn": len(gone), "seal": mark}
        noted = self._tx.rows("sweeps.undo", space=space, id=sweep, **told)
        return gone if noted else None

    def withdraw(self, space: int, sweep: int) -> None:
        """Delete a sweep as if it had never been."""
        self._tx.rows("promotions.delete_of", space=space, sweep=sweep)
        self._tx.rows("sweeps.delete", space=space, id=sweep)

    # the ledger

    def promote(self, space: int, row: PromotionRow) -> bool:
        """Write a line of the ledger; False if the entry is in it already, or gone."""
        values = row._asdict()
        del values["name"]
        return bool(
            self._tx.rows("promotions.insert", space=space, **seal_row("promotions", values))
        )

    def list_promoted(self, space: int) -> set[int]:
        return {row[0] for row in self._tx.rows("promotions.entries", space=space)}

    def promotions(self, space: int, limit: int) -> list[PromotionRow]:
        rows = self._tx.rows("promotions.list", space=space, limit=limit)
        return [PromotionRow(*row) for row in rows]

    def promotions_of(self, space: int, sweep: int) -> list[PromotionRow]:
        rows = self._tx.rows("promotions.of", space=space, sweep=sweep)
        return [PromotionRow(*row) for row in rows]

    def in_force(self, space: int) -> list[int]:
        """Sweeps with promotions that hold, oldest first."""
        return [row[0] for row in self._tx.rows("promotions.sweeps", space=space)]

    def list_rewritten(self, space: int, limit: int) -> list[tuple[int, int]]:
        """Promoted entries that were written to since, and when they were promoted."""
        rows = self._tx.rows("promotions.rewritten", space=space, limit=limit)
        return [(row[0], row[1]) for row in rows]

    def stale(self, space: int) -> list[int]:
        """Entries in the ledger that are gone."""
        return [row[0] for row in self._tx.rows("promotions.stale", space=space)]

    def forget(self, space: int, entry: int) -> bool:
        """Strike an entry from the ledger and have its lines struck from the files.

        Part of every deletion of an entry. True if files have to follow: see `dream_files`.
        """
        self._tx.rows("promotions.delete", space=space, entry=entry)
        if not self.is_filed(space):
            return False
        self._tx.outbox.put(space, FORGET, [entry])
        return True

    # who sweeps

    def dreamer(self, space: int) -> tuple[str, int] | None:
        """Who sweeps the space and until when; None if nobody does."""
        row = self._tx.row("dreamers.get", space=space)
        return (row[0], row[1]) if row and row[0] else None

    def hold(self, space: int, owner: str, until: int, before: str = "") -> bool:
        """Become the one who sweeps, after `before`; False if somebody else did meanwhile."""
        values = {"owner": owner, "until": until, "before": before}
        return bool(self._tx.rows("dreamers.take", space=space, **values))

    def release(self, space: int, owner: str) -> None:
        self._tx.rows("dreamers.free", space=space, owner=owner)
