"""The verb tools: list the tools for models, call one, print their definitions."""

from typing import TYPE_CHECKING, Any

import click

from ricordo.errors import Conflict, InvalidInput, NotFound, RicordoError, Unavailable
from ricordo.model import Json
from ricordo.surfaces.cli.context import Call, Verbs, add_shared_options, verb
from ricordo.surfaces.cli.param_types import json
from ricordo.surfaces.cli.verbs.recall import CATCH_UP, settle, waiting_chunks
from ricordo.surfaces.output import dumps

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory
    from ricordo.surfaces.tools import Tool, ToolFailure

_STYLES = ("openai", "anthropic", "mcp")
_ERRORS: dict[str, type[RicordoError]] = {
    "invalid_arguments": InvalidInput,
    "not_found": NotFound,
    "conflict": Conflict,
}


@verb("list", "ricordo tools list", "ricordo tools list --toolset notes --json")
@click.option("--toolset", help="Only this toolset, or several, separated by commas.")
def list_tools(call: Call, toolset: str | None) -> None:
    """List the tools, one per line: toolset, name and purpose."""
    _list(call, toolset)


@verb(
    "call",
    """ricordo tools call remember '{"content": "Prefers window seats", "name": "seat"}'""",
    """ricordo tools call recall '{"query": "where does she like to sit?"}'""",
    "ricordo tools call scratchpad_read --session trip",
    "cat arguments.json | ricordo tools call remember -",
)
@click.argument("name")
@click.argument("arguments", type=json, default="{}")
@click.option("--toolset", help="The toolset, if several have a tool with this name.")
@click.option("--session", help="The session, for tools that work on one.")
@click.pass_context
def call_tool(
    context: click.Context,
    call: Call,
    name: str,
    arguments: Json,
    toolset: str | None,
    session: str | None,
) -> None:
    """Call the tool NAME with ARGUMENTS, a JSON object, as a model would.

    ARGUMENTS may be - to read standard input. The result is printed unchanged: JSON, or plain text
    if the tool answers in text.
    """
    from ricordo.surfaces.tools import ToolFailure, registry

    try:
        tool = registry.get(name, toolset, arguments)
        if tool.needs_session and session is None:
            raise click.UsageError(f"{name} works on a session; give --session.")
        asks = tool.annotations.read_only or (isinstance(arguments, dict) and "query" in arguments)
        with call.memory(writes=not tool.annotations.read_only, embeds=asks) as memory:
            if asks:
                _catch_up(call, memory)
            result = registry.call(name, arguments, call.space(memory), session, tool.toolset)
    except ToolFailure as failure:
        raise _to_error(failure) from None
    call.out.line(result, result if isinstance(result, str) else dumps(result))
    if isinstance(result, dict) and set(result) == {"error"}:
        context.exit(1)


@verb(
    "export",
    "ricordo tools export",
    "ricordo tools export --style anthropic --toolset notes,schedules",
)
@click.option("--style", type=click.Choice(_STYLES), default="openai", show_default=True)
@click.option(
    "--toolset", default="default", show_default=True, help="One, or several separated by commas."
)
def export(call: Call, style: str, toolset: str) -> None:
    """Print the definitions of a toolset as a JSON array, for another runtime."""
    from ricordo.surfaces.tools import registry

    call.out.document(registry.definitions(toolset, style))


def _list(call: Call, toolset: str | None) -> None:
    from ricordo.surfaces.tools import registry

    chosen = registry.toolsets() if toolset is None else [toolset]
    tools = [tool for each in chosen for tool in registry.toolset(each)]
    rows = [(tool.toolset, tool.name, tool.purpose) for tool in tools]
    call.out.table([_tool_to_dict(tool) for tool in tools], ("toolset", "tool", "purpose"), rows)


def _tool_to_dict(tool: "Tool") -> dict[str, Any]:
    return {
        "toolset": tool.toolset,
        "name": tool.name,
        "purpose": tool.purpose,
        "parameters": tool.parameters,
        "result": tool.result,
        "annotations": tool.annotations,
        "errors": tool.errors,
        "needs_session": tool.needs_session,
        "examples": tool.examples,
    }


def _catch_up(call: Call, memory: "Memory") -> None:
    """Make the few vectors that earlier commands left."""
    try:
        if waiting_chunks(memory) <= CATCH_UP:
            settle(call, memory)
    except Unavailable as error:
        click.echo(f"ricordo: searching words only: {error}", err=True)


def _to_error(failure: "ToolFailure") -> RicordoError:
    """The failure as an error, for the exit code of its kind."""
    return _ERRORS.get(failure.kind, RicordoError)(failure.message)


@add_shared_options(with_environment=False)
@click.pass_context
def _tools(context: click.Context) -> None:
    """Tools for models: list them, call one, print their definitions for another runtime."""
    if context.invoked_subcommand is None:
        _list(Call.of(context), None)


tools: Verbs = click.group(
    "tools",
    cls=Verbs,
    invoke_without_command=True,
    examples=(
        "ricordo tools",
        """ricordo tools call remember '{"content": "Prefers window seats"}'""",
        "ricordo tools export --style openai",
    ),
)(_tools)
for _verb in (list_tools, call_tool, export):
    tools.add_command(_verb)

VERBS = (tools,)
