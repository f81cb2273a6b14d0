"""Verbs about learnt tool use: macros and approve, each with verbs of its own."""

from typing import TYPE_CHECKING

import click

from ricordo.model import ORIGINS, Json, Macro, Origin
from ricordo.surfaces.cli.context import Call, verb, verbs
from ricordo.surfaces.cli.param_types import json as json_value
from ricordo.surfaces.cli.param_types import text
from ricordo.surfaces.output import dumps

if TYPE_CHECKING:
    from ricordo.model import Approval

_TITLES = ("id", "confidence", "seen", "used", "trigger", "next")


def _row(macro: Macro) -> tuple[object, ...]:
    return (
        macro.id,
        f"{macro.confidence:.2f}",
        f"{macro.followed}/{macro.seen}",
        macro.used_count,
        _show_call(macro.trigger_tool, macro.trigger_pattern),
        _show_call(macro.next_tool, macro.next_pattern),
    )


def _show_call(tool: str, pattern: Json) -> str:
    return tool if not pattern else f"{tool} {dumps(pattern)}"


@verb("list", "ricordo macros list", "ricordo macros list --tool read --json")
@click.option("--tool", help="Only macros triggered by this tool.")
@click.option("--limit", type=int, default=100, show_default=True, help="Maximum number.")
def macros_list(call: Call, tool: str | None, limit: int) -> None:
    """Print the learnt macros, the most confident first.

    Each line holds id, confidence, how often the next tool followed out of all calls, uses, trigger
    and next tool.
    """
    with call.memory() as memory:
        found = call.space(memory).macros.list(tool, limit)
    call.out.table(found, _TITLES, [_row(macro) for macro in found])


@verb(
    "learn",
    "ricordo macros learn --session trip",
    """ricordo macros learn '[{"name": "read", "arguments": {}}, {"name": "edit"}]'""",
)
@click.argument("calls", type=text, required=False)
@click.option("--session", help="Learn from the new events of this session instead.")
def macros_learn(call: Call, calls: str | None, session: str | None) -> None:
    """Learn which tool calls follow which, and print how many successions were counted.

    CALLS is a JSON list of calls with name and arguments, or - to read it from standard input.
    """
    given = None if calls is None else json_value(calls)
    with call.memory(writes=True) as memory:
        counted = call.space(memory).macros.learn(given, session=session)
    call.out.line({"learnt": counted}, str(counted))


@verb(
    "suggest",
    """ricordo macros suggest read '{"path": "notes.md"}'""",
    "ricordo macros suggest test --min-confidence 0.2",
)
@click.argument("tool")
@click.argument("arguments", type=text, default="{}")
@click.option("--limit", type=int, default=3, show_default=True, help="Maximum number.")
@click.option("--min-confidence", type=float, default=0.5, show_default=True)
def macros_suggest(
    call: Call, tool: str, arguments: str, limit: int, min_confidence: float
) -> None:
    """Print what usually follows a call of TOOL with these ARGUMENTS (JSON).

    Each line holds id, confidence, the next tool, its known arguments, and the names of its missing
    arguments.
    """
    made = {"name": tool, "arguments": json_value(arguments)}
    with call.memory() as memory:
        found = call.space(memory).macros.suggest(made, limit, min_confidence=min_confidence)
    rows = [
        (m.id, f"{m.confidence:.2f}", m.next_tool, dumps(m.arguments), ", ".join(m.missing))
        for m in found
    ]
    call.out.table(found, ("id", "confidence", "next", "arguments", "missing"), rows)


@verb("use", "ricordo macros use 3f0c2a9be41d7788")
@click.argument("macro")
def macros_use(call: Call, macro: str) -> None:
    """Record that the suggestion MACRO (an id) was used."""
    with call.known_memory() as memory:
        used = call.space(memory).macros.use(macro)
    call.out.line(used, f"{used.id}\t{used.used_count}")


