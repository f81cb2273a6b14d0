"""Summaries: the rolling text of each session, and what chat models were paid for."""

from typing import TYPE_CHECKING

from ricordo.model import Json, Spending, Summary
from ricordo.store.codec import dumps, loads, moment
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
        epoch, upto, text, metadata, at = row
        held: dict[str, Json] | None = loads(metadata) if metadata else None
        return Summary(session, epoch, upto, text, held, moment(at))

    def put(self, space: int, summary: Summary, at: int) -> None:
        """Write the next epoch; whoever calls has compared the one before."""
        told = "" if summary.metadata is None else dumps(dict(summary.metadata), "metadata")
        row = {
            "session": summary.session,
            "epoch": summary.epoch,
            "upto": summary.upto,
            "text": summary.text,
            "metadata": told,
            "at": at,
        }
        self._tx.rows("summaries.put", space=space, **seal_row("summaries", row))

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
