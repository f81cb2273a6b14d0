"""Embedding work: which spaces have some, and from when on. One look finds it in any of them."""

from typing import TYPE_CHECKING

from ricordo.store.tables.spaces import Numbered

if TYPE_CHECKING:
    from ricordo.store.database import Tx

GROWN = 0  # instead of the number of a model: texts were added, for whatever models there are
BLOCKS = -1  # likewise: chunks are to be packed in blocks


class Pending:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def mark(self, space: int) -> None:
        """The space has texts that nobody has looked at; part of every write that adds some."""
        self._tx.rows("pending.mark", space=space)

    def mark_all(self) -> None:
        """Every space has texts for a model that is new in this memory."""
        self._tx.rows("pending.mark_all")

    def look(self, model: int, now: int, limit: int) -> list[Numbered]:
        """Spaces with work for a model by now, the longest waiting first."""
        rows = self._tx.rows("pending.look", model=model, now=now, limit=limit)
        return [Numbered(*row) for row in rows]

    def after(self, model: int) -> int | None:
        """When the earliest thing that was put off is due."""
        row = self._tx.row("pending.after", model=model)
        return int(row[0]) if row else None

    def set(self, space: int, model: int, at: int | None) -> None:
        """From when on the space has work for a model; None if it has none."""
        if at is None:
            self._tx.rows("pending.delete", space=space, model=model)
        else:
            self._tx.rows("pending.put", space=space, model=model, at=at)

    def list_pending(self, space: int) -> dict[int, int]:
        return {row[0]: row[1] for row in self._tx.rows("pending.listed", space=space)}
