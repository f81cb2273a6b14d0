"""The frame of every verb: options that all of them take, and the memory they speak to."""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ricordo.config import Settings, load
from ricordo.errors import InvalidInput, NotFound
from ricordo.surfaces.output import Printer
from ricordo.surfaces.project_space import AUTO, choose_space

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory, Space

Function = TypeVar("Function", bound=Callable[..., Any])

SPACE = "default"
_META = "ricordo."
_FROM = "ricordo:from."


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a verb: what to open and how to print."""

    db: str | None
    space_given: str | None
    embedder: str | None
    out: Printer
    config: str | None = None

    @classmethod
    def of(cls, context: click.Context) -> "Call":
        """The options of a run, wherever on the line they stood."""
        found = {
            key.removeprefix(_META): value
            for key, value in context.meta.items()
            if key.startswith(_META)
        }
        printer = Printer(bool(found.get("as_json")), bool(found.get("quiet")))
        return cls(
            found.get("db"),
            found.get("space"),
            found.get("embedder"),
            printer,
            found.get("config"),
        )

    @property
    def space_name(self) -> str | None:
        """The space that was asked for; "auto" is that of the project."""
        if self.space_given != AUTO:
            return self.space_given
        return choose_space(AUTO)

    @property
    def path(self) -> str:
        """Where the memory is: the given path, or one in the user's own data folder."""
        return self.db if self.db is not None else str(_home())

    def memory(
        self,
        *,
        writes: bool = False,
        embeds: bool = False,
        read_only: bool = False,
        keeps: bool = False,
    ) -> "Memory":
        """Open the memory. Without `embeds` no model is touched: what is written waits for one.

        Without `keeps` no keeper starts: a command that ends at once leaves that to others.
        """
        import ricordo

        path = self.path
        if self.db is None and not _home().parent.is_dir():
            if writes:
                _home().parent.mkdir(parents=True, mode=0o700)
            else:
                path = ":memory:"  # nothing was ever written: it reads as an empty memory
        embedder = self.embedder if embeds else "none"
        return ricordo.open(
            path,
            embedder=embedder,
            config=self._file(),
            read_only=read_only,
            keep=None if keeps else False,
        )

    def known_memory(self, *, embeds: bool = False) -> "Memory":
        """Open a memory that must exist: a mistyped path is neither empty nor created."""
        if not self.is_there:
            raise NotFound(f"there is no memory at {self.path!r}; give the right one with --db")
        return self.memory(writes=True, embeds=embeds)

    @property
    def is_there(self) -> bool:
        """Whether anything was ever written; always true for a server."""
        return "://" in self.path or self.path == ":memory:" or Path(self.path).exists()

    def settings(self) -> Settings:
        """The settings that the memory is opened with."""
        return load(self._file())

    def _file(self) -> str | None:
        """The file of settings; a mistyped path raises NotFound."""
        if self.config is not None and not Path(self.config).exists():
            raise NotFound(f"there is no file {self.config!r} to read settings from")
        return self.config

    def space(self, memory: "Memory") -> "Space":
        return memory.space(SPACE if self.space_name is None else self.space_name)


def confirm(question: str, doing: str) -> None:
    """Ask before doing what cannot be undone. Without a terminal, `--yes` is required."""
    if not sys.stdin.isatty():
        raise InvalidInput(f"{doing} cannot be undone; add --yes if you mean it")
    click.confirm(question, abort=True, err=True)


def _home() -> Path:
    from platformdirs import user_data_path

    return user_data_path("ricordo", appauthor=False) / "agent.db"


def _keep(context: click.Context, option: click.Parameter, value: object) -> None:
    """Note an option for the whole run; the one nearest to the end of the line wins."""
    if value is not None and value is not False:
        context.meta[f"{_META}{option.name}"] = value
        context.meta[f"{_FROM}{option.name}"] = context.get_parameter_source(option.name or "")


def origin_of(context: click.Context, option: str) -> str:
    """Where the value of a shared option comes from: argument, environment or default."""
    source = context.meta.get(f"{_FROM}{option}")
    if source is None:
        return "default"
    return "environment" if source is ParameterSource.ENVIRONMENT else "argument"


