"""Verbs for coding hosts: install adds the hooks to their settings, hook answers them."""

from pathlib import Path
from typing import Any

import click

from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.hooks import install as installing


@verb(
    "install",
    "ricordo install claude-code",
    "ricordo install claude-code --project --dry-run",
    "ricordo install claude-code --undo",
)
@click.argument("host", type=click.Choice(("claude-code",)))
@click.option("--undo", is_flag=True, help="Remove exactly what was added.")
@click.option("--settings", type=click.Path(dir_okay=False), help="The settings file to edit.")
@click.option("--project", is_flag=True, help="Edit .claude/settings.json of this folder.")
@click.option("--approvals", is_flag=True, help="Also let approvals answer for shell commands.")
@click.option("--dry-run", is_flag=True, help="Print the new settings and change nothing.")
def install(
    call: Call,
    host: str,  # noqa: ARG001 - one so far; it is what one types
    undo: bool,
    settings: str | None,
    project: bool,
    approvals: bool,
    dry_run: bool,
) -> None:
    """Add the hooks of ricordo to a coding host (claude-code), or remove them with --undo.

    Other hooks stay. The hooks will use --db, --space and --config, if given.
    """
    path = Path(settings) if settings else installing.default_path(is_project=project)
    if undo:
        change = installing.undo(path, is_dry=dry_run)
    else:
        events = (*installing.EVENTS, *((installing.ASKING,) if approvals else ()))
        lines = {
            event: installing.command(
                event, db=call.db, space=call.space_name, approves=approvals, config=call.config
            )
            for event in events
        }
        change = installing.install(path, lines, is_dry=dry_run)
    if dry_run and not call.out.as_json:
        call.out.document(change.settings)
        return
    done = "changed" if change.changed else "unchanged"
    call.out.line(change, f"{done}\t{change.path}")
    if change.backup and change.changed and not undo:
        call.out.note(f"the old settings are in {change.backup}")


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
    words += [] if call.space_name is None else ["--space", call.space_name]
    words += [] if call.config is None else ["--config", call.config]
    words += ["--approve"] if approve else []
    words += [] if timeout is None else ["--timeout", str(timeout)]
    return main(words)


VERBS = (install, hook)
