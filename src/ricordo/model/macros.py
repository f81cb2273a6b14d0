"""Macros, the successions they are worked out of, and approvals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from ricordo.model.choices import Answer, Scope
from ricordo.model.json import Json
from ricordo.model.noun import Noun


@dataclass(frozen=True, slots=True, repr=False)
class Macro(Noun):
    """A learned succession: a call that fits the trigger is followed by the next tool.

    A pattern says of each argument what is known: {"is": value}, {"starts": words},
    {"from": argument of the trigger} or {"any": true}. None as a whole fits any arguments.
    """

    space: str
    id: str
    trigger_tool: str
    trigger_pattern: Mapping[str, Json] | None
    next_tool: str
    next_pattern: Mapping[str, Json] | None
    confidence: float  # 0 to 1: how surely the next tool follows, by what was seen and how lately
    followed: int  # how often it did follow
    seen: int  # how often the trigger was followed by anything
    used_count: int
    created_at: datetime
    updated_at: datetime  # when it was last seen or used
    arguments: Mapping[str, Json]  # for the next tool, as far as they are known
    missing: tuple[str, ...]  # arguments of the next tool that the caller has to fill in


@dataclass(frozen=True, slots=True, repr=False)
class Approval(Noun):
    """A prefix of commands, as words, that is allowed or denied in a space."""

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
