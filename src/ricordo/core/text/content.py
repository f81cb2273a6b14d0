"""Content: what is refused, how it is normalised, hashed and read out of a message."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from ricordo.errors import InvalidInput
from ricordo.model import Content, Json

_DEEPEST = 8  # message parts nest two or three levels; deeper, or in a circle, is not a message


def clean(text: object, what: str, *, limit: int = 10_000_000) -> str:
    """Return the text if every store can keep it, else raise InvalidInput naming `what`."""
    if not isinstance(text, str):
        raise InvalidInput(f"{what} is {type(text).__name__}, not text; pass a str")
    if len(text) > limit:
        raise InvalidInput(
            f"{what} has {len(text):,} characters, the limit is {limit:,}; split or shorten it"
        )
    if "\0" in text:
        at = text.index("\0")
        raise InvalidInput(f"{what} holds a NUL character at position {at}; remove it")
    if not text.isascii():
        _refuse_surrogates(text, what)
    return text


def normalise(text: str) -> str:
    """Make every run of Unicode whitespace one blank, and trim."""
    return " ".join(text.split())


def digest(text: str) -> bytes:
    """Hash text: BLAKE3 of its UTF-8, 32 bytes."""
    value: bytes = hasher()(text.encode()).digest()
    return value


@cache
def hasher() -> Callable[..., Any]:  # Any: the hasher's class is known only after the import
    """Give BLAKE3, imported on first use so that `import ricordo` stays light."""
    from blake3 import blake3

    return blake3


def parts(content: Content) -> list[Json]:
    """The parts of a content; text has none, and an object is one."""
    if isinstance(content, dict):
        return [content]
    return content if isinstance(content, list) else []


def extract(content: Content, tool_calls: list[Json] | None, *, arguments: bool = True) -> str:
    """Read the searchable text out of a message: its text parts, then one line per tool call.

    Takes the part and call shapes of OpenAI and Anthropic; odd shapes give nothing, not an error.
    Without `arguments` only the names of called tools are read.
    """
    if isinstance(content, str) and not tool_calls:
        return content.strip()
    lines = _part_lines(content, arguments, _DEEPEST)
    if isinstance(tool_calls, list | tuple):
        lines += [line for call in tool_calls if (line := _call_line(call, arguments))]
    return "\n".join(lines)


def _refuse_surrogates(text: str, what: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{what} holds a lone surrogate (U+{ord(text[error.start]):04X}) at position "
            f"{error.start}, which is not a character; decode the source with errors='replace'"
        ) from None


def _part_lines(part: Json, with_arguments: bool, depth: int) -> list[str]:
    if isinstance(part, str):
        return [line] if (line := part.strip()) else []
    if depth == 0:
        return []
    if isinstance(part, list | tuple):
        return [line for item in part for line in _part_lines(item, with_arguments, depth - 1)]
    if not isinstance(part, dict):
        return []
    if str(part.get("type")).endswith("tool_use"):
        return [line] if (line := _call_line(part, with_arguments)) else []
    for field in ("text", "content", "value"):
        if field in part:
            return _part_lines(part[field], with_arguments, depth - 1)
    return []


def _call_line(call: Json, with_arguments: bool) -> str:
    if not isinstance(call, dict):
        return ""
    inner = call.get("function") or call.get("custom")
    shape = inner if isinstance(inner, dict) else call
    name = shape.get("name")
    if not isinstance(name, str) or not name.strip():
        return ""
    given = next((shape[key] for key in ("arguments", "input", "args") if key in shape), None)
    given = given if with_arguments else None
    arguments = given.strip() if isinstance(given, str) else _json(given)
    return (
        f"tool {name.strip()} arguments {arguments}"
        if arguments
        else f"tool {name.strip()} invocation"
    )


def _json(value: Json) -> str:
    if value is None:
        return ""
    try:
        return json.dumps(
            value, ensure_ascii=False, separators=(",", ":"), skipkeys=True, default=str
        )
    except (TypeError, ValueError, RecursionError):  # circular, or deeper than the parser goes
        return ""
