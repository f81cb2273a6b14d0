"""Identity: rows that keep their identity when they move from one memory to another."""

from typing import TYPE_CHECKING

from ricordo.store.seals import seal

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class Identity:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def adopt(self, space: int, entry: int, uid: str, created_at: int, since: int) -> None:
        """Let an entry just written be the one that it was made from."""
        row = self._tx.entries.row(space, entry)
        assert row is not None
        taken = {"uid": uid, "created_at": created_at, "since": since}
        mark = seal("entries", row._asdict() | taken)
        self._tx.rows("porting.adopt", space=space, id=entry, seal=mark, **taken)
        for name in self._tx.entries.names(space, entry):
            held = {"name": name, "entry": entry, "since": created_at}
            mark = seal("names", held)
            self._tx.rows("porting.adopt_name", space=space, name=name, since=created_at, seal=mark)

    def uids(self, space: int, session: str) -> set[str]:
        """The uids of a session's events."""
        return {row[0] for row in self._tx.rows("porting.log", space=space, session=session)}

    def entries(self, space: int) -> list[int]:
        """Every entry of a space, in order."""
        return [row[0] for row in self._tx.rows("porting.entries", space=space)]
