"""Porting: rows that keep their identity when they move from one memory to another."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.store.database import Tx


class Porting:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def adopt(self, space: int, entry: int, uid: str, created_at: int, since: int) -> None:
        """Let an entry just written be the one that it was made from."""
        self._tx.rows(
            "porting.adopt", space=space, id=entry, uid=uid, created_at=created_at, since=since
        )
        self._tx.rows("porting.adopt_names", space=space, entry=entry, since=created_at)

    def uids(self, space: int, session: str) -> set[str]:
        """The uids of a session's events."""
        return {row[0] for row in self._tx.rows("porting.log", space=space, session=session)}

    def entries(self, space: int) -> list[int]:
        """Every entry of a space, in order."""
        return [row[0] for row in self._tx.rows("porting.entries", space=space)]
