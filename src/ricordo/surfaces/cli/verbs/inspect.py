"""The verb inspect: look into a memory in the browser."""

import sys
import webbrowser
from dataclasses import replace

import click

from ricordo.errors import NotFound
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.verbs.serve import check_installed, open_lazily
from ricordo.surfaces.cli.verbs.tokens import TOKENS_OPTION, find_tokens
from ricordo.surfaces.server.tokens import Grant, Tokens


@verb(
    "inspect",
    "ricordo inspect",
    "ricordo inspect --write",
    "ricordo inspect --token ana-phone --no-open",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port; default: a free one."
)
@click.option("--write", "writes", is_flag=True, help="Let the page write; else it only reads.")
@click.option("--token", "name", help="See what this token sees; default: everything.")
@click.option("--no-open", is_flag=True, help="Only print the link.")
@TOKENS_OPTION
def inspect(
    call: Call, port: int, writes: bool, name: str | None, no_open: bool, tokens_path: str | None
) -> None:
    """Look into the memory in the browser, until Ctrl-C.

    Serves a page on this machine and opens a link to it. The link works once, within a minute; the
    browser then has a cookie that ends with this command. The page only reads unless --write is
    given. With --token it shows what that token may see, and ends when the token is removed.
    """
    check_installed()
    from ricordo.surfaces.http.app import ServeOptions, application
    from ricordo.surfaces.http.inspector import make_link
    from ricordo.surfaces.server.listen import ListenAddress, listen
    from ricordo.surfaces.server.logins import Logins

    with call.memory(writes=True) as memory:  # without a model: can it be read at all?
        memory.spaces()
    tokens = find_tokens(tokens_path)
    grant = _choose_grant(tokens, name, writes=writes)
    if grant.space is None:  # a bound token does not learn where the memory is
        grant = replace(grant, db=call.db_option)
    logins = Logins(tokens, writes=writes)

    def ready(url: str) -> None:
        link = make_link(url, logins, grant)
        call.out.line({"url": url, "link": link}, link)
        sys.stdout.flush()
        if not no_open and not call.out.as_json:
            webbrowser.open(link)

    serving = ServeOptions(tokens, logins=logins)
    listen(application(open_lazily(call, no_keep=True), serving), ListenAddress(port=port), ready)


def _choose_grant(tokens: Tokens, name: str | None, *, writes: bool) -> Grant:
    if name is None:
        return tokens.lend("inspector", read_only=not writes).grant()
    for token in tokens.read():
        if token.name == name:
            return token.grant()
    raise NotFound(f"there is no token named {name!r}; see ricordo tokens list")


VERBS = (inspect,)
