"""A tool: a typed function over one space, and what a model must know about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ricordo.errors import InvalidInput
from ricordo.model import Json
from ricordo.surfaces.faults import FAILED
from ricordo.surfaces.tools import schema

if TYPE_CHECKING:
    from ricordo.handles.memory import Session, Space
    from ricordo.model import Reminder


class ToolFailure(Exception):
    """Why a tool did nothing, in words that the model can act on. `shape` is the error in the form
    of the tool's document, JSON or text; `is_shaped` says whether there is such a form."""

    def __init__(self, message: str, kind: str = FAILED, shape: Json = None) -> None:
        # A lone surrogate in an argument is quoted in the message, which could not be sent then.
        self.message = message.encode("utf-8", "backslashreplace").decode()
        super().__init__(self.message)
        self.kind = kind
        self.is_shaped = shape is not None
        self.shape: Json = {"error": self.message} if shape is None else shape


@dataclass(frozen=True, slots=True)
class Annotations:
    """Hints for a host. No tool reaches beyond the memory, so `open_world` is always False."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """What a call is bound to. The model cannot choose it."""

    space: "Space"
    session_name: str | None
    channel: str | None = None  # where the conversation takes place, if the connection knows
    delivered: "list[Reminder]" = field(default_factory=list)  # within the result of the call

    @property
    def session(self) -> "Session":
        """The session of the call."""
        if self.session_name is None:
            raise ToolFailure("this tool works on a session, but none is bound; bind one")
        return self.space.session(self.session_name)


@dataclass(frozen=True)
class Tool:
    """One tool of one toolset."""

    name: str
    purpose: str
    parameters: Mapping[str, Json]
    result: Mapping[str, Json] | None
    annotations: Annotations
    errors: tuple[str, ...]
    needs_session: bool
    examples: tuple[Mapping[str, Json], ...]
    toolset: str
    run: Callable[..., Json] = field(repr=False)
    builtin: str | None = None  # the type by which Anthropic's models know it already
    is_sweeping: bool = False  # changes entries that neither its arguments nor its result name


def as_is(failure: ToolFailure, tool: Tool) -> ToolFailure:  # noqa: ARG001
    """The failure unchanged, for a toolset without a shape of its own."""
    return failure


class Toolset:
    """A named selection of tools, and the form of their failures: raised, or an answer."""

    def __init__(
        self,
        name: str,
        told: str,
        word: Callable[[ToolFailure, Tool], ToolFailure] = as_is,
        *,
        answers_failures: bool = False,
        brings_due: bool = False,
    ) -> None:
        self.name = name
        self.told = told
        self.word = word
        self.answers_failures = answers_failures
        self.brings_due = brings_due  # whether due reminders come with its results
        self.tools: dict[str, Tool] = {}

    def tool(
        self,
        *examples: Mapping[str, Json],
        hints: Annotations | None = None,
        errors: tuple[str, ...] = (),
        needs_session: bool = False,
        builtin: str | None = None,
        name: str | None = None,
        result: Mapping[str, Json] | None = None,
        is_sweeping: bool = False,
    ) -> Callable[[Callable[..., Json]], Callable[..., Json]]:
        """Make a function a tool: its docstring is the purpose, its signature the schema."""

        def decorate(function: Callable[..., Json]) -> Callable[..., Json]:
            tool = Tool(
                name=name or function.__name__,
                purpose=" ".join((function.__doc__ or "").split()),
                parameters=schema.parameters(function),
                result=result or schema.result(function),
                annotations=hints or Annotations(),
                errors=errors,
                needs_session=needs_session,
                examples=examples,
                toolset=self.name,
                run=function,
                builtin=builtin,
                is_sweeping=is_sweeping,
            )
            if tool.name in self.tools:
                raise InvalidInput(f"toolset {self.name!r} already has a tool {tool.name!r}")
            self.tools[tool.name] = tool
            return function

        return decorate


READS = Annotations(read_only=True, idempotent=True)
ADDS = Annotations()
SETS = Annotations(idempotent=True)
REPLACES = Annotations(destructive=True, idempotent=True)
REMOVES = Annotations(destructive=True, idempotent=True)
