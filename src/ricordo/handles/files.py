"""The files of a space: its workspace and its history. Every method calls a flow."""

import builtins  # `list` is a method here
from pathlib import Path

from ricordo.flows.files import checkpoint as commits
from ricordo.flows.files import workspace
from ricordo.flows.sync import checkpoint as checkpoints
from ricordo.flows.sync import sync as syncing
from ricordo.handles.collection import Collection
from ricordo.model import Checkpoint, Sync


class SpaceFiles(Collection):
    """The files of a space."""

    def list(self) -> builtins.list[str]:
        """The paths of the files in the workspace of this space, sorted."""
        return workspace.paths(self._engine, self._space)

    def read(self, path: str) -> str | None:
        """The text of a file of the workspace, or None."""
        return workspace.read(self._engine, self._space, path)

    def write(self, path: str, text: str) -> None:
        """Write a whole file of the workspace; missing folders are created."""
        workspace.write(self._engine, self._space, path, text)

    def sync(self, folder: str | Path | None = None, *, delete: bool = False) -> Sync:
        """Bring notes and their Markdown files in step, both ways.

        A file that a person edited becomes a revision of its entry. If both changed, the file wins
        and a file beside it keeps what the entry said. A deleted file is restored; with `delete`
        its entry is forgotten instead. `folder` defaults to the workspace.
        """
        return syncing.sync(self._engine, self._space, folder, delete=delete)

    def checkpoint(self, note: str = "manual") -> Checkpoint | None:
        """Sync, then commit the files of the workspace; None if nothing changed since the last one.

        So a commit holds what the space remembers at that point.
        """
        return checkpoints.checkpoint(self._engine, self._space, note)

    def checkpoints(self, limit: int = 10, *, diff: bool = False) -> builtins.list[Checkpoint]:
        """The newest commits first, 1 to 100 of them.

        With `diff` the first one has the patch from the last one in the list.
        """
        return commits.checkpoints(self._engine, self._space, limit, diff=diff)
