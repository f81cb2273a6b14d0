"""Backups in a folder: a new one each time, and the oldest beyond the number to keep go."""

import re
from pathlib import Path

from ricordo.flows.engine import Engine
from ricordo.flows.upkeep.backup import Progress, backup
from ricordo.store.codec import moment

_NAME = re.compile(r"ricordo-\d{8}-\d{6}(-\d+)?\.db")


def rotate_backups(engine: Engine, progress: Progress | None = None) -> str:
    """Write a backup into the folder of the settings and delete the oldest; its path."""
    folder = Path(engine.settings.backup_folder).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    target = _pick_name(folder, moment(engine.now()).strftime("%Y%m%d-%H%M%S"))
    backup(engine, str(target), progress)
    for old in list_backups(folder)[: -engine.settings.backups_kept]:
        old.unlink(missing_ok=True)
    return str(target)


def list_backups(folder: Path) -> list[Path]:
    """Our own backups in a folder, oldest first; what others put there is left alone."""
    return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


def _pick_name(folder: Path, stamp: str) -> Path:
    target, number = folder / f"ricordo-{stamp}.db", 1
    while target.exists():
        number += 1
        target = folder / f"ricordo-{stamp}-{number}.db"
    return target
