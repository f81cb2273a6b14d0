"""Documents: indexed files and texts, known by URI and by the hash of what they say."""

from typing import TYPE_CHECKING, NamedTuple

from ricordo.model import Origin
from ricordo.store.codec import end_of_prefix, loads
from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class DocumentRow(NamedTuple):
    """A document as it stands in its table; its chunks carry its id as their entry."""

    id: int
    uri: str
    hash: bytes
    raw: bytes
    text: str
    chunks: int
    origin: Origin
    metadata: str
    created_at: int
    updated_at: int
    tags: str = "[]"
    cut: int = 0  # the version of the cut that made its chunks


class RecentDocument(NamedTuple):
    id: int
    uri: str
    chunks: int
    updated_at: int


class Documents:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def by_uri(self, space: int, uri: str) -> DocumentRow | None:
        row = self._tx.row("documents.by_uri", space=space, uri=uri)
        return DocumentRow(*row) if row else None

    def by_id(self, space: int, id: int) -> DocumentRow | None:
        row = self._tx.row("documents.by_id", space=space, id=id)
        return DocumentRow(*row) if row else None

    def uri(self, space: int, id: int) -> str | None:
        row = self._tx.row("documents.uri", space=space, id=id)
        return str(row[0]) if row else None

    def tags(self, space: int, id: int) -> tuple[str, ...]:
        row = self._tx.row("documents.tags", space=space, id=id)
        return tuple(loads(row[0])) if row else ()

    def number(self, space: int, uri: str) -> int | None:
        row = self._tx.row("documents.number", space=space, uri=uri)
        return int(row[0]) if row else None

    def find_by_prefix(self, space: int, prefix: str) -> set[int]:
        """The numbers of the documents whose URIs begin so."""
        beyond = end_of_prefix(prefix)
        rows = self._tx.rows("documents.begin", space=space, prefix=prefix, beyond=beyond)
        return {row[0] for row in rows}

    def put(self, space: int, row: DocumentRow) -> None:
        self._tx.rows("documents.put", space=space, **seal_row("documents", row._asdict()))
        self._tx.metadata.replace_entry(space, row.id, row.metadata)

    def list_by_prefix(self, space: int, prefix: str) -> list[DocumentRow]:
        beyond = end_of_prefix(prefix)
        rows = self._tx.rows("documents.list", space=space, prefix=prefix, beyond=beyond)
        return [DocumentRow(*row) for row in rows]

    def list_recent(self, space: int, limit: int) -> list[RecentDocument]:
        """Those that changed last, without their texts."""
        rows = self._tx.rows("documents.recent", space=space, limit=limit)
        return [RecentDocument(*row) for row in rows]

    def find_outdated(self, space: int, cut: int, after: int = 0) -> DocumentRow | None:
        """The next document that another version cut."""
        row = self._tx.row("documents.outdated", space=space, cut=cut, after=after)
        return DocumentRow(*row) if row else None

    def delete(self, space: int, id: int) -> None:
        self._tx.rows("documents.delete", space=space, id=id)
        self._tx.metadata.delete_entry(space, id)
