"""The exchange of a space: export it, or import into it."""

from collections.abc import Callable
from pathlib import Path

from ricordo.handles.collection import Collection
from ricordo.model import Export, Import, Origin


class SpaceExchange(Collection):
    """Export and import."""

    def export(self, path: str | Path) -> Export:
        """Write the space to a new JSON Lines file; `docs/exchange.md` describes its format."""
        from ricordo.flows.exchange.export import export

        return export(self._engine, self._space, path)

    def import_file(
        self,
        path: str | Path,
        *,
        origin: Origin | None = "import",
        owner: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Import:
        """Import an export, or the SQLite file of another memory. Importing twice adds nothing.

        Everything gets `origin`; with None it keeps the origin in the file. `owner` chooses one of
        several agents or groups in a file. What was erased here is not imported.
        """
        from ricordo.flows.exchange.import_file import import_file

        return import_file(
            self._engine, self._space, path, origin=origin, owner=owner, progress=progress
        )
