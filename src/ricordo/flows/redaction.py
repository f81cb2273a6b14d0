"""Redaction: what must not be kept is taken out of every argument, before a call does anything.

One seam for all of a memory: its handles. What comes in by another way, from a file, is passed to
`Engine.redacted` where it is read. A hook that fails lets nothing through.
"""

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from ricordo.errors import InvalidInput

Hook = Callable[[str], str]
Handle = TypeVar("Handle")


def guard(handle: Handle, hook: Hook | None) -> Handle:
    """The same handle, with its arguments redacted; without a hook the handle itself."""
    if hook is None:
        return handle
    kind = _guard_handle(type(handle))  # type: ignore[arg-type]  # mypy takes a class for unhashable
    twin: Handle = object.__new__(kind)
    twin.__dict__.update(handle.__dict__)
    return twin


def redact(hook: Hook, text: str) -> str:
    """A text without what must not be kept."""
    said = hook(text)
    if not isinstance(said, str):
        raise InvalidInput(f"redact gave {type(said).__name__} for a text; let it return text")
    return said


def redact_deep(hook: Hook, value: Any) -> Any:  # Any: an argument may be anything
    """A value with every text in it redacted, however deep; the caller's own stays as it is."""
    if isinstance(value, str):
        return redact(hook, value)
    inner = partial(redact_deep, hook)
    if isinstance(value, Mapping):
        return {inner(key): inner(held) for key, held in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(inner, value))
    if isinstance(value, list | set | frozenset | tuple):
        return type(value)(inner(held) for held in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value) if field.init]
        return dataclasses.replace(value, **{name: inner(getattr(value, name)) for name in fields})
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        return (inner(held) for held in value)
    return value


@cache
def _guard_handle(kind: type[Any]) -> type[Any]:
    """A kind of handle that redacts the arguments of every public method."""

    def look_up(self: Any, name: str) -> Any:
        found = object.__getattribute__(self, name)
        if name.startswith("_") or not inspect.ismethod(found):
            return found
        return partial(_call, found, self._engine.redact)

    return type(kind.__name__, (kind,), {"__getattribute__": look_up})


def _call(method: Callable[..., Any], hook: Hook, /, *args: Any, **rest: Any) -> Any:
    try:
        given, named = redact_deep(hook, args), redact_deep(hook, rest)
    except RecursionError:
        raise InvalidInput("an argument is nested too deeply to be redacted") from None
    return method(*given, **named)
