"""The registry: every tool once, by name and toolset, and the one way to call it."""

import difflib
import logging
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ricordo.errors import InvalidInput, RicordoError
from ricordo.model import Json
from ricordo.surfaces.awaitable import refuse_awaitable
from ricordo.surfaces.faults import Reports, find_fault
from ricordo.surfaces.tools import export, validate
from ricordo.surfaces.tools.format import ReminderItem, describe_reminder
from ricordo.surfaces.tools.tool import Bound, Tool, ToolFailure, Toolset

if TYPE_CHECKING:
    from ricordo.handles.memory import Space
    from ricordo.model import Reminder

DEFAULT = "default"
_ON_A_THREAD = (
    "open the memory with ricordo.open and run the call on a thread: "
    "await asyncio.to_thread(registry.call, name, args, space)"
)
_log = logging.getLogger("ricordo.tools")


class ToolAnswer(NamedTuple):
    """The result of a call, and the reminders that were delivered with it."""

    result: Json
    due: list[ReminderItem]
    delivered: "tuple[Reminder, ...]" = ()  # the same, to be put back if nobody gets the answer


class Registry:
    """The tools by toolset.

    A name alone means the tool of the default toolset, if it is there; else the one that knows most
    of the arguments given with it, and of those the first.
    """

    def __init__(self, toolsets: Iterable[Toolset]) -> None:
        self._toolsets = {each.name: each for each in toolsets}
        self._reports = Reports(_log)

    def names(self) -> tuple[str, ...]:
        """The names of all tools, each once, in the order of the toolsets."""
        every = (name for each in self._toolsets.values() for name in each.tools)
        return tuple(dict.fromkeys(every))

    def toolsets(self) -> tuple[str, ...]:
        """The names of the toolsets."""
        return tuple(self._toolsets)

    def describe_toolset(self, toolset: str) -> str:
        """What a toolset is for, in one line."""
        return self._toolset(toolset).told

    def toolset(self, name: str) -> tuple[Tool, ...]:
        """The tools of a toolset, or of several: "notes,schedules"."""
        found: dict[str, Tool] = {}
        for each in _parts(name):
            for tool in self._toolset(each).tools.values():
                if tool.name in found:
                    raise InvalidInput(
                        f"toolsets {found[tool.name].toolset!r} and {each!r} both have a tool "
                        f"{tool.name!r}; choose one of them"
                    )
                found[tool.name] = tool
        return tuple(found.values())

    def get(self, name: str, toolset: str | None = None, args: object = None) -> Tool:
        """A tool by its name. If several toolsets have it, `args` may decide."""
        if toolset is not None:
            offered = {tool.name: tool for tool in self.toolset(toolset)}
            if name in offered:
                return offered[name]
            raise ToolFailure(_unknown("tool", name, offered), "not_found")
        found = [each.tools[name] for each in self._toolsets.values() if name in each.tools]
        if not found:
            raise ToolFailure(_unknown("tool", name, self.names()), "not_found")
        if len(found) > 1 and found[0].toolset != DEFAULT:
            given = validate.read(args)
            names = set() if isinstance(given, str) else set(given)
            return max(found, key=lambda tool: len(names & set(tool.parameters["properties"])))
        return found[0]

    def call(
        self,
        name: str,
        args: Mapping[str, Json] | str | None,
        space: "Space",
        session: str | None = None,
        toolset: str | None = None,
        channel: str | None = None,
    ) -> Json:
        """Run a tool on a space. `args` is an object or its JSON text.

        `session` and `channel` say where the conversation takes place. Raises ToolFailure, or gives
        the error in the result where the tool's document does.
        """
        tool = self.get(name, toolset, args)
        try:
            return self.attempt(tool, args, Bound(space, session, channel))
        except ToolFailure as failure:
            if self._toolsets[tool.toolset].answers_failures:
                return failure.shape
            raise

    def attempt(self, tool: Tool, args: Mapping[str, Json] | str | None, bound: Bound) -> Json:
        """The same for a transport that marks errors: all of them are raised."""
        refuse_awaitable(bound.space, _ON_A_THREAD)
        try:
            return _run(tool, args, bound)
        except ToolFailure as failure:
            raise self.word_failure(failure, tool) from None
        except (RicordoError, OSError) as error:
            raise self.word_failure(self.report(tool.name, error), tool) from None

    def attempt_with_due(
        self, tool: Tool, args: Mapping[str, Json] | str | None, bound: Bound
    ) -> ToolAnswer:
        """The same with the reminders that are due, or whose cue the arguments touch.

        Each is delivered once, and only with a call that went well. A reminder that the call itself
        makes or deletes does not come with it.
        """
        found = self._find_due(tool, args, bound)
        result = self.attempt(tool, args, bound)
        try:
            given = bound.space.reminders.give_out(found) if found else []
        except RicordoError as error:  # they stay due; the call went well
            self.report(tool.name, error)
            given = []
        told = [describe_reminder(each) for each in given]
        return ToolAnswer(result, told, (*given, *bound.delivered))

    def _find_due(self, tool: Tool, args: object, bound: Bound) -> "list[Reminder]":
        given = validate.read(args)
        if isinstance(given, str) or not self._toolsets[tool.toolset].brings_due:
            return []
        try:
            return bound.space.reminders.due(join_texts(given), deliver=False)
        except RicordoError as error:
            raise self.word_failure(self.report(tool.name, error), tool) from None

    def report(self, name: str, error: Exception) -> ToolFailure:
        """What a model may learn of an error; the log gets all of it, even a driver's paths."""
        self._reports.add(f"tool {name}", error)
        fault = find_fault(error)
        return ToolFailure(fault.tell(error), fault.kind)

    def word_failure(self, failure: ToolFailure, tool: Tool) -> ToolFailure:
        """A failure in the shape of the tool's toolset."""
        return self._toolsets[tool.toolset].word(failure, tool)

    def definitions(self, toolset: str = DEFAULT, style: str = "openai") -> list[dict[str, Json]]:
        """The tools of a toolset, declared for `openai`, `anthropic` or `mcp`."""
        return [export.definition(tool, style) for tool in self.toolset(toolset)]

    def _toolset(self, name: str) -> Toolset:
        if name not in self._toolsets:
            known = ", ".join(self._toolsets)
            hint = _unknown("toolset", name, self._toolsets)
            raise InvalidInput(hint if known in hint else f"{hint} Use one of {known}")
        return self._toolsets[name]


def _run(tool: Tool, args: object, bound: Bound) -> Json:
    given = validate.read(args)
    if isinstance(given, str):
        raise ToolFailure(given, "invalid_arguments")
    given = validate.drop_nulls(tool.parameters, given)
    if wrong := validate.complaint(tool.parameters, given):
        raise ToolFailure(wrong, "invalid_arguments")
    if tool.needs_session and bound.session_name is None:
        raise ToolFailure(f"{tool.name} works on a session, but none is bound; bind one")
    try:
        return tool.run(bound, **given)
    except RecursionError:
        raise ToolFailure(
            "the arguments are nested too deeply; send flat ones", "invalid_arguments"
        ) from None


def join_texts(given: Json) -> str:
    """All texts in the arguments of a call, for the cues in them."""
    if isinstance(given, str):
        return given.encode("utf-8", "replace").decode().replace("\0", " ")
    if isinstance(given, Mapping):
        given = list(given.values())
    return " ".join(map(join_texts, given)) if isinstance(given, list | tuple) else ""


def _parts(name: str) -> list[str]:
    return [part.strip() for part in str(name).split(",")]


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    hint = f"did you mean {close[0]!r}?" if close else f"use one of {', '.join(known)}"
    return f"there is no {what} {name!r}; {hint}"
