"""Rename a space: its row gets another name, and its folder in the workspace follows.

Everything else knows a space by its number. A crash between the two leaves the folder under the
old name: the next sync writes the notes again, and the old folder is left to its owner.
"""

import os
from pathlib import Path

from ricordo.errors import InvalidInput, NameTaken, NotFound, StoreError
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.files.folder import files_of
from ricordo.store.database import Tx


def rename_space(engine: Engine, space: str, new: object) -> str:
    """Give a space another name; the name it has now."""
    wanted = check_name(new, "new")
    folders = _find_folders(engine, space, wanted)

    def work(tx: Tx) -> None:
        number = tx.spaces.number(space)
        if number is None:
            raise NotFound(f"there is no space {space!r} in this memory")
        if wanted == space:
            return
        if tx.spaces.number(wanted) is not None:
            raise NameTaken(f"there is a space {wanted!r} already; drop it or choose another name")
        tx.spaces.rename(number, wanted)
        tx.copying.move_mark(space, wanted)
        if folders is not None:
            _move_paths(tx, number, *folders)

    engine.store.write(work)
    if wanted == space:
        return wanted
    engine.recent.drop_space(space)
    if engine.answers is not None:
        engine.answers.move(space, wanted)
    if folders is not None:
        _move_folder(*folders)
    return wanted


def _find_folders(engine: Engine, space: str, new: str) -> tuple[Path, Path] | None:
    """The folder of the space and the one it is to have; None if it has none."""
    now, then = files_of(engine, space), files_of(engine, new)
    if now is None or then is None or now.root == then.root or not now.root.is_dir():
        return None
    if os.path.lexists(then.root):
        raise InvalidInput(
            f"the folder {str(then.root)!r} of the new name exists; move it away or choose another"
        )
    return now.root, then.root


def _move_paths(tx: Tx, number: int, now: Path, then: Path) -> None:
    """Files of archives are known by their whole paths."""
    for row in tx.retellings.list_below(number, f"{now}{os.sep}"):
        tx.retellings.move_path(number, row, str(then / Path(row.path).relative_to(now)))


def _move_folder(now: Path, then: Path) -> None:
    try:
        now.rename(then)
    except OSError as error:
        raise StoreError(
            f"the space is renamed, its folder {str(now)!r} is not ({error.strerror}); "
            f"rename it to {str(then)!r}"
        ) from error
