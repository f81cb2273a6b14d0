"""Archive spans: which entry retells which events, and where its markdown file lies."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.codec import end_of_prefix
from ricordo.store.seals import seal, seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class Retelling(NamedTuple):
    """An entry and the range of events that it retells, both ends included."""

    entry: int
    session: str
    first_seq: int
    last_seq: int
    path: str = ""
    is_filed: int = 1


class NoteRow(NamedTuple):
    """A note that stands for a run of messages, both ends included."""

    entry: int
    name: str
    first_seq: int
    last_seq: int
    content: str
    origin: str
    created_at: int
    messages: int


class Retellings:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def insert(self, space: int, row: Retelling) -> None:
        self._tx.rows("retellings.insert", space=space, **seal_row("retellings", row._asdict()))

    def get(self, space: int, entry: int) -> Retelling | None:
        row = self._tx.row("retellings.get", space=space, entry=entry)
        return Retelling(*row) if row else None

    def of_session(self, space: int, session: str) -> list[Retelling]:
        rows = self._tx.rows("retellings.of_session", space=space, session=session)
        return [Retelling(*row) for row in rows]

    def list_notes(
        self, space: int, session: str, after: int, now: int, limit: int
    ) -> list[NoteRow]:
        """Notes that retell every message of a run that ends after a seq, the newest first."""
        rows = self._tx.rows(
            "retellings.notes", space=space, session=session, after=after, now=now, limit=limit
        )
        return [NoteRow(*row) for row in rows]

    def list_unfiled(self, space: int) -> list[Retelling]:
        return [Retelling(*row) for row in self._tx.rows("retellings.unfiled", space=space)]

    def note_path(self, space: int, entry: int, path: str) -> None:
        row = self.get(space, entry)
        if row is not None:
            mark = seal("retellings", row._replace(path=path)._asdict())
            self._tx.rows("retellings.filed", space=space, entry=entry, path=path, seal=mark)

    def list_below(self, space: int, folder: str) -> list[Retelling]:
        """Those whose file lies, or is to lie, below a folder."""
        rows = self._tx.rows("retellings.below", space=space, folder=folder)
        return [Retelling(*row) for row in rows]

    def move_path(self, space: int, row: Retelling, path: str) -> None:
        """Note that the file of a retelling has another path."""
        mark = seal("retellings", row._replace(path=path)._asdict())
        self._tx.rows("retellings.moved", space=space, entry=row.entry, path=path, seal=mark)

    def delete(self, space: int, entry: int) -> None:
        self._tx.rows("retellings.delete", space=space, entry=entry)

    def names(self, space: int, prefix: str) -> list[str]:
        """Names and aliases of the space that begin with `prefix`."""
        beyond = end_of_prefix(prefix)
        rows = self._tx.rows("names.beginning", space=space, prefix=prefix, beyond=beyond)
        return [row[0] for row in rows]
