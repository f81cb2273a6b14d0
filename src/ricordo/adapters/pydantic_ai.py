"""Pydantic AI: a conversation store over the records of a space.

Importing this module needs the extra: pip install "ricordo[pydantic-ai]".
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import Conflict

try:
    from pydantic import TypeAdapter
    from pydantic_ai.conversation_store import (
        ConversationConflict,
        ConversationEntry,
        ConversationRecord,
        ConversationStore,
    )
    from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
except ImportError as error:
    raise report_missing("pydantic-ai-slim", "pydantic-ai") from error

if TYPE_CHECKING:
    from ricordo import Memory, Record, Space, aio

__all__ = ["RicordoConversationStore"]

_RECORD = TypeAdapter(ConversationRecord)
_CONVERSATIONS, _ENTRIES = "conversations", "entries"
_GUARD = "guard"  # its revision moves when a conversation begins to use entries, or lets go of some
Step = dict[str, Any]  # Any: the options of a batch


class RicordoConversationStore(ConversationStore):
    """Conversations and their messages; recall of the space finds what was said in them.

    Every write is one transaction. Deleting a conversation deletes the entries that no other
    conversation uses.
    """

    def __init__(
        self, memory: "Memory | Space | aio.Memory | aio.Space", *, space: str = "pydantic-ai"
    ) -> None:
        self._records = find_space(memory, space).records("pydantic-ai")

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        """What is kept of a conversation beside its messages, or None."""
        held = await finish(lambda: self._find(conversation_id))
        return None if held is None else _read_record(held)

    async def read_records(
        self, *, scope: str | None = None, limit: int | None = None
    ) -> list[ConversationRecord]:
        """The conversations of a scope, or all of them, the last saved first."""

        def load() -> list[ConversationRecord]:
            listed = self._records.list(_CONVERSATIONS, limit=None, values=False)
            wanted = [e for e in listed if scope is None or unpack(e.metadata["scope"]) == scope]
            wanted.sort(key=_read_time, reverse=True)
            found = self._records.get_many(wanted[:limit])
            return [_read_record(each) for each in found if each is not None]

        return await finish(load)

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        """One entry; KeyError if there is none."""

        def load() -> ConversationEntry:
            found = self._records.get((_ENTRIES, entry_id))
            if found is None:
                raise KeyError(f"there is no entry {entry_id!r}")
            return _read_entry(found)

        return await finish(load)

    async def read_history(
        self, head_id: str | None, *, limit: int | None = None
    ) -> list[ConversationEntry]:
        """The entries up to a head, in order, or the last `limit` of them."""

        def load() -> list[ConversationEntry]:
            found: list[ConversationEntry] = []
            known: dict[str, Record] = {}
            next_id = head_id
            while next_id is not None and (limit is None or len(found) < limit):
                if next_id not in known:
                    left = None if limit is None else limit - len(found)
                    known |= self._load_neighbours(next_id, left)
                found.append(_read_entry(known[next_id]))
                next_id = found[-1].parent_id
            return found[::-1]

        return await finish(load)

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        """Keep a conversation and its new entries, or raise ConversationConflict."""
        id = record.conversation_id
        entries = [_make_entry(id, entry) for entry in new_entries]

        def plan() -> list[Step]:
            guard = self._move_guard()
            held = self._check(id, expected_revision)
            steps = [_make_record(record, held), *entries]
            base = new_entries[0].parent_id if new_entries else record.head_id
            if base is None or (held is not None and base == _list_tips(held)[0]):
                return steps
            if self._records.get((_ENTRIES, base)) is None:
                raise ConversationConflict(id)
            return [guard, *steps]

        await finish(lambda: self._write(plan))

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        """Delete a conversation, and the entries that no other one uses."""

        def plan() -> list[Step]:
            guard = self._move_guard()
            held = self._check(conversation_id, expected_revision)
            assert held is not None  # a revision is expected
            address = (_CONVERSATIONS, conversation_id)
            same = {"put": address, "value": None, "if_revision": held.revision}
            unused = [(_ENTRIES, key) for key in self._list_unused(conversation_id)]
            return [guard, same, *({"delete": each} for each in (address, *unused))]

        await finish(lambda: self._write(plan))

    def _write(self, plan: Callable[[], list[Step]]) -> None:
        """Write what a plan says; plan again if somebody wrote in between."""
        while True:
            steps = plan()
            try:
                self._records.batch(steps)
            except Conflict:
                continue  # somebody was faster, so that this ends
            return

    def _check(self, conversation_id: str, expected_revision: str | None) -> "Record | None":
        """The record of a conversation, if it has the revision that the caller knows."""
        held = self._find(conversation_id)
        known = None if held is None else _read_record(held).revision
        if known != expected_revision:
            raise ConversationConflict(conversation_id)
        return held

    def _find(self, conversation_id: str) -> "Record | None":
        return self._records.get((_CONVERSATIONS, conversation_id))

    def _move_guard(self) -> Step:
        """The step that fails if conversations begin or end to share entries from now on."""
        held = self._records.get(_GUARD)
        return {"put": _GUARD, "value": None, "if_revision": held.revision if held else 0}

    def _load_neighbours(self, entry_id: str, limit: int | None) -> "dict[str, Record]":
        """An entry, and those that its conversation wrote, or the last `limit` of them."""
        found = self._records.get((_ENTRIES, entry_id))
        if found is None:
            raise KeyError(f"there is no entry {entry_id!r}")
        where = {"conversation": found.metadata["conversation"]}
        near = self._records.list(_ENTRIES, where=where, order="-key", limit=limit)
        return {each.key: each for each in (*near, found)}

    def _list_unused(self, conversation_id: str) -> list[str]:
        """The entries that are in no other conversation's history and in no branch it left."""
        while True:
            listed = self._records.list(_ENTRIES, limit=None, values=False)
            entries = {each.key: each for each in listed}
            others = self._records.list(_CONVERSATIONS, limit=None, values=False)
            tips = [t for each in others if each.key != conversation_id for t in _list_tips(each)]
            if all(tip in entries for tip in tips if tip is not None):
                break  # else an entry was written after they were listed
        used: set[str] = set()
        for tip in tips:
            while tip is not None and tip not in used:
                used.add(tip)
                tip = unpack(entries[tip].metadata["parent"])
        return [key for key in entries if key not in used]


