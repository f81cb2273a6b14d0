"""Verbs that serve a memory: mcp (stdio) and serve (HTTP)."""

import contextlib
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ricordo.errors import InvalidInput, RicordoError, Unavailable, without_password
from ricordo.surfaces.cli.context import SPACE, Call, add_shared_options, verb
from ricordo.surfaces.cli.hosts import COMMON, HOSTS, configuration
from ricordo.surfaces.cli.param_types import seconds
from ricordo.surfaces.cli.verbs.tokens import TOKENS_OPTION, check_toolset, find_tokens
from ricordo.surfaces.project_space import AUTO
from ricordo.surfaces.run_command import CommandRunner
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.logs import LEVELS

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.surfaces.server.guard import Rules

_PORT = 8765
_REACH = (
    click.option("--toolset", default="default", show_default=True, help="The tools to offer."),
    click.option(
        "--session", default="default", show_default=True, help="The session that tools work on."
    ),
    click.option("--channel", help="Where the conversation takes place; schedules keep it."),
)


def _add_scope_options(function: Any) -> Any:
    for option in reversed(_REACH):
        function = option(function)
    return function


_KEEP = click.option(
    "--no-keep", is_flag=True, help="Leave the background work to other processes."
)


def open_lazily(
    call: Call,
    *,
    no_keep: bool,
    runner: CommandRunner | None = None,
    at_end: Callable[[], object] | None = None,
) -> LazyMemory:
    """The memory of a server, which keeps it unless the settings or the line say otherwise."""

    def open_and_keep() -> "Memory":
        memory = call.memory(writes=True, embeds=True, keeps=not no_keep)
        if keeps and not memory._engine.store.read_only:
            memory.keeper.start(None if runner is None else runner.run)
        return memory

    keeps = runner is not None or (not no_keep and call.settings().keep)
    return LazyMemory(open_and_keep, is_kept=keeps, at_end=at_end)


def check_installed() -> None:
    try:
        import mcp  # noqa: F401
        import starlette  # noqa: F401
    except ImportError as error:
        raise Unavailable('install it first: pip install "ricordo[mcp]"') from error


@verb(
    "mcp",
    "ricordo mcp --space ana",
    "ricordo mcp --space auto",
    "ricordo mcp --print-config",
    "ricordo mcp --print-config claude-desktop",
    "ricordo mcp --toolset notes --db agent.db",
)
@_add_scope_options
@click.option(
    "--print-config",
    "host",
    is_flag=False,
    flag_value=COMMON,
    type=click.Choice(tuple(HOSTS)),
    help="Print the settings for a host, and stop; without a host, the common form.",
)
@_KEEP
def mcp(
    call: Call, toolset: str, session: str, channel: str | None, host: str | None, no_keep: bool
) -> None:
    """Serve the memory over MCP on stdin and stdout; hosts start it.

    The options fix the space, the toolset and the session; no tool can choose others. With
    --space auto the space is the folder of the project, as for hooks.
    """
    if host is not None:
        check_toolset(toolset)
        given = call.space_given or (AUTO if HOSTS[host].is_for_code else SPACE)
        words = ["mcp", "--db", _absolute(call.path), "--space", given]
        words += [] if call.config is None else ["--config", _absolute(call.config)]
        words += [] if call.embedder is None else ["--embedder", call.embedder]
        words += [] if toolset == "default" else ["--toolset", toolset]
        words += [] if session == "default" else ["--session", session]
        words += [] if channel is None else ["--channel", channel]
        shown = configuration(host, words)
        call.out.line({"host": host, "where": HOSTS[host].where, "config": shown}, shown)
        call.out.note(f"this goes into {HOSTS[host].where}")
        if without_password(call.path) != call.path:
            call.out.note(
                "the password is left out: give the host the whole URL in RICORDO_DB, or use a "
                "password file of PostgreSQL"
            )
        return
    if toolset != "default":  # a host waits: load the registry only if a toolset is named
        check_toolset(toolset)
    _check_file(call)
    check_installed()
    from ricordo.surfaces.mcp.scope import ConnectionScope
    from ricordo.surfaces.mcp.stdio import serve as run

    space = SPACE if call.space_name is None else call.space_name
    run(open_lazily(call, no_keep=no_keep), ConnectionScope(space, toolset, session, channel))


