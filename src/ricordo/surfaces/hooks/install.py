"""Install: add ricordo's hooks to the settings of Claude Code, and remove them again.

Other hooks are never touched. The file is replaced in one step, a copy of the old one stays beside
it until the hooks are removed, and a file that cannot be read is not changed.
"""

import contextlib
import itertools
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput, StoreError

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
ASKING = "PreToolUse"  # only with approvals
TIMEOUT_SECONDS = 10
_MATCHED = ("PreToolUse", "PostToolUse")  # events that are chosen by the name of a tool
_PROGRAM = re.compile(r"(?:.*[/\\])?ricordo(?:\.exe)?")
_VARIABLE = re.compile(r"\w+=.*")  # set by hand, before the program

Settings = dict[str, Any]  # the host's own file: only `hooks` in it is known here


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to a settings file, or would be."""

    path: str
    changed: bool
    events: tuple[str, ...]  # those that call ricordo now
    backup: str | None
    settings: Settings


def default_path(*, is_project: bool = False) -> Path:
    """The settings of this project, or of the user."""
    if is_project:
        return Path.cwd() / ".claude" / "settings.json"
    folder = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(folder) if folder else Path.home() / ".claude") / "settings.json"


def command(
    event: str, *, db: str | None, space: str | None, approves: bool, config: str | None = None
) -> str:
    """The command line that the host runs for an event."""
    words = [*_program(), "hook", event]
    words += [] if db is None else ["--db", db if "://" in db else str(Path(db).absolute())]
    words += [] if space is None else ["--space", space]
    words += [] if config is None else ["--config", str(Path(config).absolute())]
    words += ["--approve"] if approves and event == ASKING else []
    return shlex.join(words)


def install(path: Path, commands: dict[str, str], *, is_dry: bool = False) -> Change:
    """Add the hooks, and replace those of an earlier install."""
    file = _resolve_links(path)
    before = _read(file)
    settings = before or {}
    after = settings if _present(settings) == commands else _with(_without(settings), commands)
    is_first = before is not None and not _present(settings)
    backup = _backup(file) if is_first or _backup(file).exists() else None
    if after != settings and not is_dry:
        if is_first:
            with _translate_errors(file):
                shutil.copy2(file, _backup(file))
        _write(file, _text(after))
    return Change(
        str(file), after != settings, tuple(commands), str(backup) if backup else None, after
    )


def undo(path: Path, *, is_dry: bool = False) -> Change:
    """Remove the hooks; a file that is otherwise unchanged is restored byte for byte."""
    file = _resolve_links(path)
    before = _read(file)
    settings = before or {}
    after = _without(settings)
    is_changed = after != settings
    if is_changed and not is_dry:
        with _translate_errors(file):
            _restore(file, after)
    return Change(str(file), is_changed, (), None, after)


def _restore(file: Path, after: Settings) -> None:
    backup = _backup(file)
    if backup.exists() and _read(backup) == after:
        backup.replace(file)
        return
    if after or backup.exists():
        _write(file, _text(after))
    else:
        file.unlink()  # there was none before
    backup.unlink(missing_ok=True)


def _program() -> list[str]:
    """How to start ricordo from any folder: its own script, or this Python."""
    script = Path(sys.executable).with_name("ricordo")
    if script.exists():
        return [str(script)]
    found = shutil.which("ricordo")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "ricordo"]


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


def _read(file: Path) -> Settings | None:
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
    hooks = settings.get("hooks", {}) if isinstance(settings, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
        raise InvalidInput(f"{file} does not hold settings of Claude Code; it is unchanged")
    return dict(settings)


def _is_ours(hook: object) -> bool:
    """Whether a hook starts ricordo itself, by its script or through Python, for an event."""
    try:
        words = shlex.split(str(hook.get("command", ""))) if isinstance(hook, dict) else []
    except ValueError:  # an unclosed quote
        return False
    words = list(itertools.dropwhile(_VARIABLE.fullmatch, words))
    if words[1:3] == ["-m", "ricordo"]:
        words = words[2:]
    return len(words) > 2 and words[1] == "hook" and bool(_PROGRAM.fullmatch(words[0]))


def _hooks(group: object) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def _present(settings: Settings) -> dict[str, str]:
    """Our hooks in the settings, by their events."""
    return {
        event: str(hook["command"])
        for event, groups in settings.get("hooks", {}).items()
        for group in groups
        for hook in _hooks(group)
        if _is_ours(hook)
    }


def _without(settings: Settings) -> Settings:
    """The settings without our hooks, and without what is empty then."""
    if not _present(settings):
        return settings
    kept: dict[str, list[Any]] = {}
    for event, groups in settings["hooks"].items():
        left = [_less(group) for group in groups if not _is_only_ours(group)]
        if left or not groups:
            kept[event] = left
    rest = {name: value for name, value in settings.items() if name != "hooks"}
    if not kept:
        return rest
    return {name: kept if name == "hooks" else value for name, value in settings.items()}


def _is_only_ours(group: object) -> bool:
    hooks = _hooks(group)
    return bool(hooks) and all(map(_is_ours, hooks))


def _less(group: Any) -> Any:
    """A group of other hooks; ours may have been moved into it by hand."""
    if not any(map(_is_ours, _hooks(group))):
        return group
    return {**group, "hooks": [hook for hook in group["hooks"] if not _is_ours(hook)]}


def _with(settings: Settings, commands: dict[str, str]) -> Settings:
    hooks = {event: list(groups) for event, groups in settings.get("hooks", {}).items()}
    for event, line in commands.items():
        hook = {"type": "command", "command": line, "timeout": TIMEOUT_SECONDS}
        group: dict[str, Any] = {"matcher": "*"} if event in _MATCHED else {}
        hooks.setdefault(event, []).append({**group, "hooks": [hook]})
    return {**settings, "hooks": hooks}


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
