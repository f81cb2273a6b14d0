"""Scratchpads: the few lines a session keeps at hand, replaced whole."""

from typing import TYPE_CHECKING

from ricordo.store.codec import dumps, loads
from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class Scratchpads:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def get(self, space: int, session: str) -> list[str]:
        row = self._tx.row("scratchpads.get", space=space, session=session)
        lines: list[str] = loads(row[0]) if row else []
        return lines

    def written_at(self, space: int, session: str) -> int | None:
        row = self._tx.row("scratchpads.get", space=space, session=session)
        return int(row[1]) if row else None

    def put(self, space: int, session: str, lines: list[str], at: int) -> None:
        told = dumps(lines, "scratchpad")
        row = {"session": session, "lines": told, "updated_at": at}
        self._tx.rows("scratchpads.put", space=space, **seal_row("scratchpads", row))

    def delete(self, space: int, session: str) -> int:
        return len(self._tx.rows("scratchpads.delete", space=space, session=session))
