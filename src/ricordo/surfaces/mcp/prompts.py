"""Prompts: what a person can pick in a host to use the memory by hand.

What comes out of the memory stands in them as quoted data, never as an instruction.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ricordo.errors import InvalidInput

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

_BUDGET = 4_000  # tokens
_LISTED = 50


@dataclass(frozen=True, slots=True)
class Argument:
    """One blank of a prompt."""

    name: str
    told: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """A prompt that was picked: where, and what was filled in."""

    space: "Space"
    session: str
    given: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt and how its text is made."""

    name: str
    told: str
    arguments: tuple[Argument, ...]
    text: Callable[[PromptRequest], str] = field(repr=False)


def render(name: str, asked: PromptRequest) -> str:
    """The text of a prompt; what is missing is named."""
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        known = ", ".join(each.name for each in PROMPTS)
        raise InvalidInput(f"there is no prompt {name!r}; known are {known}")
    for argument in prompt.arguments:
        if argument.required and not asked.given.get(argument.name, "").strip():
            raise InvalidInput(f"prompt {name!r} needs {argument.name}: {argument.told}")
    return prompt.text(asked)


def _recall(asked: PromptRequest) -> str:
    question = asked.given["question"]
    chat = asked.space.session(asked.session)
    known = chat.context(question, _BUDGET, due=lambda _: ()).text
    return f"Answer this from memory, and say so if it is not there: {question}\n\n{known}"


def _catch_up(asked: PromptRequest) -> str:
    session = asked.given.get("session") or asked.session
    known = asked.space.session(session).context("", _BUDGET, due=lambda _: ()).text
    return f"Tell me where we left off and what is open in session {session!r}.\n\n{known}"


def _keep(_: PromptRequest) -> str:
    return (
        "Go through our conversation so far. Keep what will matter in later sessions with the "
        "memory's tools: decisions, preferences, facts about people and projects, open ends. One "
        "thing per entry, a short name for what may change. Look first whether it is known, and "
        "replace rather than repeat. Leave out secrets. Then tell me in one line each what you "
        "kept."
    )


def _tidy(asked: PromptRequest) -> str:
    names = [entry.name for entry in asked.space.entries(limit=_LISTED)]
    listed = "\n".join(f"> {' '.join(name.split())}" for name in names)
    return (
        "Look through the memory for entries that are doubled, contradict each other or are out of "
        "date. Propose for each what to merge, correct or forget, and wait for my word before you "
        f"change anything. The newest entries by name, quoted:\n\n{listed}"
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
        "Where a session was left, and what is open.",
        (Argument("session", "the session; that of the connection unless given", required=False),),
        _catch_up,
    ),
    Prompt("keep", "Keep what matters of this conversation.", (), _keep),
    Prompt("tidy", "Find entries that are doubled, wrong or out of date.", (), _tidy),
)
