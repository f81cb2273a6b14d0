"""Clocks: stored times that lie in the future, the time of the server, what was confirmed."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ricordo.store.database import Tx

_CONFIRMED = "clock_confirmed"  # a key of `meta`


class Ahead(NamedTuple):
    """Rows of one table of a space whose time lies in the future, and the latest of these times."""

    table: str
    rows: int
    latest: int


class Clocks:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def ahead(self, space: int, after: int) -> list[Ahead]:
        """What was written at a time after this one, by table."""
        found = self._tx.rows("clocks.ahead", space=space, after=after)
        return [Ahead(table, int(rows), int(latest)) for table, rows, latest in found if rows]

    def server_now(self) -> int:
        """The time on the machine of the database."""
        row = self._tx.row("clocks.server_now")
        assert row is not None
        return int(row[0])

    def read_confirmed(self) -> int:
        """Up to which time stored times were confirmed although they lay in the future."""
        row = self._tx.row("meta.get", key=_CONFIRMED)
        return int(row[0]) if row else 0

    def confirm(self, until: int) -> None:
        self._tx.rows("meta.put", key=_CONFIRMED, value=str(until))
