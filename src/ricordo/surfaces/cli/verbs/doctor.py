"""Verbs for troubleshooting: doctor checks everything, config prints the settings."""

import dataclasses
from typing import Any

import click

from ricordo import config as settings
from ricordo.errors import without_password
from ricordo.surfaces.cli.context import SPACE, Call, origin_of, verb, verbs
from ricordo.surfaces.progress import Progress


@verb(
    "doctor",
    "ricordo doctor",
    "ricordo doctor --json",
)
@click.pass_context
def doctor(context: click.Context, call: Call) -> None:
    """Check everything that may be wrong, and say what to do; exit code 1 if something is wrong.

    Each line holds the check, its state (ok, note or wrong) and the finding. Checked are versions,
    the memory and its rules, the embedder, the workspace and the environment. Nothing is changed.
    """
    from ricordo.surfaces.cli.doctor import JSON_VERSION, examine

    with Progress("examining", call.out):
        findings = examine(call)
    wrong = [finding.what for finding in findings if finding.state == "wrong"]
    listed = [] if "settings" in wrong else _settings(context, call)
    rows: list[tuple[object, ...]] = [(f.what, f.state, f.detail) for f in findings]
    rows += [
        ("setting", "note", f"{each['name']} = {each['value']} ({each['origin']})")
        for each in listed
        if each["origin"] != "default"
    ]
    told = {"json": JSON_VERSION, "ok": not wrong, "findings": findings, "settings": listed}
    call.out.table(told, ("what", "state", "finding"), rows)
    if wrong:
        context.exit(1)


@verb("show", "ricordo config show", "ricordo config show --origin")
@click.option("--origin", is_flag=True, help="Also print where each value comes from.")
@click.pass_context
def show(context: click.Context, call: Call, origin: bool) -> None:
    """Print every setting and its value.

    With --origin, a third field names the source: argument, environment, file or default. An
    earlier source in this list overrides a later one.
    """
    found = _settings(context, call)
    keys = ("name", "value", "origin")[: 3 if origin else 2]
    rows = [[each[key] for key in keys] for each in found]
    call.out.table([{key: each[key] for key in keys} for each in found], keys, rows)


def _settings(context: click.Context, call: Call) -> list[dict[str, Any]]:
    """Where the memory is and which space, then the settings, each with its origin."""
    values = dataclasses.asdict(call.settings())
    origins = settings.origins(call.config)
    if call.embedder is not None:
        values["embedder"], origins["embedder"] = call.embedder, origin_of(context, "embedder")
    own = [
        ("db", call.path, origin_of(context, "db")),
        ("space", call.space_name or SPACE, origin_of(context, "space")),
        ("config", call.config or "", origin_of(context, "config")),
    ]
    listed = [*own, *((name, value, origins[name]) for name, value in values.items())]
    return [
        {"name": name, "value": _hide_password(value), "origin": origin}
        for name, value, origin in listed
    ]


def _hide_password(value: object) -> object:
    return without_password(value) if isinstance(value, str) else value


config = verbs(
    "config",
    "Settings, and where they come from.",
    (show,),
    "ricordo config show",
    "ricordo config show --origin --json",
)
VERBS = (doctor, config)
