"""Files of a workspace: read, write, remove and list text inside one folder, and nowhere else.

Every part of a path is opened relative to the folder before it, without following links, so that
neither a link nor one swapped in meanwhile leads outside. A file is replaced as a whole or not at
all, and what is written is on the disk when the call returns.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ricordo.errors import InvalidInput, Unavailable
from ricordo.model import Refusal
from ricordo.workspace.paths import fold, folder_of, part_reason, parts

__all__ = ["LARGEST", "Files", "Scan", "fold", "folder_of"]

LARGEST = 64 * 1024 * 1024  # bytes of one file
ASIDE = ".ricordo-"  # begins the name of a file that is being written
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_NOT_PLAIN = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


class Scan(NamedTuple):
    """What lies in the folder: files by path, what cannot be used, what killed writers left."""

    files: list[str]
    refused: list[Refusal]
    asides: list[str]


class Files:
    """The text files of one folder. Paths are relative to it, with `/` between their parts."""

    def __init__(self, root: Path) -> None:
        if os.open not in os.supports_dir_fd:
            raise Unavailable("workspace files need a system that opens files relative to a folder")
        self.root = root
        self._known: dict[tuple[int, int], tuple[int, dict[str, str]]] = {}

    def read(self, path: str, *, largest: int = LARGEST) -> str | None:
        """The text of a file, None if it is missing; InvalidInput if it is not a text file."""
        found = self.read_bytes(path, largest=largest)
        if found is None:
            return None
        try:
            return found.decode()
        except UnicodeDecodeError as error:
            raise InvalidInput(
                f"file {path!r} is not UTF-8 at byte {error.start}; save it as UTF-8"
            ) from None

    def read_bytes(self, path: str, *, largest: int = LARGEST) -> bytes | None:
        """The bytes of a file, or None."""
        *folders, name = parts(path)
        with self._folder(folders, path) as folder:
            if folder is None:
                return None
            try:
                file = os.open(name, _READ, dir_fd=folder)
            except FileNotFoundError:
                return None
            except OSError as error:
                raise _refusal(path, error) from error
            with os.fdopen(_check_plain(file, path, largest), "rb") as opened:
                return opened.read()

    def write(self, path: str, text: str) -> None:
        """Replace a file as a whole, folders included; only its owner can read it."""
        self._put(path, text, os.replace)

    def add(self, path: str, text: str) -> bool:
        """Write a new file; False if there is something at the path already."""
        try:
            self._put(path, text, _link)
        except FileExistsError:
            return False
        return True

    def _put(self, path: str, text: str, place: Callable[..., None]) -> None:
        """Write aside, put it on the disk, then put it in its place.

        A file set aside is locked meanwhile, so that one whose writer was killed can be recognised.
        """
        import fcntl

        *folders, name = parts(path)
        body = text.encode()
        with self._folder(folders, path, make=True) as folder:
            assert folder is not None
            self._refuse_taken(folder, name, path)
            aside = f"{ASIDE}{os.urandom(8).hex()}.tmp"
            try:
                with os.fdopen(os.open(aside, _MAKE, 0o600, dir_fd=folder), "wb") as file:
                    with contextlib.suppress(OSError):  # a file system without locks
                        fcntl.flock(file, fcntl.LOCK_EX)
                    file.write(body)
                    file.flush()
                    os.fsync(file.fileno())
                    place(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                with contextlib.suppress(OSError):  # it is gone unless it was linked, or failed
                    os.unlink(aside, dir_fd=folder)
            os.fsync(folder)
            self._note(folder, name)

    def remove(self, path: str) -> bool:
        """Remove a file; whether there was one. Folders that become empty stay."""
        *folders, name = parts(path)
        with self._folder(folders, path) as folder:
            status = None if folder is None else _status(folder, name)
            if status is None:
                return False
            _check(path, status, None)
            try:
                os.unlink(name, dir_fd=folder)
            except FileNotFoundError:
                return False
            os.fsync(folder)  # type: ignore[arg-type]
            return True

    def sweep_up(self) -> list[str]:
        """Remove what killed writers left aside; the paths of what went."""
        return [path for path in self.scan().asides if self._is_left(path) and self.remove(path)]

    def _is_left(self, path: str) -> bool:
        """Whether nobody is writing this file. One without a byte may not be locked yet."""
        import fcntl

        *folders, name = parts(path)
        with self._folder(folders, path) as folder:
            try:
                file = os.open(name, _READ, dir_fd=folder)
            except OSError:
                return False
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return os.fstat(file).st_size > 0
            except OSError:
                return False
            finally:
                os.close(file)

    def list(self) -> list[str]:
        """The paths of all files, sorted; hidden ones and what is refused are left out."""
        return self.scan().files

    def scan(self, under: str = "", *, is_deep: bool = True) -> Scan:
        """Files in the folder or in one below it, and what cannot be used with the reason.

        Without `is_deep` the folders inside are not looked into.
        """
        found = Scan([], [], [])
        with self._folder(parts(under) if under else [], under) as folder:
            if folder is not None:
                self._walk(folder, under, found, is_deep=is_deep)
        refused = sorted(found.refused, key=lambda each: each.path)
        return Scan(sorted(found.files), refused, sorted(found.asides))

    def size(self, path: str) -> int | None:
        """The bytes of a file; None if there is no plain file."""
        *folders, name = parts(path)
        with self._folder(folders, path) as folder:
            status = None if folder is None else _status(folder, name)
            return status.st_size if status is not None and stat.S_ISREG(status.st_mode) else None

    def exists(self, path: str = "") -> bool:
        """Whether there is a folder at a path; the workspace itself if none is given."""
        with self._folder(parts(path) if path else [], path) as folder:
            return folder is not None

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder for one writer at a time, among threads and processes alike."""
        import fcntl

        with self._folder([], "", make=True) as folder:
            assert folder is not None
            fcntl.flock(folder, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(folder, fcntl.LOCK_UN)

    @contextlib.contextmanager
    def _folder(
        self, names: Sequence[str], path: str, *, make: bool = False
    ) -> Iterator[int | None]:
        """The descriptor of a folder, opened part by part; None if the folder is missing."""
        here = self._open_root(make)
        try:
            for name in names:
                if here is None:
                    break
                before, here = here, None
                try:
                    here = self._step(before, name, path, make)
                finally:
                    os.close(before)
            yield here
        finally:
            if here is not None:
                os.close(here)

    def _open_root(self, make: bool) -> int | None:
        try:
            if make:
                _make(self.root)
            return os.open(self.root, _FOLDER)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not make:
                return None
            # By its name alone: a model or a client must not learn paths of the disk.
            place = f"the folder {self.root.name!r} of the workspace"
            if error.errno in _NOT_PLAIN:
                told = (
                    f"{place}, or the workspace itself, is a link or a file; move it out of the way"
                )
            else:
                told = f"{place} cannot be used: {error.strerror}"
            raise InvalidInput(told) from error

    def _step(self, folder: int, name: str, path: str, make: bool) -> int | None:
        try:
            return os.open(name, _FOLDER, dir_fd=folder)
        except FileNotFoundError:
            if not make:
                return None
        except OSError as error:
            raise _refusal(path, error) from error
        self._refuse_taken(folder, name, path)
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=folder)
            os.fsync(folder)
            self._note(folder, name)
        try:
            return os.open(name, _FOLDER, dir_fd=folder)
        except OSError as error:
            raise _refusal(path, error) from error

    def _refuse_taken(self, folder: int, name: str, path: str) -> None:
        """Refuse a name that some file systems confuse with another, and what is not a file."""
        other = self._names(folder).get(fold(name), name)
        if other != name and _status(folder, other) is not None:
            raise InvalidInput(
                f"path {path!r} differs from {other!r} only in case or form; choose another name"
            )
        status = _status(folder, name)
        if status is not None:
            _check(path, status, None)

    def _names(self, folder: int) -> dict[str, str]:
        """Names in a folder by their folded form, read again only after the folder changed."""
        status = os.fstat(folder)
        key = status.st_dev, status.st_ino
        read_at, names = self._known.get(key, (-1, {}))
        if read_at != status.st_mtime_ns:
            names = {fold(name): name for name in os.listdir(folder)}
            self._known[key] = status.st_mtime_ns, names
        return names

    def _note(self, folder: int, name: str) -> None:
        """Keep the names in step with a change of our own."""
        status = os.fstat(folder)
        key = status.st_dev, status.st_ino
        if key in self._known:
            names = self._known[key][1]
            names[fold(name)] = name
            self._known[key] = status.st_mtime_ns, names

    def _walk(self, folder: int, prefix: str, found: Scan, *, is_deep: bool = True) -> None:
        for name in sorted(os.listdir(folder)):
            path = f"{prefix}/{name}" if prefix else name
            if name.startswith("."):
                found.asides.extend([path] if name.startswith(ASIDE) else [])
                continue
            status = _status(folder, name)
            reason = part_reason(name) or _odd(status)
            if status is None:
                continue
            if reason is not None:
                found.refused.append(Refusal(path, reason))
            elif stat.S_ISDIR(status.st_mode):
                if is_deep:
                    self._enter(folder, name, path, found)
            else:
                found.files.append(path)

    def _enter(self, folder: int, name: str, path: str, found: Scan) -> None:
        try:
            parts(path)
            inner = os.open(name, _FOLDER, dir_fd=folder)
        except (InvalidInput, OSError):
            found.refused.append(Refusal(path, "is too deep, or cannot be opened"))
            return
        try:
            self._walk(inner, path, found)
        finally:
            os.close(inner)


