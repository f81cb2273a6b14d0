"""Signals: which entries were recalled, for what, by whom."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ricordo.model import Asker, Signal
from ricordo.store.codec import moment
from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class SignalRow(NamedTuple):
    entry: int
    query: str
    score: float
    asker: Asker
    at: int
    session: str | None = None  # in which it was asked, and after which of its events
    seq: int | None = None


class Signals:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, space: int, rows: Sequence[SignalRow]) -> int | None:
        """Write signals under the next numbers; the first of them, None if the space is gone."""
        first = self._tx.row("spaces.next_signals", space=space, count=len(rows))
        if first is None:
            return None
        self._tx.many(
            "signals.insert",
            (
                {
                    "space": space,
                    **seal_row("signals", {"signal": first[0] + place, **row._asdict()}),
                }
                for place, row in enumerate(rows)
            ),
        )
        return int(first[0])

    def latest(
        self, space: int, entry: int | None, limit: int, session: str | None = None
    ) -> list[Signal]:
        """The newest signals: of one entry, of what was asked in one session, or of all."""
        if session is not None:
            rows = self._tx.rows("signals.list_asked", space=space, session=session, limit=limit)
        elif entry is None:
            rows = self._tx.rows("signals.list", space=space, limit=limit)
        else:
            rows = self._tx.rows("signals.list_of", space=space, entry=entry, limit=limit)
        return [
            Signal(name, query, score, asker, moment(at), session, seq)
            for name, query, score, asker, at, session, seq in rows
        ]

    def list_crowded(self, space: int, since: int, most: int) -> list[int]:
        """Entries with more than `most` signals, among those with one from `since` on."""
        rows = self._tx.rows("signals.crowded", space=space, since=since, most=most)
        return [row[0] for row in rows]

    def of_entry(self, space: int, entry: int) -> list[tuple[int, str, str, int]]:
        """Number, query, asker and time of every signal of an entry."""
        rows = self._tx.rows("signals.of_entry", space=space, entry=entry)
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def delete_of(self, space: int, entry: int) -> int:
        return len(self._tx.rows("signals.delete_of", space=space, entry=entry))

    def delete_asked(self, space: int, session: str) -> int:
        """Delete what was asked in a session; how many signals that were."""
        return len(self._tx.rows("signals.delete_asked", space=space, session=session))

    def delete_between(self, space: int, session: str, first: int, last: int) -> int:
        """Delete what was asked in a session, after an event of these; how many went."""
        rows = self._tx.rows(
            "signals.delete_between", space=space, session=session, first=first, last=last
        )
        return len(rows)

    def prune(self, space: int, before: int, limit: int = 500) -> int:
        """Delete the oldest signals from before a time, at most `limit`; how many went."""
        rows = self._tx.rows("signals.prune", space=space, before=before, limit=limit)
        return len(rows)
