"""The handle of a session. It holds no state but its names; everything it does is a flow."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from recollect.errors import InvalidInput
from recollect.flows import ingest, read
from recollect.flows.engine import Engine, whole
from recollect.flows.ingest import Message
from recollect.model import Event, Json, Receipt


class Session:
    """One conversation of a space: an append-only log of events."""

    def __init__(self, engine: Engine, space: str, name: str) -> None:
        self._engine = engine
        self.space = space
        self.name = name

    def append(
        self,
        role: str,
        content: str | list[Json] | None = None,
        *,
        seq: int | None = None,
        at: datetime | None = None,
        importance: float | None = None,
        tool_calls: list[Json] | None = None,
        tool_call_id: str | None = None,
        name: str | None = None,
        origin: str | None = None,
        metadata: Mapping[str, Json] | None = None,
    ) -> Event:
        """Append a message; it is durable and found by its words when this returns."""
        message = Message(
            role=role,
            content=content,
            seq=seq,
            at=at,
            importance=importance,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            name=name,
            origin=origin,
            metadata=metadata,
        )
        return ingest.append(self._engine, self.space, self.name, [message])[0]

    def extend(self, messages: Iterable[Mapping[str, Json]]) -> list[Event]:
        """Append many messages in one transaction: all of them, or none."""
        if isinstance(messages, Mapping | str):
            raise InvalidInput("extend takes a list of messages; for one of them use append")
        prepared = [Message.of(message) for message in messages]
        return ingest.append(self._engine, self.space, self.name, prepared)

    def events(self, after: int | None = None, limit: int | None = None) -> list[Event]:
        """The log in order, from just after a seq."""
        return read.events(self._engine, self.space, self.name, after, limit)

    def recent(self, n: int | None = None) -> list[Event]:
        """The newest events, from working memory; the first user message stays in it."""
        limit = None if n is None else whole(n, "n", 0, 2**31)
        return self._engine.recent.read(self._engine, (self.space, self.name), limit)

    def delete(self) -> Receipt:
        """Remove the session with everything derived from it."""
        return ingest.delete(self._engine, self.space, self.name)
