"""OpenAI Agents SDK: a `Session` kept as a session of a space, with atomic compaction.

Importing this module needs the extra: pip install "ricordo[openai-agents]".
"""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import Conflict, NotFound

try:
    from agents.memory import SessionABC, SessionSettings
    from agents.memory import session as sdk
    from agents.memory.session_settings import coerce_session_settings, resolve_session_limit
except ImportError as error:
    raise report_missing("openai-agents", "openai-agents") from error

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

    from ricordo import Event, Memory, Space, aio

__all__ = ["RicordoSession"]

Item = dict[str, Any]  # Any: the SDK's items are dictionaries of many shapes
_ROLES = frozenset({"user", "assistant", "system", "developer"})


class RicordoSession(SessionABC):
    """The history of one conversation; recall of the space finds what it says."""

    session_settings: SessionSettings | None = None

    def __init__(
        self,
        session_id: str,
        memory: "Memory | Space | aio.Memory | aio.Space",
        *,
        space: str = "openai-agents",
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = (
            SessionSettings()
            if session_settings is None
            else coerce_session_settings(session_settings)
        )
        self._log = find_space(memory, space).session(session_id)
        self._is_closed = False

    async def get_items(self, limit: int | None = None) -> "list[TResponseInputItem]":
        """The history, or its newest `limit` items, oldest first."""
        most = resolve_session_limit(limit, self.session_settings)
        self._check_open()
        if most is None or most < 0:
            events = await finish(self._log.events)
        else:
            events = await finish(lambda: self._log.tail(most))
        return [_read_item(event) for event in events]

    async def add_items(self, items: "list[TResponseInputItem]") -> None:
        """Append items: all of them, or none."""
        self._check_open()
        if items:
            messages = [_make_message(item) for item in items]
            await finish(lambda: self._log.extend(messages))

    async def pop_item(self) -> "TResponseInputItem | None":
        """Take the newest item out of the history and return it; recall no longer finds it."""
        return await self._pop_item_with_validation()

    async def clear_session(self) -> None:
        """Delete the session and everything derived from it."""
        self._check_open()

        def clear() -> None:
            with contextlib.suppress(NotFound):
                self._log.delete()

        await finish(clear)

    def close(self) -> None:
        """Refuse further calls; the memory stays open, it belongs to the caller."""
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise RuntimeError(f"session {self.session_id!r} is closed; make another one")

    # What the SDK asks of its own sessions: its wrappers look for these two by name.

    async def _pop_item_with_validation(
        self, validate: "Callable[[TResponseInputItem], None] | None" = None
    ) -> "TResponseInputItem | None":
        self._check_open()

        def pop() -> "TResponseInputItem | None":
            while newest := self._log.tail(1):
                item, seq = _read_item(newest[0]), newest[0].seq
                if validate is not None:
                    validate(item)
                with contextlib.suppress(Conflict):  # somebody else was faster: look again
                    self._log.truncate(after=seq - 1, expect_last=seq)
                    return item
            return None

        return await finish(pop)

    async def _get_compaction_snapshot(
        self,
        limit: int,
        *,
        prune_prefix: "Callable[[TResponseInputItem], bool] | None" = None,
    ) -> Any:  # Any: the kind of its answer is private to the SDK
        """The newest items, and how to put others in their place unless the history moved on."""
        own, snapshot = RicordoSession, getattr(sdk, "_CompactionSnapshot", None)
        if snapshot is None:
            return None
        if type(self).get_items is not own.get_items or type(self).add_items is not own.add_items:
            return None  # a subclass that changes items must not be bypassed
        self._check_open()
        newest = await finish(lambda: self._log.tail(limit + 1))
        events = newest[-limit:]

        async def replace_suffix(start: int, output: "list[TResponseInputItem]") -> bool:
            if not events[start:]:
                return False
            return await finish(lambda: self._replace(events[start:], output, prune_prefix))

        items = [_read_item(event) for event in events]
        return snapshot(items, len(newest) <= limit, replace_suffix)

    def _replace(
        self,
        suffix: "list[Event]",
        output: "list[TResponseInputItem]",
        prune_prefix: "Callable[[TResponseInputItem], bool] | None",
    ) -> bool:
        """Replace the newest events in one transaction; False if they are not the newest."""
        first, last = suffix[0].seq, suffix[-1].seq
        kept = self._prune(first, prune_prefix) if prune_prefix is not None else None
        begin, messages = (first, output) if kept is None else (kept[0], [*kept[1], *output])
        try:
            self._log.replace(
                begin - 1, [_make_message(item) for item in messages], expect_last=last
            )
        except (Conflict, NotFound):
            return False
        return True

    def _prune(
        self, before: int, is_expired: "Callable[[TResponseInputItem], bool]"
    ) -> "tuple[int, list[TResponseInputItem]] | None":
        """Where the history begins and what stays of it, if its oldest items have expired."""
        prefix = [event for event in self._log.events() if event.seq < before]
        items = [_read_item(event) for event in prefix]
        count = next((n for n, item in enumerate(items) if not is_expired(item)), len(items))
        return (prefix[0].seq, items[count:]) if count else None


def _read_item(event: "Event") -> "TResponseInputItem":
    item: TResponseInputItem = unpack((event.metadata or {})["item"])
    return item


def _make_message(item: Any) -> Item:
    """What a session keeps of an item: its text for recall, and all of it to read back."""
    kept = {"metadata": {"item": pack(item)}}
    kind = item.get("type")
    if kind == "function_call_output":
        return {"role": "tool", "content": _read_text(item.get("output")), **kept}
    role = item.get("role") if item.get("role") in _ROLES else "assistant"
    text = _read_text(item.get("content"))
    if kind == "function_call":
        text = readable(f"tool {item.get('name')} arguments {item.get('arguments')}")
    return {"role": role, "content": text, "index": bool(text), **kept}


def _read_text(content: Any) -> str:
    """The text of a content: itself, or that of its parts."""
    if isinstance(content, str):
        return readable(content)
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return readable("\n".join(text for text in texts if isinstance(text, str)))
