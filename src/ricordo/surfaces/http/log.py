"""Routes that read a log from its end, or change what it holds."""

from typing import TYPE_CHECKING

from ricordo.errors import NotFound
from ricordo.model import Event, Receipt, SessionInfo
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import (
    MOST,
    Page,
    RequestContext,
    Route,
    list_route,
    rest_of,
    route,
    write_route,
)

if TYPE_CHECKING:
    from ricordo.handles.memory import Session


def _find_session(asked: RequestContext) -> "Session":
    return asked.space.session(asked.path["session"])


def tail(asked: RequestContext) -> Page:
    """The last events of a log, oldest of them first; `before` reads further back."""
    return Page(_find_session(asked).tail(**rest_of(asked)))


def info(asked: RequestContext) -> SessionInfo:
    """One session, as the list of sessions shows it."""
    found = _find_session(asked).info()
    if found is None:
        raise NotFound(
            f"there is no session {asked.path['session']!r} in space {asked.space.name!r}"
        )
    return found


def create(asked: RequestContext) -> dict[str, bool]:
    """Create a session without an event, or name its agent; `created` is false if it was there."""
    return {"created": _find_session(asked).create(**rest_of(asked))}


def fork(asked: RequestContext) -> SessionInfo:
    """Make a new session of the messages up to a seq, or of all of them."""
    made = _find_session(asked).fork(**rest_of(asked)).info()
    assert made is not None
    return made


def truncate(asked: RequestContext) -> Page:
    """Take out every event after a seq, for good; returns them."""
    return Page(_find_session(asked).truncate(**rest_of(asked)))


def replace(asked: RequestContext) -> Page:
    """Put messages in the place of every event after a seq, in one step; the new events."""
    return Page(_find_session(asked).replace(**rest_of(asked)))


def edit(asked: RequestContext) -> Event:
    """Replace what an event says, for good. What is not given is gone."""
    return _find_session(asked).edit(**rest_of(asked))


def delete(asked: RequestContext) -> Receipt:
    """Delete a session with everything derived from it, or all whose names begin so."""
    return _find_session(asked).delete(**rest_of(asked))


_SESSION = "/v1/spaces/{space}/sessions/{session}"
_AFTER = Parameter(
    "after", "integer", "The last seq that stays; -1 for none.", required=True, least=-1
)
_EXPECT_LAST = Parameter("expect_last", "integer", "The last seq that you have seen.", least=-1)

ROUTES: tuple[Route, ...] = (
    route(f"{_SESSION}", info, SessionInfo, name="session_info"),
    list_route(
        f"{_SESSION}/tail",
        tail,
        Event,
        Parameter("n", "integer", "How many.", required=True, least=0, most=MOST),
        Parameter("before", "integer", "Only events before this seq.", least=0),
    ),
    write_route(
        f"{_SESSION}/create",
        create,
        dict[str, bool],
        Parameter("agent", "string", "The agent that holds the session."),
        name="create_session",
    ),
    write_route(
        f"{_SESSION}/fork",
        fork,
        SessionInfo,
        Parameter("name", "string", "The name of the new session.", required=True),
        Parameter("at", "integer", "The last seq to take along.", least=0),
        name="fork_session",
    ),
    write_route(f"{_SESSION}/truncate", truncate, Event, _AFTER, _EXPECT_LAST, is_list=True),
    write_route(
        f"{_SESSION}/replace",
        replace,
        Event,
        _AFTER,
        Parameter(
            "messages", "message", "Messages with the fields of `append`.", required=True, many=True
        ),
        _EXPECT_LAST,
        is_list=True,
        name="replace_events",
    ),
    write_route(
        f"{_SESSION}/edit",
        edit,
        Event,
        Parameter("seq", "integer", "The event.", required=True, least=0),
        Parameter("content", "content", "Text, or parts."),
        Parameter("tool_calls", "object", "Calls of tools in it.", many=True),
        Parameter("tool_call_id", "string", "The call that it answers."),
        Parameter("name", "string", "The name of the speaker; default: as it was."),
        Parameter("metadata", "object", "What else to keep with it."),
        Parameter("index", "boolean", "False if recall is not to find it."),
        Parameter("expect_revision", "integer", "The revision that you have read.", least=0),
        name="edit_event",
    ),
    write_route(
        f"{_SESSION}/delete",
        delete,
        Receipt,
        Parameter("prefix", "boolean", "Also sessions whose names begin with this one."),
        Parameter("dry_run", "boolean", "Only count what would be removed."),
        name="delete_session",
    ),
)
