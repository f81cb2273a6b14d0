"""The command line: the group of verbs, the entry point, and what errors look like.

Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 conflict, 130 stopped by Ctrl-C.
"""

import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ricordo import __version__
from ricordo.config import unknown_variables
from ricordo.errors import Conflict, InvalidInput, NotFound, RicordoError
from ricordo.surfaces.cli.context import add_shared_options, summary
from ricordo.surfaces.cli.guesses import guess_verb
from ricordo.surfaces.cli.verb_table import BY_OPTION, VERB_OF
from ricordo.surfaces.cli.verbs import (
    audit,
    chat,
    claims,
    doctor,
    documents,
    dream,
    due,
    encryption,
    entries,
    eval,
    files,
    hooks,
    inspect,
    keep,
    learn,
    memory,
    recall,
    salvage,
    serve,
    sessions,
    time,
    tokens,
    tools,
    upkeep,
)
from ricordo.surfaces.output import dumps

FAILURE, USAGE, NOT_FOUND, CONFLICT = 1, 2, 3, 4
STOPPED = 130  # as shells count: 128 and the number of the signal
TRACE = "RICORDO_TRACE"

_SECTIONS = (
    ("Entries", entries.VERBS),
    ("Sessions", (*sessions.VERBS, *chat.VERBS)),
    ("Recall", (*recall.VERBS, *eval.VERBS)),
    ("Documents", documents.VERBS),
    (
        "Time",
        (
            time.schedule,
            time.remind,
            *due.VERBS,
            *claims.VERBS,
        ),
    ),
    ("Learning", dream.VERBS),
    ("Tool use", learn.VERBS),
    ("Files", files.VERBS),
    ("Coding hosts", hooks.VERBS),
    ("The memory", (*memory.VERBS, *upkeep.VERBS, *keep.VERBS, *salvage.VERBS, *encryption.VERBS)),
    ("Serving", (*serve.VERBS, *inspect.VERBS, *tokens.VERBS, *audit.VERBS, *tools.VERBS)),
    ("Help", doctor.VERBS),
)


class Ricordo(click.Group):
    """The group of all verbs. Every failure becomes one line and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        _open_streams()
        _speak_utf8()
        words = list(sys.argv[1:] if args is None else args)
        if "--quiet" not in words:
            _tell_unknown_variables()
        extra["standalone_mode"] = False
        if not standalone_mode:
            return super().main(words, prog_name, complete_var, **extra)
        try:
            code = super().main(words, prog_name, complete_var, **extra)
        except Exception as error:  # noqa: BLE001 - a person gets one line, and a way to the trace
            _report(error, as_json="--json" in words)
            code = exit_code(error)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; a reader that closes the pipe early does not count as a failure."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            _discard_output()
            ctx.exit(0)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`ricordo help recall` is `ricordo recall --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A verb of ours, or the one that a word of other programs stands for in an error."""
        if self.get_command(ctx, args[0]) is None and (meant := guess_verb(args[0])):
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {meant}?", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, verbs in _SECTIONS:
            with formatter.section(title):
                formatter.write_dl([(verb.name or "", summary(verb)) for verb in verbs])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A verb by its own name, or by the name of its method in the Python API."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            return found
        method = cmd_name.replace("-", "_")
        path = [] if method in BY_OPTION else VERB_OF.get(method, "").split()
        inner: click.Command | None = self
        for word in path:
            inner = inner.commands.get(word) if isinstance(inner, click.Group) else None
        return inner if path else None


@click.group(
    cls=Ricordo,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Options may come before or after the verb. "
        "Exit codes: 0 ok, 1 failure, 2 usage, 3 not found, 4 conflict, 130 stopped by Ctrl-C."
    ),
)
@add_shared_options(with_environment=True)
@click.version_option(__version__, prog_name="ricordo")
@click.pass_context
def cli(context: click.Context) -> None:
    """Memory for AI agents in one file.

    \b
    ricordo remember "Prefers window seats" --name seat
    ricordo recall "where does she like to sit?"
    ricordo get seat
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _, _verbs in _SECTIONS:
    for _verb in _verbs:
        cli.add_command(_verb)


def main() -> None:
    """What the installed command `ricordo` runs."""
    cli(prog_name="ricordo")


def exit_code(error: Exception) -> int:
    """The code that an error ends the process with."""
    if isinstance(error, click.UsageError | InvalidInput):
        return USAGE
    if isinstance(error, NotFound):
        return NOT_FOUND
    if _find_interrupt(error) is not None:
        return STOPPED
    return CONFLICT if isinstance(error, Conflict) else FAILURE


def _report(error: Exception, *, as_json: bool) -> None:
    """One line on stderr, or with --json one document there."""
    message = _message(error)
    if os.environ.get(TRACE):
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    if as_json:
        kind = type(_find_interrupt(error) or error).__name__
        told = {"error": {"type": kind, "message": message}}
        click.echo(dumps(told), err=True)
    else:
        click.echo(f"ricordo: {message}", err=True)


def _message(error: Exception) -> str:
    if isinstance(error, click.Abort):
        return _tell_stop(_find_interrupt(error))
    if not isinstance(error, click.ClickException | RicordoError | OSError):
        return (
            f"unexpected {type(error).__name__}: {' '.join(str(error).split())} - this is a bug; "
            f"please report it, with the trace that {TRACE}=1 shows"
        )
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{str(error.filename)!r} cannot be used: {error.strerror.lower()}"
    if not isinstance(error, click.ClickException):
        return " ".join(str(error).split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = "" if context is None else f" Try: {context.command_path} --help"
    return " ".join(error.format_message().split()) + hint


def _find_interrupt(error: Exception) -> KeyboardInterrupt | None:
    """The Ctrl-C behind an abort; None if somebody answered no, or input ended."""
    behind = error.__cause__ or error.__context__
    if isinstance(error, click.Abort) and isinstance(behind, KeyboardInterrupt):
        return behind
    return None


def _tell_stop(interrupt: KeyboardInterrupt | None) -> str:
    """What is done and what goes on: the outermost work first, the write under way last."""
    notes = [note.removeprefix("ricordo: ") for note in getattr(interrupt, "__notes__", ())]
    return "; ".join(["stopped", *(notes[::-1] or ["the rest was not done"])])


def _tell_unknown_variables() -> None:
    """Report unknown variables: a misspelled setting would go unnoticed."""
    for name, near in unknown_variables().items():
        hint = f"; did you mean {near}?" if near else "; see ricordo config show"
        click.echo(f"ricordo: unknown variable {name}{hint}", err=True)


def _open_streams() -> None:
    """Send a stream that our caller closed to the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - till the end
            setattr(sys, name, stream)


def _speak_utf8() -> None:
    """Use UTF-8 on every platform; escape what cannot be written instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            handling = "strict" if stream is sys.stdin else "backslashreplace"
            stream.reconfigure(encoding="utf-8", errors=handling)


def _discard_output() -> None:
    """Discard the flush at the end of the process, which would fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, io.UnsupportedOperation):
        return


if __name__ == "__main__":
    main()
