"""Claude Agent SDK: a `SessionStore` that mirrors transcripts into sessions of a space.

Importing this module needs the extra: pip install "ricordo[claude-agent]".
"""

import contextlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from ricordo.adapters.ground import find_space, finish, report_missing
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import NotFound

try:
    from claude_agent_sdk import fold_session_summary
    from claude_agent_sdk.types import SessionStore
except ImportError as error:
    raise report_missing("claude-agent-sdk", "claude-agent") from error

if TYPE_CHECKING:
    from claude_agent_sdk.types import (
        SessionKey,
        SessionListSubkeysKey,
        SessionStoreEntry,
        SessionStoreListEntry,
        SessionSummaryEntry,
    )

    from ricordo import Memory, Session, SessionInfo, Space, aio

__all__ = ["RicordoSessionStore"]

_ROLES = frozenset({"user", "assistant", "system"})
_SUMMARY = "claude-agent"  # the category of the entries that keep what a session's list shows


class RicordoSessionStore(SessionStore):
    """Transcripts by project and session; recall of the space finds what was said in them."""

    def __init__(
        self, memory: "Memory | Space | aio.Memory | aio.Space", *, space: str = "claude-agent"
    ) -> None:
        self._space = find_space(memory, space)

    async def append(self, key: "SessionKey", entries: "list[SessionStoreEntry]") -> None:
        """Append entries of a transcript; one whose `uuid` is known is not written again."""
        messages = [_make_message(entry) for entry in entries]
        if messages:
            await finish(lambda: self._find_log(key).extend(messages))

    async def load(self, key: "SessionKey") -> "list[SessionStoreEntry] | None":
        """The whole transcript, or None if nothing was ever written."""
        events = await finish(self._find_log(key).events)
        return [unpack((event.metadata or {})["entry"]) for event in events] or None

    async def list_sessions(self, project_key: str) -> "list[SessionStoreListEntry]":
        """The sessions of a project, without the transcripts of their subagents."""
        found = await finish(lambda: self._list_main(project_key))
        return [{"session_id": _id_of(each), "mtime": _mtime(each)} for each in found]

    async def list_session_summaries(self, project_key: str) -> "list[SessionSummaryEntry]":
        """A summary of each session, kept up to date from what was appended since."""

        def summarize() -> "list[SessionSummaryEntry]":
            return [self._fold(project_key, each) for each in self._list_main(project_key)]

        return await finish(summarize)

    async def delete(self, key: "SessionKey") -> None:
        """Delete a transcript; that of a session goes with those of its subagents."""

        def delete() -> None:
            names = [_name(key)] if key.get("subpath") else [f"{_name(key)}/", _name(key)]
            for name in names:
                with contextlib.suppress(NotFound):
                    self._space.session(name).delete(prefix=name.endswith("/"))
            if not key.get("subpath"):
                with contextlib.suppress(NotFound):
                    self._space.forget(_summary_name(_name(key)))

        await finish(delete)

    async def list_subkeys(self, key: "SessionListSubkeysKey") -> list[str]:
        """The subpaths of a session that have a transcript."""
        prefix = f"{_name(key)}/"
        found = await finish(lambda: self._space.sessions(prefix=prefix))
        return [each.session.removeprefix(prefix) for each in found]

    def _find_log(self, key: "SessionKey") -> "Session":
        return self._space.session(_name(key))

    def _list_main(self, project_key: str) -> "list[SessionInfo]":
        found = self._space.sessions(prefix=f"{_quote(project_key)}/")
        return [each for each in found if each.session.count("/") == 1]

    def _fold(self, project_key: str, info: "SessionInfo") -> "SessionSummaryEntry":
        """The summary, continued over the entries that came since it was last kept.

        Whoever folds keeps up to where: two at once keep the same, or one that is continued again.
        """
        name = _summary_name(info.session)
        kept = self._space.get(name, exact=True)
        held = dict(kept.metadata) if kept is not None else {"summary": None, "upto": -1}
        before: Any = unpack(held["summary"])
        events = self._space.session(info.session).events(after=int(str(held["upto"])))
        if events:
            key: SessionKey = {"project_key": project_key, "session_id": _id_of(info)}
            entries = [unpack((event.metadata or {})["entry"]) for event in events]
            before = fold_session_summary(before, key, entries)
            self._space.remember(
                f"Transcript {info.session}",
                name,
                category=_SUMMARY,
                mute=True,
                metadata={"summary": pack(before), "upto": events[-1].seq},
            )
        summary: SessionSummaryEntry = before
        return {**summary, "mtime": _mtime(info)}


def _name(key: "SessionKey | SessionListSubkeysKey") -> str:
    """The session of a key: project, session and subpath, separated by slashes."""
    main = f"{_quote(key['project_key'])}/{_quote(key['session_id'])}"
    subpath = key.get("subpath")
    return f"{main}/{subpath}" if subpath else main


def _summary_name(session: str) -> str:
    return f"claude-agent/{session}"


def _quote(part: str) -> str:
    return quote(part, safe=" ")


def _id_of(info: "SessionInfo") -> str:
    return unquote(info.session.split("/")[1])


def _mtime(info: "SessionInfo") -> int:
    return int(info.updated_at.timestamp() * 1000)


def _make_message(entry: Any) -> dict[str, Any]:
    """What a session keeps of an entry: its text for recall, and all of it to read back."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    text, kind = _read_text(content), entry.get("type")
    return {
        "role": kind if kind in _ROLES else "system",
        "content": text,
        "index": bool(text.strip()),
        "key": entry.get("uuid") or None,
        "at": _read_time(entry.get("timestamp")),
        "metadata": {"entry": pack(entry)},
    }


def _read_text(content: Any) -> str:
    """What was said: a text, or the text parts of a list; tools' results are left out."""
    if isinstance(content, str):
        return readable(content)
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return readable("\n".join(text for text in texts if isinstance(text, str)))


def _read_time(said: Any) -> datetime | None:
    """The time of an entry, if it says one that a memory can keep."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        at = datetime.fromisoformat(said).astimezone(UTC)
        return at if at.year > 1970 else None
    return None
