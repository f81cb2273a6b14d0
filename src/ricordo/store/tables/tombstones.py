"""Tombstones: digests of what was erased, and erasures whose bytes are not gone yet."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ricordo.store.codec import dumps, loads
from ricordo.store.seals import seal_row

if TYPE_CHECKING:
    from ricordo.store.database import Tx


class Erasure(NamedTuple):
    """An erasure under way: its rows are gone, and these files go too."""

    space: int
    id: str
    files: tuple[str, ...]


class Tombstones:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def put(self, space: int, digests: Iterable[bytes], at: int) -> None:
        """Bury digests; those that lie there already stay."""
        self._tx.many(
            "tombstones.put",
            [
                {"space": space, **seal_row("tombstones", {"digest": each, "at": at})}
                for each in digests
            ],
        )

    def holds(self, space: int, digest: bytes) -> bool:
        return bool(self._tx.rows("tombstones.holds", space=space, digest=digest))

    def list_erased(self, space: int, limit: int) -> list[tuple[int, int]]:
        """When something was erased, newest first, and how many digests lie there since."""
        rows = self._tx.rows("tombstones.erased", space=space, limit=limit)
        return [(int(row[0]), int(row[1])) for row in rows]

    def open(self, space: int, id: str, at: int, files: list[str]) -> None:
        """Note that rows went whose bytes may still stand in the file, and in these files."""
        row = seal_row("erasures", {"id": id, "files": dumps(files, "files")})
        self._tx.rows("erasures.open", space=space, at=at, **row)

    def list_pending(self, space: int) -> list[Erasure]:
        """Erasures that are not physical yet."""
        rows = self._tx.rows("erasures.pending", space=space)
        return [Erasure(space, id, tuple(loads(files))) for id, files in rows]

    def note_files_gone(self, space: int) -> None:
        """Note that the files of every erasure are gone; even their names tell something."""
        for erasure in self.list_pending(space):
            row = seal_row("erasures", {"id": erasure.id, "files": "[]"})
            self._tx.rows("erasures.filed", space=space, **row)

    def close(self, space: int, id: str) -> None:
        """Note that the bytes are gone."""
        self._tx.rows("erasures.close", space=space, id=id)