@verb(
    "serve",
    "ricordo serve",
    "ricordo serve --port 9000 --toolset notes,schedules",
    "ricordo serve --run 'my-agent \"$RICORDO_GOAL\"' --timeout 600",
    "ricordo serve --host 0.0.0.0 --allow-host memory.example.org --cert cert.pem --key key.pem",
    "ricordo serve --inspect --write",
    "ricordo serve --mem0 --space ana",
    "ricordo serve --socket /run/user/1000/ricordo.sock --log-level info",
)
@click.option(
    "--host", "address", default="127.0.0.1", show_default=True, help="ListenAddress to listen on."
)
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True)
@click.option("--allow-host", multiple=True, help="Additional Host header to accept.")
@click.option(
    "--allow-origin", multiple=True, help="Allowed CORS origin, such as https://example.org."
)
@click.option(
    "--body-limit", type=click.IntRange(1), help="Maximum request size in bytes; default: 4 MiB."
)
@click.option("--socket", metavar="PATH", help="Listen on a Unix socket instead of a port.")
@click.option("--cert", metavar="PATH", help="Serve over TLS with this certificate (PEM).")
@click.option("--key", metavar="PATH", help="The private key of the certificate (PEM).")
@click.option(
    "--rate",
    type=click.FloatRange(0),
    help="Requests a second of one token, 0 for no limit; default: 1,000.",
)
@click.option(
    "--log-level",
    type=click.Choice(LEVELS),
    default="warning",
    show_default=True,
    help="What goes to stderr, as JSON lines; info has a line for each request.",
)
@click.option("--inspect", is_flag=True, help="Serve the inspector too, and print a link to it.")
@click.option("--mem0", is_flag=True, help="Answer clients of mem0 too, from the space.")
@click.option("--write", "writes", is_flag=True, help="Let the inspector write.")
@click.option("--run", "command", metavar="COMMAND", help="A shell command for each due goal.")
@click.option("--timeout", type=seconds, help="Seconds after which a run has failed.")
@_KEEP
@_add_scope_options
@TOKENS_OPTION
def serve(
    call: Call,
    address: str,
    port: int,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    body_limit: int | None,
    socket: str | None,
    cert: str | None,
    key: str | None,
    rate: float | None,
    log_level: str,
    inspect: bool,
    mem0: bool,
    writes: bool,
    command: str | None,
    timeout: float | None,
    no_keep: bool,
    toolset: str,
    session: str,
    channel: str | None,
    tokens_path: str | None,
) -> None:
    """Serve the memory over HTTP: the API under /v1, MCP at /mcp.

    Requests need a token. The first start creates one and shows it once; the file of tokens holds
    only digests. The server also does the background work of the memory (see `keep`); with --run it
    carries out due goals. With --inspect it has the inspector, as in `ricordo inspect`; with --mem0
    it answers clients of mem0, each from the space of its token, or from --space.
    """
    if writes and not inspect:
        raise click.UsageError("--write is for the inspector; add --inspect.")
    check_toolset(toolset)
    check_installed()
    from ricordo.surfaces.http.app import ServeOptions, application
    from ricordo.surfaces.http.inspector import make_link
    from ricordo.surfaces.mcp.scope import ConnectionScope
    from ricordo.surfaces.server.beacon import Beacon, announce
    from ricordo.surfaces.server.listen import ListenAddress, listen
    from ricordo.surfaces.server.logins import Logins

    space = SPACE if call.space_name is None else call.space_name
    where = ListenAddress(address, port, socket, cert, key)
    where.check()
    rules = _rules(address, allow_host, allow_origin, body_limit, rate)
    with call.memory(writes=True) as memory:  # without a model: check that it can be read at all
        memory.space(space).entries(limit=1)
    tokens = find_tokens(tokens_path)
    first = tokens.ensure()
    logins = Logins(tokens, writes=writes) if inspect else None
    scope = ConnectionScope(space, toolset, session, channel)
    spans = call.settings().telemetry != "off"
    serving = ServeOptions(tokens, scope, rules, logins, mem0, spans)

    announced = contextlib.ExitStack()

    def ready(url: str) -> None:
        if socket is None and cert is None:  # hooks ask over plain HTTP, on this machine
            found = Beacon(address, int(url.rpartition(":")[2]), tokens.lend("hooks").token)
            announced.enter_context(announce(call.path, found))
        told = {"url": url, "mcp": f"{url}/mcp", "tokens": str(tokens.path)}
        if logins is not None:
            grant = tokens.lend("inspector", read_only=not writes).grant()
            told["link"] = make_link(url, logins, replace(grant, db=call.db_option))
            call.out.note(f"the inspector, for one minute: {told['link']}")
        if first.token and call.out.as_json:
            told["token"] = first.token
        elif first.token:
            call.out.note(f"the token {first.name!r}, shown this once: {first.token}")
        call.out.line(told, f"{url}\t{url}/mcp\t{tokens.path}")
        sys.stdout.flush()

    runner = None if command is None else CommandRunner(call.path, command, timeout)
    opening = open_lazily(call, no_keep=no_keep, runner=runner, at_end=announced.close)
    with announced:
        listen(application(opening, serving), where, ready, log_level)


