"""Macros: which tool calls were seen to follow which, how often macros were used, and how far
sessions were learnt from. What the macros are is worked out elsewhere."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class SuccessionRow(NamedTuple):
    """One call and the one that followed it; the arguments are JSON, None for any."""

    id: str
    trigger_tool: str
    trigger_args: str | None
    next_tool: str
    next_args: str | None
    times: int
    created_at: int
    updated_at: int


class UseRow(NamedTuple):
    """How often a macro was used; the patterns are JSON, None for any."""

    id: str
    trigger_tool: str
    trigger_pattern: str | None
    next_tool: str
    next_pattern: str | None
    used_count: int
    used_at: int


class Macros:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def add(self, space: int, row: SuccessionRow) -> None:
        """Count a succession in."""
        self._tx.rows("successions.add", space=space, **seal_row("successions", row._asdict()))

    def after(self, space: int, tool: str) -> list[SuccessionRow]:
        rows = self._tx.rows("successions.after", space=space, tool=tool)
        return [SuccessionRow(*row) for row in rows]

    def tools(self, space: int) -> list[str]:
        return [str(row[0]) for row in self._tx.rows("successions.tools", space=space)]

    def delete_successions(self, space: int, ids: list[str]) -> int:
        return sum(len(self._tx.rows("successions.delete", space=space, id=id)) for id in ids)

    def uses(self, space: int) -> list[UseRow]:
        return [UseRow(*row) for row in self._tx.rows("macros.list", space=space)]

    def use(self, space: int, row: UseRow) -> None:
        """Count a use in."""
        self._tx.rows("macros.use", space=space, **seal_row("macros", row._asdict()))

    def delete(self, space: int, macro: str) -> int:
        return len(self._tx.rows("macros.delete", space=space, id=macro))

    def learnt_upto(self, space: int, session: str) -> int:
        """The seq up to which a session was learnt from, by the digest of its name; -1: never."""
        row = self._tx.row("lessons.upto", space=space, session=session)
        return int(row[0]) if row else -1

    def set_learnt(self, space: int, session: str, upto: int) -> None:
        self._tx.rows("lessons.put", space=space, session=session, upto=upto)
