"""Summaries: the rolling text of each session, and what chat models were paid for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ricordo.model import Json, Spending, Summary
from ricordo.store.codec import dumps, loads, micros, moment
from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx

_DAY = 86_400_000_000  # microseconds


class Summaries:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def get(self, space: int, session: str) -> Summary | None:
        row = self._tx.row("summaries.get", space=space, session=session)
        if row is None:
            return None
        return _read_summary(session, row)

    def list_earlier(self, space: int, session: str) -> list[Summary]:
        """What the summary said before, oldest first."""
        rows = self._tx.rows("summaries.earlier", space=space, session=session)
        return [_read_summary(session, row) for row in rows]

    def put(self, space: int, summary: Summary, at: int) -> None:
        """Write the next epoch; whoever calls has compared the one before."""
        row = _write_row(summary, at)
        self._tx.rows("summaries.put", space=space, **seal_row("summaries", row))

    def keep(self, space: int, old: Summary, first: int) -> None:
        """Keep what a summary said, and let go of those with an epoch before `first`."""
        if old.epoch >= first:
            row = seal_row("past_summaries", _write_row(old, micros(old.at)))
            self._tx.rows("summaries.keep", space=space, **row)
        self._tx.rows("summaries.trim", space=space, session=old.session, first=first)

    def delete_earlier(self, space: int, session: str) -> int:
        return len(self._tx.rows("summaries.delete_earlier", space=space, session=session))

    def delete(self, space: int, session: str) -> int:
        return len(self._tx.rows("summaries.delete", space=space, session=session))

    def spend(self, space: int, spent: Spending, at: int) -> None:
        self._tx.rows(
            "spending.add",
            space=space,
            model=spent.model,
            day=at // _DAY,
            calls=spent.calls,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
        )

    def list_spending(self, space: int) -> list[Spending]:
        return [Spending(*row) for row in self._tx.rows("spending.list", space=space)]


def _read_summary(session: str, row: Sequence[Any]) -> Summary:  # Any: what a driver gives
    epoch, upto, text, metadata, at = row
    held: dict[str, Json] | None = loads(metadata) if metadata else None
    return Summary(session, epoch, upto, text, held, moment(at))


def _write_row(summary: Summary, at: int) -> dict[str, Json]:
    told = "" if summary.metadata is None else dumps(dict(summary.metadata), "metadata")
    return {
        "session": summary.session,
        "epoch": summary.epoch,
        "upto": summary.upto,
        "text": summary.text,
        "metadata": told,
        "at": at,
    }
