"""What the handle of a space offers to take it elsewhere, or to leave nothing of it behind."""

from collections.abc import Callable
from pathlib import Path

from ricordo.flows.engine import Engine
from ricordo.flows.erasure import erase as erasing
from ricordo.model import Export, Import, Receipt


class Ported:
    """Export, import and erasure. `Space` is made of this; it has no life of its own."""

    _engine: Engine
    name: str

    def erase(self, name: str | int, *, dry_run: bool = False) -> Receipt:
        """Forget an entry or document and leave no byte of it in the memory and its files.

        The receipt holds what a scan of the files found. An import does not bring it back. With
        `dry_run` nothing goes; the receipt counts what would.
        """
        return erasing.erase(self._engine, self.name, name, dry_run=dry_run)

    def export(self, path: str | Path) -> Export:
        """Write the space to a new file of JSON Lines; see `docs/exchange.md` for its format."""
        from ricordo.flows.exchange.export import export

        return export(self._engine, self.name, path)

    def import_file(
        self,
        path: str | Path,
        *,
        origin: str | None = "import",
        owner: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Import:
        """Take in an export, or the SQLite file of another memory; twice is the same as once.

        Everything gets `origin`; with None it keeps the one that the file claims. `owner` chooses
        among several agents or groups in one file. What was erased here stays away.
        """
        from ricordo.flows.exchange.import_file import import_file

        return import_file(
            self._engine, self.name, path, origin=origin, owner=owner, progress=progress
        )
