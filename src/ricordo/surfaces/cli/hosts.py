"""Hosts: what to put into the settings of a program that starts MCP servers."""

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ricordo.model import Json


@dataclass(frozen=True, slots=True)
class Host:
    """One program: where its settings are, and how a server looks in them."""

    where: str
    shape: Callable[[str, Sequence[str]], str] = field(repr=False)
    is_for_code: bool = True  # it works in the folder of a project


def configuration(host: str, words: Sequence[str]) -> str:
    """The settings that make a host start `ricordo` with these words."""
    command, rest = _command(words)
    return HOSTS[host].shape(command, rest)


def _command(words: Sequence[str]) -> tuple[str, list[str]]:
    """A command that works from any folder: a host has its own PATH."""
    found = shutil.which("ricordo")
    if found is not None:
        return found, list(words)
    return sys.executable, ["-m", "ricordo", *words]


def _under(key: str, **rest: Json) -> Callable[[str, Sequence[str]], str]:
    def shape(command: str, words: Sequence[str]) -> str:
        server = {**rest, "command": command, "args": list(words)}
        return json.dumps({key: {"ricordo": server}}, indent=2, ensure_ascii=False)

    return shape


def _toml(command: str, words: Sequence[str]) -> str:
    # Not escaped: JSON writes an emoji as two surrogates, which TOML refuses.
    lines = ["[mcp_servers.ricordo]", f"command = {json.dumps(command, ensure_ascii=False)}"]
    return "\n".join([*lines, f"args = {json.dumps(list(words), ensure_ascii=False)}"])


def _shell(command: str, words: Sequence[str]) -> str:
    return f"claude mcp add ricordo -- {shlex.join([command, *words])}"


_SERVERS = _under("mcpServers")
COMMON = "any"  # the form that most hosts read
HOSTS = {
    COMMON: Host(
        "the settings of a host that lists its servers under mcpServers",
        _SERVERS,
        is_for_code=False,
    ),
    "claude-desktop": Host(
        "claude_desktop_config.json (Settings, Developer, Edit Config)",
        _SERVERS,
        is_for_code=False,
    ),
    "claude-code": Host("a shell, in the project; or .mcp.json as for cursor", _shell),
    "cursor": Host(".cursor/mcp.json of the project, or ~/.cursor/mcp.json", _SERVERS),
    "vscode": Host(".vscode/mcp.json of the project", _under("servers", type="stdio")),
    "codex": Host("~/.codex/config.toml", _toml),
    "gemini": Host("~/.gemini/settings.json", _SERVERS),
    "windsurf": Host("~/.codeium/windsurf/mcp_config.json", _SERVERS),
    "zed": Host("settings.json of Zed", _under("context_servers", source="custom")),
}
