"""Workspaces: what files and entries had in common when they were last in step."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class FileRow(NamedTuple):
    """The file of an entry in one folder."""

    entry: int
    path: str
    hash: bytes
    state: bytes
    intent: bytes
    synced_at: int


class Workspaces:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def put(self, space: int, folder: str, rows: Iterable[FileRow]) -> None:
        batch = (
            {"space": space, **seal_row("workspace_files", {"folder": folder, **row._asdict()})}
            for row in rows
        )
        self._tx.many("workspaces.put", batch)

    def of_folder(self, space: int, folder: str) -> list[FileRow]:
        rows = self._tx.rows("workspaces.of_folder", space=space, folder=folder)
        return [FileRow(*row) for row in rows]

    def of_entry(self, space: int, entry: int) -> list[tuple[str, str]]:
        """The folders and paths of an entry's files; the folder is '' for the space's own."""
        rows = self._tx.rows("workspaces.of_entry", space=space, entry=entry)
        return [(row[0], row[1]) for row in rows]

    def delete(self, space: int, folder: str, entry: int) -> None:
        self._tx.rows("workspaces.delete", space=space, folder=folder, entry=entry)

    def delete_of(self, space: int, entry: int) -> int:
        """Forget where an entry has files; in how many folders it had."""
        counted = len(self.of_entry(space, entry))
        self._tx.rows("workspaces.delete_of", space=space, entry=entry)
        return counted
