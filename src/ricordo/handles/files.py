"""The files of a space: its workspace and its history. All of it are flows."""

import builtins  # `list` is a method here
from pathlib import Path

from ricordo.flows.files import checkpoint as commits
from ricordo.flows.files import workspace
from ricordo.flows.sync import sync as syncing
from ricordo.handles.collection import Collection
from ricordo.model import Checkpoint, Sync


class SpaceFiles(Collection):
    """What a space keeps in files."""

    def list(self) -> builtins.list[str]:
        """The paths of the files in the workspace of this space, sorted."""
        return workspace.paths(self._engine, self._space)

    def read(self, path: str) -> str | None:
        """The text of a file of the workspace, None if there is none."""
        return workspace.read(self._engine, self._space, path)

    def write(self, path: str, text: str) -> None:
        """Write a file of the workspace as a whole; folders are made as needed."""
        workspace.write(self._engine, self._space, path, text)

    def sync(self, folder: str | Path | None = None, *, delete: bool = False) -> Sync:
        """Bring notes and their Markdown files in step, both ways.

        A file that a person edited becomes a revision of its entry. Where both changed, the file
        wins and what the entry said is kept in a file beside it. A deleted file comes back, unless
        `delete` says that its entry is to be forgotten. Without a `folder` it is the workspace's.
        """
        return syncing.sync(self._engine, self._space, folder, delete=delete)

    def checkpoint(self, note: str = "manual") -> Checkpoint | None:
        """Commit the files of the workspace; None if nothing changed since the last commit."""
        return commits.checkpoint(self._engine, self._space, note)

    def checkpoints(self, limit: int = 10, *, diff: bool = False) -> builtins.list[Checkpoint]:
        """The newest commits first, 1 to 100 of them.

        With `diff` the first one carries the patch from the last of the list up to it.
        """
        return commits.checkpoints(self._engine, self._space, limit, diff=diff)
