"""The exchange of a space: export it, import into it, or follow its changes."""

from collections.abc import Callable, Iterable
from pathlib import Path

from ricordo.handles.collection import Collection
from ricordo.model import Change, ChangeKind, Export, Import, Origin


class SpaceExchange(Collection):
    """Export, import, and what changed lately."""

    def export(self, path: str | Path) -> Export:
        """Write the space to a new JSON Lines file; `docs/exchange.md` describes its format."""
        from ricordo.flows.exchange.export import export

        return export(self._engine, self._space, path)

    def changes(
        self, limit: int = 100, *, kinds: Iterable[ChangeKind] | None = None
    ) -> list[Change]:
        """What happened in the space, newest first: events, entries, revisions and the rest.

        `kinds` chooses among them. What was deleted is not listed; of what was erased, the time is.
        """
        from ricordo.flows.exchange.changes import changes

        return changes(self._engine, self._space, limit, kinds)

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
