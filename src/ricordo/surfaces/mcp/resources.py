"""Resources: entries, sessions and summaries of a space under ricordo:// addresses."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from ricordo.errors import InvalidInput, RicordoError
from ricordo.model import Entry, SessionInfo
from ricordo.surfaces.output import dumps

if TYPE_CHECKING:
    from ricordo.handles.memory import Space

SCHEME = "ricordo://"
MARKDOWN, JSON = "text/markdown", "application/json"
PAGE = 100
_EVENTS = 200  # the newest of a session


@dataclass(frozen=True, slots=True)
class Template:
    """A family of addresses."""

    kind: str
    variable: str
    told: str
    media: str

    @property
    def address(self) -> str:
        return f"{SCHEME}{self.kind}/{{{self.variable}}}"


TEMPLATES = (
    Template("entries", "name", "One entry by name, alias, id or uid.", MARKDOWN),
    Template("sessions", "session", "The newest events of a session, oldest first.", JSON),
    Template("summaries", "session", "The rolling summary of a session.", MARKDOWN),
)


class ResourceItem(NamedTuple):
    """One resource of the list."""

    uri: str
    name: str
    told: str
    media: str


class ResourceText(NamedTuple):
    """The content of a resource."""

    text: str
    media: str


class AddressState(NamedTuple):
    """What an address leads to, and all its names."""

    text: str | None
    names: frozenset[str]


def address(kind: str, name: str) -> str:
    """The address of a resource, with its name escaped."""
    return f"{SCHEME}{kind}/{quote(name, safe='')}"


def read(space: "Space", uri: str) -> ResourceText | None:
    """The content of an address, or None."""
    parts = _parts(uri)
    try:
        return None if parts is None else _read(space, *parts)
    except RicordoError:
        return None


def see(space: "Space", uri: str) -> AddressState:
    """What an address leads to, with the names under which it is written."""
    parts = _parts(uri)
    if parts is None:
        return AddressState(None, frozenset())
    kind, name = parts
    try:
        if kind != "entries":
            found = _read(space, kind, name)
            return AddressState(None if found is None else found.text, frozenset({name}))
        entry = space.get(name)
    except RicordoError:
        return AddressState(None, frozenset({name}))
    if entry is None:
        return AddressState(None, frozenset({name}))
    names = {name, entry.name, *entry.aliases, str(entry.id), entry.uid}
    return AddressState(entry.content, frozenset(names))


def _parts(uri: str) -> tuple[str, str] | None:
    """The kind and the name in an address, or None if it is not one of ours."""
    kind, _, rest = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME) or not rest or "/" in rest:
        return None
    try:
        return kind, unquote(rest, errors="strict")
    except UnicodeDecodeError:
        return None


def _read(space: "Space", kind: str, name: str) -> ResourceText | None:
    if kind == "entries":
        entry = space.get(name)
        return None if entry is None else ResourceText(entry.content, MARKDOWN)
    if kind == "sessions":
        events = _newest(space, name)
        return ResourceText(dumps(events), JSON) if events else None
    if kind == "summaries":
        summary = space.session(name).summary()
        return None if summary is None else ResourceText(summary.text, MARKDOWN)
    return None


def _newest(space: "Space", session: str) -> list[dict[str, object]]:
    """The newest events of a session as they were said."""
    known = next((each for each in space.sessions() if each.session == session), None)
    if known is None:
        return []
    events = space.session(session).events(max(-1, known.last_seq - _EVENTS))
    return [
        {"seq": e.seq, "at": e.at, "role": e.role, "name": e.name, "content": e.content}
        for e in events
    ]


def page(space: "Space", cursor: str | None) -> tuple[list[ResourceItem], str | None]:
    """A page of the list: first the entries, newest first, then the sessions.

    Raises NotFound or InvalidInput for a cursor that is none of ours.
    """
    kind, _, place = (cursor or "entries:").partition(":")
    if kind == "entries":
        found = space.entries(limit=PAGE + 1, after=place or None)
        listed = [_entry(entry) for entry in found[:PAGE]]
        return listed, f"entries:{found[PAGE - 1].uid}" if len(found) > PAGE else "sessions:0"
    if kind != "sessions" or not (place.isascii() and place.isdigit() and len(place) < 9):
        raise InvalidInput(
            f"cursor {cursor!r:.80} is not valid; give nextCursor of the previous page"
        )
    start = int(place)
    sessions = space.sessions(start + PAGE + 1)[start:]
    listed = [each for info in sessions[:PAGE] for each in _session(space, info)]
    return listed, f"sessions:{start + PAGE}" if len(sessions) > PAGE else None


def _entry(entry: Entry) -> ResourceItem:
    told = f"{entry.kind} in {entry.category}, written {entry.updated_at:%Y-%m-%d}"
    return ResourceItem(address("entries", entry.name), entry.name, told, MARKDOWN)


def _session(space: "Space", info: SessionInfo) -> Iterator[ResourceItem]:
    whose = f" of {info.agent}" if info.agent else ""
    told = f"{info.events} events{whose}, the last {info.updated_at:%Y-%m-%d}"
    yield ResourceItem(address("sessions", info.session), info.session, told, JSON)
    if space.session(info.session).summary() is not None:
        name = f"{info.session} (summary)"
        yield ResourceItem(address("summaries", info.session), name, "Summary", MARKDOWN)


def names(space: "Space", variable: str, beginning: str) -> list[str]:
    """Names that complete what was typed, for hosts that offer them."""
    if variable == "name":
        found = space.entries(prefix=beginning or None, limit=PAGE)
        return [entry.name for entry in found]
    sessions = (info.session for info in space.sessions(1_000))
    return [name for name in sessions if name.startswith(beginning)][:PAGE]