def _link(aside: str, name: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
    """Put a file in its place unless there is one."""
    try:
        os.link(aside, name, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: take the name first
        os.close(os.open(name, _MAKE, 0o600, dir_fd=dst_dir_fd))
        os.replace(aside, name, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)


def _make(folder: Path) -> None:
    """Make a folder and those above it, for its owner only, and put them on the disk."""
    if folder.is_dir() or folder.is_symlink():
        return
    _make(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    above = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(above)
    finally:
        os.close(above)


def _status(folder: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _odd(status: os.stat_result | None) -> str | None:
    """Why what lies there is neither a file nor a folder."""
    if status is None or stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return None
    return "is a link" if stat.S_ISLNK(status.st_mode) else "is not a plain file"


def _check(path: str, status: os.stat_result, largest: int | None) -> None:
    if not stat.S_ISREG(status.st_mode):
        reason = _odd(status) or "is a folder"
        raise InvalidInput(f"path {path!r} {reason}; only plain files are read and written")
    if largest is not None and status.st_size > largest:
        raise InvalidInput(
            f"file {path!r} has {status.st_size:,} bytes, the limit is {largest:,}; split it"
        )


def _check_plain(file: int, path: str, largest: int) -> int:
    """The descriptor of a plain file; any other is closed and refused."""
    try:
        _check(path, os.fstat(file), largest)
    except InvalidInput:
        os.close(file)
        raise
    return file


def _refusal(path: str, error: OSError) -> InvalidInput:
    if error.errno in _NOT_PLAIN:
        return InvalidInput(f"path {path!r} leads through a link or a file; only folders may")
    return InvalidInput(f"path {path!r} cannot be opened: {error.strerror}")
