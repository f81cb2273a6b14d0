"""Archive files: the Markdown copies of archives, each put in its place exactly once.

The archive's row says that a file is wanted, in the same transaction as the archive itself. The
file is written aside and linked into place afterwards. A crash in between leaves a row that says
so, and the next compaction or replay of the space makes the file from the log.
"""

import contextlib
import os
from functools import partial
from pathlib import Path

from ricordo.core.conversation import compaction
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.files.folder import files_of
from ricordo.store.database import Tx
from ricordo.store.tables.archive_spans import Retelling

FOLDER = "conversations"


def choose_path(engine: Engine, space: str, folder: str | Path | None, name: str) -> str:
    """Where the file of an archive should lie; nowhere without a folder and a workspace."""
    if folder is not None:
        root = Path(folder).expanduser().resolve()
    elif (files := files_of(engine, space)) is not None:
        root = files.root
    else:
        return ""
    return str(root / FOLDER / compaction.file_name(name, engine.clock()))


def finish(engine: Engine, space: str) -> None:
    """Create every missing file that a row asks for."""
    if engine.store.read_only:
        return
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        rows = [] if number is None else tx.retellings.list_unfiled(number)
        texts = [_text(tx, number, space, row) for row in rows if number is not None]
    for row, text in zip(rows, texts, strict=True):
        path = _place_file(engine, space, Path(row.path), text)
        if path is not None:
            engine.store.write(partial(_note_path, space=space, row=row, path=path))


def _place_file(engine: Engine, space: str, path: Path, text: str) -> Path | None:
    """Put a file in its place; in a workspace no link is followed, and None says that one was."""
    files = files_of(engine, space)
    if files is None or not path.is_relative_to(files.root):
        return place(path, text)
    target, number = path, 1
    try:
        while True:
            inner = target.relative_to(files.root).as_posix()
            if files.add(inner, text) or files.read(inner) == text:
                return target
            number += 1
            target = path.with_name(f"{path.stem}-{number}{path.suffix}")
    except InvalidInput as error:
        import logging  # it takes longer than all of a hook's own work

        log = logging.getLogger("ricordo")
        log.warning("an archive of space %r has no file yet: %s", space, error)
        return None


def place(path: Path, text: str) -> Path:
    """Write a file under this name, or under the next one that is free; never over another."""
    import tempfile  # heavier than all the rest of this module, and seldom needed

    path.parent.mkdir(parents=True, exist_ok=True)
    body = text.encode()
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as aside:
        aside.write(body)
        aside.flush()
        os.fsync(aside.fileno())
    try:
        return _link(Path(aside.name), path, body)
    finally:
        Path(aside.name).unlink(missing_ok=True)


def _link(aside: Path, path: Path, body: bytes) -> Path:
    number = 1
    target = path
    while True:
        try:
            os.link(aside, target)
            return target
        except FileExistsError:
            with contextlib.suppress(OSError):
                if target.read_bytes() == body:
                    return target  # ours, from before a crash
            number += 1
            target = path.with_name(f"{path.stem}-{number}{path.suffix}")
        except OSError:  # a file system without links
            with target.open("xb") as file:
                file.write(body)
            return target


def _text(tx: Tx, number: int, space: str, row: Retelling) -> str:
    events = tx.events.between(number, (space, row.session), row.first_seq, row.last_seq)
    entry = tx.entries.get(number, space, row.entry)
    assert entry is not None
    return compaction.markdown(entry.name, events, entry.created_at)


def _note_path(tx: Tx, space: str, row: Retelling, path: Path) -> None:
    number = tx.spaces.number(space)
    assert number is not None
    tx.retellings.note_path(number, row.entry, str(path))
