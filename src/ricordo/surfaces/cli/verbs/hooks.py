"""Verbs for coding hosts: install adds hooks and the MCP server, hook answers one event."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.hooks import install as installing
from ricordo.surfaces.hooks import settings_file
from ricordo.surfaces.hooks.settings_file import SettingsChange
from ricordo.surfaces.output import dumps


@verb(
    "install",
    "ricordo install claude-code",
    "ricordo install claude-code --project --dry-run",
    "ricordo install claude-code --undo",
)
@click.argument("host", type=click.Choice(("claude-code",)))
@click.option("--undo", is_flag=True, help="Remove exactly what was added.")
@click.option("--settings", type=click.Path(dir_okay=False), help="The settings file to edit.")
@click.option("--servers", type=click.Path(dir_okay=False), help="The file of MCP servers to edit.")
@click.option("--project", is_flag=True, help="Edit the settings and .mcp.json of this folder.")
@click.option("--no-mcp", is_flag=True, help="Only the hooks, without the MCP server.")
@click.option("--approvals", is_flag=True, help="Also let approvals answer for shell commands.")
@click.option("--dry-run", is_flag=True, help="Print the new settings and change nothing.")
def install(
    call: Call,
    host: str,  # noqa: ARG001 - one so far; it is what one types
    undo: bool,
    settings: str | None,
    servers: str | None,
    project: bool,
    no_mcp: bool,
    approvals: bool,
    dry_run: bool,
) -> None:
    """Add hooks and the MCP server to a coding host (claude-code); --undo removes both.

    Both use the space of the project. Other hooks and servers stay. --db, --space and --config
    become part of the commands.
    """
    chosen = installing.Installation(call.db, call.space_given, call.config, approvals)
    act = settings_file.remove if undo else settings_file.add
    path = Path(settings) if settings else installing.default_path(is_project=project)
    beside = Path(servers) if servers else installing.servers_path(path, is_project=project)
    is_served = undo or find_spec("mcp") is not None
    parts = [(path, chosen.hooks())]
    parts += [] if no_mcp or not is_served else [(beside, chosen.server())]
    for file, part in parts:
        act(file, part, is_dry=True)  # a file that cannot be edited leaves the other as it is
    changes = [act(file, part, is_dry=dry_run) for file, part in parts]
    _show_install(call, changes, is_dry=dry_run)
    if not is_served and not no_mcp:
        call.out.note('the MCP server needs: pip install "ricordo[mcp]"; then install again')
    for change in changes:
        if change.backup and change.changed and not undo:
            call.out.note(f"the old settings are in {change.backup}")


def _show_install(call: Call, changes: list[SettingsChange], *, is_dry: bool) -> None:
    """Print what was done. Of the file of servers only ours is shown: it also holds accounts."""
    hooks, *rest = changes
    server = installing.find_server(rest[0].settings) if rest else None
    if is_dry and not call.out.as_json:
        call.out.document(hooks.settings)
        for change in rest:
            call.out.note(f"in {change.path}: {dumps({installing.SERVER: server})}")
        return
    lines = [f"{'changed' if each.changed else 'unchanged'}\t{each.path}" for each in changes]
    told = {"path": hooks.path, "changed": hooks.changed, "backup": hooks.backup}
    mcp = [
        {"path": c.path, "changed": c.changed, "backup": c.backup, "server": server} for c in rest
    ]
    events = list(installing.find_events(hooks.settings))
    shown = {**told, "events": events, "settings": hooks.settings, "mcp": mcp[0] if mcp else None}
    call.out.line(shown, "\n".join(lines))
    if rest and server is None and installing.has_server(rest[0].settings):
        call.out.note(f"{rest[0].path} has another server called ricordo; it stays as it is")


@verb(
    "hook",
    """echo '{"session_id": "s", "prompt": "Hello"}' | ricordo hook UserPromptSubmit""",
    "ricordo hook SessionStart < event.json",
)
@click.argument("event")
@click.option("--approve", is_flag=True, help="Approve allowed commands.")
@click.option("--timeout", type=float, help="Seconds until it gives up; default: 5.")
def hook(call: Call, event: str, approve: bool, timeout: float | None) -> Any:
    """Answer one EVENT of a host: JSON on stdin, JSON on stdout.

    It never fails: what goes wrong is one line on stderr, and the exit code is 0.
    """
    from ricordo.surfaces.hooks.main import main

    words = [event]
    words += [] if call.db is None else ["--db", call.db]
    words += [] if call.space_given is None else ["--space", call.space_given]
    words += [] if call.config is None else ["--config", call.config]
    words += ["--approve"] if approve else []
    words += [] if timeout is None else ["--timeout", str(timeout)]
    return main(words)


VERBS = (install, hook)
