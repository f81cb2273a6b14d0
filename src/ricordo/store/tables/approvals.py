"""Approvals: prefixes of commands that are allowed or denied for good."""

import json
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class ApprovalRow(NamedTuple):
    words: tuple[str, ...]
    allow: bool
    created_at: int


class Approvals:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def put(self, space: int, row: ApprovalRow) -> int:
        """Keep an answer; since when it stands."""
        answer = row._asdict() | {"words": _text(row.words), "allow": int(row.allow)}
        found = self._tx.row("approvals.put", space=space, **seal_row("approvals", answer))
        assert found is not None
        return int(found[0])

    def all(self, space: int) -> list[ApprovalRow]:
        rows = self._tx.rows("approvals.list", space=space)
        return [ApprovalRow(tuple(json.loads(row[0])), bool(row[1]), row[2]) for row in rows]

    def delete(self, space: int, words: tuple[str, ...]) -> int:
        return len(self._tx.rows("approvals.delete", space=space, words=_text(words)))


def _text(words: tuple[str, ...]) -> str:
    return json.dumps(list(words), ensure_ascii=False)
