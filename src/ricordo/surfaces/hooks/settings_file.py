"""Files of a coding host's settings: add what is ours, and take it out again.

What belongs to others is never touched. A file is replaced in one step, a copy of the old one stays
beside it until ours is taken out, and a file that cannot be read is not changed.
"""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput, StoreError

Settings = dict[str, Any]  # the host's own file: only a part of it is known here


@dataclass(frozen=True, slots=True)
class SettingsPart:
    """What is ours in a file of settings."""

    is_valid: Callable[[Settings], bool]  # whether the file can hold it
    find: Callable[[Settings], object]  # what is there of ours; empty for nothing
    add: Callable[[Settings], Settings]
    remove: Callable[[Settings], Settings]
    wanted: object = None  # what `find` gives when there is nothing to do


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """What was done to a settings file, or would be."""

    path: str
    changed: bool
    backup: str | None
    settings: Settings


def add(path: Path, part: SettingsPart, *, is_dry: bool = False) -> SettingsChange:
    """Add our part, and replace that of an earlier time."""
    file = _resolve_links(path)
    before = _read(file, part)
    settings = before or {}
    present = part.find(settings)
    after = settings if present == part.wanted else part.add(part.remove(settings))
    is_first = before is not None and not present
    backup = _backup(file) if is_first or _backup(file).exists() else None
    if after != settings and not is_dry:
        if is_first:
            with _translate_errors(file):
                shutil.copy2(file, _backup(file))
        _write(file, _text(after))
    return SettingsChange(str(file), after != settings, str(backup) if backup else None, after)


def remove(path: Path, part: SettingsPart, *, is_dry: bool = False) -> SettingsChange:
    """Take our part out; a file that is otherwise unchanged is restored byte for byte."""
    file = _resolve_links(path)
    settings = _read(file, part) or {}
    after = part.remove(settings)
    is_changed = after != settings
    if is_changed and not is_dry:
        with _translate_errors(file):
            _restore(file, after, part)
    return SettingsChange(str(file), is_changed, None, after)


def _restore(file: Path, after: Settings, part: SettingsPart) -> None:
    backup = _backup(file)
    if backup.exists() and _read(backup, part) == after:
        backup.replace(file)
        return
    if after or backup.exists():
        _write(file, _text(after))
    else:
        file.unlink()  # there was none before
    backup.unlink(missing_ok=True)


def _resolve_links(path: Path) -> Path:
    """The file itself: settings are often links into a folder of dotfiles."""
    try:
        return path.expanduser().resolve()
    except RuntimeError as error:
        raise InvalidInput(
            f"{path} cannot be resolved ({error}); give the path of a file"
        ) from error


def _backup(file: Path) -> Path:
    return file.with_name(f"{file.name}.before-ricordo")


def _read(file: Path, part: SettingsPart) -> Settings | None:
    """The settings, or None if there is no such file."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{file} cannot be read: {error}") from error
    try:
        settings = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{file} is not valid JSON ({error}); repair it first, it is unchanged"
        ) from error
    if not isinstance(settings, dict) or not part.is_valid(settings):
        raise InvalidInput(f"{file} does not hold settings of Claude Code; it is unchanged")
    return dict(settings)


def _text(settings: Settings) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _write(file: Path, text: str) -> None:
    """Replace the file in one step and keep its permissions."""
    with _translate_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        fresh = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            fresh.chmod(mode)
            fresh.replace(file)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def _translate_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}") from error
