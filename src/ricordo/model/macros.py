"""Macros, approvals and verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from ricordo.model.choices import Answer, Scope
from ricordo.model.json import Json
from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Macro(Noun):
    """A learned succession: after a call that matches the trigger comes the next tool.

    A pattern says what is known about each argument: {"is": value}, {"starts": words},
    {"from": argument of the trigger} or {"any": true}. None matches any arguments.
    """

    space: str
    id: str
    trigger_tool: str
    trigger_pattern: Mapping[str, Json] | None
    next_tool: str
    next_pattern: Mapping[str, Json] | None
    confidence: float  # 0 to 1: how likely the next tool follows, by counts and age
    followed: int  # how often the next tool followed the trigger
    seen: int  # how often any tool followed the trigger
    used_count: int
    created_at: datetime
    updated_at: datetime  # when it was last seen or used
    arguments: Mapping[str, Json]  # the known arguments of the next tool
    missing: tuple[str, ...]  # arguments of the next tool that the caller must fill in


@dataclass(frozen=True, slots=True, repr=False)
class Approval(Noun):
    """The first words of commands that are allowed or denied in a space."""

    _key: ClassVar[tuple[str, ...]] = ("words",)

    space: str
    words: tuple[str, ...]
    allow: bool
    scope: Scope  # always, or in this process only: session, once
    created_at: datetime

    def _describe(self) -> str:
        return f"{'allow' if self.allow else 'deny'} {' '.join(self.words)!r} {self.scope}"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Noun):
    """Whether a command may run: "allow", "deny", or "ask" the user; and why."""

    answer: Answer
    reason: str
    approval: Approval | None = None
