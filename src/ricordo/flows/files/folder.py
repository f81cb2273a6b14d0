"""The folder of a space, for whoever reads or writes its files. Most memories have none."""

from typing import TYPE_CHECKING

from ricordo.flows.engine import Engine

if TYPE_CHECKING:
    from ricordo.workspace.files import Files


def files_of(engine: Engine, space: str) -> "Files | None":
    """The files of a space; None if the settings name no workspace."""
    base = engine.settings.workspace
    if not base:
        return None
    from pathlib import Path

    from ricordo.workspace.files import Files, folder_of  # nobody without a workspace needs it

    return Files(folder_of(Path(base).expanduser().resolve(), space))
