"""Prompts: what a person can pick in a host to use the memory directly.

What comes from the memory is in them as quoted data, never as an instruction. Reminders that are
due stand in `recall` and `catch_up`, and are delivered with them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ricordo.core.text.quotation import HEADER, label, quote_under
from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    from ricordo.handles.memory import Space
    from ricordo.model import Reminder

_LISTED = 50


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a prompt."""

    name: str
    told: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """A request for a prompt: where, and with which arguments."""

    space: "Space"
    session: str
    given: Mapping[str, str]
    delivers: bool = True  # whether due reminders come with it, which marks them as delivered
    delivered: "list[Reminder]" = field(default_factory=list)

    def context(self, session: str, query: str) -> str:
        chat = self.space.session(session)
        if self.delivers:
            found = chat.context(query)
            self.delivered.extend(found.reminders)
            return found.text
        return chat.context(query, due=lambda _: ()).text


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, and the function that makes its text."""

    name: str
    told: str
    arguments: tuple[Argument, ...]
    text: Callable[[PromptRequest], str] = field(repr=False)


def render(name: str, asked: PromptRequest) -> str:
    """The text of a prompt; an error names a missing argument."""
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        known = ", ".join(each.name for each in PROMPTS)
        raise InvalidInput(f"there is no prompt {name!r}; use one of {known}")
    for argument in prompt.arguments:
        if argument.required and not asked.given.get(argument.name, "").strip():
            raise InvalidInput(f"prompt {name!r} needs {argument.name}: {argument.told}")
    return prompt.text(asked)


def _recall(asked: PromptRequest) -> str:
    question = asked.given["question"]
    known = asked.context(asked.session, question)
    wanted = f"Answer this from memory, and say so if memory has no answer: {question}"
    return f"{wanted}\n\n{HEADER}\n\n{known}"


def _catch_up(asked: PromptRequest) -> str:
    session = asked.given.get("session") or asked.session
    known = asked.context(session, "")
    wanted = f'Tell me where we left off in session "{label(session)}", and what is open.'
    return f"{wanted}\n\n{HEADER}\n\n{known}"


def _keep(_: PromptRequest) -> str:
    return (
        "Go through our conversation so far. With the memory's tools, store what will matter in "
        "later sessions: decisions, preferences, facts about people and projects, loose ends. "
        "Store one thing per entry, with a short name if it may change. First check whether it is "
        "already known, and replace it rather than repeat it. Leave out secrets. Then list what "
        "you stored, one line each."
    )


def _tidy(asked: PromptRequest) -> str:
    names = [entry.name for entry in asked.space.entries(limit=_LISTED)]
    return quote_under(
        "Look through the memory for entries that are duplicated, contradict each other or are out "
        "of date. For each, propose what to merge, correct or forget, and wait for my approval "
        "before you change anything. The names of the newest entries, quoted:\n",
        *names,
    )


PROMPTS = (
    Prompt(
        "recall",
        "Answer a question from memory.",
        (Argument("question", "what to look for, in plain words"),),
        _recall,
    ),
    Prompt(
        "catch_up",
        "See where a session left off, and what is open.",
        (Argument("session", "default: the session of the connection", required=False),),
        _catch_up,
    ),
    Prompt("keep", "Store what matters from this conversation.", (), _keep),
    Prompt("tidy", "Find entries that are duplicated, wrong or out of date.", (), _tidy),
)
