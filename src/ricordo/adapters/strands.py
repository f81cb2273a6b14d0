"""Strands Agents: a session repository; messages are sessions of a space, state is records.

Importing this module needs the extra: pip install "ricordo[strands]".
"""

import contextlib
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ricordo.adapters.ground import find_space, report_missing
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import Conflict, NotFound

try:
    from strands.session.session_repository import SessionRepository
    from strands.types.exceptions import SessionException
    from strands.types.session import Session, SessionAgent, SessionMessage
except ImportError as error:
    raise report_missing("strands-agents", "strands") from error

if TYPE_CHECKING:
    import ricordo
    from ricordo import Memory, Space, aio
    from ricordo.handles.records import SpaceRecords

__all__ = ["RicordoRepository"]

State = dict[str, Any]  # Any: what an agent keeps is its own affair


class RicordoRepository(SessionRepository):  # type: ignore[misc]  # not installed with the others
    """Sessions, agents and their messages; recall of the space finds what was said."""

    def __init__(
        self, memory: "Memory | Space | aio.Memory | aio.Space", *, space: str = "strands"
    ) -> None:
        self._space = find_space(memory, space)

    def create_session(self, session: Session, **_: Any) -> Session:
        """Keep a new session."""
        self._create(self._find_state(session.session_id), "session", session.to_dict())
        return session

    def read_session(self, session_id: str, **_: Any) -> Session | None:
        """A session, or None."""
        held = self._read(self._find_state(session_id), "session")
        return None if held is None else Session.from_dict(held)

    def delete_session(self, session_id: str, **_: Any) -> None:
        """Delete a session with its agents and their messages."""
        self._need_session(session_id)
        with contextlib.suppress(NotFound):
            self._space.session(f"{_quote(session_id)}/").delete(prefix=True)
        self._find_state(session_id).delete_many(prefix=())

    def create_agent(self, session_id: str, session_agent: SessionAgent, **_: Any) -> None:
        """Keep a new agent of a session."""
        self._need_session(session_id)
        agents = self._find_state(session_id, "agents")
        self._create(agents, session_agent.agent_id, session_agent.to_dict())

    def read_agent(self, session_id: str, agent_id: str, **_: Any) -> SessionAgent | None:
        """An agent of a session, or None."""
        held = self._read(self._find_state(session_id, "agents"), agent_id)
        return None if held is None else SessionAgent.from_dict(held)

    def update_agent(self, session_id: str, session_agent: SessionAgent, **_: Any) -> None:
        """Replace what is kept of an agent, except when it was created."""
        agents = self._find_state(session_id, "agents")
        self._update(agents, session_agent.agent_id, session_agent.to_dict())

    def create_message(
        self, session_id: str, agent_id: str, session_message: SessionMessage, **_: Any
    ) -> None:
        """Keep the next message of an agent; its number is its place in the log."""
        self._need_session(session_id)
        if self._read(self._find_state(session_id, "agents"), agent_id) is None:
            raise SessionException(f"agent {agent_id!r} of session {session_id!r} does not exist")
        log, number = self._find_log(session_id, agent_id), session_message.message_id
        try:
            log.append(session_message.message["role"], seq=number + 1, **_pack(session_message))
        except Conflict as error:
            raise SessionException(f"message {number} already exists; {error}") from error

    def read_message(
        self, session_id: str, agent_id: str, message_id: int, **_: Any
    ) -> SessionMessage | None:
        """A message of an agent, or None."""
        found = self._find_log(session_id, agent_id).events(after=message_id, limit=1)
        return _read_message(found[0]) if found and found[0].seq == message_id + 1 else None

    def update_message(
        self, session_id: str, agent_id: str, session_message: SessionMessage, **_: Any
    ) -> None:
        """Replace a message, as guardrails do; what it said before is gone from recall."""
        seq = session_message.message_id + 1
        log = self._find_log(session_id, agent_id)
        found = log.events(after=seq - 1, limit=1)
        if not found or found[0].seq != seq:
            raise SessionException(f"message {session_message.message_id} does not exist")
        session_message.created_at = _read_message(found[0]).created_at
        packed = _pack(session_message)
        log.edit(seq, packed.pop("content"), **packed)

    def list_messages(
        self, session_id: str, agent_id: str, limit: int | None = None, offset: int = 0, **_: Any
    ) -> list[SessionMessage]:
        """The messages of an agent in order, from the `offset`th on."""
        most = None if limit is None else offset + limit
        events = self._find_log(session_id, agent_id).events(limit=most)
        return [_read_message(event) for event in events[offset:]]

    def create_multi_agent(self, session_id: str, multi_agent: Any, **_: Any) -> None:
        """Keep the state of a group of agents."""
        self._need_session(session_id)
        state = pack(multi_agent.serialize_state())
        self._find_state(session_id, "multi-agents").put(multi_agent.id, state)

    def read_multi_agent(self, session_id: str, multi_agent_id: str, **_: Any) -> State | None:
        """The state of a group of agents, or None."""
        return self._read(self._find_state(session_id, "multi-agents"), multi_agent_id)

    def update_multi_agent(self, session_id: str, multi_agent: Any, **_: Any) -> None:
        """Replace the state of a group of agents."""
        groups = self._find_state(session_id, "multi-agents")
        self._update(groups, multi_agent.id, multi_agent.serialize_state())

    def _find_state(self, session_id: str, *more: str) -> "SpaceRecords":
        return self._space.records("strands", session_id, *more)

    def _find_log(self, session_id: str, agent_id: str) -> "ricordo.Session":
        return self._space.session(f"{_quote(session_id)}/{_quote(agent_id)}")

    def _need_session(self, session_id: str) -> None:
        if self._read(self._find_state(session_id), "session") is None:
            raise SessionException(f"session {session_id!r} does not exist")

    def _read(self, records: "SpaceRecords", key: str) -> State | None:
        found = records.get(key)
        return None if found is None else dict(unpack(found.value))

    def _create(self, records: "SpaceRecords", key: str, value: State) -> None:
        try:
            records.put(key, pack(value), if_revision=0)
        except Conflict as error:
            raise SessionException(f"{key!r} already exists; {error}") from error

    def _update(self, records: "SpaceRecords", key: str, value: State) -> None:
        held = self._read(records, key)
        if held is None:
            raise SessionException(f"{key!r} does not exist")
        if "created_at" in held:
            value = {**value, "created_at": held["created_at"]}
        records.put(key, pack(value))


def _quote(part: str) -> str:
    return quote(part, safe=" ")


def _pack(message: SessionMessage) -> dict[str, Any]:
    """What a session keeps of a message: its text for recall, and all of it to read back."""
    parts = message.to_message().get("content") or []
    text = readable("\n".join(part["text"] for part in parts if part.get("text")))
    return {
        "content": text,
        "index": bool(text.strip()),
        "metadata": {"message": pack(message.to_dict())},
    }


def _read_message(event: "ricordo.Event") -> SessionMessage:
    return SessionMessage.from_dict(unpack((event.metadata or {})["message"]))
