"""Install: what of Claude Code's settings is ours, hooks in one file and an MCP server in another.

Both use the same memory and the same space. Other hooks and servers are never touched.
"""

import itertools
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from ricordo.errors import without_password
from ricordo.surfaces.hooks.settings_file import Settings, SettingsPart
from ricordo.surfaces.project_space import AUTO

EVENTS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
ASKING = "PreToolUse"  # only with approvals
TIMEOUT_SECONDS = 10
_MATCHED = ("PreToolUse", "PostToolUse")  # events that are chosen by the name of a tool
_PROGRAM = re.compile(r"(?:.*[/\\])?ricordo(?:\.exe)?")
_VARIABLE = re.compile(r"\w+=.*")  # set by hand, before the program

SERVER = "ricordo"  # its name among the host's MCP servers
_SERVERS = "mcpServers"


def default_path(*, is_project: bool = False) -> Path:
    """The settings of this project, or of the user."""
    if is_project:
        return Path.cwd() / ".claude" / "settings.json"
    folder = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(folder) if folder else Path.home() / ".claude") / "settings.json"


def servers_path(settings: Path, *, is_project: bool = False) -> Path:
    """The file of MCP servers that the host reads together with these settings."""
    if is_project:
        return Path.cwd() / ".mcp.json"
    if "CLAUDE_CONFIG_DIR" not in os.environ and settings == default_path():
        return Path.home() / ".claude.json"
    return settings.with_name(".claude.json")


class Installation(NamedTuple):
    """What the commands of an installation say: which memory, which space, which settings."""

    db: str | None
    space: str | None
    config: str | None = None
    approves: bool = False

    def hooks(self) -> SettingsPart:
        """The hooks, by their events."""
        events = (*EVENTS, *((ASKING,) if self.approves else ()))
        commands = {event: self._command(event) for event in events}
        return SettingsPart(
            _holds_hooks,
            find_events,
            lambda settings: _with(settings, commands),
            _without,
            commands,
        )

    def server(self) -> SettingsPart:
        """The MCP server; one of the same name that starts something else stays."""
        words = [*program(), "mcp", "--space", self.space or AUTO, *self._options()]
        server = {"type": "stdio", "command": words[0], "args": words[1:]}
        return SettingsPart(
            lambda settings: isinstance(settings.get(_SERVERS, {}), dict),
            find_server,
            lambda settings: _with_server(settings, server),
            _without_server,
            server,
        )

    def _command(self, event: str) -> str:
        """The command line that the host runs for an event."""
        words = [*program(), "hook", event]
        words += [] if self.space is None else ["--space", self.space]
        words += self._options()
        words += ["--approve"] if event == ASKING else []
        return shlex.join(words)

    def _options(self) -> list[str]:
        db, config = self.db, self.config
        words = []
        if db is not None:  # a password would stand in settings and in lists of processes
            place = without_password(db) if "://" in db else str(Path(db).absolute())
            words = ["--db", place]
        return [*words, *([] if config is None else ["--config", str(Path(config).absolute())])]


def has_server(settings: Settings) -> bool:
    """Whether any MCP server bears our name."""
    return SERVER in settings.get(_SERVERS, {})


def find_server(settings: Settings) -> Settings | None:
    """Our MCP server in the settings, if it starts ricordo."""
    server = settings.get(_SERVERS, {}).get(SERVER)
    if not isinstance(server, dict) or not isinstance(server.get("args", []), list):
        return None
    words = [str(server.get("command", "")), *map(str, server.get("args", []))]
    return server if _starts(words, "mcp") else None


def _with_server(settings: Settings, server: Settings) -> Settings:
    servers = settings.get(_SERVERS, {})
    return settings if SERVER in servers else {**settings, _SERVERS: {**servers, SERVER: server}}


def _without_server(settings: Settings) -> Settings:
    if find_server(settings) is None:
        return settings
    servers = {name: each for name, each in settings[_SERVERS].items() if name != SERVER}
    rest = {name: value for name, value in settings.items() if name != _SERVERS}
    return {**settings, _SERVERS: servers} if servers else rest


def program() -> list[str]:
    """How to start ricordo from any folder: its own script, or this Python."""
    script = Path(sys.executable).with_name("ricordo")
    if script.exists():
        return [str(script)]
    found = shutil.which("ricordo")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "ricordo"]


def _holds_hooks(settings: Settings) -> bool:
    hooks = settings.get("hooks", {})
    return isinstance(hooks, dict) and all(isinstance(each, list) for each in hooks.values())


def _is_ours(hook: object) -> bool:
    """Whether a hook starts ricordo itself, by its script or through Python, for an event."""
    try:
        words = shlex.split(str(hook.get("command", ""))) if isinstance(hook, dict) else []
    except ValueError:  # an unclosed quote
        return False
    words = list(itertools.dropwhile(_VARIABLE.fullmatch, words))
    return len(words) > 2 and _starts(words, "hook")


def _starts(words: list[str], verb: str) -> bool:
    """Whether a command starts this verb of ricordo."""
    if words[1:3] == ["-m", "ricordo"]:
        words = words[2:]
    return len(words) > 1 and words[1] == verb and bool(_PROGRAM.fullmatch(words[0]))


def _hooks(group: object) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def find_events(settings: Settings) -> dict[str, str]:
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
    if not find_events(settings):
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
