"""The frame of every verb: options that all of them take, and the memory they speak to."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ricordo.surfaces.cli.call import META, SPACE, Call, confirm
from ricordo.surfaces.cli.complete import complete_files, complete_spaces
from ricordo.surfaces.cli.guesses import guess_option

__all__ = [
    "SPACE",
    "Call",
    "Verb",
    "Verbs",
    "add_shared_options",
    "confirm",
    "origin_of",
    "summary",
    "verb",
    "verbs",
]

Function = TypeVar("Function", bound=Callable[..., Any])

_FROM = "ricordo:from."


def _keep(context: click.Context, option: click.Parameter, value: object) -> None:
    """Note an option for the whole run; the one nearest to the end of the line wins."""
    if value is not None and value is not False:
        context.meta[f"{META}{option.name}"] = value
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
            shell_complete=complete_files,
            help="The memory: a file, created on the first write, or the URL of a server.",
            **_UNEXPOSED,
        ),
        click.option(
            "--space",
            metavar="NAME",
            envvar=variable("RICORDO_SPACE"),
            shell_complete=complete_spaces,
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
            shell_complete=complete_files,
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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the line; an option of other programs is answered with ours."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            meant = guess_option(error.option_name, self)
            if meant is None:
                raise
            told = f"No such option {error.option_name!r}. Did you mean {meant}?"
            raise click.UsageError(told, ctx) from error

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