def _check_file(call: Call) -> None:
    """Refuse a path that cannot hold a memory. Servers and new files are not checked: the
    handshake waits for this."""
    if "://" in call.path or call.path == ":memory:" or (call.db is None and not call.is_there):
        return
    from ricordo.store.sqlite.file import guard
    from ricordo.store.sqlite.key_sources import find_secret

    secret = find_secret(call.path, None, call.settings().key_file)
    guard(call.path, read_only=False, secret=secret)


def _rules(
    address: str,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    body_limit: int | None,
    rate: float | None,
) -> "Rules":
    from ricordo.surfaces.server.guard import BODY_LIMIT, LOOPBACK, Rules
    from ricordo.surfaces.server.shares import RATE

    is_local = address in ("127.0.0.1", "localhost", "::1")
    if not is_local and not hosts:
        raise InvalidInput(
            f"--host {address} is open to others, but every request would be refused; "
            "name the server with --allow-host memory.example.org"
        )
    names = frozenset(_host(each) for each in hosts)
    pages = frozenset(_origin(each) for each in origins)
    return Rules(
        LOOPBACK | names, pages, body_limit or BODY_LIMIT, rate=RATE if rate is None else rate
    )


def _host(given: str) -> str:
    """A host name as the guard compares it; refuse one that could never match."""
    if not re.fullmatch(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", given.lower()):
        raise InvalidInput(
            f"--allow-host {given!r} is not a host name; write memory.example.org, without "
            "scheme, port or path"
        )
    return given.lower()


def _origin(given: str) -> str:
    """An origin as the guard compares it; refuse one that could never match."""
    if not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/\s*]+/?", given.lower()):
        raise InvalidInput(
            f"--allow-origin {given!r} is not an origin; write https://example.org, with scheme "
            "and without a path"
        )
    return given.lower().rstrip("/")


def _absolute(path: str) -> str:
    """A path as it may stand in settings; a URL without its password, which others could read."""
    if "://" in path:
        return without_password(path)
    return path if path == ":memory:" else str(Path(path).absolute())


VERBS = (mcp, serve)


def start(words: Sequence[str]) -> None:
    """Run the verb mcp alone. A host waits for it, so no other verb is imported."""

    @add_shared_options(with_environment=True)
    def alone() -> None:
        return

    group: click.Group = click.group("ricordo")(alone)
    group.add_command(mcp)
    try:
        group.main(list(words), prog_name="ricordo", standalone_mode=False)
    except (click.ClickException, click.Abort, RicordoError, OSError):
        from ricordo.surfaces.cli.main import main  # says what is wrong, as for every verb

        main()
