"""The exchange of a space: take it elsewhere, or take in what comes from elsewhere."""

from collections.abc import Callable
from pathlib import Path

from ricordo.handles.collection import Collection
from ricordo.model import Export, Import, Origin


class SpaceExchange(Collection):
    """Export and import."""

    def export(self, path: str | Path) -> Export:
        """Write the space to a new file of JSON Lines; see `docs/exchange.md` for its format."""
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
        """Take in an export, or the SQLite file of another memory; twice is the same as once.

        Everything gets `origin`; with None it keeps the one that the file claims. `owner` chooses
        among several agents or groups in one file. What was erased here stays away.
        """
        from ricordo.flows.exchange.import_file import import_file

        return import_file(
            self._engine, self._space, path, origin=origin, owner=owner, progress=progress
        )