def add_shared_options(*, with_environment: bool) -> Callable[[Function], Function]:
    """Add the options of every verb, to the group as well: they may come before or after the verb.

    Only the group reads the environment, so an option after the verb overrides a variable.
    """

    def variable(name: str) -> str | None:
        return name if with_environment else None

    options = (
        click.option(
            "--db",
            metavar="PATH",
            envvar=variable("RICORDO_DB"),
            help="The memory: a file, created on the first write, or the URL of a server.",
            **_UNEXPOSED,
        ),
        click.option(
            "--space",
            metavar="NAME",
            envvar=variable("RICORDO_SPACE"),
            help=f'The space in the memory; default: "{SPACE}"; "auto": the project\'s folder.',
            **_UNEXPOSED,
        ),
        click.option(
            "--embedder",
            metavar="SPEC",
            envvar=variable("RICORDO_EMBEDDER"),
            help='What makes vectors; default: bundled. "none" disables vectors.',
            **_UNEXPOSED,
        ),
        click.option(
            "--config",
            metavar="FILE",
            envvar=variable("RICORDO_CONFIG"),
            help="A TOML file with settings.",
            **_UNEXPOSED,
        ),
        click.option(
            "--json", "as_json", is_flag=True, help="Print one JSON document.", **_UNEXPOSED
        ),
        click.option(
            "--quiet",
            is_flag=True,
            help="Print errors only, no notes and no progress.",
            **_UNEXPOSED,
        ),
    )

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_UNEXPOSED: dict[str, Any] = {"expose_value": False, "callback": _keep}
_SHARED = ("db", "space", "embedder", "config", "as_json", "quiet")


class Verb(click.Command):
    """A command whose help ends with examples to copy and paste."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.examples = examples

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Own options first, then those that every verb takes."""
        own: list[tuple[str, str]] = []
        common: list[tuple[str, str]] = []
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record is not None:
                is_common = option.name in _SHARED and not option.expose_value
                (common if is_common else own).append(record)
        for title, records in (("Options", own), ("Options of every verb", common)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


def verb(name: str, *examples: str) -> Callable[[Callable[..., Any]], Verb]:
    """Make a function a verb: it gets its `Call` first, then its own arguments."""

    def decorate(function: Callable[..., Any]) -> Verb:
        @functools.wraps(function)
        def run(*args: Any, **options: Any) -> Any:
            return function(Call.of(click.get_current_context()), *args, **options)

        # Click collects options on the function: the shared ones have to come after its own.
        dressed = add_shared_options(with_environment=False)(run)
        return click.command(name, cls=Verb, examples=examples)(dressed)

    return decorate


class Verbs(Verb, click.Group):
    """A verb with verbs of its own. A word that names none of them goes to the `plain` one."""

    def __init__(self, *args: Any, plain: str | None = None, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.plain = plain

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs, each with its whole first sentence, however narrow the terminal."""
        inner = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(each)) for name, each in inner if each is not None])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """`approve git push` is `approve add git push`, unless a verb may have been mistyped."""
        plain = None if self.plain is None else self.get_command(ctx, self.plain)
        if plain is None or self.get_command(ctx, args[0]) is not None:
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches  # late: `mcp` starts without it

        near = get_close_matches(args[0], self.commands, n=1, cutoff=0.6)
        if near:
            path = ctx.command_path
            raise click.UsageError(
                f"No such command {args[0]!r}. Did you mean {path} {near[0]}? "
                f"If not, write: {path} {self.plain} {args[0]}",
                ctx,
            )
        return plain.name, plain, args


def summary(command: click.Command) -> str:
    """The whole first sentence of a verb's help."""
    first, _, _ = (command.help or "").partition("\n\n")
    return " ".join(first.split()).removesuffix(".")


def verbs(
    name: str, told: str, inner: tuple[Verb, ...], *examples: str, plain: str | None = None
) -> Verbs:
    """Gather verbs under a name of their own."""

    @add_shared_options(with_environment=False)
    @click.pass_context
    def show_help(context: click.Context) -> None:
        if context.invoked_subcommand is None:
            click.echo(context.get_help())

    group: Verbs = click.group(
        name, cls=Verbs, examples=examples, help=told, plain=plain, invoke_without_command=True
    )(show_help)
    for each in inner:
        group.add_command(each)
    return group
