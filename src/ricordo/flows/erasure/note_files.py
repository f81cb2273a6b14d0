"""Note files: the files in which an entry stands as well, and how they go with it.

A note that a person has edited since the last sync is theirs: forgetting leaves it, erasing does
not.
"""

import shlex
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ricordo.core.integrity import erasure_scan
from ricordo.core.text import markdown
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.files.folder import files_of
from ricordo.store.database import Tx
from ricordo.workspace.files import Files

HISTORY = ".git"


class Copy(NamedTuple):
    """The note of an entry in a folder: where, and what it holds if nobody edited it."""

    entry: int
    folder: str  # '' for the space's own
    path: str
    unedited: tuple[bytes, ...]


class FileRemoval(NamedTuple):
    """Files that went, and words on those that stay."""

    gone: list[str]
    remains: list[str]

    def remove(self, files: Files, path: str) -> None:
        """Remove a file of a folder; a file that cannot be removed stays and is reported."""
        try:
            if files.remove(path):
                self.gone.append(str(files.root / path))
        except (InvalidInput, OSError) as error:
            self.remains.append(f"{files.root / path}: it cannot be removed ({error})")


def of_entry(tx: Tx, space: int, entry: int) -> list[Copy]:
    """The notes of an entry."""
    return [
        Copy(entry, folder, path, (row.hash, row.intent))
        for folder, path in tx.workspaces.of_entry(space, entry)
        for row in tx.workspaces.of_folder(space, folder)
        if row.entry == entry
    ]


def list_note_paths(engine: Engine, tx: Tx, space: tuple[str, int]) -> list[str]:
    """The whole paths of the notes of entries that are there, in the folder of their space."""
    name, number = space
    files = _files(engine, name, "")
    return [
        str(files.root / row.path)
        for row in ([] if files is None else tx.workspaces.of_folder(number, ""))
        if files is not None and tx.entries.row(number, row.entry) is not None
    ]


def where(engine: Engine, space: str, copy: Copy) -> str | None:
    """The whole path of a note; None if the folder is gone."""
    files = _files(engine, space, copy.folder)
    return None if files is None else str(files.root / copy.path)


def clear(engine: Engine, space: str, copies: Iterable[Copy]) -> FileRemoval:
    """Remove the notes that nobody has edited; the next sync forgets where they lay."""
    cleared = FileRemoval([], [])
    for copy in copies:
        files = _files(engine, space, copy.folder)
        held = None if files is None else _read(files, copy.path)
        if files is None or held is None:
            continue
        if sha256(held).digest() not in copy.unedited:
            where = files.root / copy.path
            cleared.remains.append(f"{where}: it was edited since the last sync, which takes it in")
        elif files.remove(copy.path):
            cleared.gone.append(str(files.root / copy.path))
    return cleared


def remove_files(paths: Iterable[str]) -> FileRemoval:
    """Remove files by their whole paths."""
    cleared = FileRemoval([], [])
    for path in map(Path, paths):
        try:
            if path.is_file():
                path.unlink()
                cleared.gone.append(str(path))
        except OSError as error:
            cleared.remains.append(f"{path}: it cannot be removed ({error.strerror})")
    return cleared


def erase(engine: Engine, space: str, copies: list[Copy], wanted: Iterable[bytes]) -> FileRemoval:
    """Remove notes whoever edited them, and copies that conflicts left of the same words."""
    cleared = FileRemoval([], [])
    for folder in sorted({copy.folder for copy in copies} | {""}):
        files = _files(engine, space, folder)
        if files is None or not files.root.is_dir():
            continue
        try:
            with files.lock():
                paths = {copy.path for copy in copies if copy.folder == folder}
                for path in sorted(paths | set(_conflicts(files, wanted))):
                    cleared.remove(files, path)
                cleared.gone.extend(str(files.root / path) for path in files.sweep_up())
        except InvalidInput as error:
            cleared.remains.append(str(error))

    def work(tx: Tx) -> None:
        number = tx.spaces.number(space)
        for copy in copies:
            if number is not None:
                tx.workspaces.delete_of(number, copy.entry)

    if copies:
        engine.store.write(work)
    return cleared


def everything(engine: Engine, space: str) -> FileRemoval:
    """Remove every file in the folder of a space; its history is left to whoever wants it gone."""
    files = _files(engine, space, "")
    cleared = FileRemoval([], [])
    if files is None or not files.root.is_dir():
        return cleared
    try:
        with files.lock():
            found = files.scan()
            for path in found.files:
                cleared.remove(files, path)
            cleared.gone.extend(str(files.root / path) for path in files.sweep_up())
            told = (f"{files.root / each.path}: it {each.reason}" for each in found.refused)
            cleared.remains.extend(told)
    except InvalidInput as error:
        cleared.remains.append(str(error))
    return cleared


def plain(engine: Engine, space: str) -> list[Path]:
    """Every file in the folder of a space, except its history."""
    files = _files(engine, space, "")
    if files is None or not files.root.is_dir() or files.root.is_symlink():
        return []
    found = files.scan()
    return [files.root / path for path in (*found.files, *found.asides)]


def history(engine: Engine, space: str, gone: Iterable[str]) -> list[str]:
    """What the commits of a workspace still hold, and the command that rewrites them."""
    files = _files(engine, space, "")
    if files is None or not (files.root / HISTORY).is_dir():
        return []
    root = files.root
    paths = [str(Path(each).relative_to(root)) for each in gone if Path(each).is_relative_to(root)]
    words = ["git", "-C", str(root), "filter-repo", "--force", "--invert-paths"]
    words += [word for path in [*paths, "MEMORY.md", "DREAMS.md"] for word in ("--path", path)]
    return [
        f"the git history of {root}; to rewrite it run: {shlex.join(words)} "
        f"(or delete {root / HISTORY} to begin a new history)"
    ]


def _conflicts(files: Files, wanted: Iterable[bytes]) -> Iterator[str]:
    probes = set(wanted)
    for path in files.list():
        if markdown.is_conflict(path) and erasure_scan.find_probes(
            _read(files, path) or b"", probes
        ):
            yield path


def _read(files: Files, path: str) -> bytes | None:
    try:
        return files.read_bytes(path)
    except InvalidInput:  # a link or a folder is in its place: not ours
        return None


def _files(engine: Engine, space: str, folder: str) -> Files | None:
    return Files(Path(folder)) if folder else files_of(engine, space)
