"""Consolidations: which events were consolidated, and which still wait."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class Consolidations:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def list_waiting(self, space: int, least: float, before: int) -> list[str]:
        """Sessions with candidates, the most important first."""
        rows = self._tx.rows("consolidations.waiting", space=space, least=least, before=before)
        return [row[0] for row in rows]

    def candidates(
        self, space: int, session: str, least: float, before: int
    ) -> list[tuple[int, float]]:
        """Seq and importance of the events of a session that wait, in order."""
        rows = self._tx.rows(
            "consolidations.candidates", space=space, session=session, least=least, before=before
        )
        return [(row[0], row[1]) for row in rows]

    def mark(self, space: int, session: str, seq: int, at: int) -> bool:
        """Note that an event was consolidated; False if somebody else did so before."""
        return bool(
            self._tx.rows("consolidations.insert", space=space, session=session, seq=seq, at=at)
        )

    def at(self, space: int, session: str, seq: int) -> int | None:
        row = self._tx.row("consolidations.get", space=space, session=session, seq=seq)
        return int(row[0]) if row else None

    def between(self, space: int, session: str, first: int, last: int) -> dict[int, int]:
        """When the events from one seq to another were consolidated, by seq."""
        place = {"space": space, "session": session}
        return dict(self._tx.rows("consolidations.between", **place, first=first, last=last))

    def delete(self, space: int, session: str) -> int:
        return len(self._tx.rows("consolidations.delete", space=space, session=session))