@verb("forget", "ricordo macros forget 3f0c2a9be41d7788")
@click.argument("macro")
def macros_forget(call: Call, macro: str) -> None:
    """Forget the macro with the id MACRO, and what it was learnt from."""
    with call.known_memory() as memory:
        receipt = call.space(memory).macros.delete(macro)
    call.out.line(receipt, f"{receipt.target}\t{receipt.removed['successions']}")


macros = verbs(
    "macros",
    "Which tool calls follow which: list, learn, suggest, use, forget.",
    (macros_list, macros_learn, macros_suggest, macros_use, macros_forget),
    "ricordo macros learn --session trip",
    "ricordo macros list",
)


def _words(given: tuple[str, ...]) -> str | list[str]:
    """One argument is a command line, several are its words."""
    return given[0] if len(given) == 1 else list(given)


def _print_approval(call: Call, made: "Approval") -> None:
    answer = "allow" if made.allow else "deny"
    call.out.line(made, f"{answer}\t{' '.join(made.words)}")


@verb("add", "ricordo approve add git push", "ricordo approve add -- ls -l")
@click.argument("words", nargs=-1, required=True)
def approve_add(call: Call, words: tuple[str, ...]) -> None:
    """Allow commands that begin with these WORDS, permanently.

    Put words that begin with a dash after --.
    """
    with call.memory(writes=True) as memory:
        made = call.space(memory).approvals.allow(_words(words))
    _print_approval(call, made)


@verb("deny", "ricordo approve deny git push --json", "ricordo approve deny rm")
@click.argument("words", nargs=-1, required=True)
def approve_deny(call: Call, words: tuple[str, ...]) -> None:
    """Deny commands that begin with these WORDS, permanently; a denial overrides an approval."""
    with call.memory(writes=True) as memory:
        made = call.space(memory).approvals.deny(_words(words))
    _print_approval(call, made)


@verb("list", "ricordo approve list", "ricordo approve list --json")
def approve_list(call: Call) -> None:
    """Print every answer: allow or deny, when it was given, and the words."""
    with call.memory() as memory:
        found = call.space(memory).approvals.list()
    rows = [("allow" if a.allow else "deny", a.created_at, " ".join(a.words)) for a in found]
    call.out.table(found, ("answer", "since", "words"), rows)


@verb("check", 'ricordo approve check "git push origin main"', "ricordo approve check -- ls -l")
@click.argument("command", nargs=-1, required=True)
@click.option("--trusted", is_flag=True, help="The command belongs to a run of a trusted schedule.")
@click.option(
    "--origin",
    type=click.Choice(ORIGINS),
    default="agent",
    show_default=True,
    help="Who wants to run it.",
)
def approve_check(call: Call, command: tuple[str, ...], trusted: bool, origin: Origin) -> None:
    """Print allow, deny or ask for a COMMAND, and the reason; the exit code is 0 only for allow.

    One argument is a command line for a shell; several are words that run without a shell.
    """
    with call.memory() as memory:
        verdict = call.space(memory).approvals.verdict(
            _words(command), trusted=trusted, origin=origin
        )
    call.out.line(verdict, f"{verdict.answer}\t{verdict.reason}")
    click.get_current_context().exit(0 if verdict.answer == "allow" else 1)


@verb("remove", "ricordo approve remove git push")
@click.argument("words", nargs=-1, required=True)
def approve_remove(call: Call, words: tuple[str, ...]) -> None:
    """Delete the answer for these WORDS."""
    with call.known_memory() as memory:
        receipt = call.space(memory).approvals.delete(_words(words))
    call.out.line(receipt, receipt.target)


approve = verbs(
    "approve",
    "Commands that are always allowed or denied: add, deny, list, check, remove.",
    (approve_add, approve_deny, approve_list, approve_check, approve_remove),
    "ricordo approve add git push",
    "ricordo approve git push",
    'ricordo approve check "git push origin main"',
    plain="add",
)

VERBS = (macros, approve)
