"""The outbox: what happened to the ledger of promotions and is not yet in the files, in order."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.seals import seal_row
from ricordo.store.tables.due import OUTBOX

if TYPE_CHECKING:
    from ricordo.store.database import Tx

SWEEP, UNDO, WITHDRAW, FORGET = "sweep", "undo", "withdraw", "forget"


class OutboxMessage(NamedTuple):
    """`target` is a sweep, or with WITHDRAW and FORGET an entry."""

    number: int
    kind: str
    target: int


class Outbox:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def put(self, space: int, kind: str, targets: Iterable[int]) -> None:
        ((number,),) = self._tx.rows("outbox.next", space=space)
        for place, target in enumerate(targets):
            row = seal_row("outbox", {"kind": kind, "target": target})
            self._tx.rows("outbox.put", space=space, number=number + place, **row)
        self._tx.due.refresh(space, OUTBOX)

    def list_pending(self, space: int) -> list[OutboxMessage]:
        return [OutboxMessage(*row) for row in self._tx.rows("outbox.pending", space=space)]

    def clear(self, space: int, messages: Iterable[OutboxMessage]) -> None:
        for message in messages:
            self._tx.rows("outbox.clear", space=space, number=message.number)
        self._tx.due.refresh(space, OUTBOX)

    def drop(self, space: int, kind: str, target: int) -> None:
        self._tx.rows("outbox.drop", space=space, kind=kind, target=target)
        self._tx.due.refresh(space, OUTBOX)