def _make_record(record: ConversationRecord, held: "Record | None") -> Step:
    """The step that keeps a conversation, if it is as it was found."""
    return {
        "put": (_CONVERSATIONS, record.conversation_id),
        "value": pack(_RECORD.dump_python(record, mode="json")),
        "metadata": {
            "scope": pack(record.scope),
            "updated_at": record.updated_at.timestamp(),
            "tips": pack([record.head_id, *record.branches]),
        },
        "if_revision": 0 if held is None else held.revision,
    }


def _make_entry(conversation_id: str, entry: ConversationEntry) -> Step:
    """The step that keeps an entry: its text for recall, and all of it to read back."""
    kept = ModelMessagesTypeAdapter.dump_python([entry.message], mode="json")
    digest = hashlib.sha256(conversation_id.encode("utf-8", "surrogatepass")).hexdigest()
    return {
        "put": (_ENTRIES, entry.id),
        "value": pack(kept),
        "texts": _read_text(entry.message),
        "metadata": {"parent": pack(entry.parent_id), "conversation": digest},
        "origin": "user" if entry.message.kind == "request" else "agent",
    }


def _read_record(held: "Record") -> ConversationRecord:
    return _RECORD.validate_python(unpack(held.value))


def _read_entry(held: "Record") -> ConversationEntry:
    (message,) = ModelMessagesTypeAdapter.validate_python(unpack(held.value))
    parent: str | None = unpack(held.metadata["parent"])
    return ConversationEntry(id=held.key, parent_id=parent, message=message)


def _read_time(held: "Record") -> float:
    at: Any = held.metadata["updated_at"]
    return float(at)


def _list_tips(held: "Record") -> list[str | None]:
    """Where the history of a conversation ends, and where the branches end that it left."""
    tips: list[str | None] = unpack(held.metadata["tips"])
    return tips


def _read_text(message: ModelMessage) -> str:
    """What people asked and models answered; tools' results and instructions are left out."""
    texts: list[str] = []
    for part in message.parts:
        if part.part_kind == "user-prompt":
            content = [part.content] if isinstance(part.content, str) else part.content
            said = (
                each if isinstance(each, str) else getattr(each, "content", "") for each in content
            )
            texts += [each for each in said if isinstance(each, str)]
        elif part.part_kind == "text":
            texts.append(part.content)
    return readable("\n".join(texts))
