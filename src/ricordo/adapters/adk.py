"""Google's Agent Development Kit: a session service and a memory service.

Importing this module needs the extra: pip install "ricordo[adk]".
"""

import contextlib
import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import NotFound

try:
    from google.adk.errors.already_exists_error import AlreadyExistsError
    from google.adk.errors.session_not_found_error import SessionNotFoundError
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.base_session_service import (
        BaseSessionService,
        GetSessionConfig,
        ListSessionsResponse,
    )
    from google.adk.sessions.session import Session
    from google.genai import types
except ImportError as error:
    raise report_missing("google-adk", "adk") from error

if TYPE_CHECKING:
    import ricordo
    from ricordo import Memory, SessionInfo, Space, aio
    from ricordo.handles.records import SpaceRecords

__all__ = ["RicordoMemoryService", "RicordoSessionService"]

State = dict[str, Any]  # Any: what an app keeps is its own affair
_APP, _USER, _TEMP = "app:", "user:", "temp:"


class RicordoSessionService(BaseSessionService):
    """Sessions with their events and state; recall of the space finds what was said.

    Every key of a state is a record of its own, so that writers of other keys do not disturb it.
    """

    def __init__(
        self, memory: "Memory | Space | aio.Memory | aio.Space", *, space: str = "adk"
    ) -> None:
        self._space = find_space(memory, space)

    async def create_session(
        self,
        *,
        app_name: str,
        user_id: str,
        state: State | None = None,
        session_id: str | None = None,
    ) -> Session:
        """Create a session; AlreadyExistsError if there is one of this id."""
        id = (session_id or "").strip() or str(uuid.uuid4())
        name = _name(app_name, user_id, id)

        def create() -> Session:
            if not self._space.session(name).create():
                raise AlreadyExistsError(f"Session with id {id} already exists.")
            self._write_state((app_name, user_id, id), state or {})
            found = self._load((app_name, user_id, id), None)
            assert found is not None
            return found

        return await finish(create)

    async def get_session(
        self,
        *,
        app_name: str,
        user_id: str,
        session_id: str,
        config: GetSessionConfig | None = None,
    ) -> Session | None:
        """A session with its events and the state of app, user and session, or None."""
        address = (app_name, user_id, session_id.strip())
        return await finish(lambda: self._load(address, config))

    async def list_sessions(
        self, *, app_name: str, user_id: str | None = None
    ) -> ListSessionsResponse:
        """The sessions of a user, or of all users of an app, without their events."""
        prefix = f"{_quote(app_name)}/" + ("" if user_id is None else f"{_quote(user_id)}/")

        def load() -> list[Session]:
            found = [_split(info) for info in self._space.sessions(prefix=prefix)]
            loaded = [self._load(each, GetSessionConfig(num_recent_events=0)) for each in found]
            return [each for each in loaded if each is not None]

        sessions = await finish(load)
        sessions.sort(key=lambda each: (each.last_update_time, each.user_id, each.id))
        return ListSessionsResponse(sessions=sessions)

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Delete a session with its events and its own state."""
        address = (app_name, user_id, session_id.strip())

        def delete() -> None:
            with contextlib.suppress(NotFound):
                self._space.session(_name(*address)).delete()
            self._find_state("session", *address).delete_many(prefix=())

        await finish(delete)

    async def get_user_state(self, *, app_name: str, user_id: str) -> State:
        """The state that all sessions of a user share."""
        return await finish(lambda: self._read_state("user", app_name, user_id))

    async def append_event(self, session: Session, event: Event) -> Event:
        """Append an event and its changes of state; one that was sent before is kept once."""
        if event.partial:
            return event
        address = (session.app_name, session.user_id, session.id)
        log = self._space.session(_name(*address))
        if await finish(log.info) is None:
            raise SessionNotFoundError(f"Session {session.id} not found.")
        self._apply_temp_state(session, event)
        event = self._trim_temp_delta_state(event)
        delta = dict(event.actions.state_delta) if event.actions else {}
        message = _make_message(event)

        def append() -> None:
            log.append(**message)
            self._write_state(address, delta)

        await finish(append)
        if not any(known == event for known in session.events if known.id == event.id):
            self._commit_event_to_session(session, event)
        session.last_update_time = event.timestamp
        return event

    def _load(
        self, address: tuple[str, str, str], config: GetSessionConfig | None
    ) -> Session | None:
        app, user, id = address
        log = self._space.session(_name(*address))
        info = log.info()
        if info is None:
            return None
        most = None if config is None else config.num_recent_events
        kept = log.events() if most is None else log.tail(max(most, 0))
        events = [_read_event(each) for each in kept]
        if config is not None and config.after_timestamp is not None:
            events = [each for each in events if each.timestamp >= config.after_timestamp]
        newest = log.tail(1)
        state = self._read_state("session", *address)
        state |= {_APP + key: value for key, value in self._read_state("app", app).items()}
        state |= {_USER + key: value for key, value in self._read_state("user", app, user).items()}
        return Session(
            app_name=app,
            user_id=user,
            id=id,
            state=state,
            events=events,
            last_update_time=(newest[0].at if newest else info.created_at).timestamp(),
        )

    def _find_state(self, *path: str) -> "SpaceRecords":
        return self._space.records("adk", *path)

    def _read_state(self, *path: str) -> State:
        found = self._find_state(*path).list(limit=None)
        return {each.key: unpack(each.value) for each in found if len(each.path) == len(path) + 1}

    def _write_state(self, address: tuple[str, str, str], delta: Mapping[str, Any]) -> None:
        """Write the keys of a change, each where it belongs, in one transaction."""
        app, user, id = address
        records: list[tuple[tuple[str, ...], Any]] = []
        for key, value in delta.items():
            kept = pack(value)
            if key.startswith(_APP):
                records.append((("app", app, key.removeprefix(_APP)), kept))
            elif key.startswith(_USER):
                records.append((("user", app, user, key.removeprefix(_USER)), kept))
            elif not key.startswith(_TEMP):
                records.append((("session", app, user, id, key), kept))
        if records:
            self._find_state().put_many(records)


class RicordoMemoryService(BaseMemoryService):
    """What users said in their sessions, found by recall in the space of the service."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        *,
        space: str = "adk-memory",
        limit: int = 10,
    ) -> None:
        self._space = find_space(memory, space)
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Add the events of a session; those that are there already are added once."""
        await self.add_events_to_memory(
            app_name=session.app_name,
            user_id=session.user_id,
            events=session.events,
            session_id=session.id,
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Add events that say something."""
        del custom_metadata
        log = self._space.session(_name(app_name, user_id, session_id or "-"))
        messages = [_make_message(event) for event in events if _read_text(event).strip()]
        scope = {"app": app_name, "user": user_id}
        for message in messages:
            message["metadata"] = {"scope": scope}
        if messages:
            await finish(lambda: log.extend(messages))

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """What the user said that answers a query, best first."""
        where = {"scope.app": app_name, "scope.user": user_id}
        hits = await finish(lambda: self._space.recall(query, self._limit, where=where))
        return SearchMemoryResponse(memories=[_make_memory(hit) for hit in hits])


