"""Hooks of Claude Code: the JSON that it gives for an event, and the JSON that it wants back.

Only the shapes are here; what is kept and told is decided in flows/hooks/events.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.hooks import events
from ricordo.model import Json

LONGEST_TAIL = 65_536  # bytes read from the end of a transcript
_SHELL_TOOLS = ("Bash", "bash", "shell")


@dataclass(frozen=True, slots=True)
class HostEvent:
    """What a host says about an event."""

    session: str
    cwd: str
    given: Mapping[str, Json]

    @classmethod
    def of(cls, text: str) -> "HostEvent":
        """Read the input of a hook."""
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("the input is not valid JSON; send one object on stdin") from error
        session = given.get("session_id") if isinstance(given, dict) else None
        if not isinstance(session, str) or not session.strip():
            raise InvalidInput("the input has no session_id; send one object with it on stdin")
        cwd = given.get("cwd")
        return cls(session, cwd if isinstance(cwd, str) else "", given)

    def text(self, name: str) -> str:
        value = self.given.get(name)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class HookTarget:
    """Where to look and what to do there."""

    engine: Engine
    space: str
    approves: bool  # whether an allowed command runs without a question from the host
    ask: events.AskServer | None = None  # a server that recalls by meaning


Answer = dict[str, Json] | None


def session_start(place: HookTarget, told: HostEvent) -> Answer:
    source = told.text("source") or "startup"
    return _context(
        "SessionStart", events.start_session(place.engine, place.space, told.session, source)
    )


def user_prompt_submit(place: HookTarget, told: HostEvent) -> Answer:
    prompt = told.text("prompt")
    found = events.take_prompt(place.engine, place.space, told.session, prompt, place.ask)
    return _context("UserPromptSubmit", found)


def pre_tool_use(place: HookTarget, told: HostEvent) -> Answer:
    """Deny what the user denied; with `approves` also allow what the user allowed."""
    given = told.given.get("tool_input")
    command = given.get("command") if isinstance(given, dict) else None
    if told.text("tool_name") not in _SHELL_TOOLS or not isinstance(command, str):
        return None
    answer, reason = events.judge_command(place.engine, place.space, command)
    if answer == "ask" or (answer == "allow" and not place.approves):
        return None
    decided = {
        "hookEventName": "PreToolUse",
        "permissionDecision": answer,
        "permissionDecisionReason": f"ricordo: {reason}",
    }
    return {"hookSpecificOutput": decided}


def post_tool_use(place: HookTarget, told: HostEvent) -> Answer:
    name = told.text("tool_name")
    if name:
        call = {
            "name": name,
            "arguments": told.given.get("tool_input", {}),
            "id": told.given.get("tool_use_id"),
        }
        result = told.given.get("tool_response", told.given.get("error", ""))
        events.take_tool_call(place.engine, place.space, told.session, call, result)
    return None


def pre_compact(place: HookTarget, told: HostEvent) -> Answer:
    events.archive_session(place.engine, place.space, told.session)
    return None


def stop(place: HookTarget, told: HostEvent) -> Answer:
    answer = told.text("last_assistant_message") or _last_answer(told.text("transcript_path"))
    events.take_answer(place.engine, place.space, told.session, answer)
    return None


def session_end(place: HookTarget, told: HostEvent) -> Answer:
    events.end_session(place.engine, place.space, told.session)
    return None


EVENTS: dict[str, Callable[[HookTarget, HostEvent], Answer]] = {
    "SessionStart": session_start,
    "UserPromptSubmit": user_prompt_submit,
    "PreToolUse": pre_tool_use,
    "PostToolUse": post_tool_use,
    "PostToolUseFailure": post_tool_use,
    "PreCompact": pre_compact,
    "Stop": stop,
    "SessionEnd": session_end,
}


def _context(event: str, text: str) -> Answer:
    if not text:
        return None
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _last_answer(path: str) -> str:
    """The last message of the assistant, from the end of the host's transcript."""
    if not path:
        return ""
    try:
        with Path(path).open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - LONGEST_TAIL))
            lines = stream.read(LONGEST_TAIL).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return ""
    for line in reversed(lines):
        if said := _assistant_words(line):
            return said
    return ""


def _assistant_words(line: str) -> str:
    """The words of the assistant in one line of a transcript."""
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(item, dict) or item.get("type") != "assistant":
        return ""
    message = item.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [p.get("text") for p in parts if isinstance(p, dict) and p.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))
