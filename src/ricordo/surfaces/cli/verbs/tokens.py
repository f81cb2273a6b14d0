"""The verbs for tokens, by which clients use `serve`: list, add, rotate, remove."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ricordo.errors import InvalidInput
from ricordo.surfaces.cli.context import Call, verb, verbs
from ricordo.surfaces.cli.param_types import ahead
from ricordo.surfaces.server.tokens import Token, Tokens, home

TOKENS_OPTION = click.option(
    "--tokens",
    "tokens_path",
    metavar="PATH",
    envvar="RICORDO_TOKENS",
    help="The file of tokens; default: one in your data folder.",
)


def find_tokens(path: str | None) -> Tokens:
    """The tokens of a file; by default those of the data folder."""
    return Tokens(home() if path is None else Path(path))


def check_toolset(toolset: str) -> None:
    """Refuse a toolset that does not exist."""
    from ricordo.surfaces.tools import registry

    registry.toolset(toolset)


@verb("list", "ricordo tokens list")
@TOKENS_OPTION
def list_tokens(call: Call, tokens_path: str | None) -> None:
    """Print the tokens by name.

    Each line holds name, space, toolset, what it may do, its end, its last use and the file of
    tokens.
    """
    tokens = find_tokens(tokens_path)
    now = datetime.now(UTC)
    uses = tokens.uses.read()
    found = [
        {**_describe(each, now), "used_at": uses.get(each.digest), "path": str(tokens.path)}
        for each in tokens.read()
    ]
    rows = [
        (
            t["name"],
            "*" if t["space"] is None else t["space"],
            "*" if t["toolset"] is None else t["toolset"],
            "read" if t["read_only"] else "write",
            ("expired " if t["is_expired"] else "") + (t["expires_at"] or "-"),
            t["used_at"] or "-",
            t["path"],
        )
        for t in found
    ]
    call.out.table(found, ("name", "space", "toolset", "may", "expires", "used", "file"), rows)


def _describe(token: Token, now: datetime) -> dict[str, Any]:
    """A token without its secret."""
    hidden = ("token", "digest", "used_at")
    shown = {name: value for name, value in asdict(token).items() if name not in hidden}
    return {**shown, "is_expired": token.is_expired(now)}


def _show_made(call: Call, made: Token) -> None:
    """Print a token that was just made; nothing shows it again."""
    call.out.line({**_describe(made, datetime.now(UTC)), "token": made.token}, made.token)


@verb(
    "add",
    "ricordo tokens add laptop",
    "ricordo tokens add ana-phone --space ana --expires 90d",
    "ricordo tokens add dashboard --read-only",
    "ricordo tokens add agent --toolset notes,schedules",
)
@click.argument("name")
@click.option("--read-only", is_flag=True, help="Let it read, and change nothing.")
@click.option(
    "--toolset", help="Let it use the tools of this toolset alone; a comma joins several."
)
@click.option("--expires", type=ahead, help="When it ends: a time, or 90d for ninety days.")
@TOKENS_OPTION
def add(
    call: Call,
    name: str,
    read_only: bool,
    toolset: str | None,
    expires: datetime | None,
    tokens_path: str | None,
) -> None:
    """Create a token called NAME and print it; with --space, it reaches only that space."""
    if toolset is not None:
        check_toolset(toolset)
    if expires is not None and expires <= datetime.now(UTC):
        raise InvalidInput(f"--expires {expires.isoformat()} is past; give a time to come, or 90d")
    made = find_tokens(tokens_path).add(
        name, call.space_name, read_only=read_only, toolset=toolset, expires_at=expires
    )
    _show_made(call, made)


@verb("rotate", "ricordo tokens rotate laptop")
@click.argument("name")
@TOKENS_OPTION
def rotate(call: Call, name: str, tokens_path: str | None) -> None:
    """Give the token called NAME a new secret and print it; the old one is refused from now on."""
    made = find_tokens(tokens_path).rotate(name)
    _show_made(call, made)


@verb("remove", "ricordo tokens remove laptop")
@click.argument("name")
@TOKENS_OPTION
def remove(call: Call, name: str, tokens_path: str | None) -> None:
    """Revoke the token called NAME; a running server refuses it from now on."""
    gone = find_tokens(tokens_path).remove(name)
    call.out.line({"name": gone.name, "space": gone.space}, gone.name)


tokens = verbs(
    "tokens",
    "Manage the tokens for `serve`: list, add, rotate, remove.",
    (list_tokens, add, rotate, remove),
    "ricordo tokens add ana-phone --space ana",
    "ricordo tokens list",
)
VERBS = (tokens,)