def _quote(part: str) -> str:
    return quote(part, safe=" ")


def _name(app: str, user: str, id: str) -> str:
    return "/".join(map(_quote, (app, user, id)))


def _split(info: "SessionInfo") -> tuple[str, str, str]:
    app, user, id = map(unquote, info.session.split("/"))
    return app, user, id


def _read_text(event: Event) -> str:
    parts = (event.content.parts if event.content else None) or []
    return readable("\n".join(part.text for part in parts if part.text))


def _make_message(event: Event) -> dict[str, Any]:
    """What a session keeps of an event: its text for recall, and all of it to read back."""
    text, whole = _read_text(event), event.model_dump(mode="json", exclude_none=True)
    digest = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
    return {
        "role": "user" if event.author == "user" else "assistant",
        "content": text,
        "name": event.author or None,
        "index": bool(text.strip()),
        "key": f"{event.id}:{digest}",  # other events of the same id are kept
        "at": datetime.fromtimestamp(event.timestamp, UTC),
        "metadata": {"event": pack(whole)},
    }


def _read_event(kept: "ricordo.Event") -> Event:
    return Event.model_validate(unpack((kept.metadata or {})["event"]))


def _make_memory(hit: "ricordo.Hit") -> MemoryEntry:
    content = types.Content(parts=[types.Part(text=hit.text)], role="user")
    return MemoryEntry(content=content, author=hit.author, timestamp=hit.at.isoformat())
